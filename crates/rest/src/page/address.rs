//! The address of a neighbouring page: the same query with a few parameters changed.

use crate::form::{encode_component, spells};

/// The same path and query, in which these parameters have another value, or none and are gone.
///
/// What is not named stays as the client wrote it. A changed parameter comes last, and once.
pub fn with_parameter(path_and_query: &str, changes: &[(&str, Option<&str>)]) -> String {
    let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    let changed = |pair: &str| {
        let name = pair.split('=').next().unwrap_or_default();
        changes.iter().any(|(changed, _)| spells(name.as_bytes(), changed))
    };
    let mut address = String::with_capacity(path_and_query.len() + 64);
    address.push_str(path);
    let mut separator = '?';
    for pair in query.split('&').filter(|pair| !pair.is_empty() && !changed(pair)) {
        address.push(separator);
        address.push_str(pair);
        separator = '&';
    }
    for (name, value) in changes {
        if let Some(value) = value {
            address.push(separator);
            address.push_str(&encode_component(name));
            address.push('=');
            address.push_str(&encode_component(value));
            separator = '&';
        }
    }
    address
}
