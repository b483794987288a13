//! What is measured: each work by its name, and what its lanes send to the server. The names also stand in the targets.

pub mod lane;
mod oauth;

mod rows;

pub use oauth::{SCOPE, redemption};

use crate::drive::Lane;
use crate::house::House;

/// One kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Discovery,
    Jwks,
    Opaque,
    Es256,
    Rs256,
    Introspection,
    Code,
    Refresh,
    Device,
    GetOne,
    GetNew,
    List,
    ListNew,
    Create,
    CreateOnce,
    Patch,
}

impl Work {
    pub const ALL: [Self; 16] = [
        Self::Discovery,
        Self::Jwks,
        Self::Opaque,
        Self::Es256,
        Self::Rs256,
        Self::Introspection,
        Self::Code,
        Self::Refresh,
        Self::Device,
        Self::GetOne,
        Self::GetNew,
        Self::List,
        Self::ListNew,
        Self::Create,
        Self::CreateOnce,
        Self::Patch,
    ];

    /// The word for `--only` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Jwks => "jwks",
            Self::Opaque => "opaque",
            Self::Es256 => "es256",
            Self::Rs256 => "rs256",
            Self::Introspection => "introspection",
            Self::Code => "code",
            Self::Refresh => "refresh",
            Self::Device => "device",
            Self::GetOne => "get",
            Self::GetNew => "get-new",
            Self::List => "list",
            Self::ListNew => "list-new",
            Self::Create => "create",
            Self::CreateOnce => "create-once",
            Self::Patch => "patch",
        }
    }

    /// What people read.
    pub fn title(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Jwks => "JWKS",
            Self::Opaque => "client credentials, opaque",
            Self::Es256 => "client credentials, ES256",
            Self::Rs256 => "client credentials, RS256",
            Self::Introspection => "introspection, opaque",
            Self::Code => "code redemption",
            Self::Refresh => "refresh",
            Self::Device => "device poll",
            Self::GetOne => "GET one",
            Self::GetNew => "GET, each another one",
            Self::List => "list of 20, filter and sort",
            Self::ListNew => "list, each another one",
            Self::Create => "POST create",
            Self::CreateOnce => "POST, Idempotency-Key",
            Self::Patch => "PATCH",
        }
    }

    /// Are its inputs used up? Then at most this many are prepared for each round.
    pub fn consumes(self) -> bool {
        matches!(self, Self::Code | Self::Device)
    }

    /// Everything the lanes need is made here, before the time runs. `most` bounds what is used up.
    pub async fn lanes(self, house: &House, lanes: usize, most: usize) -> anyhow::Result<Vec<Box<dyn Lane>>> {
        match self {
            Self::Discovery => {
                Ok(lane::repeat(vec![house.get("/.well-known/openid-configuration").bare()], lanes, 200))
            }
            Self::Jwks => Ok(lane::repeat(vec![house.get("/jwks").bare()], lanes, 200)),
            Self::Opaque => Ok(oauth::credentials(house, &house.clients.opaque, lanes)),
            Self::Es256 => Ok(oauth::credentials(house, &house.clients.es256, lanes)),
            Self::Rs256 => Ok(oauth::credentials(house, &house.clients.rs256, lanes)),
            Self::Introspection => Ok(oauth::introspection(house, lanes)),
            Self::Code => oauth::codes(house, lanes, most).await,
            Self::Refresh => Ok(oauth::refresh(house, lanes)),
            Self::Device => oauth::devices(house, lanes, most).await,
            Self::GetOne => Ok(rows::one(house, lanes)),
            Self::GetNew => rows::new_one(house, lanes),
            Self::List => Ok(rows::list(house, lanes)),
            Self::ListNew => rows::new_list(house, lanes),
            Self::Create => Ok(rows::create(house, lanes, false)),
            Self::CreateOnce => Ok(rows::create(house, lanes, true)),
            Self::Patch => Ok(rows::patch(house, lanes)),
        }
    }
}
