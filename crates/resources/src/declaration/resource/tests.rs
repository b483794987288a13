//! Resources: names, parents, states, actions, operations and what they demand.

use std::time::Duration;

use crate::declaration::tests::{fault, place, thing, warnings};
use crate::declaration::{Fault, read};
use crate::model::{Operation, Resource};

const FIELDS: &str =
    "\nfields:\n  s: { enum: [new, done], default: new, readOnly: true }\n  up_id: { references: things }";

/// The fault of a resource with these keys beside a state-like field `s` and a reference `up_id`.
#[track_caller]
fn refused(keys: &str) -> Fault {
    fault(&(thing(&format!("{keys}{FIELDS}")) + "scopes: { r: Read, w: Write }\n"))
}

fn resource(keys: &str) -> Resource {
    let text = thing(&format!("{keys}{FIELDS}")) + "scopes: { r: Read, w: Write }\n";
    (*read(&text).unwrap().api.resources[0]).clone()
}

#[test]
fn names_of_resources_are_plural_and_not_taken() {
    let named = |name: &str| format!("api: {{ name: a }}\nresources:\n  {name}: {{ fields: {{ a: {{}} }} }}\n");

    for name in ["operations", "docs", "openapi", "v1", "v"] {
        let fault = fault(&named(name));
        assert!(fault.message.contains("Choose another name"), "{fault}");
        assert_eq!(place(&fault).1, 3);
    }
    assert_eq!(fault(&named("OrderItems")).suggestion.as_deref(), Some("order_items"));
    assert!(warnings(&named("furniture")).iter().any(|doubt| doubt.message.contains("plural")));
    assert!(warnings(&named("vans")).iter().all(|doubt| !doubt.message.contains("plural")));
    assert!(resource("singular: widget").singular == "widget");
    assert!(refused("singular: Big Widget").message.contains("small letters"));
}

#[test]
fn keys_that_are_unknown_are_told_with_the_one_that_was_meant() {
    let fault = refused("opertions: [list]");

    assert_eq!(place(&fault), (4, 5, "resources.things.opertions", Some("operations")));
}

#[test]
fn a_parent_is_a_resource_that_a_field_points_at() {
    let parent = resource("parent: things").parent.unwrap();
    assert_eq!((parent.resource.as_str(), parent.field.as_str()), ("things", "up_id"));
    assert!(resource("parent: { resource: things, field: up_id }").parent.is_some());

    assert_eq!(refused("parent: thing").suggestion.as_deref(), Some("things"));
    assert!(refused("parent: { field: up_id }").message.contains("no `resource`"));
    assert!(refused("parent: { resource: things, field: s }").message.contains("field that references `things`"));
    let text = "api: { name: a }\nresources:\n  users: { fields: { a: {} } }\n  orders: { parent: users, fields: { a: {} } }\n";
    assert!(fault(text).message.contains("`user_id: { references: users }`"));
    let two = text.replace(
        "users, fields: { a: {} }",
        "users, fields: { a_id: { references: users }, b_id: { references: users } }",
    );
    assert!(fault(&two).message.contains("Several fields"), "{two}");
}

#[test]
fn scopes_are_declared_ones_and_the_nearer_word_wins() {
    let scopes = resource("scopes: { read: r, write: w, delete: r, list: w }").scopes;
    assert_eq!((scopes.read.as_deref(), scopes.list.as_deref()), (Some("r"), Some("w")));
    assert_eq!((scopes.delete.as_deref(), scopes.act.as_deref()), (Some("r"), Some("w")));

    assert!(refused("scopes: { read: x:y }").message.contains("no scope of this API"));
    assert_eq!(refused("scopes: { wirte: w }").suggestion.as_deref(), Some("write"));
}

#[test]
fn a_state_is_a_field_of_words_that_begins_somewhere() {
    assert_eq!(resource("state: s").state.as_deref(), Some("s"));

    assert!(refused("state: t").message.contains("field of this resource"));
    assert!(refused("state: up_id\nactions: { go: { from: x, to: y } }").message.contains("`enum: [pending, paid]`"));
    let text = |field: &str| thing(&format!("state: s\nfields:\n  s: {field}"));
    assert!(fault(&text("{ enum: [a, b], readOnly: true }")).message.contains("`default`"));
    assert!(fault(&text("{ enum: [1, 2], default: 1, readOnly: true }")).message.contains("not made of states"));
    let open = warnings(&text("{ enum: [a, b], default: a }"));
    assert!(open.iter().any(|doubt| doubt.message.contains("readOnly: true")), "{open:?}");
}

#[test]
fn actions_lead_from_states_to_states() {
    let action =
        resource("state: s\nactions: { go: { from: [new], to: done, scope: r, async: true } }").actions[0].clone();
    assert_eq!((action.from, action.to.as_deref()), (vec!["new".to_owned()], Some("done")));
    assert!(action.is_async && action.scope.as_deref() == Some("r"));

    let from = refused("state: s\nactions:\n  go: { from: nwe, to: done }");
    assert_eq!(place(&from), (6, 19, "resources.things.actions.go.from", Some("new")));
    assert_eq!(
        place(&refused("state: s\nactions: { go: { from: [new, x], to: done } }")).2,
        "resources.things.actions.go.from[1]"
    );
    assert!(refused("state: s\nactions: { go: { to: over } }").message.contains("`new` and `done`"));
    assert!(refused("actions: { go: { to: done } }").message.contains("`state: status`"));
    assert!(refused("actions: { Go: { handler: 'https://a.example/' } }").suggestion.is_some());
    assert!(refused("state: s\nactions: { go: { to: done, scope: x } }").message.contains("scope of this API"));
    assert_eq!(refused("state: s\nactions: { go: { to: done, form: new } }").suggestion.as_deref(), Some("from"));
    let idle = warnings(&thing(&format!("actions: {{ go: {{}} }}{FIELDS}")));
    assert!(idle.iter().any(|doubt| doubt.message.contains("does nothing")), "{idle:?}");
}

#[test]
fn handlers_listen_at_addresses_and_answer_in_time() {
    let handler =
        |action: &str| resource(&format!("actions: {{ go: {{ {action} }} }}")).actions[0].handler.clone().unwrap();
    let short = handler("handler: 'https://a.example/x'");
    assert_eq!((short.timeout, short.attempts), (Duration::from_secs(10), 1));
    assert_eq!(handler("async: true, handler: 'https://a.example/x'").attempts, 8);
    let long = handler("handler: { url: 'https://a.example/x', timeout: 500ms, attempts: 3 }");
    assert_eq!((long.timeout, long.attempts), (Duration::from_millis(500), 3));

    for (handler, words) in [
        ("ftp://a.example/", "no address"),
        ("/refund", "no address"),
        ("https://", "no address"),
        ("https://u:p@a.example/", "password"),
        ("{ timeout: 1s }", "no `url`"),
        ("{ url: 'https://a.example/', timeout: 2m }", "at most `60s`"),
        ("{ url: 'https://a.example/', timeout: 10 }", "such as `10s`"),
        ("{ url: 'https://a.example/', attempts: 0 }", "from 1 to 20"),
    ] {
        let fault = refused(&format!("actions: {{ go: {{ handler: {handler} }} }}"));
        assert!(fault.message.contains(words), "{handler}: {fault}");
    }
    let plain = warnings(&thing(&format!("actions: {{ go: {{ handler: 'http://a.example/' }} }}{FIELDS}")));
    assert!(plain.iter().any(|doubt| doubt.message.contains("https://")), "{plain:?}");
}

#[test]
fn the_input_of_an_action_is_a_schema() {
    let input = resource("actions: { go: { handler: 'https://a.example/', input: { type: object } } }").actions[0]
        .input
        .clone();
    assert_eq!(input, Some(serde_json::json!({ "type": "object" })));

    assert_eq!(
        refused("actions: { go: { handler: 'https://a.example/', input: { tpye: object } } }").suggestion.as_deref(),
        Some("type")
    );
}

#[test]
fn operations_are_those_that_are_named_and_actions_besides() {
    let offered = resource("operations: [update, list]\nstate: s\nactions: { go: { to: done } }").operations;
    assert_eq!(offered, [Operation::List, Operation::Update, Operation::Act]);
    assert!(!resource("").offers(Operation::Act));

    assert_eq!(refused("operations: [lst]").suggestion.as_deref(), Some("list"));
    assert!(refused("operations: []").message.contains("at least one"));
    assert!(refused("operations: list").message.contains("takes a list"));
}

#[test]
fn only_requests_that_can_bring_something_along_are_required_to() {
    let resource = resource("require: { if_match: [update, delete], idempotency_key: [create] }");
    assert_eq!(resource.needs_if_match, [Operation::Update, Operation::Delete]);
    assert_eq!(resource.needs_idempotency_key, [Operation::Create]);

    assert!(refused("require: { if_match: [create] }").message.contains("`replace`, `update`, `delete` and `act`"));
    assert!(refused("require: { idempotency_key: [update] }").message.contains("operation for this"));
    assert_eq!(refused("require: { if_mach: [update] }").suggestion.as_deref(), Some("if_match"));
    let text = thing(&format!("operations: [list]\nput_creates: true\nrequire: {{ if_match: [update] }}{FIELDS}"));
    let doubts = warnings(&text);
    assert!(doubts.iter().any(|doubt| doubt.path.ends_with("put_creates")), "{doubts:?}");
    assert!(doubts.iter().any(|doubt| doubt.path.ends_with("require.if_match")), "{doubts:?}");
}
