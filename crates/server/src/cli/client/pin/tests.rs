//! What a client can be pinned to, and what is said of the rest.

use jiff::civil::Date;
use valetkey_resources::model::Version;

use super::check;

fn version(number: u32, released: &str, removed: Option<&str>) -> Version {
    let day = |text: &str| text.parse::<Date>().unwrap();
    Version {
        number,
        released: day(released),
        deprecated: None,
        sunset: None,
        removed: removed.map(day),
        notice: None,
        gone: Vec::new(),
        changes: Vec::new(),
    }
}

fn pinned(word: &str) -> Result<(), String> {
    let known =
        [version(1, "2024-01-01", Some("2026-01-01")), version(2, "2025-01-01", None), version(3, "2027-01-01", None)];
    check(word, &known, "2026-11-15".parse().unwrap())
}

#[test]
fn a_declared_version_and_a_day_on_which_one_was_out_are_pins() {
    for word in ["2", "3", "2025-01-01", "2026-12-31", "2030-01-01"] {
        assert_eq!(pinned(word), Ok(()), "{word}");
    }
}

#[test]
fn anything_else_is_refused_with_what_there_is() {
    for (word, why) in [
        ("77", "no version has this number"),
        ("02", "no version has this number"),
        ("99999999999", "no version has this number"),
        ("1", "version 1 was removed on 2026-01-01"),
        ("2024-06-01", "version 1 was removed on 2026-01-01"),
        ("2023-12-31", "no version was out on that day"),
        ("", "`` is no version of an API"),
        ("2025-02-30", "`2025-02-30` is no version of an API"),
        ("newest", "`newest` is no version of an API"),
    ] {
        let told = pinned(word).unwrap_err();

        assert!(told.contains(why), "{told}");
        assert!(told.contains("declares 1 (removed on 2026-01-01), 2, 3 (out on 2027-01-01)."), "{told}");
    }
}
