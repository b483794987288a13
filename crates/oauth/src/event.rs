//! Everything the rules find worth telling. Names no secret, token or code.

use std::net::IpAddr;

use crate::model::{Alert, ApiKeyId, ClientId, KeyPurpose, SessionId, UserId};
use crate::protocol::{ErrorCode, GrantType};

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Event<'a> {
    /// Tokens were issued.
    TokensIssued {
        /// To whom.
        client: &'a ClientId,
        /// By which grant.
        grant: GrantType,
    },
    /// A client did not prove who it is.
    ClientRefused {
        /// Whom it claimed to be; shortened, and only if such a client exists.
        client: Option<&'a ClientId>,
    },
    /// A good API key came from an address that it must not be used from.
    ApiKeyMisplaced {
        /// Which key.
        key: ApiKeyId,
        /// From where, if that is known.
        address: Option<IpAddr>,
    },
    /// A request broke a rule.
    Refused {
        /// The word the caller saw.
        code: ErrorCode,
        /// Which rule, for the log.
        why: &'a str,
    },
    /// A token was looked into.
    Introspected {
        /// By whom.
        client: &'a ClientId,
        /// Was it good?
        active: bool,
    },
    /// A token was taken back.
    TokenRevoked {
        /// Whose.
        client: &'a ClientId,
    },
    /// A session ended.
    SessionEnded {
        /// Which.
        session: SessionId,
        /// Whose.
        client: &'a ClientId,
        /// Why, as a word.
        why: &'static str,
    },
    /// Something is on record that someone should know of.
    Alerted {
        /// What.
        alert: &'a Alert,
    },
    /// Something that someone should know of could not be put on record.
    AlertNotFiled {
        /// What.
        alert: &'a Alert,
        /// What the store said.
        why: &'a str,
    },
    /// Someone signed in.
    SignedIn {
        /// Who.
        user: UserId,
        /// From where.
        address: Option<&'a str>,
    },
    /// Someone is signed out, but not all of their apps were told, nor all sessions ended that should have.
    SignOutUnfinished {
        /// Who.
        user: UserId,
        /// What went wrong.
        why: &'a str,
    },
    /// Someone could not sign in.
    SignInFailed {
        /// From where.
        address: Option<&'a str>,
        /// How often in a row, for this account from there.
        failures: u32,
    },
    /// An account belongs to a person at another provider from now on.
    LinkMade {
        /// Whose.
        user: UserId,
        /// Which provider.
        issuer: &'a str,
        /// By whom, as a word.
        maker: &'static str,
    },
    /// Someone came in through another provider.
    LinkUsed {
        /// Who.
        user: UserId,
        /// Which provider.
        issuer: &'a str,
    },
    /// An account does not belong to a person at another provider any more.
    LinkRemoved {
        /// Whose.
        user: UserId,
        /// Which provider.
        issuer: &'a str,
    },
    /// Someone could not come in through another provider.
    SignOnFailed {
        /// Which provider, by its name in the settings.
        provider: &'a str,
        /// From where.
        address: Option<&'a str>,
        /// Which rule was broken. Nothing that a stranger wrote.
        why: &'a str,
    },
    /// Someone decided about a device.
    DeviceDecided {
        /// What runs on it.
        client: &'a ClientId,
        /// Was it let in?
        approved: bool,
    },
    /// Someone typed a code that no device shows.
    UserCodeWrong {
        /// Who.
        user: UserId,
        /// From where.
        address: Option<&'a str>,
        /// How often in a row.
        failures: u32,
    },
    /// Someone took back what an app may do.
    Withdrawn {
        /// Who.
        user: UserId,
        /// From which app.
        client: &'a ClientId,
        /// How many sessions ended with it.
        sessions: usize,
    },
    /// A key was made.
    KeyMade {
        /// For what.
        purpose: KeyPurpose,
        /// Which one.
        generation: u32,
    },
    /// A key is not needed any more.
    KeyRemoved {
        /// For what.
        purpose: KeyPurpose,
        /// Which one.
        generation: u32,
    },
}
