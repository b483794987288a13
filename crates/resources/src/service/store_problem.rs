//! What a caller is told when the store cannot do its part, and what its refusals mean on the wire.

use http::HeaderValue;
use http::header::RETRY_AFTER;
use valetkey_rest::problem::catalogue;
use valetkey_rest::{FieldCode, FieldError, Problem, idempotency};

use crate::model::Resource;
use crate::ports::{Kept, KeptAnswer, StoreError};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Unavailable(_) => Problem::new(&catalogue::UNAVAILABLE)
                .detail(error.to_string())
                .header(RETRY_AFTER, HeaderValue::from_static("1")),
            StoreError::Preparing { what, percent, seconds } => Problem::new(&catalogue::BEING_PREPARED)
                .public_detail(format!(
                    "{what}: the server is reading the rows that were there before this was declared, and has seen \
                     {percent} % of them. Requests that do not go by it are answered; this one will be in a while."
                ))
                .header(RETRY_AFTER, HeaderValue::from(*seconds)),
            StoreError::Superseded(resource) => Problem::new(&catalogue::SUPERSEDED)
                .public_detail(format!(
                    "A newer declaration of {resource} has taken over, which this server does not have. Nothing was \
                     changed. Other servers answer; this one will once it is upgraded."
                ))
                .header(RETRY_AFTER, HeaderValue::from_static("5")),
            StoreError::Failed(_) => Problem::new(&catalogue::INTERNAL_ERROR).detail(error.to_string()),
        }
    }
}

/// The answer that was kept, or why there is none.
pub(super) fn kept(kept: Kept) -> Result<KeptAnswer, Problem> {
    match kept {
        Kept::Answer(answer) => Ok(answer),
        Kept::OtherRequest => Err(idempotency::key_reused()),
        Kept::Running => Err(idempotency::still_running()),
    }
}

/// Another row has this value.
pub(super) fn not_unique(of: &Resource, field: String) -> Problem {
    let told = format!("Another {} already has this `{field}`. Change it, or use the one that is there.", of.singular);
    let pointer = format!("/{}", field.replace('.', "/"));
    Problem::new(&catalogue::CONFLICT)
        .detail(told)
        .field(FieldError::new(field, FieldCode::NotUnique).pointer(pointer).detail("Another one has this value."))
}

/// What a field points at is not there. Whether it is hidden or missing is not told.
pub(super) fn dangling(field: String) -> Problem {
    let pointer = format!("/{}", field.replace('.', "/"));
    Problem::new(&catalogue::UNPROCESSABLE)
        .detail(format!("`{field}` names something that does not exist, or that you cannot see."))
        .field(FieldError::new(field, FieldCode::NotFound).pointer(pointer).detail("Nothing has this id."))
}

/// A list that would take too long.
pub(super) fn too_expensive() -> Problem {
    Problem::new(&catalogue::UNPROCESSABLE).detail(
        "This list would take too long: the rows that it must look at are too many. Filter by more fields, sort by one \
         field only, or follow `links.next` instead of a large offset.",
    )
}
