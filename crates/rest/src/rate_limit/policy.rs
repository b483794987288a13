//! What requests are charged to: quotas with names, and whose they are. Made once for each caller and request, so it copies
//! no text that is known before.

use std::{
    fmt,
    hash::{Hash, Hasher},
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
    time::Duration,
};

use http::HeaderValue;

use crate::bearer::Caller;

/// So many requests in so long a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// How many.
    pub limit: u64,
    /// How long a window is; at least a second.
    pub window: Duration,
}

/// A quota with a name that callers see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy(Arc<Named>);

#[derive(Debug, PartialEq, Eq)]
struct Named {
    name: String,
    quota: Quota,
    /// The limit, and the whole policy, as headers say them.
    limit: HeaderValue,
    said: String,
}

impl Policy {
    /// Gives a quota a name, without quotes and backslashes.
    pub fn new(name: &str, quota: Quota) -> Self {
        let said = format!("\"{name}\";q={};w={}", quota.limit, quota.window.as_secs().max(1));
        Self(Arc::new(Named { name: name.to_owned(), quota, limit: quota.limit.into(), said }))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it allows.
    pub fn quota(&self) -> Quota {
        self.0.quota
    }

    /// The limit as a header says it.
    pub(super) fn limit(&self) -> HeaderValue {
        self.0.limit.clone()
    }

    /// The policy as the IETF draft writes it.
    pub(super) fn said(&self) -> &str {
        &self.0.said
    }

    /// What a request of this caller is charged to.
    pub fn charge(&self, whose: impl Into<Whose>) -> Charge {
        Charge { policy: self.clone(), whose: whose.into() }
    }
}

/// Who is counted together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whose {
    /// A client, for each user that it speaks for and for itself.
    Caller(Arc<Caller>),
    /// Whoever has this name.
    Named(Arc<str>),
    /// Whoever comes from this network, for what the word says; see [`Whose::at`].
    At(&'static str, IpAddr),
}

impl Whose {
    /// Whoever comes from this address, or from its [`network`], for what the word says.
    pub fn at(word: &'static str, address: IpAddr) -> Self {
        Self::At(word, network(address))
    }
}

/// What an address counts as: whoever has one of IPv6 has the 2⁶⁴ beside it too. One of IPv4 in the clothes of IPv6 is itself.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// Two tokens of one client and user are one caller.
impl Hash for Whose {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Caller(caller) => (&caller.client, &caller.subject).hash(state),
            Self::Named(name) => name.hash(state),
            Self::At(word, address) => (word, address).hash(state),
        }
    }
}

impl From<&str> for Whose {
    fn from(name: &str) -> Self {
        Self::Named(name.into())
    }
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caller(caller) => {
                write!(f, "{} {}", caller.client, caller.subject.as_deref().unwrap_or_default())
            }
            Self::Named(name) => f.write_str(name),
            Self::At(word, address) => write!(f, "{word} {address}"),
        }
    }
}

/// What one request is charged to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    /// The policy.
    pub policy: Policy,
    /// Whose count of it.
    pub whose: Whose,
}

/// By the name of the policy and whose it is: policies can share a counter.
impl Hash for Charge {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.policy.name().hash(state);
        self.whose.hash(state);
    }
}

/// The same in words, for counters that several servers share.
impl fmt::Display for Charge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.policy.name(), self.whose)
    }
}
