//! `GET /jwks`, and the signed tokens that its keys check.

use std::time::Duration;

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use reqwest::Method;
use serde_json::Value;

use crate::answer::header;
use crate::both_engines;
use crate::house::{House, eventually};

/// Checks a token as a stranger would: with a library that is not ours and the published keys.
pub async fn verify(house: &House, token: &str) -> (Header, Value) {
    verify_for(house, token, &format!("{}/api", house.origin)).await
}

/// The same, for another audience.
pub async fn verify_for(house: &House, token: &str, audience: &str) -> (Header, Value) {
    let head = decode_header(token).unwrap();
    let keys: JwkSet = house.get("/jwks").send().await.unwrap().json().await.unwrap();
    let key = DecodingKey::from_jwk(keys.find(head.kid.as_deref().unwrap()).unwrap()).unwrap();
    let mut rules = Validation::new(head.alg);
    rules.set_audience(&[audience]);
    rules.set_issuer(&[&house.origin]);
    rules.leeway = 0;
    let claims = decode::<Value>(token, &key, &rules).unwrap().claims;
    (head, claims)
}

async fn kids(house: &House) -> Vec<String> {
    let keys: Value = house.get("/jwks").send().await.unwrap().json().await.unwrap();
    let kids = keys["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned());
    kids.collect()
}

both_engines! {
    async fn a_stranger_can_check_every_algorithm_with_the_published_keys(house: House) {
        let expected =
            [("jwt", Algorithm::ES256), ("es256", Algorithm::ES256), ("rs256", Algorithm::RS256), ("eddsa", Algorithm::EdDSA)];
        for (format, algorithm) in expected {
            let client = house.client(format, &["--access-token", format]);
            let token = house.token(&client).await;

            let (head, claims) = verify(&house, &token).await;

            assert_eq!(head.alg, algorithm);
            assert_eq!(head.typ.as_deref(), Some("at+jwt"));
            assert_eq!(claims["sub"], format);
            assert_eq!(claims["client_id"], format);
            assert_eq!(claims["scope"], "read:orders write:orders");
            assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 900);
            assert_eq!(house.introspect(&client, &token).await["jti"], claims["jti"]);
        }
    }

    async fn a_rotated_key_is_published_within_a_second_and_used_later(house: House) {
        let client = house.client("signer", &["--access-token", "jwt"]);
        let old = house.token(&client).await;
        let before = kids(&house).await;

        let listed = house.json(&["key", "rotate", "es256"]);

        let made = listed.as_array().unwrap().iter().find(|key| key["state"] == "published").unwrap();
        let made = made["id"].as_str().unwrap().to_owned();
        assert!(!before.contains(&made));
        eventually(Duration::from_secs(1), async || kids(&house).await.contains(&made)).await;
        assert!(before.iter().all(|kid| !kid.is_empty()));
        assert_eq!(kids(&house).await.len(), before.len() + 1);
        let new = house.token(&client).await;
        assert_eq!(decode_header(&new).unwrap().kid, decode_header(&old).unwrap().kid, "not before it is known");
        verify(&house, &old).await;
    }

    async fn a_key_rotated_now_signs_within_a_second_and_old_tokens_stay_good(house: House) {
        let signer = house.client("signer", &["--access-token", "jwt"]);
        let sealer = house.client("sealer", &[]);
        let (signed, sealed) = (house.token(&signer).await, house.token(&sealer).await);
        let before = kids(&house).await;

        house.json(&["key", "rotate", "--now"]);

        eventually(Duration::from_secs(1), async || {
            let kid = decode_header(house.token(&signer).await).unwrap().kid.unwrap();
            !before.contains(&kid)
        })
        .await;
        let fresh = house.token(&signer).await;
        verify(&house, &fresh).await;
        verify(&house, &signed).await;
        for (client, token) in [(&signer, &signed), (&sealer, &sealed), (&sealer, &house.token(&sealer).await)] {
            assert_eq!(house.introspect(client, token).await["active"], true);
        }
    }
}

#[tokio::test]
async fn keys_are_public_in_every_sense() {
    let house = House::embedded().await;

    let answer = house.get("/jwks").header("origin", "https://anyone.example").send().await.unwrap();

    assert_eq!(header(&answer, "content-type"), "application/json");
    assert_eq!(header(&answer, "access-control-allow-origin"), "*");
    assert_eq!(header(&answer, "cache-control"), "public, max-age=300");
    let keys: Value = answer.json().await.unwrap();
    let keys = keys["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 3);
    for key in keys {
        assert_eq!(key["use"], "sig");
        for member in ["kid", "kty", "alg"] {
            assert!(key[member].is_string(), "{key}");
        }
        for private in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
            assert!(key.get(private).is_none(), "{private} is published");
        }
    }
}

#[tokio::test]
async fn browsers_and_probes_get_an_answer_without_a_body() {
    let house = House::embedded().await;
    let at = format!("{}/jwks", house.origin);

    let head = house.http.head(&at).send().await.unwrap();
    let preflight = house
        .http
        .request(Method::OPTIONS, &at)
        .header("origin", "https://anyone.example")
        .header("access-control-request-method", "GET")
        .send()
        .await
        .unwrap();

    assert_eq!(head.status(), 200);
    assert_eq!(header(&head, "content-type"), "application/json");
    assert!(head.bytes().await.unwrap().is_empty());
    assert_eq!(preflight.status(), 204);
    assert_eq!(header(&preflight, "access-control-allow-origin"), "*");
    assert!(header(&preflight, "access-control-allow-methods").contains("GET"));
}
