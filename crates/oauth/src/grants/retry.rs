//! A retry is not a theft: under an `Idempotency-Key`, who presents the same code or token again soon gets the same answer.

use std::time::Duration;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hmac;
use jiff::Timestamp;

use super::TokenSet;
use crate::keys::KeyError;
use crate::model::Client;
use crate::moment::later;
use crate::ports::KeptAnswer;
use crate::{Authority, Refusal};

/// How long an answer is kept under its key.
const KEEP: Duration = Duration::from_secs(60);

/// What follows from what the client presented and its key: the name of the answer, and the key that seals it. The
/// database alone opens nothing.
pub(super) struct Retry {
    id: [u8; 32],
    cipher: LessSafeKey,
}

impl Retry {
    /// Of a token or a code, under this key.
    pub(super) fn new(client: &Client, presented: &str, key: &str) -> Result<Self, Refusal> {
        let mac = hmac::Key::new(hmac::HMAC_SHA256, presented.as_bytes());
        let derive = |purpose: &str| {
            let mut context = hmac::Context::with_key(&mac);
            for part in [purpose, client.id.as_str(), key] {
                context.update(&(part.len() as u64).to_be_bytes());
                context.update(part.as_bytes());
            }
            context.sign()
        };
        let mut id = [0; 32];
        id.copy_from_slice(derive("name").as_ref());
        let cipher =
            UnboundKey::new(&AES_256_GCM_SIV, derive("seal").as_ref()).map_err(|_| KeyError::Crypto("retry"))?;
        Ok(Self { id, cipher: LessSafeKey::new(cipher) })
    }

    /// By this a retry is known, before there is an answer to keep. It is kept for no time.
    pub(super) fn name(&self, now: Timestamp) -> KeptAnswer {
        KeptAnswer { id: self.id, sealed: Vec::new(), expires_at: now }
    }

    /// The answer, to be kept with what it belongs to.
    pub(super) fn keep(&self, tokens: &TokenSet, now: Timestamp) -> Result<KeptAnswer, Refusal> {
        Ok(KeptAnswer { id: self.id, sealed: self.seal(tokens)?, expires_at: later(now, KEEP) })
    }

    /// What was answered before, if that is still kept.
    pub(super) async fn answered(&self, authority: &Authority) -> Result<Option<TokenSet>, Refusal> {
        let kept = authority.ports.sessions.kept_answer(&self.id, authority.now()).await?;
        kept.map(|sealed| self.open(&sealed)).transpose()
    }

    /// One key seals one answer, or the same request's again: a fixed nonce repeats nothing else (and GCM-SIV bears it).
    fn nonce() -> Nonce {
        Nonce::assume_unique_for_key([0; 12])
    }

    fn seal(&self, tokens: &TokenSet) -> Result<Vec<u8>, Refusal> {
        let mut sealed = serde_json::to_vec(&tokens.kept()).map_err(|_| KeyError::Crypto("answer"))?;
        self.cipher
            .seal_in_place_append_tag(Self::nonce(), Aad::empty(), &mut sealed)
            .map_err(|_| KeyError::Crypto("answer"))?;
        Ok(sealed)
    }

    /// The answer that was kept.
    pub(super) fn open(&self, sealed: &[u8]) -> Result<TokenSet, Refusal> {
        let mut bytes = sealed.to_vec();
        let opened = self
            .cipher
            .open_in_place(Self::nonce(), Aad::empty(), &mut bytes)
            .map_err(|_| KeyError::Crypto("answer"))?;
        TokenSet::from_kept(opened).ok_or(Refusal::Keys(KeyError::Crypto("answer")))
    }
}
