//! The HTTP of declared resources: read, call, answer. One route for each path that the declaration implies.

mod action;
mod answer;
mod asked;
mod body;
mod collection;
mod description;
mod item;
mod operation;
mod target;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::Method;
use valetkey_rest::Problem;
use valetkey_rest::problem::catalogue;

pub use description::{description, options};
pub use target::{Place, Target};

use crate::model::Operation;
use crate::service::{Served, Service, Speaker};
use asked::Asked;

/// Every route, below `prefix` (`/api`). Callers come in as an `Arc<Caller>` among the request's extensions.
pub fn routes(service: &Arc<Service>, prefix: &str, version: u32) -> Router {
    let prefix: Arc<str> = prefix.into();
    let mut router = Router::new();
    for (path, place) in target::places(service) {
        let target = Arc::new(Target { service: service.clone(), prefix: prefix.clone(), version, place });
        let serve = move |request: Request| serve(target.clone(), request);
        router = router.route(&format!("{prefix}{path}"), any(serve));
    }
    router
}

async fn serve(target: Arc<Target>, request: Request) -> Response {
    let is_head = request.method() == Method::HEAD;
    let response = dispatch(&target, request).await.unwrap_or_else(IntoResponse::into_response);
    let response = answer::common(response);
    if is_head { answer::without_body(response) } else { response }
}

async fn dispatch(target: &Arc<Target>, request: Request) -> Result<Response, Problem> {
    let method = request.method().clone();
    if method == Method::OPTIONS {
        return Ok(answer::options(target));
    }
    let Some(operation) = target.operation(&method) else { return Err(answer::method_not_allowed(target)) };
    let asked = Asked::read(target, request).await?;
    if !matches!(operation, Operation::List | Operation::Read) || matches!(target.place, Place::Operation) {
        asked.refuse_parameters()?;
    }
    match &target.place {
        Place::Collection { served, .. } => {
            asked.speaker.permit(&served.resource, operation)?;
            match operation {
                Operation::Create => collection::post(served, asked).await,
                _ => collection::get(served, asked).await,
            }
        }
        Place::Item { served, .. } => {
            asked.speaker.permit(&served.resource, operation)?;
            match operation {
                Operation::Replace => item::put(served, asked).await,
                Operation::Update => item::patch(served, asked).await,
                Operation::Delete => item::delete(served, asked).await,
                _ => item::get(served, asked).await,
            }
        }
        Place::Action { served, action, .. } => {
            asked.speaker.permit_action(&served.resource, &served.resource.actions[*action])?;
            action::post(served, *action, asked).await
        }
        Place::Operation => operation::get(asked).await,
    }
}

/// The row above must be there for the caller too.
async fn check_parent(speaker: &Speaker, parent: Option<&Arc<Served>>, asked: &Asked) -> Result<(), Problem> {
    let (Some(parent), Some(id)) = (parent, asked.parent) else { return Ok(()) };
    speaker.find(parent, id, &speaker.sight(&parent.resource)).await.map(|_| ())
}

/// Nothing can be there: an id has another form.
fn no_such_id() -> Problem {
    Problem::new(&catalogue::NOT_FOUND)
        .detail("No resource has this id: ids are UUIDs, as `id` in an answer shows them.")
}
