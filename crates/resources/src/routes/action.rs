//! `/orders/{id}/cancel`: an action on one row.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use tokio::time::Instant;
use valetkey_rest::Problem;

use super::asked::Asked;
use super::{answer, check_own_parent, no_such_id};
use crate::model::Operation;
use crate::service::{Acted, ActionOrder, Conditions, Served};

pub(super) async fn post(
    served: Arc<Served>,
    action: usize,
    asked: Box<Asked>,
    answer_by: Instant,
) -> Result<Response, Problem> {
    let input = asked.input()?;
    let conditions = Conditions::from_headers(&asked.headers)?;
    let keyed = asked.keyed(&served, Operation::Act, None)?;
    let id = asked.id.ok_or_else(no_such_id)?;
    check_own_parent(&asked).await?;
    let action = served.actions.get(action).copied().unwrap_or(usize::MAX);
    let order = ActionOrder { action, id, sight: asked.sight(&served), input, keyed, answer_by };
    Ok(match asked.speaker.act(&served, order, &conditions).await? {
        Acted::Done(made) => answer::made(made, answer::success(&served, Operation::Act, StatusCode::OK)),
        Acted::Accepted(made) => answer::made(made, StatusCode::ACCEPTED),
    })
}
