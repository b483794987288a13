//! Subject identifiers: the name under which a client knows a user.
//!
//! Inside, a user has one name. A pairwise client is told that name encrypted under a key of its sector: always the same
//! text for one user, another text in each sector, and only this server can turn it back. No table is needed.

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::Authority;
use crate::keys::KeyError;
use crate::model::{Client, SubjectNames};

/// The name of this user for this client.
pub fn told_to(authority: &Authority, client: &Client, subject: &str) -> Result<String, KeyError> {
    let SubjectNames::Pairwise { sector } = &client.subject_names else { return Ok(subject.to_owned()) };
    let user = subject.parse::<Uuid>().map_err(|_| KeyError::Crypto("subject"))?;
    let mut name = user.as_bytes().to_vec();
    cipher(authority, sector)?
        .seal_in_place_append_tag(nonce(), Aad::empty(), &mut name)
        .map_err(|_| KeyError::Crypto("subject"))?;
    Ok(URL_SAFE_NO_PAD.encode(name))
}

/// Whom this client means by a name. `None` for a name that it was never told.
pub fn meant_by(authority: &Authority, client: &Client, name: &str) -> Option<String> {
    let SubjectNames::Pairwise { sector } = &client.subject_names else { return Some(name.to_owned()) };
    let mut bytes = URL_SAFE_NO_PAD.decode(name).ok()?;
    let user = cipher(authority, sector).ok()?.open_in_place(nonce(), Aad::empty(), &mut bytes).ok()?;
    Some(Uuid::from_slice(user).ok()?.hyphenated().to_string())
}

/// The name of a sign-in for this client (`sid`). Told apart like people: one that all apps know would join them again.
pub(super) fn sign_in_told_to(authority: &Authority, client: &Client, sign_in: Uuid) -> Result<String, KeyError> {
    match &client.subject_names {
        SubjectNames::Public => Ok(sign_in.hyphenated().to_string()),
        SubjectNames::Pairwise { sector } => {
            let digest = authority.root.digest(&format!("valetkey sid v1 {sector}"), &sign_in.to_string())?;
            Ok(URL_SAFE_NO_PAD.encode(&digest.as_bytes()[..16]))
        }
    }
}

fn cipher(authority: &Authority, sector: &str) -> Result<LessSafeKey, KeyError> {
    let key = authority.root.derive(&format!("valetkey pairwise v1 {sector}"))?;
    Ok(LessSafeKey::new(UnboundKey::new(&AES_256_GCM_SIV, &key[..]).map_err(|_| KeyError::Crypto("subject"))?))
}

/// One text for one user is what is wanted; GCM-SIV with a fixed nonce reveals equality and nothing else.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}
