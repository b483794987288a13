//! Who the user is.

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value, json};
use valetkey_oauth::model::{Algorithm, Secret};
use valetkey_oauth::openid::userinfo;
use valetkey_oauth::tokens::verify;
use valetkey_oauth::{Authority, Refusal};

use crate::person::{CALLBACK, Person, VERIFIER};

/// What userinfo tells whoever holds this token.
async fn opened(authority: &Authority, text: &str) -> Result<Map<String, Value>, Refusal> {
    let token = verify(authority, text).await?.ok_or(Refusal::TokenInvalid)?;
    userinfo(authority, &token, None).await
}

fn claims(person: &Person, token: &str) -> Value {
    let header = decode_header(token).unwrap();
    let keys: JwkSet = serde_json::from_str(person.world.authority.ring().jwks()).unwrap();
    let key = DecodingKey::from_jwk(keys.find(header.kid.as_deref().unwrap()).unwrap()).unwrap();
    let mut rules = Validation::new(header.alg);
    rules.set_audience(&["app"]);
    rules.set_issuer(&["https://auth.example"]);
    rules.validate_exp = false;
    decode::<Value>(token, &key, &rules).unwrap().claims
}

#[tokio::test]
async fn an_id_token_says_who_signed_in_when_and_how() {
    let person = Person::signed_in().await;

    let tokens = person.tokens().await;
    let claims = claims(&person, tokens.id_token.as_ref().map(Secret::expose).unwrap());

    let sign_in = person.browser.sign_in.as_ref().unwrap();
    assert_eq!(claims["sub"], sign_in.user.to_string());
    assert_eq!(claims["azp"], "app");
    assert_eq!(claims["nonce"], "a nonce");
    assert_eq!(claims["auth_time"], sign_in.authenticated_at.as_second());
    assert_eq!(claims["amr"], json!(["pwd"]));
    assert_eq!(claims["sid"], sign_in.id.to_string());
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 900);
    assert!(claims.get("email").is_none() && claims.get("name").is_none(), "what scopes open is told at userinfo");
}

#[tokio::test]
async fn it_is_signed_as_the_client_wants_and_by_rs256_otherwise() {
    let person = Person::signed_in().await;
    let algorithm = |token: &str| format!("{:?}", decode_header(token).unwrap().alg);

    let usual = person.tokens().await.id_token.unwrap();
    person.world.change("app", |client| client.id_token_algorithm = Algorithm::EdDsa).await;
    let wanted = person.tokens().await.id_token.unwrap();

    assert_eq!(algorithm(usual.expose()), "RS256");
    assert_eq!(algorithm(wanted.expose()), "EdDSA");
    assert!(claims(&person, wanted.expose())["at_hash"].as_str().unwrap().len() == 43, "half of SHA-512 is 32 bytes");
}

#[tokio::test]
async fn userinfo_tells_what_the_scope_opens_and_nothing_else() {
    let person = Person::signed_in().await;
    let code = person.code_for(|request| request.scope = Some("openid email")).await;
    let tokens = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();

    let told = opened(&person.world.authority, tokens.access_token.expose()).await.unwrap();

    assert_eq!(told["email"], "alice@example.org");
    assert_eq!(told["email_verified"], true);
    assert_eq!(told.len(), 3, "{told:?}");
}

#[tokio::test]
async fn single_claims_are_told_where_they_were_asked_for() {
    let person = Person::signed_in().await;
    let asked = r#"{"userinfo":{"preferred_username":{"essential":true}},"id_token":{"email":null,"sub":null}}"#;
    let code = person.code_for(|request| request.claims = Some(asked)).await;
    let tokens = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();

    let told = opened(&person.world.authority, tokens.access_token.expose()).await.unwrap();
    let signed = claims(&person, tokens.id_token.as_ref().unwrap().expose());

    assert_eq!(told["preferred_username"], "alice");
    assert!(!told.contains_key("email"));
    assert_eq!(signed["email"], "alice@example.org");
}

#[tokio::test]
async fn userinfo_needs_a_living_token_with_openid() {
    let person = Person::signed_in().await;
    let code = person.code_for(|request| request.scope = Some("read:orders")).await;
    let without = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();
    let authority = &person.world.authority;

    assert!(without.id_token.is_none());
    assert!(matches!(opened(authority, without.access_token.expose()).await, Err(Refusal::TokenScope("openid"))));
    assert!(matches!(opened(authority, "garbage").await, Err(Refusal::TokenInvalid)));
}

#[tokio::test]
async fn an_id_token_is_a_hint_of_its_own_client_only() {
    let person = Person::signed_in().await;
    // Outlives the request that borrows it.
    let hint: &'static str = person.tokens().await.id_token.unwrap().expose().to_owned().leak();
    person.world.clock.advance(100_000);

    let own = person.ask(|request| request.id_token_hint = Some(hint)).await.unwrap();
    person
        .world
        .change("other", |client| client.grants = vec![valetkey_oauth::protocol::GrantType::AuthorizationCode])
        .await;
    let foreign = person.ask(|request| {
        request.client_id = Some("other");
        request.scope = Some("read:orders");
        request.id_token_hint = Some(hint);
    });

    assert_eq!(own.hinted, Some(person.browser.sign_in.as_ref().unwrap().user.to_string()));
    assert!(foreign.await.is_err());
}
