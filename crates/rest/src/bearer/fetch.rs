//! One answer of another server, within a time and a size. What it means is the caller's to say.

use std::time::Duration;

use super::Unverifiable;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of an answer at most. Keys and introspections are small; what is larger is none.
const MAX_ANSWER: usize = 256 * 1024;

/// Sends a request and reads the answer: its status and its bytes. A 5xx or no answer means "not at the moment".
pub(super) async fn fetch(request: reqwest::RequestBuilder) -> Result<(u16, Vec<u8>), Unverifiable> {
    // The address may carry a secret in its query, so the words leave it out.
    let lost = |error: reqwest::Error| Unverifiable::Unavailable(error.without_url().to_string());
    let mut answer = request.timeout(PATIENCE).send().await.map_err(lost)?;
    let status = answer.status();
    if status.is_server_error() {
        return Err(Unverifiable::Unavailable(format!("the other server answered {}", status.as_u16())));
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(lost)? {
        if body.len() + chunk.len() > MAX_ANSWER {
            return Err(Unverifiable::Failed("the other server's answer does not end".into()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok((status.as_u16(), body))
}
