//! Values of filters are read as strictly as those of bodies.

use super::{cell, moment};
use crate::model::ColumnKind;

#[test]
fn a_moment_is_written_as_in_rfc_3339_or_is_a_date() {
    for (text, same) in [
        ("2026-11-15", "2026-11-15T00:00:00Z"),
        ("2026-11-15T08:00:00z", "2026-11-15T08:00:00Z"),
        ("2026-11-15t08:00:00.5+01:00", "2026-11-15T07:00:00.5Z"),
        ("2026-11-15T08:00:00-23:59", "2026-11-16T07:59:00Z"),
    ] {
        let same: jiff::Timestamp = same.parse().unwrap();
        assert_eq!(moment(text), Some(same.as_microsecond()), "{text}");
    }
    for text in [
        "",
        "2026",
        "20261115",
        "2026-11-15T08:00",
        "2026-11-15T08:00Z",
        "2026-11-15T08:00:00",
        "2026-11-15T08:00:00+01",
        "2026-11-15 08:00:00Z",
        "20261115T080000Z",
        "2026-11-15T08:00:00Z[UTC]",
        "2026-11-15T24:00:00Z",
        "2026-02-30",
        "2026-11-15T08:00:0\u{fc}Z",
        "9999-12-31T99:00:00Z",
    ] {
        assert_eq!(moment(text), None, "{text}");
    }
}

#[test]
fn the_end_of_time_is_a_moment_too() {
    for text in ["9999-12-31", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999-14:00"] {
        assert!(moment(text) >= moment("9999-12-30T00:00:00Z"), "{text}");
    }
    assert_eq!(moment("9999-12-31T00:00:00Z"), moment("9999-12-30T00:00:00Z").map(|day| day + 86_400_000_000));
    assert_eq!(moment("9999-12-31T23:59:59+01:00"), moment("9999-12-31T22:59:59Z"));
    assert!(moment("9999-12-31T23:59:59Z") < moment("9999-12-31T23:59:59.5Z"));
}

#[test]
fn an_id_and_a_number_are_written_in_one_way() {
    let id = "01a1de64-caa5-7000-960a-30f54568a5a5";
    assert!(cell(ColumnKind::Id, None, id).is_ok());
    for text in [id.replace('-', ""), format!("{{{id}}}"), format!("urn:uuid:{id}")] {
        assert!(cell(ColumnKind::Id, None, &text).is_err(), "{text}");
    }

    assert!(cell(ColumnKind::Integer, None, "-1").is_ok());
    for text in ["+1", "1.0", "1e3", "", "9007199254740992"] {
        assert!(cell(ColumnKind::Integer, None, text).is_err(), "{text}");
    }
}
