//! The resource server that is written by hand, in `examples`: it passes what the declared users pass.

use std::sync::Arc;
use std::time::Duration;

use example_resource_server::{World, app};
use tokio::net::TcpListener;
use valetkey_rest::bearer::introspection::{IntrospectionVerify, Introspector};
use valetkey_rest::bearer::jwks::{JwksVerify, Trust};
use valetkey_rest::bearer::{Challenge, Verify};
use valetkey_rest::rate_limit::Quota;

use crate::house::{Engine, House};

/// Runs a test on the declared API of both engines and on the server written by hand.
#[macro_export]
macro_rules! every_server {
    ($(async fn $name:ident($house:ident: House) $body:block)+) => {
        $(mod $name {
            #[allow(unused_imports)]
            use super::*;
            use $crate::house::{Engine, House};

            async fn check($house: House) $body

            #[tokio::test]
            async fn sqlite() {
                check(House::on(Engine::Sqlite).await.unwrap()).await;
            }

            #[tokio::test]
            async fn postgres() {
                if let Some(house) = House::on(Engine::Postgres).await {
                    check(house).await;
                }
            }

            #[tokio::test]
            async fn by_hand() {
                check($crate::api::by_hand::house().await).await;
            }
        })+
    };
}

/// An authorization server, and beside it the example, which asks it about tokens.
pub async fn house() -> House {
    let mut house = House::on(Engine::Sqlite).await.unwrap();
    let guard = house.client("guard", &["--introspect", "any"]);
    let introspector = Introspector {
        endpoint: format!("{}/introspect", house.origin),
        client_id: guard.id,
        client_secret: guard.secret,
        audience: None,
    };
    let clock = Arc::new(now);
    let verify = IntrospectionVerify::new(introspector, house.http.clone(), clock);
    house.api = Some(serve(&house, Arc::new(verify)).await);
    house
}

async fn serve(house: &House, verify: Arc<dyn Verify>) -> String {
    let world = World {
        problems: house.origin.clone(),
        verify,
        challenge: Challenge { realm: "shop".to_owned(), resource_metadata: None },
        quota: Quota { limit: 100_000, window: Duration::from_secs(60) },
        origins: Vec::new(),
        cursor_key: [7; 32],
        clock: Arc::new(now),
        random: Arc::new(|bytes| aws_lc_rs::rand::fill(bytes).unwrap()),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app(world)).await });
    origin
}

#[expect(clippy::disallowed_methods, reason = "tokens of a real server are judged by the real time")]
fn now() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap()
}

#[tokio::test]
async fn signed_tokens_are_verified_by_the_published_keys() {
    let mut house = House::with(Engine::Sqlite, &[("VALETKEY_TOKENS_ACCESS_FORMAT", "jwt")]).await.unwrap();
    let trust = Trust {
        issuer: house.origin.clone(),
        audience: format!("{}/api", house.origin),
        jwks_uri: format!("{}/jwks", house.origin),
    };
    let verify = JwksVerify::new(trust, house.http.clone(), Arc::new(now));
    house.api = Some(serve(&house, Arc::new(verify)).await);
    let caller = super::Caller::client(&house).await;

    let path = caller.make_user("ada").await;

    assert_eq!(caller.read(&path).await["name"], "ada");
    let mut forged = caller.clone();
    forged.token.truncate(forged.token.len() - 4);
    super::status_of(forged.get(&path), 401).await;
}
