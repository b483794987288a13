//! A world with one authority and two clients, `app` and `other`.

use std::sync::Arc;

use valetkey_oauth::clients::{Presented, identify};
use valetkey_oauth::grants::{Caller, TokenRequest, TokenSet, exchange};
use valetkey_oauth::model::{AccessToken, AccessTokenFormat, Client, ClientId, Secret};
use valetkey_oauth::policy::Policy;
use valetkey_oauth::ports::Ports;
use valetkey_oauth::protocol::Scope;
use valetkey_oauth::tokens::{Introspection, introspect};
use valetkey_oauth::{Authority, Refusal};
use valetkey_testkit::authority::{authority, policy};
use valetkey_testkit::memory::Memory;
use valetkey_testkit::{Ear, FixedClock, build};

pub struct World {
    pub authority: Authority,
    pub clock: Arc<FixedClock>,
    pub ear: Arc<Ear>,
}

impl World {
    pub async fn new() -> Self {
        Self::with(Memory::ports(), policy()).await
    }

    pub async fn with(ports: Ports, policy: Policy) -> Self {
        let (clock, ear) = (Arc::new(FixedClock::default()), Arc::new(Ear::default()));
        for id in ["app", "other"] {
            ports.clients.register(&build::client(id)).await.unwrap();
        }
        let authority = authority(ports, clock.clone(), ear.clone(), policy).await.unwrap();
        Self { authority, clock, ear }
    }

    pub async fn client(&self, id: &str) -> Arc<Client> {
        self.authority.ports.clients.find(&ClientId::new(id)).await.unwrap().unwrap()
    }

    pub async fn change(&self, id: &str, change: impl FnOnce(&mut Client)) {
        let mut client = (*self.client(id).await).clone();
        change(&mut client);
        assert!(self.authority.ports.clients.update(&client).await.unwrap());
    }

    pub async fn use_format(&self, format: AccessTokenFormat) {
        self.change("app", |client| client.access_token_format = Some(format)).await;
    }

    pub async fn identify(&self, id: &str, secret: Option<&str>) -> Result<Arc<Client>, Refusal> {
        identify(
            &self.authority,
            &Presented { id: ClientId::new(id), secret: secret.map(Secret::new), certificate: None },
        )
        .await
    }

    pub async fn exchange(&self, id: &str, scope: Option<&str>) -> Result<TokenSet, Refusal> {
        self.exchange_for(id, scope, None).await
    }

    pub async fn exchange_for(
        &self,
        id: &str,
        scope: Option<&str>,
        resource: Option<&str>,
    ) -> Result<TokenSet, Refusal> {
        let scope = scope.map(|scope| Scope::parse(scope).unwrap());
        let request = TokenRequest::ClientCredentials { scope, resource: resource.map(str::to_owned) };
        exchange(&self.authority, &*self.client(id).await, &Caller::default(), request).await
    }

    /// A fresh token of `app`.
    pub async fn token(&self) -> String {
        self.exchange("app", None).await.unwrap().access_token.expose().to_owned()
    }

    /// What `id` learns of a token.
    pub async fn look(&self, id: &str, token: &str) -> Option<AccessToken> {
        match introspect(&self.authority, &*self.client(id).await, token).await.unwrap() {
            Introspection::Active(token) => Some(*token),
            Introspection::ActiveRefresh(_) | Introspection::Inactive => None,
        }
    }
}
