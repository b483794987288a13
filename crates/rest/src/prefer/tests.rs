//! Preferences as clients spell them.

use http::{HeaderMap, HeaderValue};

use super::{CountPreference, PREFER, Prefer};

fn prefer(lines: &[&'static str]) -> Prefer {
    let headers: HeaderMap = lines.iter().map(|line| (PREFER, HeaderValue::from_static(line))).collect();
    Prefer::from_headers(&headers)
}

#[test]
fn preferences_are_found_among_others() {
    let both = Prefer { count: Some(CountPreference::Capped), return_minimal: true };

    assert_eq!(prefer(&["respond-async, count=capped; x=1", "Return=\"minimal\""]), both);
    assert_eq!(prefer(&["count = capped ,return=minimal"]), both);
}

#[test]
fn what_is_unknown_counts_for_nothing() {
    for line in ["", ",", "=", "count", "count=", "count=all", "return=representation", "minimal", "counts=exact"] {
        assert_eq!(prefer(&[line]), Prefer::default(), "{line}");
    }
}

#[test]
fn the_first_of_two_counts() {
    assert_eq!(prefer(&["count=exact", "count=capped"]).count, Some(CountPreference::Exact));
    assert!(!prefer(&["return=representation, return=minimal"]).return_minimal);
}
