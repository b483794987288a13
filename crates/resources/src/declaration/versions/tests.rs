//! `versions:` as it is written, and each way in which it can be wrong.

use jiff::civil::{Date, date};

use crate::declaration::{Declared, Fault, doubts, read};
use crate::model::{Change, Codec};

fn text(versions: &str) -> String {
    format!(
        "api: {{ name: shop }}
versions:
{versions}
resources:
  orders:
    fields:
      amount: {{ type: integer, minimum: 0 }}
      created_at: {{ set: created_at }}
      status: {{ enum: [open, closed], default: open, readOnly: true }}
      address: {{ type: object, properties: {{ street: {{ type: string }} }} }}
    state: status
    actions:
      close: {{ from: open, to: closed }}
"
    )
}

fn accepted(versions: &str) -> Declared {
    read(&text(versions)).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn refused(versions: &str) -> Vec<Fault> {
    read(&text(versions)).expect_err("it was accepted")
}

fn with_change(change: &str) -> String {
    format!("  1: {{ released: 2025-01-01 }}\n  2:\n    released: 2026-01-01\n    changes:\n      - {change}")
}

#[test]
fn an_api_without_versions_has_one() {
    let api = read("api: { name: a }\nresources: { things: { fields: { x: { type: string } } } }").unwrap().api;

    assert_eq!(api.versions.iter().map(|version| version.number).collect::<Vec<_>>(), [1]);
}

#[test]
fn versions_are_read_in_the_order_of_their_numbers() {
    let days = "  2: { released: 2026-01-01 }\n  1: { released: 2025-01-01, deprecated: 2026-02-01, sunset: 2027-02-01, removed: 2027-08-01, notice: https://example.com/moving, gone: [orders.delete, orders.close] }";
    let api = accepted(days).api;

    assert_eq!(api.versions.iter().map(|version| version.number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(api.versions[0].sunset.map(|day| day.to_string()).as_deref(), Some("2027-02-01"));
    assert_eq!(api.versions[0].gone[1].action.as_deref(), Some("close"));
}

#[test]
fn every_kind_of_change_is_read() {
    for change in [
        "{ rename: orders.total, to: amount }",
        "{ retype: orders.amount, from: { type: string, pattern: '^[0-9]+[.][0-9]{2}$' }, codec: { decimal: 2 } }",
        "{ retype: orders.created_at, from: { type: integer }, codec: epoch, lossy: true }",
        "{ add: orders.address }",
        "{ remove: orders.discount, from: { type: integer, default: 0 }, lossy: true }",
        "{ remove: orders.address }",
        "{ enum: orders.status, values: { new: open } }",
        "{ move: orders.street, to: address.street }",
        "{ status: orders.create, from: 200 }",
        "{ rename: purchases, to: orders }",
        "{ rename: orders.actions.finish, to: close }",
        "{ add: orders.actions.close }",
        "{ remove: orders.actions.close }",
        "{ add: orders.operations.delete }",
        "{ remove: orders.operations.delete }",
    ] {
        let api = accepted(&with_change(change)).api;

        assert_eq!(api.versions[1].changes.len(), 1, "{change}");
    }
    let api = accepted(&with_change(
        "{ retype: orders.amount, from: { type: string, pattern: '^[0-9]+[.][0-9]$' }, codec: { decimal: 1 } }",
    ))
    .api;
    assert!(matches!(&api.versions[1].changes[0].change, Change::Retyped { codec: Codec::Decimal(1), .. }));
}

#[test]
fn each_mistake_is_told_at_its_place() {
    for (versions, message, line) in [
        ("  v1: { released: 2025-01-01 }", "`v1` is no version: it is a number such as `1`.", 3),
        ("  1: { released: 2025-02-30 }", "`released` takes a day such as `2026-01-31`, not `2025-02-30`.", 3),
        ("  1: {}", "Version 1 has no `released`. Say on which day it comes out.", 3),
        (
            "  1:\n    released: 2025-01-01\n    deprecated: 2024-01-01\n    sunset: 2026-01-01\n  2: { released: 2026-01-01 }",
            "`deprecated` (2024-01-01) is before `released` (2025-01-01). A version moves on, never back.",
            5,
        ),
        (
            "  1:\n    released: 2025-01-01\n    deprecated: 2026-01-01\n  2: { released: 2026-01-01 }",
            "Clients are told that it ends, and not when. Add `sunset: 2027-01-01`, for instance.",
            5,
        ),
        (
            "  1: { released: 2025-01-01 }\n  2: { released: 2024-01-01 }",
            "Version 2 comes out before version 1 (2025-01-01). A day must choose one version, so that numbers follow days.",
            4,
        ),
        (
            "  1: { released: 2025-01-01, removed: 2026-01-01 }",
            "Version 1 is the newest, and all rows are stored as it has them. It cannot be removed.",
            3,
        ),
        (
            "  1:\n    released: 2025-01-01\n    deprecated: 2025-01-01\n    sunset: 2026-01-01\n    gone: [orders.close, orders.clsoe]\n  2: { released: 2026-01-01 }",
            "`clsoe` is neither an operation nor an action of `orders` in version 1.",
            7,
        ),
    ] {
        let faults = refused(versions);

        assert_eq!((faults[0].message.as_str(), faults[0].line), (message, line), "{faults:#?}");
    }
}

#[test]
fn a_change_that_does_not_fit_is_told_with_what_was_meant() {
    for (change, message, meant) in [
        ("{ rename: orders.total, to: amuont }", "`orders` have no field `amuont` in this version.", Some("amount")),
        ("{ rename: order.total, to: amount }", "There is no resource `order` in this version.", Some("orders")),
        ("{ renam: orders.total, to: amount }", "`renam` is no key of a change.", Some("rename")),
        ("{ rename: orders.total, too: amount }", "`too` is no key of `rename`.", Some("to")),
        ("{ status: orders.create, from: 418 }", "`create` can have answered with 200 or 201.", None),
        ("{ retype: orders.amount, from: { type: string }, codec: tex }", "`tex` is no codec.", Some("text")),
        (
            "{ retype: orders.amount, from: { type: boolean }, codec: { decimal: 2 } }",
            "No such codec turns boolean into integer. Look at the types on both sides.",
            None,
        ),
    ] {
        let faults = refused(&with_change(change));

        assert_eq!(
            (faults[0].message.as_str(), faults[0].suggestion.as_deref(), faults[0].line),
            (message, meant, 7),
            "{faults:#?}"
        );
    }
}

#[test]
fn a_path_that_is_a_list_and_an_action_in_an_older_version_is_told() {
    let declared = |changes: &str| {
        format!(
            "api: {{ name: paid }}
versions:
  1: {{ released: 2025-01-01 }}
  2:
    released: 2026-01-01
    changes: [{{ rename: things.actions.payments, to: pay }}{changes}]
resources:
  things:
    fields: {{ status: {{ enum: [open, paid], default: open, readOnly: true }} }}
    state: status
    actions: {{ pay: {{ from: open, to: paid }} }}
  payments:
    parent: things
    fields: {{ thing_id: {{ references: things, required: true }} }}
"
        )
    };

    let faults = read(&declared("")).expect_err("it was accepted");

    assert_eq!((faults.len(), faults[0].line), (1, 3), "{faults:#?}");
    let message = &faults[0].message;
    assert!(message.starts_with("In version 1, `/things/<id>/payments` would be an action and a list."), "{message}");
    assert!(message.contains("add `- { add: payments }` to the changes"), "{message}");
    assert!(read(&declared(", { add: payments }")).is_ok());
}

#[test]
fn a_change_in_block_style_is_told_at_the_line_of_its_item() {
    let item = |change: &str| format!("rename: orders.total\n        to: amount\n      - {change}");
    for (change, line) in [
        ("rename: orders.made\n        to: created", 9),
        ("remove: orders.discount\n        from: { type: integer, default: 0 }", 9),
        ("retype: orders.created_at\n        from: { type: integer }\n        codec: text", 9),
        ("renam: orders.made", 9),
        ("rename: orders.made\n        too: created_at", 10),
        ("rename: orders.made\n        to: created_at\n        remove: orders.x", 9),
    ] {
        let faults = refused(&with_change(&item(change)));

        assert_eq!((faults.len(), faults[0].line), (1, line), "{change}: {faults:#?}");
    }
}

#[test]
fn a_change_that_loses_something_is_refused_until_it_says_so() {
    let change = "{ remove: orders.discount, from: { type: integer, default: 0 } }";

    let faults = refused(&with_change(change));

    assert_eq!(faults.len(), 1);
    assert!(faults[0].message.starts_with("This change loses something. What clients of the older version send"));
    assert!(faults[0].message.ends_with("Mark it `lossy: true` if that is meant."));
}

#[test]
fn little_notice_and_a_vague_past_are_doubtful() {
    let doubts = |declared: Declared| {
        let about = declared.warnings.into_iter().filter(|doubt| doubt.path.starts_with("versions"));
        about.map(|doubt| doubt.message).collect::<Vec<_>>()
    };
    let short = accepted(
        "  1: { released: 2025-01-01, deprecated: 2026-01-01, sunset: 2026-06-30 }\n  2: { released: 2025-06-01 }",
    );
    let enough = accepted(
        "  1: { released: 2025-01-01, deprecated: 2026-01-01, sunset: 2026-07-01 }\n  2: { released: 2025-06-01 }",
    );
    let vague = accepted(&with_change("{ retype: orders.amount, from: { type: string }, codec: { decimal: 2 } }"));

    assert!(doubts(short)[0].contains("less than 6 months"));
    assert_eq!(doubts(enough), Vec::<String>::new());
    assert!(doubts(vague)[0].contains("the newer cannot write it"));
}

#[test]
fn more_than_three_versions_at_once_are_doubtful_while_they_live() {
    let four = "  1: { released: 2025-01-01, removed: 2026-06-01 }\n  2: { released: 2025-02-01 }\n  3: { released: 2025-03-01 }\n  4: { released: 2025-04-01 }";
    let api = accepted(four).api;
    let on = |day: Date| doubts(&api, day).into_iter().map(|doubt| doubt.message).collect::<Vec<_>>();

    assert!(on(date(2026, 5, 31))[0].starts_with("4 versions live at once: 1, 2, 3, 4."));
    assert_eq!(on(date(2026, 6, 1)), Vec::<String>::new());
    assert!(on(date(2024, 12, 31))[0].starts_with("No version is out today"));
}

#[test]
fn the_default_version_must_be_one() {
    let text = "api: { name: a, default_version: 3 }\nresources: { things: { fields: { x: { type: string } } } }";

    assert_eq!(read(text).unwrap_err()[0].message, "There is no version 3.");
}

#[test]
fn a_handler_speaks_a_version_that_has_its_resource() {
    let declared = |version: u32| {
        format!(
            "api: {{ name: a }}
versions:
  1: {{ released: 2024-01-01 }}
  2: {{ released: 2025-01-01, changes: [{{ add: jobs }}] }}
resources:
  jobs:
    fields: {{ status: {{ enum: [new, sent], readOnly: true, default: new }} }}
    state: status
    actions: {{ send: {{ from: new, to: sent, handler: {{ url: https://a.example/x, version: {version} }} }} }}
"
        )
    };
    let told = |version| read(&declared(version)).map(|_| ()).map_err(|faults| faults[0].message.clone());

    assert_eq!(told(2), Ok(()));
    assert_eq!(told(1).unwrap_err(), "Version 1 has no `jobs`, so that nothing could be told in its words.");
    assert_eq!(told(3).unwrap_err(), "There is no version 3.");
}
