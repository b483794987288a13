//! The question of a device: what it wants, from where, and the two codes it gets.

use std::time::Duration;

use super::{PAGE, PICTURE, complete_link, digest};
use crate::grants::DeviceCode;
use crate::model::{Client, Device, DeviceId, DeviceState, Secret, SessionOrigin, UserCode};
use crate::moment::later;
use crate::ports::{Asking, StoreError};
use crate::protocol::GrantType;
use crate::{Authority, Refusal, authorize};

/// Long enough to find a phone and sign in there, short enough for an eight-letter code.
const LIFE: Duration = Duration::from_secs(10 * 60);
/// RFC 8628 §3.2: what a client assumes that is told nothing.
const INTERVAL: u32 = 5;
/// So many devices of one client may wait from one address. More is a flood: their rows are the only ones that someone
/// without an account can make.
const MOST_WAITING: u32 = 500;
/// One collision has a chance of one in thousands of millions; this many in a row are no chance.
const DRAWS: usize = 5;

/// What a device asks for.
#[derive(Debug)]
pub struct DeviceRequest<'a> {
    /// What it wants; nothing named means all its client is registered for.
    pub scope: Option<&'a str>,
    /// The API it wants to call (RFC 8707).
    pub resource: Option<&'a str>,
    /// Where it asks from.
    pub origin: SessionOrigin,
}

/// What it gets.
#[derive(Debug)]
pub struct Question {
    /// For its polls.
    pub device_code: Secret,
    /// For its screen.
    pub user_code: UserCode,
    /// Where the code is to be typed.
    pub page: String,
    /// The same, with the code in it.
    pub complete_page: String,
    /// A picture of that link.
    pub picture: String,
    /// How long all of this is good.
    pub expires_in: u64,
    /// Seconds to leave between two polls.
    pub interval: u32,
}

/// Files the question of a device whose client has proven who it is.
pub async fn ask(authority: &Authority, client: &Client, request: DeviceRequest<'_>) -> Result<Question, Refusal> {
    if !client.may_use(GrantType::DeviceCode) {
        return Err(Refusal::GrantNotRegistered);
    }
    let scope = authorize::scope(client, request.scope)?;
    let resource = authorize::resource(authority, request.resource)?;
    let now = authority.now();
    let id = DeviceId(authority.random.uuid_at(now));
    for _ in 0..DRAWS {
        let user_code = UserCode::generate(&*authority.random);
        let device = Device {
            id,
            client: client.id.clone(),
            user_code: digest(authority, &user_code)?,
            scope: scope.clone(),
            resource: resource.clone(),
            origin: request.origin.clone(),
            asked_at: now,
            expires_at: later(now, LIFE),
            interval: INTERVAL,
            polled_at: None,
            state: DeviceState::Pending,
        };
        match authority.ports.devices.ask(&device, MOST_WAITING).await? {
            Asking::Asked => return question(authority, &device, user_code),
            Asking::CodeTaken => {}
            Asking::TooMany => return Err(Refusal::TooManyDevices),
        }
    }
    Err(StoreError::Failed("every user code was taken".to_owned()).into())
}

fn question(authority: &Authority, device: &Device, user_code: UserCode) -> Result<Question, Refusal> {
    let issuer = &authority.policy.issuer;
    let code = DeviceCode { device: device.id, client: device.client.clone() };
    Ok(Question {
        device_code: Secret::new(code.seal(authority)?),
        page: format!("{issuer}{PAGE}"),
        complete_page: complete_link(issuer, &user_code),
        picture: format!("{issuer}{PICTURE}?user_code={user_code}"),
        user_code,
        expires_in: LIFE.as_secs(),
        interval: device.interval,
    })
}
