//! From one declaration to the next, on any engine: what only adds is done, what loses is refused with a plan.

pub mod additions;
pub mod filling;
pub mod losses;
pub mod repairs;
pub mod takeovers;

use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Cell, Field, Resource};
use valetkey_resources::ports::{
    By, Condition, Creating, Creation, Direction, Draft, ListPlan, Listing, Order, Ports, Sight, Stored, Test, Window,
};
use valetkey_store::{ShapeError, ShapePlan, Share};
use valetkey_testkit::{api, build::id, clock::moment};

/// Progress that was told: done, total, with what.
pub type Told = Vec<(u64, u64, String)>;

/// Is told progress.
pub type Tell<'a> = &'a mut (dyn FnMut(u64, u64, &str) + Send);

/// An engine and its tables.
#[allow(async_fn_in_trait, reason = "only these tests call it")]
pub trait Engine {
    async fn plan(&self, api: &Api) -> Result<ShapePlan, ShapeError>;
    async fn apply(&self, api: &Api, accept: &[String], told: &mut Told) -> Result<ShapePlan, ShapeError>;
    async fn reindex(&self, api: &Api) -> Result<(), ShapeError>;
    /// The tables alone, as a server makes them before it listens.
    async fn begin(&self, api: &Api) -> Result<ShapePlan, ShapeError>;
    async fn ports(&self) -> Ports;
    /// A server that knows what is left to do for a declaration.
    type Server;
    async fn serve(&self, api: &Api) -> Self::Server;
    fn ports_of(&self, server: &Self::Server) -> Ports;
    /// Does this share of what is left.
    async fn fill(&self, server: &Self::Server, api: &Api, share: Share, told: Tell<'_>) -> Result<(), StoreError>;
    /// What a hand does that should not.
    async fn damage(&self, sql: &str);
}

/// Runs each rule on an engine. `$open` gives `Option<impl Engine>`.
#[macro_export]
macro_rules! shapes {
    ($open:expr) => {
        $crate::shapes!(@each $open;
            additions: a_declaration_is_applied_once, a_new_column_is_filled_from_the_rows,
                a_new_field_with_a_default_stands_in_every_row, a_new_default_stands_where_nothing_stood,
                a_field_becomes_searchable_and_owned,
                an_index_comes_and_a_column_goes_and_nothing_is_lost, what_fits_the_new_type_is_no_loss,
                many_rows_are_rewritten_with_progress, a_value_inside_of_an_object_gets_a_column_and_keeps_its_place,
                a_filter_comes_and_goes_and_the_order_beside_it_stays;
            losses: a_vanished_field_is_refused_until_it_is_accepted, a_vanished_resource_is_refused_until_it_is_accepted,
                the_demonstration_leaves_alone_what_another_declaration_has_made,
                values_that_do_not_fit_are_named_and_given_up_on_request, duplicates_are_named_and_cannot_be_accepted,
                duplicates_are_those_of_the_column,
                a_required_field_needs_a_default, what_nobody_has_is_no_loss;
            filling: lists_wait_for_what_they_go_by_and_nothing_else_does, rows_read_as_they_will_be_before_their_turn,
                whoever_writes_meanwhile_fills_its_own_columns, a_killed_server_leaves_the_rest_to_the_next,
                a_search_that_is_made_anew_has_what_came_meanwhile, little_work_is_done_before_anyone_is_served,
                uniqueness_is_there_before_anyone_is_served, a_removal_waits_until_it_is_known_who_points_there,
                another_declaration_takes_over_what_was_left, what_is_right_is_not_written_again,
                large_documents_are_taken_a_few_at_a_time;
            takeovers: rows_of_a_newer_version_are_neither_read_nor_written,
                rows_under_another_name_are_neither_read_nor_written,
                whoever_knows_fewer_columns_reads_on_and_does_not_write, whoever_goes_back_has_the_rows_again,
                a_write_beside_a_takeover_is_taken_along_or_refused;
            repairs: damaged_columns_are_restored, half_a_change_is_completed, a_search_beside_reindex_finds_all;
        );
    };
    (@each $open:expr; $($room:ident: $($rule:ident),+;)+) => {
        mod shape_rules {
            $(mod $room {
                #[allow(unused_imports)]
                use super::super::*;
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $rule() {
                    if let Some(engine) = $open {
                        $crate::shapes::$room::$rule(&engine).await;
                    }
                })+
            })+
        }
    };
}

/// Things with these fields.
fn things(fields: Vec<Field>) -> Resource {
    Resource::new("things", "thing", fields)
}

fn text(name: &str) -> Field {
    Field::new(name, json!({"type": "string"}))
}

fn one(resource: Resource) -> Api {
    api::of(vec![Arc::new(resource)])
}

async fn apply(engine: &impl Engine, api: &Api) -> ShapePlan {
    engine.apply(api, &[], &mut Told::new()).await.unwrap()
}

/// An engine that was given a declaration, and rows under it.
async fn with_rows(engine: &impl Engine, resource: Resource, documents: &[Value]) {
    let resource = Arc::new(resource);
    apply(engine, &api::of(vec![resource.clone()])).await;
    let ports = engine.ports().await;
    for (number, document) in documents.iter().enumerate() {
        let draft = Draft::new(&resource, document.as_object().unwrap());
        let (resource, id) = (resource.clone(), id(number as u128));
        let owner = Some("alice".to_owned());
        let creation = Creation { resource, id, owner, now: moment(0), revision: 1, draft, keyed: None };
        assert_eq!(ports.rows.create(creation).await.unwrap(), Creating::Created);
    }
}

/// So many things more, with a size that goes down and a name, without a word to the engine.
async fn many(engine: &impl Engine, count: usize) {
    let ids: Vec<String> = (0..count).map(|number| id(1_000 + number as u128).simple().to_string()).collect();
    for part in ids.chunks(1_000) {
        let rows: Vec<_> = part
            .iter()
            .map(|id| {
                let number = u128::from_str_radix(&id[20..], 16).unwrap();
                format!("('{id}', 1, 'alice', 0, 0, '{{\"size\":{},\"name\":\"thing\"}}')", 1_000_000 - number)
            })
            .collect();
        let insert = "INSERT INTO r_things (id, revision, owner, created_at, updated_at, document) VALUES ";
        engine.damage(&format!("{insert}{}", rows.join(","))).await;
    }
}

/// Does all that is left, and answers what was told.
async fn fill<E: Engine>(engine: &E, server: &E::Server, api: &Api) -> Told {
    let mut told = Told::new();
    let mut tell = |done, total, what: &str| told.push((done, total, what.to_owned()));
    engine.fill(server, api, Share::Whole, &mut tell).await.unwrap();
    told
}

async fn found(engine: &impl Engine, resource: &Resource, number: u128) -> Stored {
    engine.ports().await.rows.find(resource, id(number), &Sight::default()).await.unwrap().unwrap()
}

async fn document(engine: &impl Engine, resource: &Resource, number: u128) -> Value {
    serde_json::from_str(&found(engine, resource, number).await.document).unwrap()
}

fn ordered(by: By) -> ListPlan {
    let order = vec![Order { by, direction: Direction::Up }, Order { by: By::Id, direction: Direction::Up }];
    ListPlan {
        conditions: vec![],
        search: vec![],
        in_sight: None,
        order,
        window: Window::Offset { offset: 0, limit: 100 },
    }
}

async fn listed(engine: &impl Engine, resource: &Resource, sight: &Sight, plan: &ListPlan) -> Vec<Uuid> {
    match engine.ports().await.rows.list(resource, sight, plan).await.unwrap() {
        Listing::Rows { rows, .. } => rows.into_iter().map(|row| row.id).collect(),
        Listing::TooExpensive => panic!("too expensive"),
    }
}

/// The plan that a refusal comes with.
fn refused(outcome: Result<ShapePlan, ShapeError>) -> ShapePlan {
    match outcome {
        Err(ShapeError::Refused(plan)) => plan,
        other => panic!("not refused: {other:?}"),
    }
}
