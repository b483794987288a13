//! What is kept, and how often a provider is asked.

use std::sync::Mutex;

use async_trait::async_trait;

use super::*;
use crate::model::Secret;
use crate::ports::ClientProof;
use crate::upstream::Linking;

const ISSUER: &str = "https://id.example";

#[derive(Default)]
struct Calls {
    asked: Mutex<Vec<String>>,
    is_away: Mutex<bool>,
    kid: Mutex<&'static str>,
}

#[async_trait]
impl UpstreamCalls for Calls {
    async fn fetch(&self, url: &str, _: Option<&Secret>) -> Result<Vec<u8>, CallFailed> {
        self.asked.lock().unwrap().push(url.to_owned());
        if *self.is_away.lock().unwrap() {
            return Err(CallFailed("away".to_owned()));
        }
        let document = if url.ends_with("/jwks") {
            format!(r#"{{"keys":[{{"kty":"OKP","crv":"Ed25519","x":"AA","kid":"{}"}}]}}"#, self.kid.lock().unwrap())
        } else {
            format!(
                r#"{{"issuer":"{ISSUER}","authorization_endpoint":"{ISSUER}/a","token_endpoint":"{ISSUER}/t","jwks_uri":"{ISSUER}/jwks"}}"#
            )
        };
        Ok(document.into_bytes())
    }

    async fn post(&self, _: &str, _: Secret, _: ClientProof) -> Result<(u16, Vec<u8>), CallFailed> {
        Err(CallFailed("nobody posts here".to_owned()))
    }
}

impl Calls {
    fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

fn directory() -> Directory {
    Directory::new(Provider {
        id: "corp".to_owned(),
        name: "Corp".to_owned(),
        issuer: ISSUER.to_owned(),
        client_id: "me".to_owned(),
        secret: None,
        scopes: "openid".to_owned(),
        linking: Linking::Admin,
        makes_accounts: false,
        domains: Vec::new(),
        claims: Vec::new(),
        renews_claims: false,
    })
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

#[tokio::test]
async fn what_is_fresh_is_not_fetched_again() {
    let (directory, calls) = (directory(), Calls { kid: Mutex::new("1"), ..Calls::default() });

    for second in 0..60 {
        directory.keys(&calls, at(second * 9), Some("1")).await.unwrap();
    }
    assert_eq!(calls.count(), 2, "the document and the keys");
    directory.keys(&calls, at(601), Some("1")).await.unwrap();
    assert_eq!(calls.count(), 3, "keys are looked at again after ten minutes");
    directory.keys(&calls, at(3601), Some("1")).await.unwrap();
    assert_eq!(calls.count(), 5, "and the document after an hour");
}

#[tokio::test]
async fn an_unknown_key_is_looked_for_at_once_but_not_without_end() {
    let (directory, calls) = (directory(), Calls { kid: Mutex::new("1"), ..Calls::default() });
    directory.keys(&calls, at(0), Some("1")).await.unwrap();
    *calls.kid.lock().unwrap() = "2";

    let rotated = directory.keys(&calls, at(30), Some("2")).await.unwrap();
    assert!(rotated.find("2").is_some());
    let before = calls.count();
    for _ in 0..100 {
        assert!(directory.keys(&calls, at(35), Some("invented")).await.unwrap().find("invented").is_none());
    }
    assert_eq!(calls.count(), before, "ten seconds have not passed");
    directory.keys(&calls, at(41), Some("invented")).await.unwrap();
    assert_eq!(calls.count(), before + 1);
}

#[tokio::test]
async fn a_provider_that_is_away_is_served_from_memory_and_one_never_seen_is_told() {
    let (directory, calls) = (directory(), Calls { kid: Mutex::new("1"), ..Calls::default() });
    directory.keys(&calls, at(0), Some("1")).await.unwrap();
    *calls.is_away.lock().unwrap() = true;

    assert!(directory.keys(&calls, at(7200), Some("1")).await.is_ok(), "for a day");
    assert!(directory.keys(&calls, at(90_000), Some("1")).await.is_err(), "and no longer");

    let (unseen, before) = (self::directory(), calls.count());
    for _ in 0..50 {
        assert!(unseen.metadata(&calls, at(0)).await.is_err());
    }
    assert_eq!(calls.count(), before + 1, "a failure is remembered for a moment");
}

#[test]
fn a_key_of_an_unknown_kind_does_not_hide_the_others() {
    let strange =
        r#"{"kty":"AKP","alg":"ML-DSA-44","kid":"0","pub":"AA"},{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#;
    let known = r#"{"kty":"OKP","crv":"Ed25519","x":"AA","kid":"1"}"#;

    let keys = read_keys(format!(r#"{{"keys":[{strange},{known}]}}"#).as_bytes()).unwrap();

    assert!(keys.find("1").is_some());
    assert!(read_keys(b"{}").is_none() && read_keys(b"[]").is_none());
}
