//! Devices that ask for access (RFC 8628): the code a person types, and what became of the question.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{ClientId, SecretDigest, SessionId, SessionOrigin};
use crate::ports::Random;
use crate::protocol::Scope;

/// No vowels, so that no word appears by chance, and no digits, so that none is taken for a letter.
const ALPHABET: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
/// 20 to the power of 8: 25 thousand million codes.
const LENGTH: usize = 8;

/// Names the request of one device. Redeeming it opens the session of the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeviceId(pub Uuid);

impl DeviceId {
    /// The session that redeeming it opens.
    pub fn session(self) -> SessionId {
        SessionId(self.0)
    }
}

/// What a device shows and a person types: eight consonants, shown as `WDJB-MJHT`.
#[derive(Clone, PartialEq, Eq)]
pub struct UserCode(String);

impl UserCode {
    /// Draws a fresh one.
    pub fn generate(random: &dyn Random) -> Self {
        let mut code = String::with_capacity(LENGTH);
        while code.len() < LENGTH {
            let mut pool = [0; 16];
            random.fill(&mut pool);
            // Bytes of 240 and above would favour the first symbols; they are drawn again.
            let fair = pool.iter().filter(|byte| **byte < 240).take(LENGTH - code.len());
            code.extend(fair.map(|byte| char::from(ALPHABET[usize::from(byte % 20)])));
        }
        Self(code)
    }

    /// Reads what a person typed: in any case, with or without dashes and spaces (RFC 8628 §6.1).
    pub fn parse(typed: &str) -> Option<Self> {
        if typed.len() > 64 {
            return None;
        }
        let letters = typed.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '.' | '–' | '—'));
        let code: String = letters.map(|c| c.to_ascii_uppercase()).collect();
        let is_code = code.len() == LENGTH && code.bytes().all(|b| ALPHABET.contains(&b));
        is_code.then_some(Self(code))
    }

    /// The eight letters alone.
    pub fn letters(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (front, back) = self.0.split_at(LENGTH / 2);
        write!(f, "{front}-{back}")
    }
}

impl fmt::Debug for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[user code]")
    }
}

/// Who let a device in, and how they had proven who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The user's subject identifier.
    pub subject: String,
    /// When the user signed in.
    pub authenticated_at: Timestamp,
    /// How, as `amr` words.
    pub methods: Vec<String>,
    /// What the user lets it do: all that it asked for, or less.
    pub scope: Scope,
}

/// What became of the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceState {
    /// Nobody has decided yet.
    Pending,
    /// Someone said yes; the device has not come for its tokens yet.
    Approved(Approval),
    /// Someone said no.
    Denied,
    /// The device has its tokens.
    Redeemed,
}

/// The request of one device.
#[derive(Debug, Clone)]
pub struct Device {
    /// Its name.
    pub id: DeviceId,
    /// What runs on it.
    pub client: ClientId,
    /// A keyed digest of the code that it shows: the store alone tells nobody which codes are waiting.
    pub user_code: SecretDigest,
    /// What it wants to be allowed.
    pub scope: Scope,
    /// The API it wants to call.
    pub resource: Option<String>,
    /// Where it asked from: shown to whoever decides, and kept with the session.
    pub origin: SessionOrigin,
    /// When it asked.
    pub asked_at: Timestamp,
    /// When the question is void.
    pub expires_at: Timestamp,
    /// Seconds that it has to leave between two polls. Grows each time it does not.
    pub interval: u32,
    /// When it last polled.
    pub polled_at: Option<Timestamp>,
    /// What became of it.
    pub state: DeviceState,
}
