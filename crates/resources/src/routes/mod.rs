//! The HTTP of declared resources: what a path means, then read, call, answer.

mod action;
mod answer;
mod asked;
mod board;
mod body;
mod collection;
mod description;
mod item;
mod needs;
mod operation;
mod target;

use std::sync::Arc;

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::Method;
use tokio::time::Instant;
use valetkey_rest::Problem;
use valetkey_rest::bearer::Caller;
use valetkey_rest::problem::catalogue;
use valetkey_rest::version::{Lifecycle, VersionChoice};

pub use board::{Board, Found};
pub use description::{description, options};
pub use target::{Place, Target};

use crate::model::Operation;
use crate::service::Served;

use asked::Asked;
use board::Ids;

/// Answers a request that brings along what its path means: [`Found`], by [`Board::find`]. Callers come in as an
/// `Arc<Caller>` among the request's extensions, the version as a `VersionChoice`; without one it is the newest.
pub async fn serve(mut request: Request) -> Response {
    let Some(found) = request.extensions_mut().remove::<Found>() else {
        return answer::common(Problem::new(&catalogue::NOT_FOUND).into_response());
    };
    let choice = request.extensions().get::<VersionChoice>();
    let Some(target) = found.target(choice) else {
        let wanted = choice.map(|choice| choice.version).unwrap_or_default();
        return answer::common(not_in_this_version(wanted).into_response());
    };
    let is_head = request.method() == Method::HEAD;
    let response = dispatch(target, found.ids(target), request).await.unwrap_or_else(IntoResponse::into_response);
    let response = answer::common(response);
    if is_head { answer::without_body(response) } else { response }
}

async fn dispatch(target: &Arc<Target>, ids: Option<Ids>, request: Request) -> Result<Response, Problem> {
    let method = request.method().clone();
    if method == Method::OPTIONS {
        return Ok(answer::options(target));
    }
    let Some(operation) = target.once(&method) else { return Err(answer::method_not_allowed(target)) };
    if let Some(caller) = request.extensions().get::<Arc<Caller>>() {
        target.service.note_use(Some(&caller.client), target.edition.number());
    }
    let state = request.extensions().get::<VersionChoice>().map(|choice| choice.state);
    if state == Some(Lifecycle::Sunset) && target.goes_early(operation) {
        return Err(target.service.versions.gone_early(target.edition.number()));
    }
    // From here on: a body that comes slowly takes of the same time.
    let begun = matches!(target.place, Place::Action { .. }).then(Instant::now);
    let asked = Asked::read(target, ids, request).await?;
    if !matches!(operation, Operation::List | Operation::Read) || matches!(target.place, Place::Operation) {
        asked.refuse_parameters()?;
    }
    // In boxes, each as large as its own work: one row, which is asked for most, would have to carry them all.
    match &target.place {
        Place::Collection { served, .. } => {
            asked.speaker.permit(&served.resource, operation)?;
            match operation {
                Operation::Create => Box::pin(collection::post(served, asked)).await,
                _ => Box::pin(collection::get(served, asked)).await,
            }
        }
        Place::Item { served, .. } => {
            asked.speaker.permit(&served.resource, operation)?;
            match operation {
                Operation::Replace => Box::pin(item::put(served, asked)).await,
                Operation::Update => Box::pin(item::patch(served, asked)).await,
                Operation::Delete => Box::pin(item::delete(served, asked)).await,
                _ => item::get(served, asked).await,
            }
        }
        Place::Action { served, action, .. } => {
            asked.speaker.permit_action(&served.face, &served.face.actions[*action])?;
            let answer_by = begun.unwrap_or_else(Instant::now) + target.service.patience;
            Box::pin(action::post(served, *action, asked, answer_by)).await
        }
        Place::Operation => Box::pin(operation::get(asked)).await,
    }
}

/// The row above must be there for the caller too.
async fn check_parent(asked: &Asked) -> Result<(), Problem> {
    let (Some((parent, _)), Some(id)) = (asked.target.above(), asked.parent) else { return Ok(()) };
    asked.speaker.find(parent, id, &asked.speaker.sight(&parent.resource)).await.map(|_| ())
}

/// The same for whoever writes below: for those who see all rows, that the row below is there says enough.
async fn check_own_parent(asked: &Asked) -> Result<(), Problem> {
    let is_owned = |parent: &Served| asked.speaker.sight(&parent.resource).owner.is_some();
    if asked.target.above().is_some_and(|(parent, _)| is_owned(parent)) { check_parent(asked).await } else { Ok(()) }
}

fn not_in_this_version(version: u32) -> Problem {
    Problem::new(&catalogue::NOT_FOUND).detail(format!("Version {version} of this API has nothing at this address."))
}

/// Nothing can be there: an id has another form.
fn no_such_id() -> Problem {
    Problem::new(&catalogue::NOT_FOUND)
        .detail("No resource has this id: ids are UUIDs in small letters, as `id` in an answer shows them.")
}
