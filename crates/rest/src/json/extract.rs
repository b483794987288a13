//! The extractor for hand-written servers: a body becomes a type, and what does not fit is named by its field.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    response::{IntoResponse, Response},
};
use serde::{Serialize, de::DeserializeOwned};

use super::{check_media_type, place, place::Step, strict};
use crate::problem::{FieldCode, FieldError, Problem, catalogue, for_status};

/// A JSON body in, a JSON body out. A missing field is 400; a value that does not fit is 422.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (method, headers) = (request.method().clone(), request.headers().clone());
        let body = Bytes::from_request(request, state).await.map_err(|rejection| {
            let status = rejection.status();
            Problem::new(for_status(status)).status(status)
        })?;
        check_media_type(&method, &headers, &body)?;
        decode(&body).map(Self)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// Reads the body twice: once strictly, once into the type. The type alone would let a key that comes twice pass.
pub(super) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    strict::parse(body)?;
    let text = strict::utf8(body)?;
    serde_json::from_str(text).map_err(|error| misfit(text, &error))
}

/// Names the field; never repeats the words of the deserialiser, which speak of Rust types.
fn misfit(text: &str, error: &serde_json::Error) -> Problem {
    let mut steps = place::at(text, error.line(), error.column());
    let words = error.to_string();
    if let Some(name) = words.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
        // What is missing is known when the object ends, so the steps lead to the object itself.
        steps.push(Step::Key(Some(name.to_owned())));
        return Problem::new(&catalogue::BAD_REQUEST)
            .detail("A required field is missing; `errors` names it.")
            .field(FieldError::required(place::name(&steps)).pointer(place::pointer(&steps)));
    }
    let code = if words.starts_with("unknown field") {
        FieldCode::Unknown
    } else if words.starts_with("invalid type") {
        FieldCode::InvalidType
    } else {
        FieldCode::InvalidValue
    };
    Problem::new(&catalogue::UNPROCESSABLE)
        .detail("A field of the body does not fit; `errors` names it.")
        .field(FieldError::new(place::name(&steps), code).pointer(place::pointer(&steps)))
}
