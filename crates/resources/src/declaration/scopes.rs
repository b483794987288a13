//! Scopes: what a client can be allowed to do, and which of them each operation needs.

use std::collections::HashSet;

use super::limits;
use super::report::Report;
use super::spot::{Spot, listed};
use super::yaml::{Tree, short};
use crate::model::{Operation, Resource, Scope, Scopes};
use crate::suggest::nearest;

/// More would not fit into one consent page, nor into a token.
const MOST: usize = 50;
/// The longest name.
const LONGEST: usize = 100;
/// Names with a meaning of their own in OAuth and OpenID Connect.
const TAKEN: [&str; 6] = ["openid", "profile", "email", "address", "phone", "offline_access"];

/// The operations that the words `read` and `write` stand for, where they are not named by themselves.
const READING: [Operation; 2] = [Operation::List, Operation::Read];

/// Reads the scopes of the API.
pub(super) fn read(spot: &Spot<'_>, report: &mut Report) -> Vec<Scope> {
    let entries = spot.entries(report);
    if entries.len() > MOST {
        spot.wrong_key(format!("There are more than {MOST} scopes. Let some of them allow more."), None, report);
    }
    entries.iter().take(MOST).filter_map(|scope| read_scope(scope, report)).collect()
}

fn read_scope(spot: &Spot<'_>, report: &mut Report) -> Option<Scope> {
    let name = spot.name();
    let is_token = name.bytes().all(|byte| matches!(byte, 0x21 | 0x23..=0x5B | 0x5D..=0x7E));
    if !is_token || name.len() > LONGEST {
        let message = format!(
            "`{}` cannot be a scope. Its name has at most {LONGEST} letters, digits and signs, such as `read:orders`; no \
             spaces, quotes or backslashes.",
            short(name)
        );
        spot.wrong_key(message, None, report);
    } else if TAKEN.contains(&name) {
        spot.wrong_key(format!("`{name}` is a scope of OpenID Connect. Choose another name."), None, report);
    }
    let (description, is_sensitive, limit, max_age) = if matches!(spot.node.tree, Tree::Map(_)) {
        spot.keys("a scope", &["description", "sensitive", "limit", "max_age"], report);
        let limit = spot.get("limit").and_then(|limit| limits::read_quota(&limit, report));
        let max_age = spot.get("max_age").and_then(|age| limits::read_time(&age, report));
        let sensitive = spot.get("sensitive").and_then(|flag| flag.flag(report)).unwrap_or_default();
        let Some(description) = spot.get("description") else {
            spot.wrong_key(
                "The scope has no `description`. Say what it allows, for the person who consents.",
                None,
                report,
            );
            return None;
        };
        (description.text(report)?, sensitive, limit, max_age)
    } else {
        (spot.text(report)?, false, None, None)
    };
    if description.trim().is_empty() {
        spot.wrong("The description is empty. Say what the scope allows, for the person who consents.", report);
    }
    Some(Scope { name: name.to_owned(), description: description.trim().to_owned(), is_sensitive, limit, max_age })
}

/// Reads which scope each operation of a resource needs.
pub(super) fn read_needs(spot: &Spot<'_>, scopes: &[Scope], report: &mut Report) -> Scopes {
    let words: Vec<&str> = Operation::ALL.iter().map(|operation| operation.as_str()).chain(["write"]).collect();
    spot.keys("`scopes`", &words, report);
    let mut named = |word: &str| spot.get(word).and_then(|scope| read_need(&scope, scopes, report));
    let (reading, writing) = (named("read"), named("write"));
    let mut needs = |operation: Operation| {
        let group = if READING.contains(&operation) { &reading } else { &writing };
        if operation == Operation::Read { reading.clone() } else { named(operation.as_str()).or_else(|| group.clone()) }
    };
    Scopes {
        list: needs(Operation::List),
        read: needs(Operation::Read),
        create: needs(Operation::Create),
        replace: needs(Operation::Replace),
        update: needs(Operation::Update),
        delete: needs(Operation::Delete),
        act: needs(Operation::Act),
    }
}

/// Reads the name of a scope, which must be declared.
pub(super) fn read_need(spot: &Spot<'_>, scopes: &[Scope], report: &mut Report) -> Option<String> {
    let name = spot.text(report)?;
    if scopes.iter().any(|scope| scope.name == name) {
        return Some(name.to_owned());
    }
    let meant = nearest(name, scopes.iter().map(|scope| scope.name.as_str()));
    let message = match meant {
        Some(_) => format!("`{}` is no scope of this API.", short(name)),
        None => format!("`{0}` is no scope of this API. Declare it at the top: `scopes: {{ {0}: … }}`.", short(name)),
    };
    spot.misspelt(message, meant, report);
    None
}

/// Doubts about scopes that nothing needs, and about operations that need none.
pub(super) fn check_use(root: &Spot<'_>, scopes: &[Scope], resources: &[Resource], report: &mut Report) {
    let mut used = HashSet::new();
    for resource in resources {
        let open: Vec<&str> = resource
            .operations
            .iter()
            .filter(|operation| resource.scopes.of(**operation).is_none())
            .filter(|operation| {
                **operation != Operation::Act || resource.actions.iter().any(|action| action.scope.is_none())
            })
            .map(|operation| operation.as_str())
            .collect();
        if !open.is_empty() {
            let message =
                format!("Any valid token may {} `{}`. Name scopes if that is not meant.", listed(&open), resource.name);
            root.find(&["resources", &resource.name, "scopes"]).doubtful(message, None, report);
        }
        used.extend(Operation::ALL.iter().filter_map(|operation| resource.scopes.of(*operation)));
        used.extend(resource.actions.iter().filter_map(|action| action.scope.as_deref()));
    }
    for scope in scopes.iter().filter(|scope| !used.contains(scope.name.as_str())) {
        let message = format!("Nothing needs the scope `{}`: a client that has it can do no more.", scope.name);
        root.find(&["scopes", &scope.name]).doubtful(message, None, report);
    }
}
