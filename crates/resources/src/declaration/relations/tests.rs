//! Names that meet in one place, and deletions that go on.

use crate::declaration::read;
use crate::declaration::tests::{fault, place};

const TWO: &str = "\
api: { name: a }
resources:
  users:
    fields:
      name: { type: string }
      ORDER
    ACTIONS
  orders:
    parent: users
    fields:
      user_id: { references: USERS }
      note: { type: string }
    actions: { ship: { handler: https://a.example/ } }
";

/// Two resources, with some places filled in.
fn two(order: &str, actions: &str, users: &str) -> String {
    TWO.replace("ORDER", order).replace("ACTIONS", actions).replace("USERS", users)
}

#[test]
fn two_resources_may_point_at_each_other() {
    let text = two("last_order_id: { references: { resource: orders, on_delete: clear } }", "own: true", "users");

    assert!(read(&text).is_ok(), "{:?}", read(&text));
}

#[test]
fn an_action_is_not_called_like_a_list_below() {
    let fault = fault(&two("a: {}", "actions: { orders: { handler: https://a.example/ } }", "users"));

    assert_eq!(place(&fault), (7, 16, "resources.users.actions.orders", None));
    assert!(fault.message.contains("/users/<id>/orders"), "{fault}");
}

#[test]
fn no_action_is_called_self() {
    let fault = fault(&two("a: {}", "actions: { self: { handler: https://a.example/ } }", "users"));

    assert!(fault.message.contains("link of that name"), "{fault}");
}

#[test]
fn the_name_of_a_reference_is_not_taken() {
    for (order, words) in [
        ("a: { references: { resource: orders, name: name } }", "a field"),
        ("a: { references: { resource: orders, name: self } }", "a part of every row"),
        ("a: { references: { resource: orders, name: orders } }", "a list under this resource"),
        ("a_id: { references: orders }\n      b: { references: { resource: orders, name: a } }", "another reference"),
    ] {
        let fault = fault(&two(order, "own: true", "users"));
        assert!(fault.message.contains(words) && fault.path.ends_with("references"), "{order}: {fault:?}");
    }
    let action = fault(&two("a: {}", "own: true", "{ resource: users, name: ship }"));
    assert!(action.message.contains("an action"), "{action}");
}

#[test]
fn what_is_required_is_not_cleared() {
    let text = two("a: {}", "own: true", "{ resource: users, on_delete: clear }")
        .replace("clear } }", "clear }, required: true }");

    let fault = fault(&text);

    assert!(fault.message.contains("cannot be cleared"), "{fault}");
    assert_eq!(place(&fault).2, "resources.orders.fields.user_id.references.on_delete");
}

#[test]
fn deletions_do_not_go_round_in_a_circle() {
    let cascade = "{ resource: users, on_delete: delete }";
    assert!(read(&two("a: {}", "own: true", cascade)).is_ok());

    let text = two("order_id: { references: { resource: orders, on_delete: delete } }", "own: true", cascade);
    let faults = read(&text).unwrap_err();
    assert_eq!(faults.len(), 2, "{faults:#?}");
    assert!(faults[0].message.contains("`users` and `orders`"), "{}", faults[0]);
    let own = "boss_id: { references: { resource: users, name: boss, on_delete: delete } }";
    assert!(fault(&two(own, "own: true", "users")).message.contains("circle"));
}
