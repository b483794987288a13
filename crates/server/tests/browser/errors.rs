//! What a person sees when a request cannot go on.

use crate::tab::Setup;
use crate::world::browse;

#[tokio::test]
async fn a_redirect_uri_that_is_not_registered_ends_on_a_page_of_ours() {
    browse(Setup::default(), async |world| {
        for (name, value) in [("redirect_uri", world.app.at("/elsewhere")), ("client_id", "nobody".to_owned())] {
            world.tab.go(&world.request(&[(name, &value)])).await;

            world.tab.see("#error-page").await;
            assert!(world.tab.address().await.as_str().starts_with(&world.house.origin));
        }
        world.tab.go(&world.request(&[("redirect_uri", "javascript:alert(1)")])).await;
        world.tab.see("#error-page").await;
    })
    .await;
}

#[tokio::test]
async fn an_unknown_address_gets_a_page_that_leads_home() {
    browse(Setup::default(), async |world| {
        world.tab.go("/no/such/page").await;

        world.tab.see("#error-page").await;
        world.tab.press("a.brand").await;
        world.tab.see("#doors").await;
        assert_eq!(world.tab.address().await.path(), "/");
    })
    .await;
}

#[tokio::test]
async fn a_request_without_pkce_goes_back_to_the_app_before_anyone_signs_in() {
    browse(Setup::default(), async |world| {
        world.tab.go(&world.request(&[("code_challenge", ""), ("code_challenge_method", "")])).await;

        let answer = world.app.arrival().await;
        assert_eq!((answer.get("error"), answer.get("code")), ("invalid_request", ""));
    })
    .await;
}
