//! A seal is broken by what changes how a row is read or written, and by nothing else.

use serde_json::json;
use valetkey_resources::model::{Field, Ownership, Resource};

use super::*;

fn thing(change: impl FnOnce(&mut Field)) -> Resource {
    let mut size = Field::new("size", json!({"type": "integer"}));
    change(&mut size);
    Resource::new("things", "thing", vec![size, Field::new("name", json!({"type": "string"}))])
}

#[test]
fn whoever_writes_otherwise_has_another_seal_and_still_reads() {
    let plain = Seal::of(&thing(|_| {}));
    let mut owned = thing(|_| {});
    owned.ownership = Ownership::Own;
    let others = [
        thing(|size| size.filter = true),
        thing(|size| size.unique = true),
        thing(|size| size.search = true),
        thing(|size| size.required = true),
        thing(|size| size.default = Some(json!(1))),
        thing(|size| size.schema = json!({"type": "number"})),
        thing(|size| size.name = "height".into()),
        owned,
    ];

    for other in others.iter().map(Seal::of) {
        assert_eq!(other.read, plain.read);
        assert_ne!(other.write, plain.write);
    }
}

#[test]
fn another_version_has_another_seal_for_reading_too() {
    let (first, mut second) = (thing(|_| {}), thing(|_| {}));
    second.stored_as = 2;

    assert_ne!(Seal::of(&first).read, Seal::of(&second).read);
    assert_ne!(Seal::of(&first).write, Seal::of(&second).write);
}

#[test]
fn words_for_people_break_no_seal() {
    let described = thing(|size| size.schema = json!({"type": "integer", "description": "How large.", "maximum": 9}));

    assert_eq!(Seal::of(&described), Seal::of(&thing(|_| {})));
}

#[test]
fn a_table_gets_its_seal_once() {
    let seal = Seal::of(&thing(|_| {}));
    let other = ["v_0".to_owned(), seal.write.clone()];

    assert_eq!(seal.changes(Dialect::Sqlite, &[]).len(), 2);
    assert_eq!(seal.changes(Dialect::Postgres, &other), ["ALTER TABLE \"r_things\" RENAME COLUMN \"v_0\" TO \"v_1\""]);
    assert!(seal.changes(Dialect::Postgres, &[seal.read.clone(), seal.write.clone()]).is_empty());
}
