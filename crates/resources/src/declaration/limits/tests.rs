//! Limits that are declared, and what is wrong with others.

use std::time::Duration;

use valetkey_rest::rate_limit::Quota;

use crate::declaration::read;
use crate::declaration::tests::{fault, fields};
use crate::model::Limits;

#[test]
fn limits_are_read_for_kinds_of_requests_and_for_scopes() {
    let limits = "limits: { read: 600, write: { requests: 10, window: 1h }, search: { requests: 5 } }\n";
    let scope = "r: { description: See, limit: { requests: 7, window: 1d } }";

    let api = read(&format!("{}{limits}", fields("a: {}"))).unwrap().api;
    let scoped = read(&format!("{}scopes: {{ {scope} }}\n", fields("a: {}"))).unwrap().api;

    let quota = |limit, seconds| Some(Quota { limit, window: Duration::from_secs(seconds) });
    assert_eq!(api.limits, Limits { read: quota(600, 60), search: quota(5, 60), write: quota(10, 3600) });
    assert_eq!(scoped.scopes[0].limit, quota(7, 86_400));
    assert_eq!(scoped.limits, Limits::default());
}

#[test]
fn a_limit_that_makes_no_sense_is_told() {
    for (limit, words) in [
        ("read: 0", "a number of requests"),
        ("read: many", "a number of requests"),
        ("read: {}", "no `requests`"),
        ("read: { requests: 5, window: 0s }", "from `1s` to `1d`"),
        ("read: { requests: 5, window: 60 }", "from `1s` to `1d`"),
        ("read: { requests: 5, window: 2d }", "from `1s` to `1d`"),
        ("reads: 5", "`reads`"),
    ] {
        let fault = fault(&format!("{}limits: {{ {limit} }}\n", fields("a: {}")));

        assert!(fault.to_string().contains(words), "{limit}: {fault}");
    }
}
