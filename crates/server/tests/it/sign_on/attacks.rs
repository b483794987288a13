//! What must not let anyone in.

use std::time::Duration;

use serde_json::json;

use super::provider::{CLIENT, Manner, Provider, SECRET, Signature, now, object};
use super::{account, ada, leave, link, open, sign_on, way_back};
use crate::both_engines;
use crate::house::{House, eventually};
use crate::person::Person;

both_engines! {
    async fn a_token_that_is_not_wholly_sound_lets_nobody_in(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[]).await;
        Person::new(&house, "ada");
        let sound = Manner { person: object(ada()), iss: Some(provider.issuer().to_owned()), ..Manner::default() };
        let later = now() + 3600;
        let lies: Vec<(&str, Manner)> = [
            ("wrong nonce", json!({ "nonce": "another" })),
            ("no nonce", json!({ "nonce": null })),
            ("wrong audience", json!({ "aud": "another client" })),
            ("no audience", json!({ "aud": null })),
            ("another audience beside ours", json!({ "aud": [CLIENT, "another"] })),
            ("wrong presenter", json!({ "azp": "another" })),
            ("wrong issuer", json!({ "iss": "https://evil.example" })),
            ("issuer with a slash", json!({ "iss": format!("{}/", provider.issuer()) })),
            ("expired", json!({ "exp": now() - 120 })),
            ("no end", json!({ "exp": null })),
            ("from the future", json!({ "iat": later, "exp": later + 60 })),
            ("long ago", json!({ "iat": now() - 3600 })),
            ("no beginning", json!({ "iat": null })),
            ("not yet", json!({ "nbf": later })),
            ("nobody", json!({ "sub": null })),
            ("an empty subject", json!({ "sub": "" })),
            ("a number for a subject", json!({ "sub": 7 })),
            ("another access token", json!({ "at_hash": "AAAAAAAAAAAAAAAAAAAAAA" })),
        ]
        .into_iter()
        .map(|(name, over)| (name, Manner { claims: object(over), ..sound.clone() }))
        .chain(
            [Signature::Foreign, Signature::Unpublished, Signature::None, Signature::Shared, Signature::Torn]
                .map(|signature| ("signature", Manner { signature, ..sound.clone() })),
        )
        .chain([
            ("userinfo of another", Manner { userinfo: object(json!({ "sub": "someone else" })), ..sound.clone() }),
            ("an error", Manner { error: Some("invalid_grant".to_owned()), ..sound.clone() }),
        ])
        .collect();

        for (number, (name, manner)) in lies.into_iter().enumerate() {
            // Each from an address of its own: those who try things out wait longer each time.
            let person = Person::from(&house, "ada", [127, 0, 1, u8::try_from(number + 1).unwrap()]);
            let signature = manner.signature;
            provider.behave(|now| *now = manner);
            let back = sign_on(&person, &provider).await;

            assert_eq!(back.status, 502, "{name} {signature:?}: {}", back.text);
            assert!(back.shows("fault") && back.shows("login-with-corp"), "{name}: {}", back.text);
            assert!(person.cookie("vk_sign_in").is_none(), "{name}");
        }
        provider.behave(|manner| *manner = sound);
        assert_eq!(sign_on(&Person::at(&house, "ada"), &provider).await.status, 303, "and the truth does");
        assert!(house.json(&["user", "links", "ada"]).as_array().unwrap().len() == 1);
    }

    async fn an_answer_counts_once_and_only_in_the_browser_that_left(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[]).await;
        let (person, thief) = (Person::new(&house, "ada"), Person::at(&house, "ada"));
        let page = person.open("/login").await;
        thief.open("/login").await;

        let left = leave(&person, &page).await;
        let (name, value) = carried(&left);
        let back = way_back(&provider, &left);
        let without = thief.send(thief.get(&back)).await;
        thief.plant(&name, &value);
        let with_the_cookie = thief.send(thief.get(&back)).await;
        let first = person.send(person.get(&back)).await;
        person.plant(&name, &value);
        let again = person.send(person.get(&back)).await;

        for refused in [&without, &with_the_cookie, &again] {
            assert_eq!(refused.status, 400);
            assert!(refused.shows("error-page"), "{}", refused.text);
        }
        assert_eq!(first.status, 303);
        assert!(thief.cookie("vk_sign_in").is_none() && account(&person).await.is_some());
        assert_eq!(provider.calls("token"), 1, "only the first was brought to the provider");
    }
}

/// What the browser took along.
fn carried(left: &crate::person::Page) -> (String, String) {
    let lines = left.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
    let line = lines.into_iter().find(|line| line.starts_with("vk_c_")).unwrap();
    let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
    (name.to_owned(), value.to_owned())
}

#[tokio::test]
async fn a_state_that_was_not_begun_here_is_none() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let person = Person::new(&house, "ada");
    let left = leave(&person, &person.open("/login").await).await;
    let back = way_back(&provider, &left);
    let state = back.split("state=").nth(1).unwrap().split('&').next().unwrap().to_owned();

    for wrong in ["", "x", &state[..state.len() - 1], &format!("{state}x"), &format!("{state}.vk_in_x"), "%0d%0a%3b"] {
        let page = person.send(person.get(&back.replace(&format!("state={state}"), &format!("state={wrong}")))).await;
        assert_eq!(page.status, 400, "{wrong}");
    }
    assert_eq!(person.send(person.get("/login/corp/callback")).await.status, 400);
    assert_eq!(person.send(person.get(&back.replace("/corp/", "/other/"))).await.status, 404);
    assert_eq!(person.send(person.post("/login/other", &[])).await.status, 400, "no form of ours");
    assert_eq!(person.send(person.get("/login/corp")).await.status, 405);
    assert_eq!(provider.calls("token"), 0);
    assert_eq!(person.send(person.get(&back)).await.status, 303, "mistakes used nothing up");
}

#[tokio::test]
async fn an_answer_of_another_issuer_is_not_brought_to_this_one() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    Person::new(&house, "ada");

    for (iss, said, status) in [
        (Some("https://evil.example".to_owned()), true, 502),
        (Some(format!("{}/", provider.issuer())), true, 502),
        (None, true, 502),
        (Some("https://evil.example".to_owned()), false, 502),
    ] {
        provider.behave(|manner| {
            manner.iss = iss;
            manner.metadata = object(json!({ "authorization_response_iss_parameter_supported": said }));
        });
        let back = sign_on(&Person::at(&house, "ada"), &provider).await;
        assert_eq!(back.status, status);
    }
    assert_eq!(provider.calls("token"), 0, "no code was sent anywhere");
}

#[tokio::test]
async fn one_provider_does_not_answer_for_another() {
    let (provider, evil) = (Provider::knowing(ada()).await, Provider::knowing(ada()).await);
    let house = open(
        House::embedded().await,
        &provider,
        &[
            ("VALETKEY_PROVIDERS_EVIL_ISSUER", evil.issuer()),
            ("VALETKEY_PROVIDERS_EVIL_CLIENT_ID", CLIENT),
            ("VALETKEY_PROVIDERS_EVIL_CLIENT_SECRET", SECRET),
        ],
    )
    .await;
    let person = Person::new(&house, "ada");
    let page = person.open("/login").await;

    let left = leave(&person, &page).await;
    let crossed = way_back(&provider, &left).replace("/corp/", "/evil/");
    let refused = person.send(person.get(&crossed)).await;

    assert!(page.shows("login-with-corp") && page.shows("login-with-evil"));
    assert_eq!(refused.status, 400);
    assert_eq!((provider.calls("token"), evil.calls("token")), (0, 0));
}

#[tokio::test]
async fn a_document_of_another_issuer_is_not_believed() {
    for document in [
        json!({ "issuer": "https://evil.example" }),
        json!({ "authorization_endpoint": "javascript:alert(1)" }),
        json!({ "jwks_uri": null }),
        json!({ "response_types_supported": ["id_token"] }),
    ] {
        let provider = Provider::knowing(ada()).await;
        provider.behave(|manner| manner.metadata = object(document.clone()));
        let house = open(House::embedded().await, &provider, &[]).await;
        let person = Person::new(&house, "ada");

        let left = leave(&person, &person.open("/login").await).await;

        assert_eq!(left.status, 502, "{document}");
        assert!(left.shows("fault") && left.location().is_none());
    }
}

#[tokio::test]
async fn what_a_provider_says_when_it_refuses_is_not_repeated() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let person = Person::new(&house, "ada");
    let hostile = "<script>alert(1)</script>\"'";

    for (error, status, words) in [
        ("access_denied", 403, "did not let you in"),
        (hostile, 502, "did not work"),
        ("server_error", 502, "did not work"),
    ] {
        let left = leave(&person, &person.open("/login").await).await;
        let back = way_back(&provider, &left);
        let state = back.split("state=").nth(1).unwrap().split('&').next().unwrap();
        let answer = [("error", error), ("error_description", hostile), ("state", state), ("iss", provider.issuer())];
        let page = person.send(person.get(&link("/login/corp/callback", &answer))).await;

        assert_eq!(page.status, status, "{error}");
        assert!(page.text.contains(words) && page.text.contains("Example Corp"), "{}", page.text);
        assert!(!page.text.contains("alert(1)"), "{}", page.text);
        assert!(page.shows("login-with-corp") && page.shows("login-submit"), "and one may go on");
    }
    assert!(!house.log().contains("alert(1)"));
}

#[tokio::test]
async fn the_button_is_a_form_of_ours() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let (person, eve) = (Person::new(&house, "ada"), Person::at(&house, "eve"));
    let own = person.open("/login").await.field("csrf").unwrap();
    let foreign = eve.open("/login").await.field("csrf").unwrap();

    let mut attempts = vec![person.post("/login/corp", &[]), person.post("/login/corp", &[("csrf", &foreign)])];
    attempts.push(person.post("/login/corp", &[("csrf", &own)]).header("origin", "https://evil.example"));
    attempts.push(person.post("/login/corp", &[("csrf", &own)]).header("sec-fetch-site", "cross-site"));
    for attempt in attempts {
        assert_eq!(person.send(attempt).await.status, 400);
    }
    assert_eq!(person.send(person.post("/login/corp", &[("csrf", &own)])).await.status, 303);
    for next in ["https://evil.example", "//evil.example", "/consent"] {
        let page = person.open("/login").await;
        let csrf = page.field("csrf").unwrap();
        let left = person.send(person.post("/login/corp", &[("csrf", &csrf), ("next", next)])).await;
        let back = person.send(person.get(&way_back(&provider, &left))).await;
        assert_eq!(back.location(), Some("/login"), "{next}: an address of ours, whatever was asked");
        let out = person.open("/logout").await.field("csrf").unwrap();
        person.send(person.post("/logout", &[("csrf", &out)])).await;
    }
}

#[tokio::test]
async fn who_tries_things_out_waits() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let stranger = Person::from(&house, "ada", [127, 0, 0, 9]);

    let mut last = 0;
    for _ in 0..60 {
        last = stranger.send(stranger.get("/login/corp/callback?state=x&code=y")).await.status;
        if last == 429 {
            break;
        }
        assert_eq!(last, 400);
    }

    assert_eq!(last, 429);
    Person::new(&house, "ada");
    assert_eq!(sign_on(&Person::at(&house, "ada"), &provider).await.status, 303, "others do not");
}

#[tokio::test]
async fn a_provider_that_is_away_is_told_and_not_asked_without_end() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let person = Person::new(&house, "ada");
    provider.behave(|manner| manner.signature = Signature::Unpublished);

    for _ in 0..6 {
        assert_eq!(sign_on(&person, &provider).await.status, 502);
    }
    assert_eq!(provider.calls("discovery"), 1, "the document is kept");
    assert!(provider.calls("jwks") <= 2, "invented keys are looked for now and then: {}", provider.calls("jwks"));

    let away = Provider::knowing(ada()).await;
    let nobody = away.issuer().replace("127.0.0.1", "127.0.0.77");
    let more = [("VALETKEY_PROVIDERS_CORP_ISSUER", nobody.as_str())];
    let house = open(House::embedded().await, &provider, &more).await;
    let person = Person::at(&house, "ada");
    let left = leave(&person, &person.open("/login").await).await;
    assert_eq!(left.status, 502);
    assert!(left.text.contains("cannot be reached"), "{}", left.text);
    assert_eq!(leave(&person, &person.open("/login").await).await.status, 502, "and again");
}

#[tokio::test]
async fn a_private_address_is_not_called_unless_the_operator_says_so() {
    let provider = Provider::knowing(ada()).await;
    let secure = provider.issuer().replace("http://", "https://");
    let more = [("VALETKEY_OUTBOUND_ALLOW", ""), ("VALETKEY_PROVIDERS_CORP_ISSUER", secure.as_str())];
    let house = open(House::embedded().await, &provider, &more).await;
    let person = Person::at(&house, "ada");

    let page = person.open("/login").await;
    let left = leave(&person, &page).await;

    assert_eq!(left.status, 502);
    let is_told = async || house.log().contains("is no public address");
    eventually(Duration::from_secs(20), is_told).await;
}
