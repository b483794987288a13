//! The port for calls to other providers: documents, tokens and what they say of a person.

use async_trait::async_trait;

use crate::model::Secret;

/// A call that came to nothing. The sentence is for the log, and names no secret.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct CallFailed(pub String);

/// How this server proves itself at a token endpoint.
#[derive(Debug, Clone)]
pub enum ClientProof {
    /// In the header (`client_secret_basic`): what stands there, encoded.
    Basic(Secret),
    /// In the form, which has all it takes.
    InForm,
}

/// Speaks to other providers. Whoever implements it bounds time and size, and follows no redirect.
#[async_trait]
pub trait UpstreamCalls: Send + Sync {
    /// Fetches a document, with a bearer token if one is given. Anything but 200 is a failure.
    async fn fetch(&self, url: &str, bearer: Option<&Secret>) -> Result<Vec<u8>, CallFailed>;

    /// Posts a form and answers the status and what was said.
    async fn post(&self, url: &str, form: Secret, proof: ClientProof) -> Result<(u16, Vec<u8>), CallFailed>;
}
