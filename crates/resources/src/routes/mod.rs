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

use std::convert::Infallible;
use std::future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

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

/// What is done for a request. In boxes, each as large as its own work: one row, which is asked for most, would have to carry
/// them all.
type Work = Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

/// Answers a request that brings along what its path means: [`Found`], by [`Board::find`]. Callers come in as an
/// `Arc<Caller>` among the request's extensions, the version as a `VersionChoice`; without one it is the newest.
pub fn serve(request: Request) -> Serving {
    let is_head = request.method() == Method::HEAD;
    let work = begin(request).unwrap_or_else(|problem| Box::pin(future::ready(Err(problem))));
    Serving { work, is_head }
}

/// Does at once what needs no waiting. Where there is no body to wait for, that is all but the work itself.
fn begin(mut request: Request) -> Result<Work, Problem> {
    let found = request.extensions_mut().remove::<Found>().ok_or_else(|| Problem::new(&catalogue::NOT_FOUND))?;
    let choice = request.extensions().get::<VersionChoice>();
    let Some(target) = found.target(choice) else {
        return Err(not_in_this_version(choice.map(|choice| choice.version).unwrap_or_default()));
    };
    if request.method() == Method::OPTIONS {
        return Ok(Box::pin(future::ready(Ok(answer::options(target)))));
    }
    let Some(operation) = target.once(request.method()) else { return Err(answer::method_not_allowed(target)) };
    if let Some(caller) = request.extensions().get::<Arc<Caller>>() {
        target.service.note_use(Some(&caller.client), target.edition.number());
    }
    if choice.is_some_and(|choice| choice.state == Lifecycle::Sunset) && target.goes_early(operation) {
        return Err(target.service.versions.gone_early(target.edition.number()));
    }
    // From here on: a body that comes slowly takes of the same time.
    let begun = matches!(target.place, Place::Action { .. }).then(Instant::now);
    let (mut asked, body) = Asked::of(target, found.ids(target), request)?;
    let Some(body) = body else { return choose(operation, asked, begun) };
    Ok(Box::pin(async move {
        asked.receive(body).await?;
        choose(operation, asked, begun)?.await
    }))
}

/// What is to be done for whoever may ask for it.
fn choose(operation: Operation, asked: Box<Asked>, begun: Option<Instant>) -> Result<Work, Problem> {
    let place = &asked.target.place;
    if !matches!(operation, Operation::List | Operation::Read) || matches!(place, Place::Operation) {
        asked.refuse_parameters()?;
    }
    Ok(match place {
        Place::Collection { served, .. } => {
            asked.speaker.permit(&served.resource, operation)?;
            let served = served.clone();
            match operation {
                Operation::Create => Box::pin(collection::post(served, asked)),
                _ => Box::pin(collection::get(served, asked)),
            }
        }
        Place::Item { served, .. } => {
            asked.speaker.permit(&served.resource, operation)?;
            let served = served.clone();
            match operation {
                Operation::Replace => Box::pin(item::put(served, asked)),
                Operation::Update => Box::pin(item::patch(served, asked)),
                Operation::Delete => Box::pin(item::delete(served, asked)),
                _ => Box::pin(item::get(served, asked)),
            }
        }
        Place::Action { served, action, .. } => {
            asked.speaker.permit_action(&served.face, &served.face.actions[*action])?;
            let answer_by = begun.unwrap_or_else(Instant::now) + asked.target.service.patience;
            let (served, action) = (served.clone(), *action);
            Box::pin(action::post(served, action, asked, answer_by))
        }
        Place::Operation => Box::pin(operation::get(asked)),
    })
}

/// An answer on its way. Made by [`serve`].
pub struct Serving {
    work: Work,
    is_head: bool,
}

impl Future for Serving {
    type Output = Result<Response, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answered = ready!(self.work.as_mut().poll(context));
        let response = answer::common(answered.unwrap_or_else(IntoResponse::into_response));
        Poll::Ready(Ok(if self.is_head { answer::without_body(response) } else { response }))
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
