//! Signed access tokens, checked by a library that is not ours.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde_json::{Value, json};
use valetkey_oauth::model::{AccessTokenFormat, Algorithm};

use crate::world::World;

async fn signed(world: &World, algorithm: Algorithm) -> String {
    world.use_format(AccessTokenFormat::Jwt(algorithm)).await;
    world.token().await
}

fn published(world: &World) -> JwkSet {
    serde_json::from_str(world.authority.ring().jwks()).unwrap()
}

#[tokio::test]
async fn a_stranger_can_check_every_algorithm_with_the_published_keys() {
    let world = World::new().await;
    for algorithm in Algorithm::ALL {
        let token = signed(&world, algorithm).await;

        let header = decode_header(&token).unwrap();
        let keys = published(&world);
        let key = DecodingKey::from_jwk(keys.find(header.kid.as_deref().unwrap()).unwrap()).unwrap();
        let mut rules = Validation::new(header.alg);
        rules.set_audience(&["https://auth.example/api"]);
        rules.set_issuer(&["https://auth.example"]);
        rules.validate_exp = false;
        let claims = decode::<Value>(&token, &key, &rules).unwrap().claims;

        assert_eq!(header.typ.as_deref(), Some("at+jwt"));
        assert_eq!(claims["sub"], "app");
        assert_eq!(claims["client_id"], "app");
        assert_eq!(claims["scope"], "read:orders write:orders");
        assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 900);
        assert!(claims["jti"].is_string());
        assert!(world.look("app", &token).await.is_some());
    }
}

fn with_header(token: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut parts = token.split('.');
    let mut header: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts.next().unwrap()).unwrap()).unwrap();
    change(&mut header);
    let header = URL_SAFE_NO_PAD.encode(header.to_string());
    format!("{header}.{}.{}", parts.next().unwrap(), parts.next().unwrap())
}

#[tokio::test]
async fn a_token_cannot_choose_its_algorithm_or_type() {
    let world = World::new().await;
    let token = signed(&world, Algorithm::Es256).await;

    for (member, value) in
        [("alg", json!("none")), ("alg", json!("HS256")), ("alg", json!("RS256")), ("typ", json!("JWT"))]
    {
        let forged = with_header(&token, |header| header[member] = value.clone());
        assert!(world.look("app", &forged).await.is_none(), "{member} {value}");
    }
    let unsigned =
        format!("{}.", with_header(&token, |header| header["alg"] = json!("none")).rsplit_once('.').unwrap().0);
    assert!(world.look("app", &unsigned).await.is_none());
}

#[tokio::test]
async fn a_token_that_a_stranger_signed_under_the_name_of_our_key_is_refused() {
    let world = World::new().await;
    let token = signed(&world, Algorithm::Es256).await;
    let own = decode_header(&token).unwrap();
    let stranger = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap().to_pkcs8v1().unwrap();
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&payload).unwrap();
    let forged = |header| encode(&header, &claims, &EncodingKey::from_ec_der(stranger.as_ref())).unwrap();

    let unknown = Header { kid: Some("another".to_owned()), ..own.clone() };
    let nameless = Header { kid: None, ..own.clone() };

    for header in [own, unknown, nameless] {
        assert!(world.look("app", &forged(header)).await.is_none());
    }
    assert!(world.look("app", &token).await.is_some());
}

#[tokio::test]
async fn a_token_of_another_issuer_with_the_same_keys_is_refused() {
    let mut world = World::new().await;
    let token = signed(&world, Algorithm::Es256).await;

    world.authority.policy.issuer = "https://elsewhere.example".to_owned();

    assert!(world.look("app", &token).await.is_none());
}

#[tokio::test]
async fn every_published_key_has_an_id_a_use_and_an_algorithm_and_no_secret_half() {
    let world = World::new().await;
    let document: Value = serde_json::from_str(world.authority.ring().jwks()).unwrap();

    let keys = document["keys"].as_array().unwrap();

    assert_eq!(keys.len(), 3);
    for key in keys {
        assert!(key["kid"].is_string() && key["alg"].is_string());
        assert_eq!(key["use"], "sig");
        assert!(["d", "p", "q", "dp", "dq", "qi", "k"].iter().all(|secret| key.get(secret).is_none()));
    }
}
