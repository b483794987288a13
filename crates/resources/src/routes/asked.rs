//! A request, read: who asks, for which rows, with which body. Bodies are read only where a method has one.

use std::mem;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use http::{HeaderMap, Method};
use jiff::SignedDuration;
use serde_json::{Map, Value};
use uuid::Uuid;
use valetkey_rest::bearer::Caller;
use valetkey_rest::idempotency::{self, IdempotencyKey};
use valetkey_rest::problem::catalogue;
use valetkey_rest::{FieldCode, FieldError, Problem, json};

use super::board::Ids;
use super::target::Target;
use super::{answer, body, no_such_id};
use crate::model::Operation;
use crate::plan::Refused;
use crate::ports::{Key, Keyed, Sight};
use crate::service::{Served, Speaker};

/// Answers are kept under a key so long.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// What was asked.
pub(super) struct Asked {
    pub(super) speaker: Speaker,
    pub(super) target: Arc<Target>,
    pub(super) method: Method,
    /// Path and query, as they came.
    pub(super) uri: String,
    pub(super) headers: HeaderMap,
    /// The row that the path names last.
    pub(super) id: Option<Uuid>,
    /// The row above it.
    pub(super) parent: Option<Uuid>,
    body: Bytes,
}

impl Asked {
    /// What a request asks, and its body, which is to be [received](Self::receive) where the method has one.
    pub(super) fn of(
        target: &Arc<Target>,
        ids: Option<Ids>,
        mut request: Request,
    ) -> Result<(Box<Self>, Option<Body>), Problem> {
        let Some(caller) = request.extensions().get::<Arc<Caller>>().cloned() else {
            return Err(Problem::new(&catalogue::UNAUTHORIZED));
        };
        answer::check_accept(request.headers(), &target.service.api.name)?;
        let Ids { last: id, above: parent } = ids.ok_or_else(no_such_id)?;
        let speaker = Speaker {
            service: target.service.clone(),
            caller,
            prefix: target.prefix.clone(),
            edition: target.edition.clone(),
        };
        let asked = Box::new(Self {
            speaker,
            target: target.clone(),
            method: request.method().clone(),
            uri: request.uri().path_and_query().map_or("/", |uri| uri.as_str()).to_owned(),
            headers: mem::take(request.headers_mut()),
            id,
            parent,
            body: Bytes::new(),
        });
        let has_none = matches!(asked.method, Method::GET | Method::HEAD | Method::DELETE);
        Ok((asked, (!has_none).then(|| request.into_body())))
    }

    /// Waits until the body is here.
    pub(super) async fn receive(&mut self, body: Body) -> Result<(), Problem> {
        self.body = body::read(&self.headers, body, self.target.service.largest_body).await?;
        Ok(())
    }

    /// The rows that are there for the caller at this path.
    pub(super) fn sight(&self, served: &Served) -> Sight {
        Sight { under: self.under(), ..self.speaker.sight(&served.resource) }
    }

    /// The column that points at the row above, and its id.
    pub(super) fn under(&self) -> Option<(usize, Uuid)> {
        Some((self.target.above()?.1, self.parent?))
    }

    /// The address with the version that is spoken: the same request in another version has another answer.
    fn versioned(&self) -> String {
        format!("v{} {}", self.speaker.version(), self.uri)
    }

    /// The query, without the question mark.
    pub(super) fn query(&self) -> Option<&str> {
        self.uri.split_once('?').map(|(_, query)| query)
    }

    /// Only reading has parameters: a name that is not known must not look as if it had an effect.
    pub(super) fn refuse_parameters(&self) -> Result<(), Problem> {
        let mut refused = Refused::default();
        let pairs = self.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
        for name in pairs.map(|pair| pair.split('=').next().unwrap_or_default()).take(50) {
            refused.add(name, FieldCode::Unknown, "There are no parameters here.");
        }
        refused.into_result()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// The body, which must be an object.
    pub(super) fn object(&self) -> Result<Map<String, Value>, Problem> {
        match json::read_of(&self.method, &self.headers, &self.body)? {
            Value::Object(members) => Ok(members),
            _ => Err(Problem::new(&catalogue::UNPROCESSABLE)
                .detail("The body must be a JSON object.")
                .field(FieldError::new("", FieldCode::InvalidType).pointer(""))),
        }
    }

    /// The body of an action: none means an empty object.
    pub(super) fn input(&self) -> Result<Value, Problem> {
        if self.body.is_empty() { Ok(Value::Object(Map::new())) } else { self.object().map(Value::Object) }
    }

    /// The key of the request, with what it is bound to. The body, where it was read already.
    pub(super) fn keyed(
        &self,
        served: &Served,
        operation: Operation,
        body: Option<&Map<String, Value>>,
    ) -> Result<Option<Keyed>, Problem> {
        let Some(key) = IdempotencyKey::from_headers(&self.headers)? else {
            let is_needed = served.resource.needs_idempotency_key.contains(&operation);
            return if is_needed { Err(idempotency::key_required()) } else { Ok(None) };
        };
        let Speaker { service, caller, .. } = &self.speaker;
        let now = service.now();
        Ok(Some(Keyed {
            key: Key { client: caller.client.clone(), subject: caller.subject.clone(), word: key.as_str().to_owned() },
            fingerprint: match body {
                Some(members) => idempotency::fingerprint_of(&self.method, &self.versioned(), members),
                None => idempotency::fingerprint(&self.method, &self.versioned(), &self.body),
            },
            now,
            until: now.checked_add(KEPT).unwrap_or(now),
        }))
    }
}
