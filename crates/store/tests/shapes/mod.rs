//! From one declaration to the next, on any engine: what only adds is done, what loses is refused with a plan.

pub mod additions;
pub mod losses;
pub mod repairs;

use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;
use valetkey_resources::model::{Api, Field, Resource};
use valetkey_resources::ports::{
    By, Creating, Creation, Direction, Draft, ListPlan, Listing, Order, Ports, Sight, Stored, Window,
};
use valetkey_store::{ShapeError, ShapePlan};
use valetkey_testkit::{api, build::id, clock::moment};

/// Progress that was told: done, total, with what.
pub type Told = Vec<(u64, u64, String)>;

/// An engine and its tables.
#[allow(async_fn_in_trait, reason = "only these tests call it")]
pub trait Engine {
    async fn plan(&self, api: &Api) -> Result<ShapePlan, ShapeError>;
    async fn apply(&self, api: &Api, accept: &[String], told: &mut Told) -> Result<ShapePlan, ShapeError>;
    async fn reindex(&self, api: &Api) -> Result<(), ShapeError>;
    async fn ports(&self) -> Ports;
    /// What a hand does that should not.
    async fn damage(&self, sql: &str);
}

/// Runs each rule on an engine. `$open` gives `Option<impl Engine>`.
#[macro_export]
macro_rules! shapes {
    ($open:expr) => {
        $crate::shapes!(@each $open;
            additions: a_declaration_is_applied_once, a_new_column_is_filled_from_the_rows,
                a_new_field_with_a_default_stands_in_every_row, a_field_becomes_searchable_and_owned,
                an_index_comes_and_a_column_goes_and_nothing_is_lost, what_fits_the_new_type_is_no_loss,
                many_rows_are_rewritten_with_progress;
            losses: a_vanished_field_is_refused_until_it_is_accepted, a_vanished_resource_is_refused_until_it_is_accepted,
                values_that_do_not_fit_are_named_and_given_up_on_request, duplicates_are_named_and_cannot_be_accepted,
                a_required_field_needs_a_default, what_nobody_has_is_no_loss;
            repairs: damaged_columns_are_restored, half_a_change_is_completed;
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
        let creation = Creation { resource, id, owner, now: moment(0), draft, keyed: None };
        assert_eq!(ports.rows.create(creation).await.unwrap(), Creating::Created);
    }
}

async fn found(engine: &impl Engine, resource: &Resource, number: u128) -> Stored {
    engine.ports().await.rows.find(resource, id(number), &Sight::default()).await.unwrap().unwrap()
}

async fn document(engine: &impl Engine, resource: &Resource, number: u128) -> Value {
    serde_json::from_str(&found(engine, resource, number).await.document).unwrap()
}

fn ordered(by: By) -> ListPlan {
    let order = vec![Order { by, direction: Direction::Up }, Order { by: By::Id, direction: Direction::Up }];
    ListPlan { conditions: vec![], search: vec![], order, window: Window::Offset { offset: 0, limit: 100 } }
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
