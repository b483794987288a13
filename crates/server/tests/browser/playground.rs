//! `/playground`: every flow, as a newcomer walks through it.

use serde_json::Value;

use crate::tab::Setup;
use crate::world::{PASSWORD, World, browse_demonstration};

/// Signs in from the playground and comes back to it.
async fn come_back(world: &World) {
    world.tab.press("#pkce-start").await;
    world.tab.see("#login-submit, [data-check=state].holds").await;
    if world.tab.sees("#login-submit").await {
        world.sign_in("demo", PASSWORD).await;
        world.tab.press("#consent-approve").await;
    }
    world.tab.see("[data-check=state].holds").await;
}

/// The whole way to tokens.
async fn get_tokens(world: &World) {
    world.tab.go("/playground").await;
    come_back(world).await;
    world.tab.press("#pkce-exchange").await;
    world.tab.see("[data-slot=exchange] [data-status='200']").await;
}

async fn status(world: &World, slot: &str) -> String {
    let exchange = world.tab.see(&format!("[data-slot='{slot}'] .exchange")).await;
    exchange.attr("data-status").await.unwrap().unwrap_or_default()
}

async fn tokens(world: &World) -> Value {
    let held = world.tab.run("return sessionStorage.getItem('valetkey-playground')").await;
    serde_json::from_str::<Value>(held.as_str().unwrap()).unwrap()["tokens"].clone()
}

#[tokio::test]
async fn a_newcomer_gets_tokens_with_pkce_and_checks_them() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/playground").await;
        assert_eq!(tab.property("#pkce-exchange", "disabled").await.as_deref(), Some("true"));
        let (verifier, challenge) = (tab.text("[data-value=verifier]").await, tab.text("[data-value=challenge]").await);
        assert_eq!((verifier.len(), challenge.len()), (43, 43));

        come_back(world).await;
        let address = tab.address().await;
        assert_eq!((address.path(), address.query()), ("/playground", None), "the code does not stay in the address");
        assert_eq!(tab.text("[data-value=verifier]").await, verifier, "the way to the sign-in page lost nothing");
        tab.see("[data-check=iss].holds").await;
        tab.press("#pkce-exchange").await;
        assert_eq!(status(world, "exchange").await, "200");
        tab.press("#id-token-check").await;
        for check in ["signature", "issuer", "audience", "time", "nonce", "at-hash"] {
            tab.see(&format!("#id-token [data-check={check}].holds")).await;
        }
        tab.press("#userinfo-run").await;
        assert_eq!(status(world, "userinfo").await, "200");
        assert!(tab.text("[data-slot=userinfo]").await.contains("Ada Lovelace"));

        tab.web.refresh().await.unwrap();
        assert_eq!(status(world, "userinfo").await, "200", "a reload keeps what was shown");
        assert_eq!(tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn mistakes_are_refused_and_explained_and_a_second_use_ends_the_session() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/playground").await;
        come_back(world).await;

        for (button, why) in [
            ("#pkce-wrong-verifier", "The hash of this secret is not the challenge"),
            ("#pkce-no-verifier", "Without the secret"),
            ("#pkce-wrong-redirect", "another address"),
        ] {
            tab.press(button).await;
            tab.reads("[data-slot=what-if] .why", why).await;
            assert_eq!(status(world, "what-if").await, "400", "{button}");
            assert!(tab.property("[data-slot=what-if] .notice-bad a", "href").await.unwrap().contains("/problems/"));
        }
        tab.press("#pkce-exchange").await;
        assert_eq!(status(world, "exchange").await, "200", "mistakes do not use up a code");
        tab.press("#pkce-replay").await;
        tab.see("[data-slot=what-then] [data-status='401']").await;
        assert_eq!(status(world, "what-if").await, "400");
        assert_eq!(tokens(world).await, Value::Null, "dead tokens are forgotten");
    })
    .await;
}

#[tokio::test]
async fn without_a_challenge_the_browser_comes_back_with_an_error() {
    browse_demonstration(Setup::default(), async |world| {
        world.tab.go("/playground").await;

        world.tab.press("#pkce-without").await;

        let error = world.tab.see("#return-error").await.text().await.unwrap();
        assert!(error.contains("code_challenge"), "{error}");
        world.tab.see("[data-check=state].holds").await;
        assert_eq!(world.tab.property("#pkce-exchange", "disabled").await.as_deref(), Some("true"));
        assert!(world.tab.address().await.query().is_none());
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_was_not_asked_for_goes_no_further() {
    browse_demonstration(Setup::default(), async |world| {
        world.tab.go("/playground").await;
        let issuer = &world.house.origin;

        world.tab.go(&format!("/playground/callback?code=vk_ac_x&state=forged&iss={issuer}")).await;
        world.tab.see("[data-check=state].fails").await;
        assert_eq!(world.tab.property("#pkce-exchange", "disabled").await.as_deref(), Some("true"));

        let words = "error=x&error_description=Call+0800+1234&error_uri=javascript:alert(1)";
        world.tab.go(&format!("/playground/callback?{words}&state=forged&iss={issuer}")).await;
        world.tab.see("[data-check=state].fails").await;
        assert!(!world.tab.text("main").await.contains("0800"), "a stranger's words are not repeated");

        let state = world.tab.text("[data-value=state]").await;
        world.tab.go(&format!("/playground/callback?code=vk_ac_x&state={state}&iss=https://evil.example")).await;
        world.tab.see("[data-check=iss].fails").await;
        assert_eq!(world.tab.property("#pkce-exchange", "disabled").await.as_deref(), Some("true"));
    })
    .await;
}

#[tokio::test]
async fn a_refresh_replaces_the_tokens_and_the_old_one_ends_the_session() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        get_tokens(world).await;
        let first = tokens(world).await;

        tab.press(".play-tabs a[href='#refresh']").await;
        tab.press("#refresh-run").await;
        assert_eq!(status(world, "refresh").await, "200");
        let second = tokens(world).await;
        assert_ne!(first["refresh_token"], second["refresh_token"]);
        assert_ne!(first["access_token"], second["access_token"]);

        tab.press("#refresh-replay").await;
        tab.see("[data-slot=replay-then] [data-status='401']").await;
        assert_eq!(status(world, "replay").await, "400");
        assert!(tab.text("[data-slot=replay] .exchange").await.contains("invalid_grant"));
        assert_eq!(tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn revoking_ends_the_access_token_at_once() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        get_tokens(world).await;

        tab.press(".play-tabs a[href='#revoke']").await;
        tab.press("#revoke-run").await;

        tab.see("[data-slot=revoke-then] [data-status='401']").await;
        assert_eq!(status(world, "revoke").await, "200");
        tab.press("#revoke-logout").await;
        tab.see("#logout-confirm").await;
    })
    .await;
}

#[tokio::test]
async fn a_secret_that_is_pasted_is_used_and_kept_nowhere() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        let renewed = world.house.json(&["client", "rotate-secret", "demo-service"]);
        let secret = renewed["client_secret"].as_str().unwrap();
        tab.go("/playground#service").await;

        tab.fill("#service-secret", secret).await;
        tab.press("#service-run").await;
        assert_eq!(status(world, "service").await, "200");
        tab.press("#introspect-run").await;
        assert_eq!(status(world, "introspect").await, "200");
        assert!(tab.text("[data-slot=introspect]").await.contains("\"active\": true"));

        let seen = tab.web.source().await.unwrap();
        assert!(!seen.contains(secret), "the secret stands in the page");
        let kept = tab.run("return JSON.stringify(sessionStorage) + JSON.stringify(localStorage)").await;
        assert!(!kept.as_str().unwrap().contains(secret));
        tab.web.refresh().await.unwrap();
        assert_eq!(tab.property("#service-secret", "value").await.as_deref(), Some(""));
    })
    .await;
}

#[tokio::test]
async fn the_device_flow_shows_a_code_and_polls() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/playground#device").await;

        tab.press("#device-start").await;

        assert_eq!(status(world, "device").await, "200");
        assert_eq!(tab.text("[data-value=user-code]").await.len(), "BCDF-GHJK".len());
        tab.press("#device-hurry").await;
        tab.see("#device-polls [data-poll]").await;
        tab.press("#device-stop").await;
    })
    .await;
}

#[tokio::test]
async fn another_name_of_the_server_leads_to_the_one_that_the_app_is_registered_for() {
    browse_demonstration(Setup::default(), async |world| {
        world.tab.go(&format!("{}/playground#refresh", world.house.origin.replace("127.0.0.1", "localhost"))).await;

        world.tab.see("#refresh-run").await;
        assert_eq!(world.tab.address().await.as_str(), format!("{}/playground#refresh", world.house.origin));
    })
    .await;
}

#[tokio::test]
async fn starting_over_forgets_everything() {
    browse_demonstration(Setup::default(), async |world| {
        get_tokens(world).await;
        let verifier = world.tab.text("[data-value=verifier]").await;

        world.tab.press("#play-reset").await;

        world.tab.see("[data-show=waiting]").await;
        assert_ne!(world.tab.text("[data-value=verifier]").await, verifier);
        assert_eq!(tokens(world).await, Value::Null);
    })
    .await;
}

#[tokio::test]
async fn without_scripts_the_page_says_so_and_shows_the_commands() {
    let setup = Setup { without_script: true, ..Setup::default() };
    browse_demonstration(setup, async |world| {
        world.tab.go("/playground").await;

        world.tab.see("#play-noscript").await;
        assert!(world.tab.text(".play-curl").await.contains("code_verifier=\"$VERIFIER\""));
        assert!(!world.tab.sees("#pkce-start").await);
    })
    .await;
}
