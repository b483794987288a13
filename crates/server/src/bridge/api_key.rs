//! API keys of this server on its own API: what the rules say of one becomes the caller that `rest` knows.

use std::net::IpAddr;
use std::sync::Arc;

use valetkey_oauth::Authority;
use valetkey_oauth::api_keys::{self, Admission};
use valetkey_oauth::model::SecretDigest;
use valetkey_rest::api_key::{Holder, Keys};
use valetkey_rest::bearer::{Caller, Unverifiable, async_trait};

use super::bearer::unverifiable;

/// Asks the authority in this process.
pub struct OwnKeys(pub Arc<Authority>);

#[async_trait]
impl Keys for OwnKeys {
    async fn find(&self, digest: &[u8; 32], from: Option<IpAddr>) -> Result<Holder, Unverifiable> {
        let Some(digest) = SecretDigest::from_bytes(digest) else { return Ok(Holder::Nobody) };
        Ok(match api_keys::admit(&self.0, &digest, from).await.map_err(unverifiable)? {
            Admission::Admitted(key) => Holder::Known(Caller {
                client: key.id.caller(),
                scopes: key.scope.names().map(str::to_owned).collect(),
                version_pin: key.version_pin.clone(),
                expires_at: key.expires_at.map(|end| end.as_second()),
                ..Caller::default()
            }),
            Admission::Misplaced => Holder::Misplaced,
            Admission::Unknown => Holder::Nobody,
        })
    }
}
