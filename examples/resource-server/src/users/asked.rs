//! What every handler needs to know of a request: who asks, in which version, with which headers.

use std::sync::Arc;

use axum::extract::{FromRequestParts, OriginalUri};
use http::{HeaderMap, Uri, request::Parts};
use serde_json::Value;
use valetkey_rest::{Problem, accept, bearer::Caller, conditional::ETag, problem::catalogue, version::VersionChoice};

use crate::{app::Shared, shelf::Row};

pub(super) struct Asked {
    pub(super) caller: Arc<Caller>,
    pub(super) headers: HeaderMap,
    /// As the client wrote it, version included: links keep it.
    pub(super) uri: Uri,
    choice: VersionChoice,
}

impl Asked {
    /// Whether the token has the scope; says which one it lacks.
    pub(super) fn needs(&self, shared: &Shared, scope: &str) -> Result<(), Problem> {
        if self.caller.has(scope) { Ok(()) } else { Err(shared.challenge.insufficient_scope(scope)) }
    }

    pub(super) fn version(&self) -> u32 {
        self.choice.version
    }

    /// `/v1` if the client wrote it.
    pub(super) fn prefix(&self) -> String {
        self.choice.prefix()
    }

    /// Revision and version: two versions of one state are different texts.
    pub(super) fn etag(&self, row: &Row) -> ETag {
        ETag::strong(format!("{}-v{}", row.revision, self.choice.version))
    }

    pub(super) fn body(&self, row: &Row, fields: Option<&[String]>) -> Value {
        row.user.body(row.id, &self.prefix(), fields)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let takes = [accept::JSON, "application/vnd.shop+json", accept::PROBLEM_JSON];
        if !takes.iter().any(|media_type| accept::takes(&parts.headers, media_type)) {
            return Err(Problem::new(&catalogue::NOT_ACCEPTABLE));
        }
        let uri = parts.extensions.get::<OriginalUri>().map_or_else(|| parts.uri.clone(), |uri| uri.0.clone());
        let (caller, choice) = (parts.extensions.get::<Arc<Caller>>(), parts.extensions.get::<VersionChoice>());
        // The layers put both there; a route outside of them is a mistake of ours.
        let (Some(caller), Some(choice)) = (caller.cloned(), choice.cloned()) else {
            return Err(Problem::new(&catalogue::INTERNAL_ERROR).detail("a route stands outside of its layers"));
        };
        Ok(Self { caller, choice, uri, headers: parts.headers.clone() })
    }
}
