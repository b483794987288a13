//! Tokens, codes and what travels sealed through the pages: only what was issued opens, letter for letter, and only as
//! what it was issued.

use valetkey_oauth::Refusal;
use valetkey_oauth::authorize::{AuthorizationRequest, Interaction, approve, check as judge};
use valetkey_oauth::clients;
use valetkey_oauth::grants::{Caller, DevicePoll, Redemption, Renewal, TokenRequest, TokenSet, exchange};
use valetkey_oauth::model::{AccessTokenFormat, Algorithm};
use valetkey_oauth::protocol::Challenge;
use valetkey_oauth::tokens::{Introspection, introspect, verify};

use super::authority::Desk;

pub const WORDS: &[&str] =
    &["vk_at_", "vk_rt_", "vk_ac_", "vk_in_", "vk_dc_", "eyJhbGciOiJub25lIn0", ".", "=", "AAAA", "-", "_"];

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CALLBACK: &str = "https://app.example/callback";

/// A desk and what it issued: two access tokens, a refresh token, a code and an interaction.
struct Issued {
    desk: Desk,
    texts: [String; 5],
}

thread_local! {
    static ISSUED: Issued = Issued::new();
}

/// One byte picks a text, two say where, and the rest stands there instead.
pub fn check(data: &[u8]) {
    ISSUED.with(|issued| {
        issued.opens_nothing_else(&String::from_utf8_lossy(data));
        let Some(([pick, high, low], rest)) = data.split_first_chunk::<3>() else { return };
        let good = &issued.texts[usize::from(*pick) % issued.texts.len()];
        let rest = String::from_utf8_lossy(rest);
        let at = usize::from(u16::from_be_bytes([*high, *low])) % (good.len() + 1);
        let end = (at + rest.len()).min(good.len());
        issued.opens_nothing_else(&format!("{}{rest}{}", &good[..at], &good[end..]));
        issued.opens_nothing_else(&format!("{}{rest}", &good[..at]));
        // The right content under another purpose.
        let body = good.get(6..).unwrap_or_default();
        for prefix in ["vk_at_", "vk_rt_", "vk_ac_", "vk_dc_", "vk_in_"] {
            issued.opens_nothing_else(&format!("{prefix}{body}"));
        }
    });
}

impl Issued {
    fn new() -> Self {
        let desk = Desk::open();
        let texts = desk.runtime.block_on(async {
            let code = || async {
                let challenge = serde_json::to_value(Challenge::of(VERIFIER)).unwrap();
                let request = AuthorizationRequest {
                    client_id: Some("app"),
                    redirect_uri: Some(CALLBACK),
                    response_type: Some("code"),
                    scope: Some("openid read:orders"),
                    code_challenge: challenge.as_str(),
                    code_challenge_method: Some("S256"),
                    ..AuthorizationRequest::default()
                };
                let interaction = judge(&desk.authority, &request).await.unwrap();
                let answer = approve(&desk.authority, &interaction, &desk.alice).await.unwrap();
                (answer.parameters[0].1.clone(), interaction.seal(&desk.authority).unwrap())
            };
            let redeem = |code| async { desk.trade(code_request(code)).await.unwrap() };
            let (first, _) = code().await;
            let opaque = redeem(first).await;
            let mut client = (*desk.client().await).clone();
            client.access_token_format = Some(AccessTokenFormat::Jwt(Algorithm::Es256));
            clients::update(&desk.authority, &client).await.unwrap();
            let (second, _) = code().await;
            let signed = redeem(second).await;
            let (code, interaction) = code().await;
            let text = |tokens: &TokenSet| tokens.access_token.expose().to_owned();
            let refresh = opaque.refresh_token.as_ref().unwrap().expose().to_owned();
            [text(&opaque), text(&signed), refresh, code, interaction]
        });
        let issued = Self { desk, texts };
        assert!(issued.opens(&issued.texts[0]) && issued.opens(&issued.texts[1]) && issued.opens(&issued.texts[2]));
        issued
    }

    /// As an access token or a refresh token.
    fn opens(&self, text: &str) -> bool {
        self.desk.runtime.block_on(async {
            let client = self.desk.client().await;
            let seen = introspect(&self.desk.authority, &client, text).await.unwrap();
            let is_access = verify(&self.desk.authority, text).await.unwrap().is_some();
            assert_eq!(is_access, matches!(seen, Introspection::Active(_)), "two doors, one answer");
            !matches!(seen, Introspection::Inactive)
        })
    }

    fn opens_nothing_else(&self, text: &str) {
        if self.texts.iter().any(|good| good == text) {
            return;
        }
        assert!(!self.opens(text), "{text:?} is no token");
        assert!(Interaction::open(&self.desk.authority, text).is_err(), "{text:?} is no interaction");
        let renewal = Renewal { token: text.to_owned(), scope: None, resource: None, key: None };
        self.desk.runtime.block_on(async {
            let refused = self.desk.trade(code_request(text.to_owned())).await;
            assert!(matches!(refused, Err(Refusal::CodeUnknown)), "{text:?} is no code: {refused:?}");
            let refused = self.desk.trade(TokenRequest::RefreshToken(renewal)).await;
            assert!(matches!(refused, Err(Refusal::RefreshUnknown)), "{text:?} renews nothing: {refused:?}");
            let refused = self
                .desk
                .trade(TokenRequest::DeviceCode(DevicePoll { code: text.to_owned(), resource: None, key: None }))
                .await;
            assert!(matches!(refused, Err(Refusal::DeviceCodeUnknown)), "{text:?} is no device: {refused:?}");
        });
    }
}

fn code_request(code: String) -> TokenRequest {
    let (verifier, redirect_uri) = (VERIFIER.to_owned(), CALLBACK.to_owned());
    TokenRequest::AuthorizationCode(Redemption { code, verifier, redirect_uri, resource: None, key: None })
}

impl Desk {
    async fn trade(&self, request: TokenRequest) -> Result<TokenSet, Refusal> {
        exchange(&self.authority, &*self.client().await, &Caller::default(), request).await
    }
}
