//! A person, `alice`, who signs in and lets `app` do things.

use valetkey_oauth::Refusal;
use valetkey_oauth::accounts::Browser;
use valetkey_oauth::authorize::{
    Answer, AuthorizationRequest, AuthorizationResponse, Interaction, Refused, Step, approve, check, decide,
};
use valetkey_oauth::grants::{Caller, Redemption, Renewal, TokenRequest, TokenSet, exchange};
use valetkey_oauth::model::{Secret, UserId};
use valetkey_oauth::protocol::{Challenge, GrantType, Scope};
use valetkey_testkit::build;

use crate::world::World;

pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CALLBACK: &str = "https://app.example/callback";

/// A world in which `app` may use codes and refresh tokens, and alice is signed in.
pub struct Person {
    pub world: World,
    pub browser: Browser,
}

impl Person {
    pub async fn signed_in() -> Self {
        Self::in_world(World::new().await).await
    }

    pub async fn in_world(world: World) -> Self {
        world
            .change("app", |client| {
                client.grants = vec![GrantType::AuthorizationCode, GrantType::RefreshToken];
                client.scope = Scope::parse("openid profile email read:orders write:orders").unwrap();
            })
            .await;
        let mut user = build::user(1, "alice");
        user.profile.insert("email_verified".to_owned(), true.into());
        world.authority.ports.users.add(&user).await.unwrap();
        world.authority.ports.sign_ins.begin(&build::sign_in(1), &user.password_hash).await.unwrap();
        let browser = Browser { sign_in: Some(build::sign_in(1)), key: "key".to_owned(), ..Browser::default() };
        assert_eq!(build::sign_in(1).user, UserId(build::id(1)));
        Self { world, browser }
    }

    /// Judges a request that is sound but for what is changed.
    pub async fn ask(&self, change: impl FnOnce(&mut AuthorizationRequest<'_>)) -> Result<Interaction, Refused> {
        let challenge = serde_json::to_value(Challenge::of(VERIFIER)).unwrap();
        let mut request = AuthorizationRequest {
            client_id: Some("app"),
            redirect_uri: Some(CALLBACK),
            response_type: Some("code"),
            state: Some("a state"),
            scope: Some("openid read:orders"),
            code_challenge: challenge.as_str(),
            code_challenge_method: Some("S256"),
            nonce: Some("a nonce"),
            ..AuthorizationRequest::default()
        };
        change(&mut request);
        check(&self.world.authority, &request).await
    }

    pub async fn decide(&self, interaction: Interaction) -> Result<Step, Refused> {
        decide(&self.world.authority, interaction, &self.browser).await
    }

    pub async fn approve(&self, interaction: &Interaction) -> Answer {
        approve(&self.world.authority, interaction, &self.browser).await
    }

    /// A fresh code.
    pub async fn code(&self) -> String {
        self.code_for(|_| {}).await
    }

    pub async fn code_for(&self, change: impl FnOnce(&mut AuthorizationRequest<'_>)) -> String {
        let interaction = self.ask(change).await.unwrap();
        parameter(&self.approve(&interaction).await.unwrap(), "code")
    }

    pub async fn redeem(&self, id: &str, code: &str, verifier: &str, uri: &str) -> Result<TokenSet, Refusal> {
        let (code, verifier, redirect_uri) = (code.to_owned(), verifier.to_owned(), uri.to_owned());
        self.redeem_as(id, Redemption { code, verifier, redirect_uri, resource: None, key: None }).await
    }

    /// As the app, under a key for retries.
    pub async fn redeem_under(&self, key: &str, code: &str) -> Result<TokenSet, Refusal> {
        let (code, verifier, redirect_uri) = (code.to_owned(), VERIFIER.to_owned(), CALLBACK.to_owned());
        let redemption = Redemption { code, verifier, redirect_uri, resource: None, key: Some(key.to_owned()) };
        self.redeem_as("app", redemption).await
    }

    async fn redeem_as(&self, id: &str, redemption: Redemption) -> Result<TokenSet, Refusal> {
        let request = TokenRequest::AuthorizationCode(redemption);
        exchange(&self.world.authority, &*self.world.client(id).await, &caller(), request).await
    }

    /// The tokens of a fresh session.
    pub async fn tokens(&self) -> TokenSet {
        self.redeem("app", &self.code().await, VERIFIER, CALLBACK).await.unwrap()
    }

    pub async fn refresh(&self, token: &str) -> Result<TokenSet, Refusal> {
        self.refresh_as("app", token, None, None).await
    }

    pub async fn refresh_as(
        &self,
        id: &str,
        token: &str,
        scope: Option<&str>,
        key: Option<&str>,
    ) -> Result<TokenSet, Refusal> {
        let client = self.world.client(id).await;
        let renewal = Renewal {
            token: token.to_owned(),
            scope: scope.map(str::to_owned),
            resource: None,
            key: key.map(str::to_owned),
        };
        exchange(&self.world.authority, &client, &caller(), TokenRequest::RefreshToken(renewal)).await
    }
}

/// Where the app runs.
fn caller() -> Caller {
    Caller { address: Some([192, 0, 2, 1].into()), certificate: None }
}

/// One parameter of an answer.
pub fn parameter(response: &AuthorizationResponse, name: &str) -> String {
    response.parameters.iter().find(|(known, _)| *known == name).unwrap().1.clone()
}

/// The text of the refresh token.
pub fn refresh_token(tokens: &TokenSet) -> String {
    tokens.refresh_token.as_ref().map(Secret::expose).unwrap().to_owned()
}
