//! Passwords: argon2id, with a bound on how many are hashed at once, after everything else that wants the processors.

use std::sync::{Arc, Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use subtle::ConstantTimeEq;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use zeroize::Zeroizing;

use self::places::{Memory, Place, Places, Word};
use crate::model::Secret;

mod places;

/// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Longer input would be a way to keep a core busy.
const LONGEST: usize = 1024;

/// Why a password cannot be hashed or checked.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Nothing to hash.
    #[error("the password is empty")]
    Empty,
    /// Too long.
    #[error("a password has at most {LONGEST} bytes")]
    TooLong,
    /// The library refused.
    #[error("the password could not be hashed")]
    Failed,
}

/// Hashes and checks passwords, at most so many at once: each takes a core and 19 MiB for a while. On a machine that is busy with
/// other things, one that takes long is done once more beside the others.
#[derive(Clone)]
pub struct PasswordHasher {
    turns: Arc<Semaphore>,
    places: Places,
}

impl PasswordHasher {
    /// At most `at_once` at the same time; others wait.
    pub fn new(at_once: usize) -> Self {
        let at_once = at_once.max(1);
        Self { turns: Arc::new(Semaphore::new(at_once)), places: Places::new(at_once) }
    }

    /// Waits for a turn. What is decided while it is held happens at most so many times at once.
    pub(super) async fn turn(&self) -> Result<Turn, PasswordError> {
        let permit = self.turns.clone().acquire_owned().await.map_err(|_| PasswordError::Failed)?;
        Ok(Turn { place: self.places.take().map(Arc::new), all: self.places.clone(), permit: Arc::new(permit) })
    }

    /// Hashes into a PHC string.
    pub async fn hash(&self, password: Secret, salt: [u8; 16]) -> Result<String, PasswordError> {
        if password.expose().is_empty() {
            return Err(PasswordError::Empty);
        }
        let digest = self.turn().await?.digest(password, salt.to_vec(), MEMORY_KIB, PASSES, LANES).await?;
        let (salt, digest) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(&digest[..]));
        Ok(format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}${salt}${digest}"))
    }

    /// Does the password belong to this PHC string? Settings are read from the string, so old hashes stay good.
    pub async fn verify(&self, password: Secret, phc: &str) -> Result<bool, PasswordError> {
        self.turn().await?.verify(password, phc).await
    }
}

/// The right to hash, until it is dropped and what was begun with it is answered. There is no place for it where threads are
/// still at what was answered by another one.
pub(super) struct Turn {
    place: Option<Arc<Place>>,
    all: Places,
    permit: Arc<OwnedSemaphorePermit>,
}

impl Turn {
    /// Does the password belong to this PHC string?
    pub(super) async fn verify(&self, password: Secret, phc: &str) -> Result<bool, PasswordError> {
        let stored = Phc::parse(phc).ok_or(PasswordError::Failed)?;
        let digest = self.digest(password, stored.salt, stored.memory, stored.passes, stored.lanes).await?;
        Ok(digest[..].ct_eq(&stored.digest).into())
    }

    async fn digest(
        &self,
        password: Secret,
        salt: Vec<u8>,
        memory: u32,
        passes: u32,
        lanes: u32,
    ) -> Result<Zeroizing<[u8; 32]>, PasswordError> {
        if password.expose().len() > LONGEST {
            return Err(PasswordError::TooLong);
        }
        let params = Params::new(memory, passes, lanes, Some(32)).map_err(|_| PasswordError::Failed)?;
        let hash = move |memory: &mut Memory| {
            let blocks = memory.blocks(params.block_count());
            let mut digest = Zeroizing::new([0; 32]);
            Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone())
                .hash_password_into_with_memory(password.expose().as_bytes(), &salt, &mut digest[..], blocks)
                .map_err(|_| PasswordError::Failed)?;
            memory.shrink_to(MEMORY_KIB as usize);
            Ok(digest)
        };
        let (done, digest) = oneshot::channel();
        // Whoever waits for it may leave; the hash goes on, and so does its turn.
        let waiting = Mutex::new(Some((done, self.permit.clone())));
        let work = Arc::new(move |memory: &mut Memory| -> Option<Word> {
            let waiting = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting().as_ref()?;
            let outcome = hash(memory);
            let (done, permit) = waiting().take()?;
            Some(Box::new(move || {
                let _ = done.send(outcome);
                drop(permit);
            }))
        });
        let given = match &self.place {
            Some(place) => place.give(work, u64::from(memory) * u64::from(passes)),
            None => self.all.give(work),
        };
        given.map_err(|_| PasswordError::Failed)?;
        digest.await.map_err(|_| PasswordError::Failed)?
    }
}

struct Phc {
    memory: u32,
    passes: u32,
    lanes: u32,
    salt: Vec<u8>,
    digest: Vec<u8>,
}

impl Phc {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("$argon2id$v=19$")?.split('$');
        let mut settings = parts.next()?.split(',');
        let mut number = |name: &str| settings.next()?.strip_prefix(name)?.parse().ok();
        let (memory, passes, lanes) = (number("m=")?, number("t=")?, number("p=")?);
        let salt = STANDARD_NO_PAD.decode(parts.next()?).ok()?;
        let digest = STANDARD_NO_PAD.decode(parts.next()?).ok()?;
        Some(Self { memory, passes, lanes, salt, digest })
    }
}

#[cfg(test)]
mod tests;
