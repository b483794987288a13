//! The labels of each metric. All are words of ours; nothing that a caller sends becomes one.

use std::sync::Arc;

use prometheus_client::encoding::EncodeLabelSet;
use valetkey_oauth::protocol::GrantType;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) route: Arc<str>,
    pub(super) status: u16,
}

/// Clients are registered, and of those that call only so many become labels.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ApiUse {
    pub(super) version: u32,
    pub(super) client: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Route {
    pub(super) route: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Grant {
    grant: &'static str,
}

impl From<GrantType> for Grant {
    /// The last part of a URN is what people call the grant.
    fn from(grant: GrantType) -> Self {
        let word = grant.as_str();
        Self { grant: word.rsplit(':').next().unwrap_or(word) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Code {
    pub(super) code: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Active {
    pub(super) active: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Outcome {
    pub(super) outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Why {
    pub(super) why: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Purpose {
    pub(super) purpose: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Attempt {
    pub(super) kind: &'static str,
    pub(super) outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Kind {
    pub(super) kind: &'static str,
}
