//! `/orders` and `/users/{id}/orders`: lists and new rows.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use valetkey_rest::Problem;
use valetkey_rest::prefer::Prefer;

use super::asked::Asked;
use super::{answer, check_parent};
use crate::model::Operation;
use crate::service::{Creation, Served};

pub(super) async fn get(served: Arc<Served>, asked: Box<Asked>) -> Result<Response, Problem> {
    check_parent(&asked).await?;
    let prefer = Prefer::from_headers(&asked.headers);
    let listed = asked.speaker.list(&served, asked.under(), &asked.uri, &prefer).await?;
    Ok(answer::list(&listed))
}

pub(super) async fn post(served: Arc<Served>, asked: Box<Asked>) -> Result<Response, Problem> {
    let body = asked.object()?;
    let keyed = asked.keyed(&served, Operation::Create, Some(&body))?;
    let under = asked.under().and_then(|(_, id)| Some((served.parent_field()?.to_owned(), id)));
    let made = asked.speaker.create(&served, Creation { body, under, id: None, keyed }).await?;
    Ok(answer::made(made, answer::success(&served, Operation::Create, StatusCode::CREATED)))
}
