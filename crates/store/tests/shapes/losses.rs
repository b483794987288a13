//! What would lose data is refused, with what to do about it.

use super::*;

fn accept(name: &str) -> [String; 1] {
    [name.to_owned()]
}

pub async fn a_vanished_field_is_refused_until_it_is_accepted(engine: &impl Engine) {
    let before = things(vec![text("name"), Field { search: true, ..text("note") }]);
    with_rows(engine, before, &[json!({"name": "a", "note": "x"}), json!({"name": "b", "note": null})]).await;
    let after = things(vec![text("name")]);

    let plan = refused(engine.apply(&one(after.clone()), &accept("things"), &mut Told::new()).await);
    let still = document(engine, &after, 0).await;
    let done = engine.apply(&one(after.clone()), &accept("things.note"), &mut Told::new()).await;

    assert_eq!((plan.losses.len(), plan.losses[0].name.as_str(), plan.losses[0].rows), (1, "things.note", 1));
    let said = plan.losses[0].to_string();
    assert_eq!(
        said,
        "things.note is not declared any more, and 1 row has a value for it. \
         Declare it again, or accept the loss: `valetkey api apply --accept things.note`, with the same declaration."
    );
    assert_eq!(still, json!({"name": "a", "note": "x"}));
    assert!(done.is_ok(), "{done:?}");
    assert_eq!(document(engine, &after, 0).await, json!({"name": "a"}));
    assert!(apply(engine, &one(after)).await.is_empty());
}

pub async fn a_vanished_resource_is_refused_until_it_is_accepted(engine: &impl Engine) {
    with_rows(engine, things(vec![text("name")]), &[json!({}), json!({})]).await;
    let empty = api::of(vec![]);

    let plan = refused(engine.apply(&empty, &[], &mut Told::new()).await);
    let done = engine.apply(&empty, &accept("things"), &mut Told::new()).await;

    assert_eq!((plan.losses[0].name.as_str(), plan.losses[0].rows), ("things", 2));
    assert!(done.is_ok());
    assert!(engine.plan(&empty).await.unwrap().is_empty());
    apply(engine, &one(things(vec![text("name")]))).await;
    assert_eq!(
        listed(engine, &things(vec![text("name")]), &Sight::default(), &ordered(By::Id)).await,
        Vec::<Uuid>::new()
    );
}

pub async fn values_that_do_not_fit_are_named_and_given_up_on_request(engine: &impl Engine) {
    let before = things(vec![api::listed("size", json!({"type": "string"}))]);
    with_rows(engine, before, &[json!({"size": "12"}), json!({"size": null}), json!({"size": "XL"})]).await;
    let after = things(vec![api::listed("size", json!({"type": "integer"}))]);

    let plan = refused(engine.apply(&one(after.clone()), &[], &mut Told::new()).await);
    engine.apply(&one(after.clone()), &accept("things.size"), &mut Told::new()).await.unwrap();

    assert_eq!(plan.losses[0].rows, 2);
    assert!(plan.to_string().contains("of the type integer"), "{plan}");
    assert_eq!(document(engine, &after, 2).await, json!({"size": null}));
}

pub async fn duplicates_are_named_and_cannot_be_accepted(engine: &impl Engine) {
    let rows = ["a", "a", "b", "c", "c", "d", "d", "e", "e"].map(|name| json!({"name": name}));
    with_rows(engine, things(vec![text("name")]), &rows).await;
    let after = things(vec![Field { unique: true, ..text("name") }]);

    let plan = refused(engine.apply(&one(after), &accept("things.name"), &mut Told::new()).await);

    assert_eq!((plan.losses[0].rows, plan.losses[0].can_be_accepted), (8, false));
    assert!(plan.to_string().contains("another row has too: \"a\", \"c\", \"d\"."), "{plan}");
}

pub async fn duplicates_are_those_of_the_column(engine: &impl Engine) {
    let moments = ["2026-01-01T12:00:00Z", "2026-01-01T13:00:00+01:00", "2026-01-01T13:00:00Z"];
    let rows = moments.map(|at| json!({"at": at}));
    let at = Field::new("at", json!({"type": "string", "format": "date-time"}));
    with_rows(engine, things(vec![at.clone()]), &rows).await;

    let plan = engine.plan(&one(things(vec![Field { unique: true, ..at }]))).await.unwrap();

    assert_eq!(plan.losses.iter().map(|loss| loss.rows).collect::<Vec<_>>(), [2], "{plan}");
}

pub async fn a_required_field_needs_a_default(engine: &impl Engine) {
    with_rows(engine, things(vec![text("name")]), &[json!({"name": "a"})]).await;
    let required = Field { required: true, ..text("colour") };
    let with_default = Field { default: Some(json!("red")), ..required.clone() };

    let plan = refused(engine.apply(&one(things(vec![text("name"), required])), &[], &mut Told::new()).await);
    let after = things(vec![text("name"), with_default]);
    apply(engine, &one(after.clone())).await;

    assert!(plan.to_string().contains("Give it a default"), "{plan}");
    assert_eq!(document(engine, &after, 0).await, json!({"name": "a", "colour": "red"}));
}

pub async fn what_nobody_has_is_no_loss(engine: &impl Engine) {
    let before = things(vec![api::listed("size", json!({"type": "string"})), text("note")]);
    with_rows(engine, before, &[json!({"size": null}), json!({})]).await;
    let after = things(vec![Field { unique: true, ..api::listed("size", json!({"type": "boolean"})) }]);

    let plan = apply(engine, &one(after)).await;

    assert_eq!(plan.losses, []);
}

pub async fn the_demonstration_leaves_alone_what_another_declaration_has_made(engine: &impl Engine) {
    let before = things(vec![text("name")]);
    with_rows(engine, before.clone(), &[json!({"name": "a"})]).await;
    let unnamed = Api { is_demonstration: true, ..api::of(vec![Arc::new(api::users())]) };
    let other = things(vec![text("name"), text("note")]);
    let both = Api { is_demonstration: true, ..api::of(vec![Arc::new(other.clone()), Arc::new(api::users())]) };

    for demonstration in [unnamed, both] {
        let plan = refused(engine.apply(&demonstration, &accept("api"), &mut Told::new()).await);
        assert_eq!((plan.additions.len(), plan.losses.len(), plan.losses[0].can_be_accepted), (0, 1, false));
        assert!(plan.to_string().contains("--api FILE"), "{plan}");
    }

    assert!(engine.plan(&one(before.clone())).await.unwrap().is_empty(), "nothing was changed");
    let own = Api { is_demonstration: true, ..one(other.clone()) };
    assert_eq!(apply(engine, &own).await.losses, [], "what the demonstration has made, a newer one of it may change");
    let rest = Api { is_demonstration: true, ..api::of(vec![Arc::new(other), Arc::new(api::users())]) };
    assert_eq!(apply(engine, &rest).await.losses, [], "a first start that was cut off is gone on with");
}
