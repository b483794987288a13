//! Columns that both engines write alike: the client's document, the words for revocations and sessions.

pub(crate) mod api_key;

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use valetkey_oauth::model::{
    AccessToken, AccessTokenFormat, AlertKind, Algorithm, Approval, Client, ClientId, ClientKind, ClientSecret,
    DeliveryKind, DeviceState, IntrospectionReach, KeyPurpose, Revocation, RevocationTarget, SecretDigest, SessionEnd,
    SessionId, SessionState, SubjectNames, TlsIdentity, TokenId, User,
};
use valetkey_oauth::ports::StoreError;
use valetkey_oauth::protocol::{GrantType, Scope};

use crate::moment;

/// What a client row holds beside its key. New members get a default, so that old rows stay readable.
#[derive(Serialize, Deserialize)]
struct ClientDocument {
    name: String,
    kind: ClientKind,
    #[serde(default)]
    redirect_uris: Vec<String>,
    #[serde(default)]
    loopback_any_port: bool,
    #[serde(default)]
    grants: Vec<GrantType>,
    #[serde(default)]
    scope: Scope,
    #[serde(default)]
    access_token_format: Option<AccessTokenFormat>,
    #[serde(default)]
    introspection: IntrospectionReach,
    #[serde(default = "rs256")]
    id_token_algorithm: Algorithm,
    #[serde(default = "yes")]
    rotates_refresh_tokens: bool,
    /// In seconds.
    #[serde(default)]
    refresh_retry_window: u64,
    #[serde(default)]
    subject_names: SubjectNames,
    #[serde(default)]
    post_logout_redirect_uris: Vec<String>,
    #[serde(default)]
    backchannel_logout_uri: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version_pin: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tls: Option<TlsIdentity>,
    #[serde(default)]
    binds_tokens: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    origins: Vec<String>,
}

/// Every OpenID Connect client understands it.
fn rs256() -> Algorithm {
    Algorithm::Rs256
}

fn yes() -> bool {
    true
}

/// The document column of a client.
pub(crate) fn client_document(client: &Client) -> Result<String, StoreError> {
    let document = ClientDocument {
        name: client.name.clone(),
        kind: client.kind,
        redirect_uris: client.redirect_uris.clone(),
        loopback_any_port: client.loopback_any_port,
        grants: client.grants.clone(),
        scope: client.scope.clone(),
        access_token_format: client.access_token_format,
        introspection: client.introspection,
        id_token_algorithm: client.id_token_algorithm,
        rotates_refresh_tokens: client.rotates_refresh_tokens,
        refresh_retry_window: client.refresh_retry_window.as_secs(),
        subject_names: client.subject_names.clone(),
        post_logout_redirect_uris: client.post_logout_redirect_uris.clone(),
        backchannel_logout_uri: client.backchannel_logout_uri.clone(),
        version_pin: client.version_pin.clone(),
        tls: client.tls.clone(),
        binds_tokens: client.binds_tokens,
        origins: client.origins.clone(),
    };
    serde_json::to_string(&document).map_err(|error| StoreError::Failed(error.to_string()))
}

/// A client from its columns.
pub(crate) fn client(
    id: String,
    document: &str,
    created_at: i64,
    secrets: Vec<ClientSecret>,
) -> Result<Client, StoreError> {
    let document: ClientDocument = serde_json::from_str(document)
        .map_err(|error| StoreError::Failed(format!("the document of client {id} is unreadable: {error}")))?;
    Ok(Client {
        id: ClientId::new(id),
        name: document.name,
        kind: document.kind,
        redirect_uris: document.redirect_uris,
        loopback_any_port: document.loopback_any_port,
        grants: document.grants,
        scope: document.scope,
        access_token_format: document.access_token_format,
        introspection: document.introspection,
        id_token_algorithm: document.id_token_algorithm,
        rotates_refresh_tokens: document.rotates_refresh_tokens,
        refresh_retry_window: Duration::from_secs(document.refresh_retry_window),
        subject_names: document.subject_names,
        post_logout_redirect_uris: document.post_logout_redirect_uris,
        backchannel_logout_uri: document.backchannel_logout_uri,
        version_pin: document.version_pin,
        tls: document.tls,
        binds_tokens: document.binds_tokens,
        origins: document.origins,
        secrets,
        created_at: moment::from_column(created_at)?,
    })
}

/// The columns of a revocation: kind, target, moment.
pub(crate) fn revocation_columns(target: &RevocationTarget) -> (&'static str, String, Option<i64>) {
    match target {
        RevocationTarget::Token(id) => ("token", id.to_string(), None),
        RevocationTarget::Session(id) => ("session", id.to_string(), None),
        RevocationTarget::Subject(subject, at) => ("subject", subject.clone(), Some(moment::to_column(*at))),
        RevocationTarget::Client(client, at) => ("client", client.to_string(), Some(moment::to_column(*at))),
    }
}

/// A revocation from its columns.
pub(crate) fn revocation(
    kind: &str,
    target: String,
    at: Option<i64>,
    expires_at: i64,
) -> Result<Revocation, StoreError> {
    let unreadable = || StoreError::Failed(format!("the revocation of {kind} {target:?} is unreadable"));
    let id = || target.parse::<Uuid>().map_err(|_| unreadable());
    let at = || -> Result<Timestamp, StoreError> { moment::from_column(at.ok_or_else(unreadable)?) };
    let target = match kind {
        "token" => RevocationTarget::Token(TokenId(id()?)),
        "session" => RevocationTarget::Session(SessionId(id()?)),
        "subject" => RevocationTarget::Subject(target.clone(), at()?),
        "client" => RevocationTarget::Client(ClientId::new(target.as_str()), at()?),
        _ => return Err(unreadable()),
    };
    Ok(Revocation { target, expires_at: moment::from_column(expires_at)? })
}

/// What a token's revocations could be filed under: its id, its session, its subject, its client.
pub(crate) fn revocation_targets(token: &AccessToken) -> [String; 4] {
    [
        token.id.to_string(),
        token.session.map(|session| session.to_string()).unwrap_or_default(),
        token.subject.clone(),
        token.client.to_string(),
    ]
}

/// The `ended` column.
pub(crate) fn session_state(ended: Option<&str>) -> Result<SessionState, StoreError> {
    match ended {
        None => Ok(SessionState::Active),
        Some(word) => SessionEnd::parse(word)
            .map(SessionState::Ended)
            .ok_or_else(|| StoreError::Failed(format!("a session ended by {word:?}"))),
    }
}

/// What became of a device, from its columns.
pub(crate) fn device_state(
    word: &str,
    subject: Option<String>,
    authenticated_at: Option<i64>,
    methods: Option<&str>,
    scope: &Scope,
) -> Result<DeviceState, StoreError> {
    match (word, subject, authenticated_at, methods) {
        ("pending", ..) => Ok(DeviceState::Pending),
        ("denied", ..) => Ok(DeviceState::Denied),
        ("redeemed", ..) => Ok(DeviceState::Redeemed),
        ("approved", Some(subject), Some(since), Some(methods)) => {
            let authenticated_at = moment::from_column(since)?;
            Ok(DeviceState::Approved(Approval {
                subject,
                authenticated_at,
                methods: words(methods),
                scope: scope.clone(),
            }))
        }
        (word, ..) => Err(StoreError::Failed(format!("a device is {word:?}"))),
    }
}

/// The profile column of a user.
pub(crate) fn profile_column(user: &User) -> String {
    serde_json::Value::Object(user.profile.clone()).to_string()
}

/// A profile from its column.
pub(crate) fn profile(text: &str) -> Result<serde_json::Map<String, serde_json::Value>, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Failed(format!("a profile is unreadable: {error}")))
}

/// Words in one column, with spaces between them.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A scope from its column.
pub(crate) fn scope(text: &str) -> Result<Scope, StoreError> {
    Scope::parse(text).map_err(|error| StoreError::Failed(error.to_string()))
}

/// Both scopes together, the older names first.
pub(crate) fn joined(before: &Scope, more: &Scope) -> Result<Scope, StoreError> {
    scope(&format!("{before} {more}"))
}

/// A digest from its column.
pub(crate) fn digest(bytes: &[u8]) -> Result<SecretDigest, StoreError> {
    SecretDigest::from_bytes(bytes).ok_or_else(|| StoreError::Failed("a digest has a wrong length".to_owned()))
}

/// The kind of a message from its column.
pub(crate) fn delivery_kind(word: &str) -> Result<DeliveryKind, StoreError> {
    DeliveryKind::parse(word).ok_or_else(|| StoreError::Failed(format!("a message of the kind {word:?}")))
}

/// The kind of an alert from its column.
pub(crate) fn alert_kind(word: &str) -> Result<AlertKind, StoreError> {
    AlertKind::parse(word).ok_or_else(|| StoreError::Failed(format!("an alert of the kind {word:?}")))
}

/// What the key of an alert is for, from its column.
pub(crate) fn key_purpose(word: Option<&str>) -> Result<Option<KeyPurpose>, StoreError> {
    let purpose =
        |word| KeyPurpose::parse(word).ok_or_else(|| StoreError::Failed(format!("an alert of a key for {word:?}")));
    word.map(purpose).transpose()
}
