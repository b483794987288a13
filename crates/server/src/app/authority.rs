//! The authority of this deployment: the store, the settings as a policy, the root key.

use std::sync::Arc;

use valetkey_oauth::model::{AccessTokenFormat, Algorithm};
use valetkey_oauth::policy::{AlertPolicy, CertificateUse, KeyPolicy, Policy, RevocationCheck};
use valetkey_oauth::ports::{Observer, Random};
use valetkey_oauth::protocol::Scope;
use valetkey_oauth::{Authority, Refusal, keys};
use valetkey_resources::model;
use valetkey_resources::ports::Ports as ResourcePorts;
use valetkey_store::cached::{CachedApiKeys, CachedClients};

use super::engine::{self, EngineError, Filling, Progress, Shaping};
use super::root_key::{self, RootKeyError};
use super::system::{SystemClock, SystemRandom};
use crate::config::{AccessFormat, ClientCertificates, Config, Introspection, SigningAlgorithm};

/// How long a browser stays signed in: a working day.
const SIGN_IN_LIFETIME: std::time::Duration = std::time::Duration::from_secs(12 * 60 * 60);

/// Why there is no authority.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store cannot be used.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The root key is missing.
    #[error(transparent)]
    RootKey(#[from] RootKeyError),
    /// The keys in the store cannot be opened or made.
    #[error(
        "{0}. Use the root key that this store was made with: in {1}, or as VALETKEY_ROOT_KEY. \
         Without it, the keys in the store are lost, and with them every token that they made"
    )]
    WrongRoot(keys::KeyError, String),
    /// Something else about keys or the store.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// A store that is ready, and the authority over it.
pub struct Opened {
    /// The rules over the store.
    pub authority: Authority,
    /// Where rows of declared resources are.
    pub resources: ResourcePorts,
    /// The way to their tables.
    pub shaping: Shaping,
    /// What a new declaration leaves to do there.
    pub filling: Filling,
    /// What a person calls the engine.
    pub engine: &'static str,
}

/// Opens the store, finds the root key, makes the keys that are missing.
pub async fn open(
    config: &Config,
    scopes: &[model::Scope],
    observer: Arc<dyn Observer>,
    progress: Progress<'_>,
) -> Result<Opened, OpenError> {
    let random: Arc<dyn Random> = Arc::new(SystemRandom);
    root_key::expect(config)?;
    let is_new = engine::is_new(config);
    let mut store = engine::open(config, progress).await?;
    let fresh = is_new || store.ports.keys.all_keys().await.map_err(Refusal::from)?.is_empty();
    let root = root_key::find(config, fresh, &*random)?;
    store.ports.clients = Arc::new(CachedClients::new(store.ports.clients));
    store.ports.api_keys = Arc::new(CachedApiKeys::new(store.ports.api_keys));
    let policy = policy(config, scopes, store.is_exclusive);
    let authority = Authority::new(store.ports, Arc::new(SystemClock), random, observer, policy, root);
    let authority = authority.await.map_err(|refusal| explain(config, refusal))?;
    // Only what is missing: when keys are replaced is for a running server to decide, by its own settings.
    keys::make_missing(&authority).await.map_err(|refusal| explain(config, refusal))?;
    authority.refresh_window().await?;
    Ok(Opened {
        authority,
        resources: store.resources,
        shaping: store.shaping,
        filling: store.filling,
        engine: store.name,
    })
}

fn explain(config: &Config, refusal: Refusal) -> OpenError {
    match refusal {
        Refusal::Keys(error @ keys::KeyError::WrongRoot) => {
            let place = config.root_key_path().map_or_else(|| "its file".to_owned(), |path| path.display().to_string());
            OpenError::WrongRoot(error, place)
        }
        other => OpenError::Refused(other),
    }
}

/// The settings, as the rules want them.
fn policy(config: &Config, scopes: &[model::Scope], store_is_exclusive: bool) -> Policy {
    let issuer = config.origin().as_str().to_owned();
    let signing = signing(config);
    let names: Vec<&str> = scopes.iter().map(|scope| scope.name.as_str()).collect();
    Policy {
        audience: format!("{issuer}/api"),
        resources: vec![issuer.clone(), format!("{issuer}/")],
        issuer,
        scopes: Scope::parse(&names.join(" ")).unwrap_or_default(),
        access_lifetime: config.tokens.access_lifetime.duration(),
        refresh_lifetime: config.tokens.refresh_lifetime.duration(),
        refresh_idle: config.tokens.refresh_idle.duration(),
        sign_in_lifetime: SIGN_IN_LIFETIME,
        access_format: match config.tokens.access_format {
            AccessFormat::Opaque => AccessTokenFormat::Opaque,
            AccessFormat::Jwt => AccessTokenFormat::Jwt(signing),
        },
        signing,
        revocation_check: match config.tokens.introspection {
            Introspection::Strict if !store_is_exclusive => RevocationCheck::Store,
            Introspection::Strict | Introspection::Fast => RevocationCheck::Window,
        },
        certificates: match (config.tls.client_certificates, &config.tls.client_ca) {
            (ClientCertificates::Off, _) => CertificateUse::Unseen,
            (ClientCertificates::Optional, None) => CertificateUse::Registered,
            (ClientCertificates::Optional, Some(_)) => CertificateUse::VouchedFor,
        },
        keys: KeyPolicy {
            rotate_signing: config.keys.rotate_signing.duration(),
            rotate_sealing: config.keys.rotate_sealing.duration(),
            publish_ahead: config.keys.publish_ahead.duration(),
            keep_sealing: config.tokens.refresh_lifetime.duration(),
        },
        alerts: AlertPolicy {
            keep: config.audit.keep.duration(),
            webhook: config.webhook.url.as_ref().map(ToString::to_string),
        },
    }
}

/// What signs access tokens that are JWTs, unless their client has its own.
pub fn signing(config: &Config) -> Algorithm {
    match config.keys.signing {
        SigningAlgorithm::Es256 => Algorithm::Es256,
        SigningAlgorithm::Rs256 => Algorithm::Rs256,
        SigningAlgorithm::EdDsa => Algorithm::EdDsa,
    }
}
