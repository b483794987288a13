//! A server with an earlier declaration, once another one has taken its rows over: it answers rightly or not at all.

use valetkey_resources::declaration;
use valetkey_resources::ports::{
    Change, Changing, Edited, Place, Position, Precondition, Removal, Rows, StoreError as Told, TaskStep,
};

use super::*;

const FIRST: &str = r#"
api: { name: shed }
scopes: { "all:things": Everything }
resources:
  things:
    scopes: { read: "all:things", write: "all:things" }
    fields:
      name: { type: string }
      state: { enum: [new, old], filter: true }
"#;

/// The same words, one of which is another.
const SECOND: &str = r#"
versions:
  1: { released: 2025-01-01 }
  2: { released: 2026-01-01, changes: [ { enum: things.state, values: { old: worn } } ] }
"#;

/// Another name for the same things.
const RENAMED: &str = r#"
versions:
  1: { released: 2025-01-01 }
  2: { released: 2026-01-01, changes: [ { rename: things, to: tools } ] }
"#;

fn first() -> Api {
    declaration::read(FIRST).unwrap().api
}

fn second() -> Api {
    declaration::read(&format!("{}{SECOND}", FIRST.replace("[new, old]", "[new, worn]"))).unwrap().api
}

fn renamed() -> Api {
    declaration::read(&format!("{}{RENAMED}", FIRST.replace("  things:", "  tools:"))).unwrap().api
}

fn creation(resource: &Arc<Resource>, number: u128) -> Creation {
    let document = json!({"name": format!("thing {number}"), "state": "old"});
    let draft = Draft::new(resource, document.as_object().unwrap());
    Creation {
        resource: resource.clone(),
        id: id(number),
        owner: None,
        now: moment(0),
        revision: 1,
        draft,
        keyed: None,
    }
}

fn change(resource: &Arc<Resource>, number: u128) -> Change {
    let of = resource.clone();
    Change {
        resource: resource.clone(),
        id: id(number),
        sight: Sight::default(),
        condition: Precondition::None,
        now: moment(9),
        edit: Arc::new(move |_| {
            let document = json!({"name": "another", "state": "old"});
            let draft = Some(Draft::new(&of, document.as_object().unwrap()));
            Ok(Edited { draft, task: TaskStep::None, answer: None })
        }),
        keyed: None,
    }
}

fn removal(api: &Api, resource: &Arc<Resource>, number: u128) -> Removal {
    Removal {
        api: Arc::new(api.clone()),
        resource: resource.clone(),
        id: id(number),
        sight: Sight::default(),
        condition: Precondition::None,
        now: moment(9),
    }
}

/// A server with the first declaration, and a few rows.
async fn served<E: Engine>(engine: &E) -> (Api, Arc<Resource>, E::Server) {
    let api = first();
    apply(engine, &api).await;
    let (resource, server) = (api.resources[0].clone(), engine.serve(&api).await);
    for number in 0..3 {
        let made = engine.ports_of(&server).rows.create(creation(&resource, number)).await;
        assert_eq!(made.unwrap(), Creating::Created);
    }
    // What is asked often is kept by connections, or known by heart.
    for plan in plans(&resource).iter().cycle().take(60) {
        let listing = engine.ports_of(&server).rows.list(&resource, &Sight::default(), plan).await.unwrap();
        assert!(matches!(listing, Listing::Rows { rows, .. } if !rows.is_empty()), "{plan:?}");
    }
    (api, resource, server)
}

/// Lists that are read in different ways: from the beginning, after so many others, and after or before a row.
fn plans(of: &Resource) -> Vec<ListPlan> {
    let by = By::Column(of.column("state").unwrap());
    let position = |number: u128| Some(Position(vec![Cell::Text("old".to_owned()), Cell::Id(id(number))]));
    let beside = |position, place| Window::Beside { position, place, limit: 2 };
    let windows = [
        Window::Offset { offset: 0, limit: 100 },
        Window::Offset { offset: 1, limit: 1 },
        beside(None, Place::After),
        beside(position(0), Place::After),
        beside(position(2), Place::Before),
    ];
    windows.into_iter().map(|window| ListPlan { window, ..ordered(by) }).collect()
}

async fn refuses_to_write(rows: &dyn Rows, api: &Api, of: &Arc<Resource>) {
    let refused = |told: Told| assert!(matches!(&told, Told::Superseded(name) if *name == of.name), "{told:?}");
    refused(rows.create(creation(of, 9)).await.unwrap_err());
    refused(rows.change(change(of, 1)).await.unwrap_err());
    refused(rows.remove(removal(api, of, 1)).await.unwrap_err());
}

async fn refuses_to_read(rows: &dyn Rows, of: &Resource) {
    let (sight, plan) = (Sight::default(), ordered(By::Column(0)));
    let refused = |told: Told| assert!(matches!(&told, Told::Superseded(name) if *name == of.name), "{told:?}");
    refused(rows.find(of, id(1), &sight).await.unwrap_err());
    refused(rows.find_all(of, &[id(1)], &sight).await.unwrap_err());
    for plan in plans(of) {
        refused(rows.list(of, &sight, &plan).await.unwrap_err());
    }
    for most in [1, 10_000_000] {
        refused(rows.count(of, &sight, &plan, most).await.unwrap_err());
    }
}

pub async fn rows_of_a_newer_version_are_neither_read_nor_written(engine: &impl Engine) {
    let (api, resource, server) = served(engine).await;
    let rows = engine.ports_of(&server).rows;

    apply(engine, &second()).await;
    refuses_to_read(&*rows, &resource).await;
    refuses_to_write(&*rows, &api, &resource).await;

    let newer = second().resources[0].clone();
    assert_eq!(document(engine, &newer, 1).await, json!({"name": "thing 1", "state": "worn"}));
    assert_eq!(found(engine, &newer, 1).await.revision, 2);
}

pub async fn rows_under_another_name_are_neither_read_nor_written(engine: &impl Engine) {
    let (api, resource, server) = served(engine).await;
    let rows = engine.ports_of(&server).rows;

    apply(engine, &renamed()).await;
    refuses_to_read(&*rows, &resource).await;
    refuses_to_write(&*rows, &api, &resource).await;

    assert_eq!(document(engine, &renamed().resources[0], 1).await, json!({"name": "thing 1", "state": "old"}));
}

pub async fn whoever_knows_fewer_columns_reads_on_and_does_not_write(engine: &impl Engine) {
    let (api, resource, server) = served(engine).await;
    let rows = engine.ports_of(&server).rows;
    let larger = declaration::read(&FIRST.replace("type: string }", "type: string, sort: true }")).unwrap().api;

    apply(engine, &larger).await;
    refuses_to_write(&*rows, &api, &resource).await;
    let seen = rows.find(&resource, id(1), &Sight::default()).await.unwrap().unwrap();

    assert_eq!(seen.revision, 1);
    assert_eq!(listed(engine, &resource, &Sight::default(), &ordered(By::Column(0))).await.len(), 3);
    assert_eq!(listed(engine, &larger.resources[0], &Sight::default(), &ordered(By::Column(0))).await.len(), 3);
}

pub async fn whoever_goes_back_has_the_rows_again(engine: &impl Engine) {
    let (api, resource, server) = served(engine).await;
    let larger = declaration::read(&FIRST.replace("type: string }", "type: string, sort: true }")).unwrap().api;

    apply(engine, &larger).await;
    apply(engine, &api).await;
    let changed = engine.ports_of(&server).rows.change(change(&resource, 1)).await;

    assert!(matches!(changed, Ok(Changing::Changed(_))), "{changed:?}");
}

pub async fn a_write_beside_a_takeover_is_taken_along_or_refused(engine: &impl Engine) {
    let (_, resource, server) = served(engine).await;
    let rows = engine.ports_of(&server).rows;
    let writer = |lane: u128| {
        let (rows, resource) = (rows.clone(), resource.clone());
        async move {
            let mut made = Vec::new();
            for number in (1_000 * lane..).take(900) {
                match rows.create(creation(&resource, number)).await {
                    Ok(created) => {
                        assert_eq!(created, Creating::Created);
                        made.push(number);
                    }
                    // The table is being rewritten, and the writer does not wait forever.
                    Err(Told::Unavailable(_)) => {}
                    Err(Told::Superseded(_)) => break,
                    Err(other) => panic!("{other}"),
                }
            }
            made
        }
    };

    let next = second();
    let (made, more, _) = tokio::join!(writer(1), writer(2), apply(engine, &next));

    let newer = next.resources[0].clone();
    for number in made.into_iter().chain(more) {
        assert_eq!(document(engine, &newer, number).await["state"], "worn", "{number}");
    }
}
