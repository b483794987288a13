//! `/api/users` and `/api/users/<id>`: what each method does. Read, call, answer.

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::get,
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use uuid::Uuid;
use valetkey_rest::{
    Problem,
    conditional::{ETag, IfMatch, IfNoneMatch, not_modified, precondition_failed, there_already},
    json,
    patch::{ACCEPT_PATCH, ACCEPT_PATCH_NAME, Patch},
    problem::catalogue,
};

use crate::{app::Shared, shelf::Row, user::User};

mod asked;
mod list;

use asked::Asked;

const READ: &str = "read:users";
const WRITE: &str = "write:users";

pub(crate) fn routes(shared: Shared) -> Router {
    Router::new()
        .route("/api/users", get(list::get).post(create).options(collection_options))
        .route("/api/users/{id}", get(read).put(replace).patch(update).delete(remove).options(item_options))
        .with_state(shared)
}

async fn create(State(shared): State<Shared>, asked: Asked, body: Bytes) -> Result<Response, Problem> {
    asked.needs(&shared, WRITE)?;
    let user = User::check(json::read(&asked.headers, &body)?, None)?;
    let row = shared.shelf.create(shared.new_id(), user)?;
    let mut answer = (StatusCode::CREATED, asked.show(&row, None)).into_response();
    let location = HeaderValue::try_from(format!("/api{}/users/{}", asked.prefix(), row.id));
    answer.headers_mut().extend(location.map(|location| (header::LOCATION, location)));
    Ok(answer)
}

async fn read(State(shared): State<Shared>, asked: Asked, Path(id): Path<String>) -> Result<Response, Problem> {
    asked.needs(&shared, READ)?;
    let fields = list::only_fields(&asked)?;
    let row = shared.shelf.find(parse(&id)?).ok_or_else(missing)?;
    let etag = asked.etag(&row);
    if IfMatch::from_headers(&asked.headers)?.is_some_and(|wanted| !wanted.matches(&etag)) {
        return Err(precondition_failed(Some(&etag)));
    }
    if IfNoneMatch::from_headers(&asked.headers)?.is_some_and(|known| known.matches(&etag)) {
        return Ok(not_modified(&etag));
    }
    Ok(asked.show(&row, fields.as_deref()).into_response())
}

async fn replace(
    State(shared): State<Shared>,
    asked: Asked,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    asked.needs(&shared, WRITE)?;
    let body = json::read(&asked.headers, &body)?;
    let conditions = Conditions::read(&asked.headers)?;
    let row = shared.shelf.change(parse(&id)?, |row| {
        conditions.check(&asked.etag(row))?;
        User::check(body, Some(&asked.body(row, None)))
    })?;
    Ok(asked.show(&row, None).into_response())
}

async fn update(
    State(shared): State<Shared>,
    asked: Asked,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    asked.needs(&shared, WRITE)?;
    let patch = Patch::read(&asked.headers, &body)?;
    let conditions = Conditions::read(&asked.headers)?;
    let row = shared.shelf.change(parse(&id)?, |row| {
        conditions.check(&asked.etag(row))?;
        let before = asked.body(row, None);
        User::check(patch.apply(&before)?, Some(&before))
    })?;
    Ok(asked.show(&row, None).into_response())
}

async fn remove(State(shared): State<Shared>, asked: Asked, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    asked.needs(&shared, WRITE)?;
    let conditions = Conditions::read(&asked.headers)?;
    shared.shelf.remove(parse(&id)?, |row| conditions.check(&asked.etag(row)))?;
    Ok(StatusCode::NO_CONTENT)
}

async fn collection_options() -> Response {
    (StatusCode::NO_CONTENT, [(header::ALLOW, "GET, HEAD, POST, OPTIONS")]).into_response()
}

async fn item_options() -> Response {
    let allow = HeaderValue::from_static("GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
    let headers = [(header::ALLOW, allow), (ACCEPT_PATCH_NAME, ACCEPT_PATCH.clone())];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// What must hold before a row changes.
struct Conditions {
    matches: Option<IfMatch>,
    differs: Option<IfNoneMatch>,
}

impl Conditions {
    fn read(headers: &HeaderMap) -> Result<Self, Problem> {
        Ok(Self { matches: IfMatch::from_headers(headers)?, differs: IfNoneMatch::from_headers(headers)? })
    }

    fn check(&self, current: &ETag) -> Result<(), Problem> {
        let matched = self.matches.as_ref().is_none_or(|wanted| wanted.matches(current));
        let differed = self.differs.as_ref().is_none_or(|unwanted| !unwanted.matches(current));
        match (matched, differed) {
            (true, true) => Ok(()),
            (true, false) => Err(there_already(current)),
            (false, _) => Err(precondition_failed(Some(current))),
        }
    }
}

/// What is no id is the id of nothing.
fn parse(id: &str) -> Result<Uuid, Problem> {
    Uuid::try_parse(id).map_err(|_| missing())
}

fn missing() -> Problem {
    Problem::new(&catalogue::NOT_FOUND)
}

impl Asked {
    /// A row as an answer, with the tag of its state.
    fn show(&self, row: &Row, fields: Option<&[String]>) -> impl IntoResponse + use<> {
        let etag = HeaderValue::from(&self.etag(row));
        ([(header::ETAG, etag), (ACCEPT_PATCH_NAME, ACCEPT_PATCH.clone())], Json(self.body(row, fields)))
    }
}
