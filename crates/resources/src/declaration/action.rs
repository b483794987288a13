//! Actions: transitions of the state, perhaps with work elsewhere.

use std::time::Duration;

use http::Uri;

use super::report::Report;
use super::spot::Spot;
use super::yaml::{Tree, short};
use super::{names, schema, scopes};
use crate::model::{Action, Handler, Scope};

const KEYS: [&str; 7] = ["description", "from", "to", "scope", "async", "input", "handler"];
/// How long a handler may take for one call, unless it is said.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest that can be said.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(60);
/// How often a handler is called in all: nobody waits for asynchronous work, so that it can try for longer.
const ATTEMPTS: u32 = 8;
const MOST_ATTEMPTS: u32 = 20;

/// What an action may speak of.
pub(super) struct Surroundings<'a> {
    /// The values of the state field. None: there is no state field.
    pub(super) states: Option<&'a [&'a str]>,
    /// The scopes of the API.
    pub(super) scopes: &'a [Scope],
}

/// Reads an action.
pub(super) fn read(spot: &Spot<'_>, around: &Surroundings<'_>, report: &mut Report) -> Option<Action> {
    let is_named = names::check(spot, "an action", report);
    spot.keys("an action", &KEYS, report);
    let state = |spot: Spot<'_>, report: &mut Report| match around.states {
        Some(states) => spot.word("state of this resource", states, report).map(str::to_owned),
        None => {
            let message = "The resource has no `state`. Name the field that actions move: `state: status`.";
            spot.wrong_key(message, None, report);
            None
        }
    };
    let from = spot.get("from").map(|from| from.one_or_more(report)).unwrap_or_default();
    let from = from.into_iter().filter_map(|from| state(from, report)).collect();
    let to = spot.get("to").and_then(|to| state(to, report));
    let description = spot.get("description").and_then(|text| text.text(report)).unwrap_or_default();
    let is_async = spot.get("async").and_then(|flag| flag.flag(report)).unwrap_or_default();
    let scope = spot.get("scope").and_then(|scope| scopes::read_need(&scope, around.scopes, report));
    let input = spot.get("input").and_then(|input| read_input(&input, report));
    let handler = spot.get("handler").and_then(|handler| read_handler(&handler, is_async, report));
    if spot.get("to").is_none() && spot.get("handler").is_none() && matches!(spot.node.tree, Tree::Map(_) | Tree::Null)
    {
        let message = "The action does nothing: it has neither `to`, the state it leads to, nor a `handler`.";
        spot.doubtful(message, None, report);
    }
    is_named.then(|| Action {
        name: spot.name().to_owned(),
        description: description.trim_end().to_owned(),
        from,
        to,
        scope,
        is_async,
        input,
        handler,
    })
}

fn read_input(spot: &Spot<'_>, report: &mut Report) -> Option<serde_json::Value> {
    let before = report.faults.len();
    schema::check(spot, report);
    let input = spot.node.to_json();
    if report.faults.len() == before {
        schema::prepare(spot, &input, report)?;
    }
    Some(input)
}

fn read_handler(spot: &Spot<'_>, is_async: bool, report: &mut Report) -> Option<Handler> {
    if matches!(spot.node.tree, Tree::Text(_)) {
        let attempts = if is_async { ATTEMPTS } else { 1 };
        return Some(Handler { url: read_url(spot, report)?, timeout: TIMEOUT, attempts, version: None });
    }
    spot.keys("a handler", &["url", "timeout", "attempts", "version"], report);
    let timeout = spot.get("timeout").and_then(|timeout| read_timeout(&timeout, report)).unwrap_or(TIMEOUT);
    let attempts = spot.get("attempts").and_then(|attempts| read_attempts(&attempts, report));
    let Some(url) = spot.get("url") else {
        spot.wrong_key("The handler has no `url`. Say where it listens.", None, report);
        return None;
    };
    let attempts = attempts.unwrap_or(if is_async { ATTEMPTS } else { 1 });
    let version = spot.get("version").and_then(|version| super::read_version(&version, report));
    Some(Handler { url: read_url(&url, report)?, timeout, attempts, version })
}

fn read_url(spot: &Spot<'_>, report: &mut Report) -> Option<String> {
    let text = spot.text(report)?;
    let url = text.parse::<Uri>().ok().filter(|url| url.host().is_some_and(|host| !host.is_empty()));
    match url.as_ref().and_then(Uri::scheme_str) {
        Some("https") => {}
        Some("http") => {
            let message = "What is sent to this handler can be read on the way. Use `https://` outside of a trial.";
            spot.doubtful(message, None, report);
        }
        _ => {
            spot.wrong(format!("`{}` is no address such as `https://till.example.com/refund`.", short(text)), report);
            return None;
        }
    }
    if url.and_then(|url| Some(url.authority()?.as_str().contains('@'))).unwrap_or_default() {
        spot.wrong("An address must not hold a password. Calls are signed; check the signature instead.", report);
        return None;
    }
    Some(text.to_owned())
}

fn read_timeout(spot: &Spot<'_>, report: &mut Report) -> Option<Duration> {
    let text = if let Tree::Text(text) = &spot.node.tree { text.as_str() } else { "" };
    let units = [("ms", 1_u64), ("s", 1_000), ("m", 60_000)];
    let parsed = units.iter().find_map(|(unit, millis)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(*millis).map(Duration::from_millis)
    });
    let timeout = parsed.filter(|timeout| !timeout.is_zero() && *timeout <= LONGEST_TIMEOUT);
    if timeout.is_none() {
        spot.wrong_kind("a length of time such as `10s`, at most `60s`", report);
    }
    timeout
}

fn read_attempts(spot: &Spot<'_>, report: &mut Report) -> Option<u32> {
    let number = if let Tree::Number(number) = &spot.node.tree { number.as_u64() } else { None };
    let attempts = number.and_then(|number| u32::try_from(number).ok());
    let attempts = attempts.filter(|attempts| (1..=MOST_ATTEMPTS).contains(attempts));
    if attempts.is_none() {
        spot.wrong_kind("a number from 1 to 20", report);
    }
    attempts
}
