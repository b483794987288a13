//! Long texts in columns.

use super::*;

fn fold_text(text: &str) -> String {
    match folded(&Cell::Text(text.to_owned())) {
        Cell::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_long_text_fits_an_index_and_stays_itself() {
    let long = "ä".repeat(10_000);

    let once = fold_text(&long);

    assert!(once.len() <= LONGEST + DIGEST);
    assert_eq!(fold_text(&once), once);
    assert_ne!(fold_text(&format!("{long}a")), fold_text(&format!("{long}b")));
    assert_eq!(fold_text("short"), "short");
}

#[test]
fn a_cell_of_another_type_does_not_fit() {
    assert!(fits(&Cell::Null, ColumnKind::Text));
    assert!(fits(&Cell::Moment(1), ColumnKind::Moment));
    assert!(!fits(&Cell::Integer(1), ColumnKind::Moment));
    assert!(!fits(&Cell::Text("1".into()), ColumnKind::Integer));
}
