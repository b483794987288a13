//! Handlers of actions: a signed call to the service that does the work, and what it makes of the row.

use async_trait::async_trait;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Map, Value};
use valetkey_oauth::ports::Clock;
use valetkey_resources::service::{HandlerCall, HandlerError, Handlers};

use crate::app::system::SystemClock;
use crate::config::WebhookSecret;
use crate::outbound::{CallError, Outbound, sign};

/// Calls handlers.
pub struct OutboundHandlers {
    /// The way out.
    pub outbound: Outbound,
    /// What signs the calls.
    pub secret: Option<WebhookSecret>,
}

#[async_trait]
impl Handlers for OutboundHandlers {
    async fn call(&self, call: HandlerCall<'_>) -> Result<Map<String, Value>, HandlerError> {
        let body = call.body.to_string().into_bytes();
        let Some(secret) = &self.secret else {
            return Err(HandlerError::Failed("handlers.secret is not set".to_owned()));
        };
        let mut headers: HeaderMap = sign(secret, &call.id, SystemClock.now(), &body);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Ok(id) = HeaderValue::from_str(&call.id) {
            headers.insert("idempotency-key", id);
        }
        match self.outbound.call(call.url, headers, body, call.timeout).await {
            Ok((status, body)) => judge(status, &body),
            Err(error @ (CallError::BadUrl | CallError::TooLong)) => Err(HandlerError::Refused(error.to_string())),
            Err(error) => Err(HandlerError::Failed(error.to_string())),
        }
    }
}

/// A handler that refuses will refuse again, unless it only asks for patience.
fn judge(status: StatusCode, body: &[u8]) -> Result<Map<String, Value>, HandlerError> {
    let said = serde_json::from_slice::<Value>(body).unwrap_or(Value::Null);
    if status.is_success() {
        return Ok(match said {
            Value::Object(mut members) => match members.remove("data") {
                Some(Value::Object(data)) => data,
                _ => Map::new(),
            },
            _ => Map::new(),
        });
    }
    let is_final = status.is_client_error() && !matches!(status.as_u16(), 408 | 425 | 429);
    if !is_final {
        return Err(HandlerError::Failed(format!("It answered {}.", status.as_u16())));
    }
    let detail = said.get("detail").and_then(Value::as_str).map(|detail| detail.chars().take(500).collect());
    Err(HandlerError::Refused(detail.unwrap_or_else(|| format!("The service that does this work answered {status}."))))
}

#[cfg(test)]
mod tests {
    use super::{HandlerError, judge};
    use http::StatusCode;

    #[test]
    fn what_a_handler_sets_is_in_data_and_nothing_else_counts() {
        let set = judge(StatusCode::OK, br#"{"data":{"reference":"r1"},"other":1}"#).unwrap();
        assert_eq!(serde_json::Value::Object(set).to_string(), r#"{"reference":"r1"}"#);
        assert!(judge(StatusCode::NO_CONTENT, b"").unwrap().is_empty());
    }

    #[test]
    fn a_refusal_is_final_and_a_failure_is_not() {
        let refused = judge(StatusCode::UNPROCESSABLE_ENTITY, br#"{"detail":"The card is gone."}"#);
        assert!(matches!(refused, Err(HandlerError::Refused(why)) if why == "The card is gone."));
        for status in [429, 500, 503] {
            let failed = judge(StatusCode::from_u16(status).unwrap(), b"");
            assert!(matches!(failed, Err(HandlerError::Failed(_))), "{status}");
        }
    }
}
