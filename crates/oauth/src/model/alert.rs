//! Alerts: what someone should know of. Names no secret, token or code, and nothing that a stranger typed.

use std::fmt;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{ClientId, KeyPurpose, Session, SessionId};

/// Names an alert. UUIDv7: sorts by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AlertId(pub Uuid);

impl AlertId {
    /// The least id that an alert of this moment can have.
    pub fn floor(moment: Timestamp) -> Self {
        let millis = u64::try_from(moment.as_millisecond()).unwrap_or(0);
        Self(uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid())
    }
}

impl fmt::Display for AlertId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AlertKind {
    /// A refresh token came a second time: one of two holders is a thief. Or it came too late.
    RefreshReused,
    /// An authorization code or a device code came a second time.
    CodeReplayed,
    /// Someone fails to sign in, again and again.
    SignInFailures,
    /// Someone changed their password.
    PasswordChanged,
    /// Someone can sign in to an account through another provider from now on.
    LinkMade,
    /// Or not any more.
    LinkRemoved,
    /// A key got a successor.
    KeyMade,
    /// A key is gone.
    KeyRemoved,
}

impl AlertKind {
    /// Each one.
    pub const ALL: [Self; 8] = [
        Self::RefreshReused,
        Self::CodeReplayed,
        Self::SignInFailures,
        Self::PasswordChanged,
        Self::LinkMade,
        Self::LinkRemoved,
        Self::KeyMade,
        Self::KeyRemoved,
    ];

    /// The word in the store, the log, the metrics, commands and webhooks.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RefreshReused => "refresh_reused",
            Self::CodeReplayed => "code_replayed",
            Self::SignInFailures => "sign_in_failures",
            Self::PasswordChanged => "password_changed",
            Self::LinkMade => "link_made",
            Self::LinkRemoved => "link_removed",
            Self::KeyMade => "key_made",
            Self::KeyRemoved => "key_removed",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Something that someone should know of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// Its name.
    pub id: AlertId,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub kind: AlertKind,
    /// The app it concerns.
    pub client: Option<ClientId>,
    /// The session it concerns.
    pub session: Option<SessionId>,
    /// The user it concerns.
    pub subject: Option<String>,
    /// The address of whoever caused it.
    pub address: Option<String>,
    /// What was presented: a generation of the session's refresh token, or 0 for its code. Or which key it is.
    pub generation: Option<u32>,
    /// The generation that was good at that moment.
    pub current_generation: Option<u32>,
    /// How often in a row.
    pub failures: Option<u32>,
    /// What the key is for.
    pub key: Option<KeyPurpose>,
}

impl Alert {
    /// An alert that says no more than what happened and when.
    pub fn new(id: AlertId, at: Timestamp, kind: AlertKind) -> Self {
        Self {
            id,
            at,
            kind,
            client: None,
            session: None,
            subject: None,
            address: None,
            generation: None,
            current_generation: None,
            failures: None,
            key: None,
        }
    }

    /// Takes client, user and present generation from a session.
    pub fn concerns(&mut self, session: &Session) {
        self.client = Some(session.client.clone());
        self.session = Some(session.id);
        self.subject = Some(session.subject.clone());
        self.current_generation = Some(session.generation);
    }

    /// What it is about, where one alert is enough however often it happens. A program that presents one old token in a
    /// loop is told of once; failures to sign in are told of once an hour for each account and count; two nodes that
    /// remove one key tell of it once.
    pub fn once(&self) -> Option<String> {
        let kind = self.kind.as_str();
        match self.kind {
            AlertKind::RefreshReused | AlertKind::CodeReplayed => Some(format!("{kind} {}", self.session?)),
            AlertKind::SignInFailures => {
                let (account, hour) = (self.subject.as_deref().unwrap_or("-"), self.at.as_second().div_euclid(3_600));
                Some(format!("{kind} {account} {} {hour}", self.failures.unwrap_or_default()))
            }
            AlertKind::PasswordChanged | AlertKind::LinkMade | AlertKind::LinkRemoved => None,
            AlertKind::KeyMade | AlertKind::KeyRemoved => {
                Some(format!("{kind} {} {}", self.key?.as_str(), self.generation?))
            }
        }
    }

    /// What is known beyond kind and time, for programs. What is not known is not there.
    pub fn data(&self) -> Map<String, Value> {
        let members = [
            ("client_id", self.client.as_ref().map(|client| json!(client.as_str()))),
            ("session", self.session.map(|session| json!(session.to_string()))),
            ("sub", self.subject.as_ref().map(|subject| json!(subject))),
            ("address", self.address.as_ref().map(|address| json!(address))),
            ("generation", self.generation.map(|generation| json!(generation))),
            ("current_generation", self.current_generation.map(|generation| json!(generation))),
            ("failures", self.failures.map(|failures| json!(failures))),
            ("key", self.key.map(|key| json!(key.as_str()))),
        ];
        members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// The whole, for programs.
    pub fn document(&self) -> Value {
        json!({
            "id": self.id.to_string(),
            "type": self.kind.as_str(),
            // The store keeps milliseconds; what was sent and what is listed later are the same text.
            "time": format!("{:.3}", self.at),
            "data": self.data(),
        })
    }
}
