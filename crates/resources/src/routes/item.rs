//! `/orders/{id}` and `/users/{id}/orders/{id}`: one row.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use valetkey_rest::Problem;
use valetkey_rest::conditional::{self, IfNoneMatch};
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
    check_parent(&asked.speaker, asked.target.above().map(|(parent, _)| parent), &asked).await?;
    let stored = asked.speaker.find(served, asked.id.ok_or_else(no_such_id)?, &asked.sight(served)).await?;
    let row = Row::new(&asked.speaker, served).only(query.fields.as_deref());
    if !query.include.is_empty() {
        // What is brought along changes without this row: its tag would promise too much.
        let rows = std::slice::from_ref(&stored);
        let included = asked.speaker.include(served, rows, &query.include).await?;
        return Ok(answer::row(StatusCode::OK, None, row.including(&included).text(&stored)));
    }
    let etag = asked.speaker.etag(stored.revision);
    if if_none_match.is_some_and(|tags| tags.matches(&etag)) {
        return Ok(conditional::not_modified(&etag));
    }
    Ok(answer::row(StatusCode::OK, Some(&etag), row.text(&stored)))
}

pub(super) async fn put(served: &Arc<Served>, asked: Asked) -> Result<Response, Problem> {
    let body = asked.object()?;
    let conditions = Conditions::from_headers(&asked.headers)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    let sight = asked.sight(served);
    if served.resource.put_creates && served.face.offers(Operation::Create) && conditions.if_match.is_none() {
        let is_there = asked.speaker.service.ports.rows.find(&served.resource, id, &sight).await?.is_some();
        if !is_there {
            asked.speaker.permit(&served.resource, Operation::Create)?;
            let under = asked.under().and_then(|(_, id)| Some((served.parent_field()?.to_owned(), id)));
            let creation = Creation { body, under, id: Some(id), keyed: None };
            let made = asked.speaker.create(served, creation).await?;
            return Ok(answer::made(made, answer::success(served, Operation::Create, StatusCode::CREATED)));
        }
    }
    let stored = asked.speaker.replace(served, id, sight, &conditions, body).await?;
    Ok(changed(served, &asked, &stored))
}

pub(super) async fn patch(served: &Arc<Served>, asked: Asked) -> Result<Response, Problem> {
    let patch = Patch::read(&asked.headers, asked.bytes())?;
    let conditions = Conditions::from_headers(&asked.headers)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    let stored = asked.speaker.update(served, id, asked.sight(served), &conditions, patch).await?;
    Ok(changed(served, &asked, &stored))
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

fn changed(served: &Served, asked: &Asked, stored: &Stored) -> Response {
    let etag = asked.speaker.etag(stored.revision);
    answer::row(StatusCode::OK, Some(&etag), Row::new(&asked.speaker, served).text(stored))
}
