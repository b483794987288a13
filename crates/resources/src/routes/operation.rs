//! `/operations/{id}`: the monitor of an action that takes time.

use axum::response::Response;
use http::header::{CACHE_CONTROL, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use valetkey_rest::Problem;

use super::asked::Asked;
use super::{answer, no_such_id};
use crate::ports::{OperationState, TaskId};
use crate::view;

pub(super) async fn get(asked: Box<Asked>) -> Result<Response, Problem> {
    let id = TaskId(asked.id.ok_or_else(no_such_id)?);
    let found = asked.speaker.operation(id).await?;
    let mut response = answer::json(StatusCode::OK, view::task(&asked.speaker, &found).to_string());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if found.state == OperationState::Pending {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    Ok(response)
}
