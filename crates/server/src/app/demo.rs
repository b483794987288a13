//! The demonstration: one user and two clients, so that the first commands work when pasted.

use valetkey_oauth::accounts::{self, AccountError, NewUser, PasswordHasher};
use valetkey_oauth::clients::{self, NewClient, RegistrationError};
use valetkey_oauth::model::{Client, ClientId, ClientKind, Secret};
use valetkey_oauth::protocol::{GrantType, Scope};
use valetkey_oauth::{Authority, Policy};
use valetkey_pages::api_docs;

/// A service that speaks for itself.
pub const SERVICE: &str = "demo-service";
/// An app that runs in a browser.
pub const APP: &str = "demo-app";
/// A person.
pub const USER: &str = "demo";
/// Where the flows can be watched.
pub const PLAYGROUND: &str = "/playground";
/// Where the app is sent back to.
pub const CALLBACK: &str = "/playground/callback";
/// What the app asks of a person.
pub const PEOPLE: &str = "openid profile email offline_access";

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
    follow(authority).await?;
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
    NewClient {
        id: Some(APP.to_owned()),
        name: "Demonstration app".to_owned(),
        kind: ClientKind::Public,
        redirect_uris: redirect_uris(&authority.policy),
        grants: vec![GrantType::AuthorizationCode, GrantType::RefreshToken, GrantType::DeviceCode],
        scope: app_scope(&authority.policy),
        ..NewClient::default()
    }
}

/// The address of the callback, under the origin of this server.
pub fn redirect_uri(policy: &Policy) -> String {
    format!("{}{CALLBACK}", policy.issuer)
}

/// Every address that the app is sent back to: the playground, and the documentation of the API.
fn redirect_uris(policy: &Policy) -> Vec<String> {
    vec![redirect_uri(policy), format!("{}{}", policy.issuer, api_docs::PATH)]
}

/// What the app may ask for: all that people and the API have.
fn app_scope(policy: &Policy) -> Scope {
    Scope::parse(&format!("{PEOPLE} {}", policy.scopes)).unwrap_or_default()
}

/// A demonstration that was made on another port would send its app there, and one that was made for another API could
/// not ask for the scopes of this one.
async fn follow(authority: &Authority) -> anyhow::Result<()> {
    let here = redirect_uris(&authority.policy);
    let scope = app_scope(&authority.policy);
    let Some(known) = authority.ports.clients.find(&ClientId::new(APP)).await? else { return Ok(()) };
    if here.iter().all(|uri| known.redirect_uris.contains(uri)) && scope.is_within(&known.scope) {
        return Ok(());
    }
    let is_ours = |uri: &String| uri.ends_with(CALLBACK) || uri.ends_with(api_docs::PATH);
    let others = known.redirect_uris.iter().filter(|uri| !is_ours(uri)).cloned();
    let redirect_uris = others.chain(here).collect();
    clients::update(authority, &Client { redirect_uris, scope, ..(*known).clone() }).await?;
    Ok(())
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
        scope: None,
    };
    let hasher = PasswordHasher::new(1);
    match accounts::add(&*authority.ports.users, &hasher, &*authority.clock, &*authority.random, new).await {
        Ok(_) => Ok(Some(password)),
        Err(AccountError::NameTaken(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
