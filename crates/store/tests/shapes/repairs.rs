//! Columns follow the documents, whatever happened to them.

use super::*;

fn sized() -> Resource {
    let note = Field { search: true, ..text("note") };
    things(vec![api::listed("size", json!({"type": "integer"})), note])
}

pub async fn damaged_columns_are_restored(engine: &impl Engine) {
    let rows = [json!({"size": 2, "note": "two"}), json!({"size": 1, "note": "one"})];
    with_rows(engine, sized(), &rows).await;
    engine.damage("UPDATE r_things SET f_size = 7").await;
    let damaged = listed(engine, &sized(), &Sight::default(), &ordered(By::Column(0))).await;

    engine.reindex(&one(sized())).await.unwrap();

    let one_word = ListPlan { search: vec!["one".into()], ..ordered(By::Id) };
    assert_eq!(damaged, [0, 1].map(id));
    assert_eq!(listed(engine, &sized(), &Sight::default(), &ordered(By::Column(0))).await, [1, 0].map(id));
    assert_eq!(listed(engine, &sized(), &Sight::default(), &one_word).await, [id(1)]);
    assert_eq!(found(engine, &sized(), 0).await.revision, 1);
}

/// A start that was killed after it had made the column.
pub async fn half_a_change_is_completed(engine: &impl Engine) {
    let before = things(vec![Field::new("size", json!({"type": "integer"})), text("note")]);
    with_rows(engine, before, &[json!({"size": 2}), json!({"size": 1})]).await;
    engine.damage("ALTER TABLE r_things ADD COLUMN f_size bigint").await;

    apply(engine, &one(sized())).await;

    assert_eq!(listed(engine, &sized(), &Sight::default(), &ordered(By::Column(0))).await, [1, 0].map(id));
}

/// The words are made anew beside those that are searched, which stay until the new ones are complete.
pub async fn a_search_beside_reindex_finds_all(engine: &impl Engine) {
    with_rows(engine, sized(), &[json!({"size": 1, "note": "red"}), json!({"size": 2, "note": "blue"})]).await;
    let ports = engine.ports().await;
    let sized = sized();
    let red = ListPlan { search: vec!["red".into()], ..ordered(By::Id) };
    let search = async || match ports.rows.list(&sized, &Sight::default(), &red).await.unwrap() {
        Listing::Rows { rows, .. } => rows.len(),
        Listing::TooExpensive => 0,
    };

    let before = search().await;
    engine.reindex(&one(sized.clone())).await.unwrap();
    let after = search().await;
    engine.reindex(&one(sized.clone())).await.unwrap();

    assert_eq!((before, after, search().await), (1, 1, 1));
}
