//! What only adds is done at once.

use valetkey_resources::model::{Ownership, Stamp};

use super::*;

pub async fn a_declaration_is_applied_once(engine: &impl Engine) {
    let shop = api::shop();

    let planned = engine.plan(&shop).await.unwrap();
    let first = apply(engine, &shop).await;
    let again = apply(engine, &shop).await;

    assert_eq!(planned, first);
    assert_eq!(first.additions.len(), 4);
    assert_eq!(first.additions[0].to_string(), "Makes the table of users.");
    assert!(again.is_empty(), "{again}");
}

pub async fn a_new_column_is_filled_from_the_rows(engine: &impl Engine) {
    let rows = [json!({"name": "b"}), json!({"name": "c"}), json!({"name": "a"}), json!({})];
    with_rows(engine, things(vec![text("name")]), &rows).await;
    let next = things(vec![Field { unique: true, ..api::listed("name", json!({"type": "string"})) }]);

    let plan = apply(engine, &one(next.clone())).await;

    assert!(plan.to_string().contains("things.name"), "{plan}");
    assert_eq!(listed(engine, &next, &Sight::default(), &ordered(By::Column(0))).await, [3, 2, 0, 1].map(id));
    assert_eq!(found(engine, &next, 0).await.revision, 1);
    let twin = Draft::new(&next, json!({"name": "a"}).as_object().unwrap());
    let creation = Creation {
        resource: next.into(),
        id: id(9),
        owner: None,
        now: moment(0),
        revision: 1,
        draft: twin,
        keyed: None,
    };
    let outcome = engine.ports().await.rows.create(creation).await.unwrap();
    assert_eq!(outcome, Creating::NotUnique("name".into()));
}

pub async fn a_new_field_with_a_default_stands_in_every_row(engine: &impl Engine) {
    with_rows(engine, things(vec![text("name")]), &[json!({"name": "a"})]).await;
    let colour = Field { default: Some(json!("red")), ..api::listed("colour", json!({"type": "string"})) };
    let made = Field {
        stamp: Some(Stamp::CreatedAt),
        ..api::listed("made", json!({"type": "string", "format": "date-time"}))
    };
    let next = things(vec![colour, text("name"), text("note"), made]);

    apply(engine, &one(next.clone())).await;

    let row = found(engine, &next, 0).await;
    let made = moment(0);
    assert_eq!(row.document, format!("{{\"colour\":\"red\",\"name\":\"a\",\"made\":\"{made}\"}}"));
    assert_eq!(row.revision, 2);
}

pub async fn a_new_default_stands_where_nothing_stood(engine: &impl Engine) {
    let string = || json!({"type": "string"});
    let fields = || [api::listed("colour", string()), Field { search: true, ..text("note") }];
    let maybe = || Field::new("maybe", json!({"type": ["string", "null"]}));
    let fit = || Field::new("fit", json!({"enum": ["red", "blue"]}));
    let only = || Field { unique: true, ..text("only") };
    let before = things(fields().into_iter().chain([maybe(), fit(), only()]).collect());
    let rows =
        [json!({"colour": null, "maybe": null, "fit": null}), json!({"colour": "blue", "note": "hat"}), json!({})];
    with_rows(engine, before, &rows).await;
    let begins = |field: Field| Field { default: Some(json!("red")), ..field };
    let next = things(fields().into_iter().chain([maybe(), fit(), only()]).map(begins).collect());

    apply(engine, &one(next.clone())).await;
    let again = apply(engine, &one(next.clone())).await;

    assert_eq!(document(engine, &next, 0).await, json!({"colour": "red", "note": "red", "maybe": null, "fit": "red"}));
    assert_eq!(
        document(engine, &next, 1).await,
        json!({"colour": "blue", "note": "hat", "maybe": "red", "fit": "red"})
    );
    assert_eq!(listed(engine, &next, &Sight::default(), &ordered(By::Column(0))).await, [1, 0, 2].map(id));
    let search = ListPlan { search: vec!["red".into()], ..ordered(By::Id) };
    assert_eq!(listed(engine, &next, &Sight::default(), &search).await, [0, 2].map(id));
    assert!(again.is_empty(), "{again}");
}

pub async fn a_field_becomes_searchable_and_owned(engine: &impl Engine) {
    with_rows(engine, things(vec![text("name")]), &[json!({"name": "red hat"}), json!({"name": "blue hat"})]).await;
    let mut next = things(vec![Field { search: true, ..text("name") }]);
    next.ownership = Ownership::Own;

    apply(engine, &one(next.clone())).await;

    let plan = ListPlan { search: vec!["red".into()], ..ordered(By::Id) };
    let of_alice = Sight { owner: Some("alice".into()), under: None };
    assert_eq!(listed(engine, &next, &of_alice, &plan).await, [id(0)]);
    apply(engine, &one(things(vec![text("name")]))).await;
    apply(engine, &one(next.clone())).await;
    assert_eq!(listed(engine, &next, &of_alice, &plan).await, [id(0)]);
}

pub async fn an_index_comes_and_a_column_goes_and_nothing_is_lost(engine: &impl Engine) {
    let unique = things(vec![Field { unique: true, ..text("name") }]);
    with_rows(engine, unique, &[json!({"name": "b"}), json!({"name": "a"})]).await;
    let listed_too = things(vec![Field { unique: true, ..api::listed("name", json!({"type": "string"})) }]);

    apply(engine, &one(listed_too.clone())).await;
    let order = listed(engine, &listed_too, &Sight::default(), &ordered(By::Column(0))).await;
    let plain = things(vec![text("name")]);
    let gone = apply(engine, &one(plain.clone())).await;

    assert_eq!(order, [1, 0].map(id));
    assert!(gone.to_string().contains("Drops the column of things.name"), "{gone}");
    assert_eq!(document(engine, &plain, 0).await, json!({"name": "b"}));
}

pub async fn what_fits_the_new_type_is_no_loss(engine: &impl Engine) {
    let before = things(vec![api::listed("size", json!({"type": "integer"}))]);
    with_rows(engine, before, &[json!({"size": 10}), json!({"size": 9}), json!({"size": null})]).await;
    let after = things(vec![api::listed("size", json!({"type": "number"}))]);

    apply(engine, &one(after.clone())).await;

    assert_eq!(listed(engine, &after, &Sight::default(), &ordered(By::Column(0))).await, [2, 1, 0].map(id));
}

pub async fn many_rows_are_rewritten_with_progress(engine: &impl Engine) {
    with_rows(engine, things(vec![Field::new("size", json!({"type": "integer"})), text("name")]), &[]).await;
    many(engine, 12_000).await;
    let next = things(vec![api::listed("size", json!({"type": "integer"})), text("name")]);

    let mut told = Told::new();
    engine.apply(&one(next.clone()), &[], &mut told).await.unwrap();

    let steps: Vec<_> = told.iter().filter(|(_, _, what)| what == "rows of things").map(|(done, ..)| *done).collect();
    assert_eq!(steps, [5_000, 10_000, 12_000]);
    assert_eq!(listed(engine, &next, &Sight::default(), &ordered(By::Column(0))).await[0], id(12_999));
}

pub async fn a_value_inside_of_an_object_gets_a_column_and_keeps_its_place(engine: &impl Engine) {
    let rows =
        [json!({"at": {"city": "b"}}), json!({"at": {"city": "c", "x": 1}}), json!({"at": {"city": "a"}}), json!({})];
    let at = Field::new("at", json!({"type": "object", "properties": {"city": {"type": "string"}}}));
    let plain = things(vec![at.clone()]);
    with_rows(engine, plain.clone(), &rows).await;
    let next = things(vec![Field { inner: vec![api::listed("at.city", json!({"type": "string"}))], ..at }]);

    let come = apply(engine, &one(next.clone())).await;
    let order = listed(engine, &next, &Sight::default(), &ordered(By::Column(0))).await;
    let again = apply(engine, &one(next.clone())).await;
    let gone = apply(engine, &one(plain.clone())).await;

    assert!(come.to_string().contains("Adds a column for things.at.city"), "{come}");
    assert_eq!(order, [3, 2, 0, 1].map(id));
    assert!(again.is_empty(), "{again}");
    assert!(gone.to_string().contains("Drops the column of things.at.city"), "{gone}");
    assert!(gone.losses.is_empty(), "{gone}");
    assert_eq!(document(engine, &plain, 1).await, rows[1]);
}

/// The index of an order may hold columns that are filtered by.
pub async fn a_filter_comes_and_goes_and_the_order_beside_it_stays(engine: &impl Engine) {
    let size = || api::listed("size", json!({"type": "integer"}));
    let plain = things(vec![size(), text("colour")]);
    let colour = Field { filter: true, ..Field::new("colour", json!({"enum": ["red", "blue"]})) };
    let filtered = things(vec![size(), colour]);
    let red = ListPlan {
        conditions: vec![Condition { by: By::Column(1), test: Test::AnyOf(vec![Cell::Text("red".into())]) }],
        ..ordered(By::Column(0))
    };
    let rows = [json!({"size": 2, "colour": "red"}), json!({"size": 1, "colour": "red"}), json!({"size": 0})];
    with_rows(engine, plain.clone(), &rows).await;

    apply(engine, &one(filtered.clone())).await;
    let reds = listed(engine, &filtered, &Sight::default(), &red).await;
    apply(engine, &one(plain.clone())).await;
    let all = listed(engine, &plain, &Sight::default(), &ordered(By::Column(0))).await;

    assert_eq!(reds, [1, 0].map(id));
    assert_eq!(all, [2, 1, 0].map(id));
}
