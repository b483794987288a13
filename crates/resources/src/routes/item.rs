//! `/orders/{id}` and `/users/{id}/orders/{id}`: one row.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Map, Value};
use uuid::Uuid;
use valetkey_rest::Problem;
use valetkey_rest::conditional::{self, IfMatch, IfNoneMatch};
use valetkey_rest::patch::Patch;
use valetkey_rest::problem::catalogue;

use super::asked::Asked;
use super::{answer, check_own_parent, check_parent, no_such_id};
use crate::model::Operation;
use crate::ports::Stored;
use crate::service::{Conditions, Creation, Made, OneQuery, Served};
use crate::view::Row;

pub(super) async fn get(served: Arc<Served>, asked: Box<Asked>) -> Result<Response, Problem> {
    let query = OneQuery::read(&served, asked.query())?;
    let if_none_match = IfNoneMatch::from_headers(&asked.headers)?;
    let if_match = IfMatch::from_headers(&asked.headers)?;
    check_parent(&asked).await?;
    let stored = asked.speaker.find(&served, asked.id.ok_or_else(no_such_id)?, &asked.sight(&served)).await?;
    let etag = asked.speaker.etag(stored.revision);
    if if_match.is_some_and(|tags| !tags.matches(&etag)) {
        return Err(conditional::precondition_failed(Some(&etag)));
    }
    let row = Row::new(&asked.speaker, &served).only(query.fields.as_deref());
    if !query.include.is_empty() {
        // What is brought along changes without this row: its tag would promise too much.
        let rows = std::slice::from_ref(&stored);
        let included = Box::pin(asked.speaker.include(&served, rows, &query.include)).await?;
        return Ok(answer::row(StatusCode::OK, None, row.including(&included).text(&stored)));
    }
    if if_none_match.is_some_and(|tags| tags.matches(&etag)) {
        return Ok(conditional::not_modified(&etag));
    }
    let seen = asked.speaker.seen(&served, &[&stored]).await?;
    Ok(answer::row(StatusCode::OK, Some(&etag), row.linking(&seen).text(&stored)))
}

pub(super) async fn put(served: Arc<Served>, asked: Box<Asked>) -> Result<Response, Problem> {
    let body = asked.object()?;
    let conditions = Conditions::from_headers(&asked.headers)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    check_own_parent(&asked).await?;
    if served.resource.put_creates
        && served.face.offers(Operation::Create)
        && let Some(made) = put_new(&served, &asked, id, &conditions, &body).await?
    {
        return Ok(answer::made(made, answer::success(&served, Operation::Create, StatusCode::CREATED)));
    }
    let stored = asked.speaker.replace(&served, id, asked.sight(&served), &conditions, body).await?;
    changed(&served, &asked, &stored).await
}

/// Makes the row, unless it is there.
async fn put_new(
    served: &Served,
    asked: &Asked,
    id: Uuid,
    conditions: &Conditions,
    body: &Map<String, Value>,
) -> Result<Option<Made>, Problem> {
    if is_there(served, asked, id, conditions).await? {
        return Ok(None);
    }
    if conditions.if_match.is_some() {
        return Err(conditional::not_there());
    }
    asked.speaker.permit(&served.resource, Operation::Create)?;
    let under = asked.under().and_then(|(_, id)| Some((served.parent_field()?.to_owned(), id)));
    // An `Idempotency-Key` is not asked for: a PUT that is repeated does nothing new.
    let creation = Creation { body: body.clone(), under, id: Some(id), keyed: None };
    match asked.speaker.create(served, creation).await {
        Ok(made) => Ok(Some(made)),
        // Somebody else made it meanwhile.
        Err(problem) if problem.kind() == &catalogue::CONFLICT && is_there(served, asked, id, conditions).await? => {
            Ok(None)
        }
        Err(problem) => Err(problem),
    }
}

/// `If-None-Match: *` means: only if it is not there. That is condition enough to be answered as one.
async fn is_there(served: &Served, asked: &Asked, id: Uuid, conditions: &Conditions) -> Result<bool, Problem> {
    let found = asked.speaker.service.ports.rows.find(&served.resource, id, &asked.sight(served)).await?;
    if let (Some(stored), Some(unwanted)) = (&found, &conditions.if_none_match) {
        let current = asked.speaker.etag(stored.revision);
        if unwanted.matches(&current) {
            return Err(conditional::there_already(&current));
        }
    }
    Ok(found.is_some())
}

pub(super) async fn patch(served: Arc<Served>, asked: Box<Asked>) -> Result<Response, Problem> {
    let patch = Patch::read(&asked.headers, asked.bytes())?;
    let conditions = Conditions::from_headers(&asked.headers)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    check_own_parent(&asked).await?;
    let stored = asked.speaker.update(&served, id, asked.sight(&served), &conditions, patch).await?;
    changed(&served, &asked, &stored).await
}

pub(super) async fn delete(served: Arc<Served>, asked: Box<Asked>) -> Result<Response, Problem> {
    let conditions = Conditions::from_headers(&asked.headers)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    check_own_parent(&asked).await?;
    asked.speaker.remove(&served, id, asked.sight(&served), &conditions).await?;
    // A version that answered with 200 had a body for it.
    Ok(match answer::success(&served, Operation::Delete, StatusCode::NO_CONTENT) {
        StatusCode::NO_CONTENT => StatusCode::NO_CONTENT.into_response(),
        status => answer::json(status, "{}"),
    })
}

async fn changed(served: &Served, asked: &Asked, stored: &Stored) -> Result<Response, Problem> {
    let etag = asked.speaker.etag(stored.revision);
    let seen = asked.speaker.seen(served, &[stored]).await?;
    Ok(answer::row(StatusCode::OK, Some(&etag), Row::new(&asked.speaker, served).linking(&seen).text(stored)))
}
