//! Where a refused authorization request ends.

use valetkey_oauth::Refusal;
use valetkey_oauth::authorize::{AuthorizationRequest, Verdict, judge};

use crate::world::World;

const REGISTERED: &str = "https://app.example/callback";

fn request<'a>(redirect_uri: &'a str, response_type: Option<&'a str>) -> AuthorizationRequest<'a> {
    AuthorizationRequest { client_id: Some("app"), redirect_uri: Some(redirect_uri), response_type, state: None }
}

#[tokio::test]
async fn implicit_is_refused_at_the_registered_uri() {
    let world = World::new().await;

    for kind in ["token", "id_token", "id_token token", "code token"] {
        let verdict = judge(&world.authority, &request(REGISTERED, Some(kind))).await;
        let Verdict::Redirect { redirect_uri, refusal } = verdict else { panic!("{verdict:?}") };
        assert_eq!(redirect_uri, REGISTERED);
        assert!(matches!(refusal, Refusal::ResponseTypeUnsupported));
    }
}

#[tokio::test]
async fn nothing_is_sent_to_a_uri_that_differs_by_one_byte() {
    let world = World::new().await;

    for near in [
        "https://app.example/callback/",
        "https://app.example/callback?x=1",
        "https://app.example/callbac",
        "https://APP.example/callback",
        "http://app.example/callback",
        "https://app.example/callback/../evil",
        "https://app.example:443/callback",
    ] {
        let verdict = judge(&world.authority, &request(near, Some("token"))).await;
        assert!(matches!(verdict, Verdict::Page(Refusal::RedirectUriUnregistered)), "{near}");
    }
}

#[tokio::test]
async fn without_a_known_client_there_is_only_a_page() {
    let world = World::new().await;
    let mut unknown = request(REGISTERED, Some("token"));
    unknown.client_id = Some("ghost");
    let mut nobody = request(REGISTERED, Some("token"));
    nobody.client_id = None;

    assert!(matches!(judge(&world.authority, &unknown).await, Verdict::Page(Refusal::AuthorizingClientUnknown)));
    assert!(matches!(judge(&world.authority, &nobody).await, Verdict::Page(Refusal::Missing("client_id"))));
}
