//! Registering clients, renewing their secrets, removing them.

use std::time::Duration;

use jiff::Timestamp;

use super::terms;
use crate::Authority;
use crate::model::{
    AccessTokenFormat, Algorithm, Client, ClientId, ClientKind, ClientSecret, IntrospectionReach, Revocation,
    RevocationTarget, Secret, SubjectNames, TlsIdentity,
};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{ClientRegistration, ClientRemoval, SecretChange, StoreError};
use crate::protocol::{GrantType, Scope};

/// What a registration asks for.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// The id; one is made if none is given.
    pub id: Option<String>,
    /// What people call it.
    pub name: String,
    /// Confidential or public.
    pub kind: ClientKind,
    /// Where codes may be sent.
    pub redirect_uris: Vec<String>,
    /// May the port of a loopback redirect URI differ?
    pub loopback_any_port: bool,
    /// How it may ask for tokens.
    pub grants: Vec<GrantType>,
    /// The most it may ask for.
    pub scope: Scope,
    /// The form of its access tokens.
    pub access_token_format: Option<AccessTokenFormat>,
    /// What signs its id_tokens.
    pub id_token_algorithm: Algorithm,
    /// Does each use of a refresh token void it?
    pub rotates_refresh_tokens: bool,
    /// How long the last refresh token again is taken for a retry.
    pub refresh_retry_window: Duration,
    /// Whose tokens it may introspect.
    pub introspection: IntrospectionReach,
    /// Under which names it knows people.
    pub subject_names: SubjectNames,
    /// Where a browser may be sent after a sign-out.
    pub post_logout_redirect_uris: Vec<String>,
    /// Where it wants to be told that a user signed out.
    pub backchannel_logout_uri: Option<String>,
    /// The version of the API that its requests mean when they say none: a number, or a day.
    pub version_pin: Option<String>,
    /// The certificate it proves itself with, in place of a secret.
    pub tls: Option<TlsIdentity>,
    /// Are its access tokens bound to its certificate?
    pub binds_tokens: bool,
    /// Web origins whose pages may read answers for it.
    pub origins: Vec<String>,
}

impl Default for NewClient {
    /// A confidential client that may do nothing yet.
    fn default() -> Self {
        Self {
            id: None,
            name: String::new(),
            kind: ClientKind::Confidential,
            redirect_uris: Vec::new(),
            loopback_any_port: false,
            grants: Vec::new(),
            scope: Scope::empty(),
            access_token_format: None,
            id_token_algorithm: Algorithm::Rs256,
            rotates_refresh_tokens: true,
            refresh_retry_window: Duration::ZERO,
            introspection: IntrospectionReach::Own,
            subject_names: SubjectNames::Public,
            post_logout_redirect_uris: Vec::new(),
            backchannel_logout_uri: None,
            version_pin: None,
            tls: None,
            binds_tokens: false,
            origins: Vec::new(),
        }
    }
}

/// A client with the secret that is shown once.
#[derive(Debug)]
pub struct Registered {
    /// The client.
    pub client: Client,
    /// Its secret; public clients and those with a certificate have none.
    pub secret: Option<Secret>,
}

/// Why a registration was refused.
#[derive(Debug, thiserror::Error)]
pub enum RegistrationError {
    /// The id has characters that do not survive every client library.
    #[error("a client id has 1 to 64 letters, digits, dots, underscores or dashes")]
    BadId,
    /// The id exists.
    #[error("a client with the id {0} exists; choose another id, or change that client with `valetkey client edit`")]
    IdTaken(ClientId),
    /// No such client.
    #[error("there is no client {0}; `valetkey client list` shows those that exist")]
    Unknown(ClientId),
    /// Names are shown to people.
    #[error("a client needs a name of 1 to 200 characters, without line breaks and other control characters")]
    BadName,
    /// A redirect URI must be absolute and have no fragment.
    #[error(
        "{0:?} is no redirect URI: it must be absolute, without a fragment or a wildcard, and of a scheme that leads to an app"
    )]
    BadRedirectUri(String),
    /// A client that cannot keep a secret cannot speak for itself.
    #[error("a public client cannot use client_credentials: it has no secret to prove itself with")]
    PublicWithCredentials,
    /// The code grant needs somewhere to send the code.
    #[error("authorization_code needs at least one redirect URI: add --redirect-uri")]
    NoRedirectUri,
    /// A retry is a matter of seconds; longer would be a second life for a stolen token.
    #[error("a refresh retry window is at most 60 seconds")]
    LongRetryWindow,
    /// Names for one sector need to know which one.
    #[error("pairwise names need one sector: the redirect URIs have no single host, so name it with --sector")]
    NoSector,
    /// A sector is a host name, or any word without spaces.
    #[error("{0:?} is no sector: write a host name such as app.example.com")]
    BadSector(String),
    /// Sign-outs are told by a POST over the web.
    #[error("{0:?} cannot be told of a sign-out: it must begin with https:// (or http://) and have no fragment")]
    BadLogoutUri(String),
    /// A client that anyone can take apart cannot keep a key for all its copies.
    #[error("a public client proves nothing: leave out --public, or the certificate")]
    PublicWithCertificate,
    /// The name in the certificate is none.
    #[error("a certificate cannot have the name {0}: write it without spaces, as the certificate does")]
    BadCertificateName(String),
    /// A secret that would never be accepted.
    #[error(
        "{0} proves itself by its certificate; to let it use a secret again, run `valetkey client edit {0} --tls-certificate none` first"
    )]
    HasCertificate(ClientId),
    /// The same, of a client that has none at all.
    #[error("{0} is public, and a public client has no secret; register another one without --public")]
    IsPublic(ClientId),
    /// The version is none.
    #[error("`{0}` is no version of an API: it is a number such as 2, or a day such as 2026-01-31")]
    BadVersion(String),
    /// An origin is a scheme, a host and perhaps a port.
    #[error(
        "{0:?} is no web origin: write it as a browser does, such as https://app.example.com, without a path or a wildcard"
    )]
    BadOrigin(String),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Registers a client.
pub async fn register(authority: &Authority, new: NewClient) -> Result<Registered, RegistrationError> {
    if new.id.as_deref().is_some_and(|id| !ClientId::is_well_formed(id)) {
        return Err(RegistrationError::BadId);
    }
    let now = authority.now();
    let id = ClientId::new(new.id.clone().unwrap_or_else(|| authority.random.uuid().simple().to_string()));
    let has_secret = new.kind == ClientKind::Confidential && new.tls.is_none();
    let secret = has_secret.then(|| Secret::generate("vk_cs_", &*authority.random));
    let secrets = secret.iter().map(|secret| stored(secret, now)).collect();
    let client = Client {
        id,
        name: new.name,
        kind: new.kind,
        redirect_uris: new.redirect_uris,
        loopback_any_port: new.loopback_any_port,
        grants: new.grants,
        scope: new.scope,
        access_token_format: new.access_token_format,
        id_token_algorithm: new.id_token_algorithm,
        rotates_refresh_tokens: new.rotates_refresh_tokens,
        refresh_retry_window: new.refresh_retry_window,
        introspection: new.introspection,
        subject_names: new.subject_names,
        post_logout_redirect_uris: new.post_logout_redirect_uris,
        backchannel_logout_uri: new.backchannel_logout_uri,
        version_pin: new.version_pin,
        tls: new.tls,
        binds_tokens: new.binds_tokens,
        origins: new.origins,
        secrets,
        created_at: now,
    };
    terms::check(&client)?;
    match authority.ports.clients.register(&client).await? {
        ClientRegistration::Registered => Ok(Registered { client, secret }),
        ClientRegistration::IdTaken => Err(RegistrationError::IdTaken(client.id)),
    }
}

/// Replaces what a client is registered for; its id and secrets stay.
pub async fn update(authority: &Authority, client: &Client) -> Result<(), RegistrationError> {
    terms::check(client)?;
    if authority.ports.clients.update(client).await? {
        Ok(())
    } else {
        Err(RegistrationError::Unknown(client.id.clone()))
    }
}

/// Gives a client a new secret; the old ones work for `overlap` longer, so that nothing stops while it is rolled out.
pub async fn renew_secret(
    authority: &Authority,
    id: &ClientId,
    overlap: Duration,
) -> Result<Secret, RegistrationError> {
    let now = authority.now();
    match authority.ports.clients.find(id).await? {
        Some(client) if client.tls.is_some() => return Err(RegistrationError::HasCertificate(id.clone())),
        Some(client) if client.kind == ClientKind::Public => return Err(RegistrationError::IsPublic(id.clone())),
        Some(_) | None => {}
    }
    let secret = Secret::generate("vk_cs_", &*authority.random);
    match authority.ports.clients.add_secret(id, &stored(&secret, now), later(now, overlap)).await? {
        SecretChange::Changed => Ok(secret),
        SecretChange::UnknownClient => Err(RegistrationError::Unknown(id.clone())),
    }
}

/// So long after a change, every server knows of it.
pub const KNOWN_EVERYWHERE: Duration = Duration::from_secs(1);

/// Removes a client; its tokens and sessions end with it, those included that a server gives it before it knows. Whoever
/// makes it again under the same id waits for [`KNOWN_EVERYWHERE`] first.
pub async fn remove(authority: &Authority, id: &ClientId) -> Result<(), RegistrationError> {
    let now = authority.now();
    let tokens = Revocation {
        target: RevocationTarget::Client(id.clone(), later(now, KNOWN_EVERYWHERE)),
        expires_at: later(now, LONGEST_ACCESS_LIFETIME + KNOWN_EVERYWHERE),
    };
    match authority.ports.clients.remove(id, &tokens).await? {
        ClientRemoval::Removed => {
            authority.window.add(&tokens);
            // It may have taken its time, in which servers went on.
            let now = authority.now();
            let late = Revocation {
                target: RevocationTarget::Client(id.clone(), later(now, KNOWN_EVERYWHERE)),
                expires_at: later(now, LONGEST_ACCESS_LIFETIME + KNOWN_EVERYWHERE),
            };
            authority.ports.revocations.record(&late).await?;
            authority.window.add(&late);
            Ok(())
        }
        ClientRemoval::UnknownClient => Err(RegistrationError::Unknown(id.clone())),
    }
}

fn stored(secret: &Secret, now: Timestamp) -> ClientSecret {
    ClientSecret { digest: secret.digest(), created_at: now, expires_at: None }
}
