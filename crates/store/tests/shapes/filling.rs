//! What a server may do while new columns are being filled: nearly everything.

use std::sync::Mutex;

use valetkey_resources::model::{OnDelete, Stamp};
use valetkey_resources::ports::{Change, Changing, Condition, Edited, Precondition, Removal, Removing, TaskStep, Test};
use valetkey_resources::ports::{Rows, Shown, StoreError as Told503};

use super::*;

/// More than are done before anyone is served.
const MANY: usize = 12_000;

/// Things with a size and a name, many of them, of which nothing is listed.
async fn filled(engine: &impl Engine) -> Resource {
    let plain = things(vec![Field::new("size", json!({"type": "integer"})), text("name")]);
    with_rows(engine, plain.clone(), &[]).await;
    many(engine, MANY).await;
    plain
}

/// The same things, listed by size and with a colour that they begin with.
fn next() -> Resource {
    let colour = Field { default: Some(json!("red")), ..api::listed("colour", json!({"type": "string"})) };
    let made = Field { stamp: Some(Stamp::CreatedAt), ..text("made") };
    things(vec![api::listed("size", json!({"type": "integer"})), text("name"), colour, made])
}

fn colour_is(colour: &str) -> ListPlan {
    let condition = Condition { by: By::Column(1), test: Test::AnyOf(vec![Cell::Text(colour.into())]) };
    ListPlan { conditions: vec![condition], ..ordered(By::Id) }
}

async fn rows_of(rows: &dyn Rows, of: &Resource, plan: &ListPlan) -> Result<Vec<Shown>, Told503> {
    match rows.list(of, &Sight::default(), plan).await? {
        Listing::Rows { rows, .. } => Ok(rows),
        Listing::TooExpensive => panic!("too expensive"),
    }
}

fn creation(of: &Resource, number: u128, document: Value) -> Creation {
    let draft = Draft::new(of, document.as_object().unwrap());
    let (resource, owner) = (Arc::new(of.clone()), Some("alice".to_owned()));
    Creation { resource, id: id(number), owner, now: moment(0), revision: 1, draft, keyed: None }
}

/// Sets one member of a row.
fn change(of: &Resource, number: u128, revision: u64, name: &'static str, value: Value) -> Change {
    let resource = Arc::new(of.clone());
    let edited = resource.clone();
    Change {
        resource,
        id: id(number),
        sight: Sight::default(),
        condition: Precondition::Revision(vec![revision]),
        now: moment(1),
        edit: Arc::new(move |row| {
            let mut object: serde_json::Map<_, _> = serde_json::from_str(&row.document).unwrap();
            object.insert(name.to_owned(), value.clone());
            Ok(Edited { draft: Some(Draft::new(&edited, &object)), task: TaskStep::None, answer: None })
        }),
        keyed: None,
    }
}

pub async fn lists_wait_for_what_they_go_by_and_nothing_else_does(engine: &impl Engine) {
    filled(engine).await;
    let (next, api) = (next(), one(next()));

    engine.begin(&api).await.unwrap();
    let server = engine.serve(&api).await;
    let rows = engine.ports_of(&server).rows;
    let by_size = rows_of(&*rows, &next, &ordered(By::Column(0))).await;
    let counted = rows.count(&next, &Sight::default(), &colour_is("red"), 10).await;
    let plain = rows_of(&*rows, &next, &ordered(By::Id)).await.unwrap();
    let told = fill(engine, &server, &api).await;
    let after = rows_of(&*rows, &next, &ordered(By::Column(0))).await.unwrap();

    let Err(Told503::Preparing { what, percent: 0, seconds: 1.. }) = by_size else { panic!("{by_size:?}") };
    assert_eq!(what, "things.size");
    assert!(matches!(counted, Err(Told503::Preparing { .. })), "{counted:?}");
    assert_eq!(plain.len(), 100);
    assert_eq!(after[0].id, id(1_000 + MANY as u128 - 1));
    assert!(told.iter().any(|(done, total, what)| done == total && what == "indexes of things"), "{told:?}");
    assert!(engine.plan(&api).await.unwrap().is_empty());
}

pub async fn rows_read_as_they_will_be_before_their_turn(engine: &impl Engine) {
    filled(engine).await;
    let (next, api) = (next(), one(next()));
    engine.begin(&api).await.unwrap();
    let server = engine.serve(&api).await;
    let rows = engine.ports_of(&server).rows;

    let early = rows.find(&next, id(1_007), &Sight::default()).await.unwrap().unwrap();
    let listed = rows_of(&*rows, &next, &ordered(By::Id)).await.unwrap();
    let changed = rows.change(change(&next, 1_008, 2, "name", json!("other"))).await.unwrap();
    fill(engine, &server, &api).await;
    let late = rows.find(&next, id(1_007), &Sight::default()).await.unwrap().unwrap();
    let other = rows.find(&next, id(1_008), &Sight::default()).await.unwrap().unwrap();

    assert!(early.document.contains("\"colour\":\"red\",\"made\":\"1970-01-01"), "{early:?}");
    assert_eq!((early.revision, &listed[7]), (2, &early.shown));
    assert_eq!(late, early);
    assert!(matches!(changed, Changing::Changed(row) if row == other && row.revision == 3), "{other:?}");
    assert!(other.document.contains("\"name\":\"other\",\"colour\":\"red\""), "{other:?}");
}

pub async fn whoever_writes_meanwhile_fills_its_own_columns(engine: &impl Engine) {
    filled(engine).await;
    let (next, api) = (next(), one(next()));
    engine.begin(&api).await.unwrap();
    let server = engine.serve(&api).await;
    let rows = engine.ports_of(&server).rows;

    let new = creation(&next, 1, json!({"size": 5, "name": "new", "colour": "blue"}));
    let made = rows.create(new).await.unwrap();
    let changed = rows.change(change(&next, 1_009, 2, "colour", json!("blue"))).await.unwrap();
    fill(engine, &server, &api).await;
    let blue = rows_of(&*rows, &next, &colour_is("blue")).await.unwrap();

    assert_eq!(made, Creating::Created);
    assert!(matches!(changed, Changing::Changed(_)));
    assert_eq!(blue.iter().map(|row| row.id).collect::<Vec<_>>(), [id(1), id(1_009)]);
}

pub async fn a_killed_server_leaves_the_rest_to_the_next(engine: &impl Engine) {
    filled(engine).await;
    let (next, api) = (next(), one(next()));
    engine.begin(&api).await.unwrap();
    let first = engine.serve(&api).await;

    let (seen, told) = (tokio::sync::Notify::new(), Mutex::new(0));
    let mut tell = |done, _, _: &str| {
        *told.lock().unwrap() = done;
        seen.notify_one();
    };
    tokio::select! {
        biased;
        () = seen.notified() => {}
        _ = engine.fill(&first, &api, Share::Whole, &mut tell) => panic!("it was not killed"),
    }
    drop(first);
    let begun = engine.begin(&api).await.unwrap();
    let second = engine.serve(&api).await;
    let rows = engine.ports_of(&second).rows;
    let early = rows_of(&*rows, &next, &colour_is("red")).await;
    let rest = fill(engine, &second, &api).await;

    assert_eq!(*told.lock().unwrap(), 5_000);
    assert!(begun.is_empty(), "{begun}");
    // A step that was on its way is done all the same.
    assert!(matches!(early, Err(Told503::Preparing { percent: 41.., .. })), "{early:?}");
    // Whoever waits for another database's node tells where it stands meanwhile.
    let mut rows_told = rest.iter().filter(|(_, _, what)| what.starts_with("rows")).map(|(done, ..)| *done);
    assert!(rows_told.all(|done| done >= 5_000), "{rest:?}");
    let counted = rows.count(&next, &Sight::default(), &colour_is("red"), u64::from(u32::MAX)).await.unwrap();
    assert_eq!(counted, valetkey_resources::ports::Counted::Exactly(MANY as u64));
}

pub async fn a_search_that_is_made_anew_has_what_came_meanwhile(engine: &impl Engine) {
    let plain = filled(engine).await;
    let mut next = things(plain.fields.clone());
    next = things(next.fields.into_iter().map(|field| Field { search: field.name == "name", ..field }).collect());
    let api = one(next.clone());
    engine.begin(&api).await.unwrap();
    let server = engine.serve(&api).await;
    let rows = engine.ports_of(&server).rows;
    let word = |word: &str| ListPlan { search: vec![word.into()], ..ordered(By::Id) };

    let early = rows_of(&*rows, &next, &word("thing")).await;
    // The first part is done; what changes in it from then on must not be lost.
    let seen = tokio::sync::Notify::new();
    let mut tell = |_, _, _: &str| seen.notify_one();
    tokio::select! {
        biased;
        () = seen.notified() => {}
        _ = engine.fill(&server, &api, Share::Whole, &mut tell) => panic!("it was not ended"),
    }
    rows.change(change(&next, 1_000, 1, "name", json!("hat"))).await.unwrap();
    rows.change(change(&next, 12_000, 1, "name", json!("hat"))).await.unwrap();
    rows.create(creation(&next, 1, json!({"name": "hat"}))).await.unwrap();
    let removal = |number| Removal {
        api: Arc::new(one(next.clone())),
        resource: Arc::new(next.clone()),
        id: id(number),
        sight: Sight::default(),
        condition: Precondition::None,
        now: moment(1),
    };
    assert_eq!(rows.remove(removal(1_001)).await.unwrap(), Removing::Removed);
    fill(engine, &server, &api).await;

    assert!(matches!(early, Err(Told503::Preparing { .. })), "{early:?}");
    let hats = rows_of(&*rows, &next, &word("hat")).await.unwrap();
    assert_eq!(hats.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 1_000, 12_000].map(id));
    let counted = rows.count(&next, &Sight::default(), &word("thing"), u64::from(u32::MAX)).await.unwrap();
    assert_eq!(counted, valetkey_resources::ports::Counted::Exactly(MANY as u64 - 3));
    rows.change(change(&next, 1_002, 1, "name", json!("hat"))).await.unwrap();
    assert_eq!(rows_of(&*rows, &next, &word("hat")).await.unwrap().len(), 4);
}

pub async fn little_work_is_done_before_anyone_is_served(engine: &impl Engine) {
    with_rows(engine, things(vec![text("name")]), &[json!({"name": "b"}), json!({"name": "a"})]).await;
    let next = things(vec![api::listed("name", json!({"type": "string"}))]);
    let api = one(next.clone());

    engine.begin(&api).await.unwrap();
    let server = engine.serve(&api).await;
    engine.fill(&server, &api, Share::Urgent, &mut |_, _, _| {}).await.unwrap();

    let rows = engine.ports_of(&server).rows;
    assert_eq!(rows_of(&*rows, &next, &ordered(By::Column(0))).await.unwrap()[0].id, id(1));
}

pub async fn uniqueness_is_there_before_anyone_is_served(engine: &impl Engine) {
    filled(engine).await;
    let size = Field { unique: true, ..Field::new("size", json!({"type": "integer"})) };
    let next = things(vec![size, api::listed("name", json!({"type": "string"}))]);
    let api = one(next.clone());

    engine.begin(&api).await.unwrap();
    let server = engine.serve(&api).await;
    engine.fill(&server, &api, Share::Urgent, &mut |_, _, _| {}).await.unwrap();

    let twin = creation(&next, 1, json!({"size": 1_000_000 - 1_005, "name": "twin"}));
    let outcome = engine.ports_of(&server).rows.create(twin).await.unwrap();
    assert_eq!(outcome, Creating::NotUnique("size".into()));
}

pub async fn a_removal_waits_until_it_is_known_who_points_there(engine: &impl Engine) {
    let boxes = Arc::new(Resource::new("boxes", "box", vec![text("name")]));
    let plain = vec![Field::new("size", json!({"type": "integer"})), text("name")];
    apply(engine, &api::of(vec![boxes.clone(), Arc::new(things(plain.clone()))])).await;
    many(engine, MANY).await;
    let inside = api::pointing("box_id", "boxes", OnDelete::Refuse);
    let next = Arc::new(things([plain, vec![inside]].concat()));
    let api = Arc::new(api::of(vec![boxes.clone(), next.clone()]));
    engine.begin(&api).await.unwrap();
    let server = engine.serve(&api).await;
    let rows = engine.ports_of(&server).rows;
    rows.create(creation(&boxes, 1, json!({"name": "box"}))).await.unwrap();
    let removal = |of: &Arc<Resource>, number| Removal {
        api: api.clone(),
        resource: of.clone(),
        id: id(number),
        sight: Sight::default(),
        condition: Precondition::None,
        now: moment(1),
    };

    let early = rows.remove(removal(&boxes, 1)).await;
    let other = rows.remove(removal(&next, 1_000)).await.unwrap();
    fill(engine, &server, &api).await;

    assert!(matches!(&early, Err(Told503::Preparing { what, .. }) if what == "things.box_id"), "{early:?}");
    assert_eq!(other, Removing::Removed);
    assert_eq!(rows.remove(removal(&boxes, 1)).await.unwrap(), Removing::Removed);
}

pub async fn another_declaration_takes_over_what_was_left(engine: &impl Engine) {
    filled(engine).await;
    engine.begin(&one(next())).await.unwrap();
    let mut fields = next().fields;
    fields[1].filter = true;
    let third = things(fields);
    let api = one(third.clone());

    engine.begin(&api).await.unwrap();
    let server = engine.serve(&api).await;
    let rows = engine.ports_of(&server).rows;
    let early = rows_of(&*rows, &third, &ordered(By::Column(0))).await;
    fill(engine, &server, &api).await;

    assert!(matches!(early, Err(Told503::Preparing { .. })), "{early:?}");
    let row = rows.find(&third, id(1_007), &Sight::default()).await.unwrap().unwrap();
    assert!(row.document.contains("\"colour\":\"red\""), "{row:?}");
    assert_eq!(rows_of(&*rows, &third, &ordered(By::Column(0))).await.unwrap()[0].id, id(1_000 + MANY as u128 - 1));
}

pub async fn what_is_right_is_not_written_again(engine: &impl Engine) {
    filled(engine).await;
    let (next, api) = (next(), one(next()));
    apply(engine, &api).await;
    let before = found(engine, &next, 1_000).await;

    engine.damage("UPDATE r_things SET f_size = 7, revision = revision + 4 WHERE f_size > 998990").await;
    engine.reindex(&api).await.unwrap();

    assert_eq!(found(engine, &next, 1_000).await.revision, before.revision + 4);
    assert_eq!(found(engine, &next, 1_500).await.revision, before.revision);
    assert_eq!(
        listed(engine, &next, &Sight::default(), &ordered(By::Column(0))).await[0],
        id(1_000 + MANY as u128 - 1)
    );
}

pub async fn large_documents_are_taken_a_few_at_a_time(engine: &impl Engine) {
    let rows: Vec<_> = (0..20).map(|size| json!({"size": size, "name": "x".repeat(1 << 20)})).collect();
    with_rows(engine, things(vec![Field::new("size", json!({"type": "integer"})), text("name")]), &rows).await;
    let next = things(vec![api::listed("size", json!({"type": "integer"})), text("name")]);

    let mut told = Told::new();
    engine.apply(&one(next.clone()), &[], &mut told).await.unwrap();

    let steps: Vec<_> = told.iter().filter(|(_, _, what)| what == "rows of things").map(|(done, ..)| *done).collect();
    assert_eq!(steps, [8, 16, 20]);
    let mut last = ListPlan { window: Window::Offset { offset: 0, limit: 1 }, ..ordered(By::Column(0)) };
    last.order.iter_mut().for_each(|key| key.direction = Direction::Down);
    assert_eq!(listed(engine, &next, &Sight::default(), &last).await, [id(19)], "the last one has its column too");
}
