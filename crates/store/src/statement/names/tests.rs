//! Names that no engine cuts, and that nobody can make up.

use super::*;

#[test]
fn long_names_stay_short_enough_and_apart() {
    let (resource, field) = ("r".repeat(40), "f".repeat(39));

    let one = index(&resource, &format!("{field}a"));
    let other = index(&resource, &format!("{field}b"));

    assert!(one.len() <= 63 && table(&resource).len() <= 63 && column(&resource).len() <= 63);
    assert_ne!(one, other);
    assert_ne!(index("a_b", "c"), index("a", "b_c"));
    assert_ne!(index("a", "b"), unique_index("a", "b"));
}

#[test]
fn only_what_a_declaration_allows_is_a_name() {
    for name in ["orders", "a1_b", &"a".repeat(40)] {
        assert!(is_declarable(name), "{name}");
    }
    for name in ["", "1a", "_a", "Orders", "a-b", "a\"; DROP TABLE users", "ä", &"a".repeat(41)] {
        assert!(!is_declarable(name), "{name}");
    }
}
