//! The demonstration: one user and two clients, so that the first commands work when pasted.

use valetkey_oauth::Authority;
use valetkey_oauth::accounts::{self, AccountError, NewUser, PasswordHasher};
use valetkey_oauth::clients::{self, NewClient, RegistrationError};
use valetkey_oauth::model::{ClientKind, Secret};
use valetkey_oauth::protocol::{GrantType, Scope};

/// A service that speaks for itself.
pub const SERVICE: &str = "demo-service";
/// An app that runs in a browser.
pub const APP: &str = "demo-app";
/// A person.
pub const USER: &str = "demo";

/// What is printed once. A member is `None` if it was there before.
#[derive(Debug)]
pub struct Demonstration {
    /// The secret of the service.
    pub service_secret: Option<Secret>,
    /// The password of the person.
    pub password: Option<Secret>,
}

/// Makes what is missing of the demonstration.
pub async fn prepare(authority: &Authority) -> anyhow::Result<Demonstration> {
    let service_secret = client(authority, service(authority)).await?;
    client(authority, app(authority)).await?;
    Ok(Demonstration { service_secret, password: person(authority).await? })
}

fn service(authority: &Authority) -> NewClient {
    NewClient {
        id: Some(SERVICE.to_owned()),
        name: "Demonstration service".to_owned(),
        grants: vec![GrantType::ClientCredentials],
        scope: authority.policy.scopes.clone(),
        ..NewClient::default()
    }
}

fn app(authority: &Authority) -> NewClient {
    let people = "openid profile email offline_access";
    NewClient {
        id: Some(APP.to_owned()),
        name: "Demonstration app".to_owned(),
        kind: ClientKind::Public,
        redirect_uris: vec![format!("{}/playground/callback", authority.policy.issuer)],
        grants: vec![GrantType::AuthorizationCode, GrantType::RefreshToken, GrantType::DeviceCode],
        scope: Scope::parse(&format!("{people} {}", authority.policy.scopes)).unwrap_or_default(),
        ..NewClient::default()
    }
}

async fn client(authority: &Authority, new: NewClient) -> anyhow::Result<Option<Secret>> {
    match clients::register(authority, new).await {
        Ok(registered) => Ok(registered.secret),
        Err(RegistrationError::IdTaken(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn person(authority: &Authority) -> anyhow::Result<Option<Secret>> {
    // Looked up first: hashing a password that nobody will use costs a start-up 50 ms.
    if authority.ports.users.find_by_username(USER).await?.is_some() {
        return Ok(None);
    }
    let password = Secret::new(&Secret::generate("", &*authority.random).expose()[..20]);
    let new = NewUser {
        username: USER.to_owned(),
        password: password.clone(),
        email: Some("demo@example.org".to_owned()),
        name: Some("Dana Demo".to_owned()),
        profile: serde_json::Map::from_iter([("email_verified".to_owned(), true.into())]),
        admin: false,
    };
    let hasher = PasswordHasher::new(1);
    match accounts::add(&*authority.ports.users, &hasher, &*authority.clock, &*authority.random, new).await {
        Ok(_) => Ok(Some(password)),
        Err(AccountError::NameTaken(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
