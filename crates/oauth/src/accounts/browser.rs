//! The browser in front of the pages: who is signed in there, and what it is known by.

use std::time::Duration;

use crate::Authority;
use crate::model::{ClientId, Secret, SecretDigest, SignIn, User, UserId};
use crate::moment::later;
use crate::ports::StoreError;

/// When a browser was last seen is noted this often: a page costs no write, and a person knows enough.
const SEEN: Duration = Duration::from_secs(5 * 60);

/// What is known of a browser. Whoever reads cookies makes it; whoever makes pages uses it.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    /// Who is signed in.
    pub sign_in: Option<SignIn>,
    /// A secret of this browser, which its forms are bound to.
    pub key: String,
    /// The address it comes from.
    pub address: Option<String>,
    /// What it calls itself.
    pub agent: Option<String>,
    /// What it carries for us while its person is elsewhere, oldest first.
    pub carried: Vec<Carried>,
}

/// Something sealed that a browser brings back.
#[derive(Debug, Clone)]
pub struct Carried {
    /// Tells one from another: letters, digits and `_`.
    pub name: String,
    /// The sealed text.
    pub value: String,
}

/// What is to become of what a browser carries.
#[derive(Debug, Clone, Default)]
pub struct CarriedChange {
    /// It gets this, for so long.
    pub take: Option<(Carried, Duration)>,
    /// It loses these.
    pub drop: Vec<String>,
}

/// What is to become of the sign-in cookie.
#[derive(Debug, Clone)]
pub enum SignInChange {
    /// The browser gets this one.
    Set(Secret),
    /// The browser forgets its own.
    Clear,
}

/// Who is signed in with this cookie?
pub async fn recognise(authority: &Authority, cookie: &str) -> Result<Option<SignIn>, StoreError> {
    let now = authority.now();
    let sign_in = authority.ports.sign_ins.find_sign_in(&SecretDigest::of(cookie), now).await?;
    if let Some(sign_in) = &sign_in
        && later(sign_in.seen_at, SEEN) <= now
    {
        authority.ports.sign_ins.note_seen(sign_in.id, now).await?;
    }
    Ok(sign_in)
}

/// The person behind a sign-in.
pub async fn person(authority: &Authority, id: UserId) -> Result<Option<User>, StoreError> {
    authority.ports.users.find_user(id).await
}

/// What people call an app.
pub async fn client_name(authority: &Authority, id: &ClientId) -> Result<String, StoreError> {
    let client = authority.ports.clients.find(id).await?;
    Ok(client.map_or_else(|| id.to_string(), |client| client.name.clone()))
}
