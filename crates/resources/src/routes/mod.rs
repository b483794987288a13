//! The HTTP of declared resources: read, call, answer. One route for each path that the declaration implies.

mod action;
mod answer;
mod asked;
mod body;
mod collection;
mod description;
mod item;
mod needs;
mod operation;
mod target;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::Method;
use valetkey_rest::Problem;
use valetkey_rest::bearer::Caller;
use valetkey_rest::problem::catalogue;
use valetkey_rest::version::{Lifecycle, VersionChoice};

pub use description::{description, options};
pub use needs::Needs;
pub use target::{Place, Target};

use crate::model::Operation;
use crate::service::{Served, Service, Speaker};
use asked::Asked;

/// Every route of every version: below `base` (`/api`), where the request says its version elsewhere or not at all, and
/// below `/api/v<N>`. Callers come in as an `Arc<Caller>` among the request's extensions, the version as a
/// `VersionChoice`; without one it is the newest.
pub fn routes(service: &Arc<Service>, base: &str) -> Router {
    let mut router = Router::new();
    let mut shared: BTreeMap<String, Vec<Arc<Target>>> = BTreeMap::new();
    for edition in &service.editions {
        let versioned: Arc<str> = format!("{base}/v{}", edition.number()).into();
        for (prefix, is_shared) in [(versioned, false), (base.into(), true)] {
            for (path, place) in target::places(edition) {
                let (service, edition) = (service.clone(), edition.clone());
                let path = format!("{prefix}{path}");
                let target = Arc::new(Target { service, edition, prefix: prefix.clone(), place });
                if is_shared {
                    shared.entry(path).or_default().push(target);
                } else {
                    router = router.route(&path, any(move |request: Request| serve(target.clone(), request)));
                }
            }
        }
    }
    for (path, targets) in shared {
        let targets: Arc<[Arc<Target>]> = targets.into();
        router = router.route(&path, any(move |request: Request| serve_one(targets.clone(), request)));
    }
    router
}

/// The target of the version that the request means.
async fn serve_one(targets: Arc<[Arc<Target>]>, request: Request) -> Response {
    let wanted = request.extensions().get::<VersionChoice>().map(|choice| choice.version);
    let target = match wanted {
        None => targets.first(),
        Some(wanted) => targets.iter().find(|target| target.edition.number() == wanted),
    };
    match target {
        Some(target) => serve(target.clone(), request).await,
        None => answer::common(not_in_this_version(wanted.unwrap_or_default()).into_response()),
    }
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
    let Some(operation) = target.once(&method) else { return Err(answer::method_not_allowed(target)) };
    if let Some(caller) = request.extensions().get::<Arc<Caller>>() {
        target.service.note_use(Some(&caller.client), target.edition.number());
    }
    let state = request.extensions().get::<VersionChoice>().map(|choice| choice.state);
    if state == Some(Lifecycle::Sunset) && target.goes_early(operation) {
        return Err(target.service.versions.gone_early(target.edition.number()));
    }
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
            asked.speaker.permit_action(&served.face, &served.face.actions[*action])?;
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

fn not_in_this_version(version: u32) -> Problem {
    Problem::new(&catalogue::NOT_FOUND).detail(format!("Version {version} of this API has nothing at this address."))
}

/// Nothing can be there: an id has another form.
fn no_such_id() -> Problem {
    Problem::new(&catalogue::NOT_FOUND)
        .detail("No resource has this id: ids are UUIDs, as `id` in an answer shows them.")
}
