//! `/orders/{id}` and `/users/{id}/orders/{id}`: one row.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use valetkey_rest::Problem;
use valetkey_rest::conditional::{self, IfMatch, IfNoneMatch};
use valetkey_rest::patch::Patch;

use super::asked::Asked;
use super::{answer, check_parent, no_such_id};
use crate::model::Operation;
use crate::ports::Stored;
use crate::service::{Conditions, Creation, OneQuery, Served};
use crate::view::Row;

pub(super) async fn get(served: &Arc<Served>, asked: Asked) -> Result<Response, Problem> {
    let query = OneQuery::read(served, asked.query())?;
    let if_none_match = IfNoneMatch::from_headers(&asked.headers)?;
    let if_match = IfMatch::from_headers(&asked.headers)?;
    check_parent(&asked.speaker, asked.target.above().map(|(parent, _)| parent), &asked).await?;
    let stored = asked.speaker.find(served, asked.id.ok_or_else(no_such_id)?, &asked.sight(served)).await?;
    let etag = asked.speaker.etag(stored.revision);
    if if_match.is_some_and(|tags| !tags.matches(&etag)) {
        return Err(conditional::precondition_failed(Some(&etag)));
    }
    let row = Row::new(&asked.speaker, served).only(query.fields.as_deref());
    if !query.include.is_empty() {
        // What is brought along changes without this row: its tag would promise too much.
        let rows = std::slice::from_ref(&stored);
        let included = asked.speaker.include(served, rows, &query.include).await?;
        return Ok(answer::row(StatusCode::OK, None, row.including(&included).text(&stored)));
    }
    if if_none_match.is_some_and(|tags| tags.matches(&etag)) {
        return Ok(conditional::not_modified(&etag));
    }
    let seen = asked.speaker.seen(served, &[&stored]).await?;
    Ok(answer::row(StatusCode::OK, Some(&etag), row.linking(&seen).text(&stored)))
}

pub(super) async fn put(served: &Arc<Served>, asked: Asked) -> Result<Response, Problem> {
    let body = asked.object()?;
    let conditions = Conditions::from_headers(&asked.headers)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    let sight = asked.sight(served);
    if served.resource.put_creates && served.face.offers(Operation::Create) {
        let found = asked.speaker.service.ports.rows.find(&served.resource, id, &sight).await?;
        if found.is_none() && conditions.if_match.is_some() {
            return Err(conditional::not_there());
        }
        // `If-None-Match: *` means: only if it is not there. That is condition enough to be answered as one.
        if let (Some(stored), Some(unwanted)) = (&found, &conditions.if_none_match) {
            let current = asked.speaker.etag(stored.revision);
            if unwanted.matches(&current) {
                return Err(conditional::there_already(&current));
            }
        }
        // An `Idempotency-Key` is not asked for: a PUT that is repeated does nothing new.
        if found.is_none() {
            asked.speaker.permit(&served.resource, Operation::Create)?;
            let under = asked.under().and_then(|(_, id)| Some((served.parent_field()?.to_owned(), id)));
            let creation = Creation { body, under, id: Some(id), keyed: None };
            let made = asked.speaker.create(served, creation).await?;
            return Ok(answer::made(made, answer::success(served, Operation::Create, StatusCode::CREATED)));
        }
    }
    let stored = asked.speaker.replace(served, id, sight, &conditions, body).await?;
    changed(served, &asked, &stored).await
}

pub(super) async fn patch(served: &Arc<Served>, asked: Asked) -> Result<Response, Problem> {
    let patch = Patch::read(&asked.headers, asked.bytes())?;
    let conditions = Conditions::from_headers(&asked.headers)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    let stored = asked.speaker.update(served, id, asked.sight(served), &conditions, patch).await?;
    changed(served, &asked, &stored).await
}

pub(super) async fn delete(served: &Arc<Served>, asked: Asked) -> Result<Response, Problem> {
    let conditions = Conditions::from_headers(&asked.headers)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    asked.speaker.remove(served, id, asked.sight(served), &conditions).await?;
    // A version that answered with 200 had a body for it.
    Ok(match answer::success(served, Operation::Delete, StatusCode::NO_CONTENT) {
        StatusCode::NO_CONTENT => StatusCode::NO_CONTENT.into_response(),
        status => answer::json(status, "{}"),
    })
}

async fn changed(served: &Served, asked: &Asked, stored: &Stored) -> Result<Response, Problem> {
    let etag = asked.speaker.etag(stored.revision);
    let seen = asked.speaker.seen(served, &[stored]).await?;
    Ok(answer::row(StatusCode::OK, Some(&etag), Row::new(&asked.speaker, served).linking(&seen).text(stored)))
}
