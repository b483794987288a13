//! `GET` and `POST /authorize`

use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::LOCATION;
use url::Url;

use crate::answer::{header, problem, refused};
use crate::app::{VERIFIER, challenge};
use crate::both_engines;
use crate::house::{House, eventually};
use crate::person::{self, Person};

const CALLBACK: &str = "https://app.example/cb?tenant=7";

fn register(house: &House) {
    let app = ["client", "add", "--name", "App", "--id", "app", "--public", "--redirect-uri", CALLBACK];
    house.json(&app);
}

fn ask(house: &House, parameters: &[(&str, &str)]) -> RequestBuilder {
    let at = Url::parse_with_params(&format!("{}/authorize", house.origin), parameters).unwrap();
    house.http.get(at)
}

/// Where an error went, as the app reads it.
async fn sent_back(request: RequestBuilder) -> Vec<(String, String)> {
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 303);
    assert_eq!(header(&answer, "cache-control"), "no-store");
    let location = answer.headers()[LOCATION].to_str().unwrap().to_owned();
    assert!(location.starts_with(CALLBACK), "{location}");
    let pairs: Vec<_> = Url::parse(&location).unwrap().query_pairs().into_owned().collect();
    assert!(!pairs.iter().any(|(name, _)| ["code", "access_token", "id_token"].contains(&name.as_str())));
    pairs
}

fn value<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut found = pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let first = found.next();
    assert!(found.next().is_none(), "{name} stands twice");
    first
}

both_engines! {
    async fn implicit_is_refused_at_the_app_with_its_state_unchanged(house: House) {
        register(&house);
        let state = "a b&c=d/%41+\u{e9}#\"'";

        for kind in ["token", "id_token", "id_token token", "code token", "none", "CODE"] {
            let pairs = sent_back(ask(
                &house,
                &[("client_id", "app"), ("redirect_uri", CALLBACK), ("response_type", kind), ("state", state)],
            ))
            .await;

            assert_eq!(value(&pairs, "error"), Some("unsupported_response_type"), "{kind}");
            assert_eq!(value(&pairs, "state"), Some(state));
            assert_eq!(value(&pairs, "iss"), Some(house.origin.as_str()));
            assert_eq!(value(&pairs, "tenant"), Some("7"), "what was registered stays");
            let words = value(&pairs, "error_description").unwrap();
            assert!(words.bytes().all(|byte| matches!(byte, 0x20..=0x7e) && byte != b'"' && byte != b'\\'));
        }
    }

    async fn an_unregistered_redirect_uri_is_never_followed(house: House) {
        register(&house);
        let strangers = [
            "https://evil.example/cb",
            "https://app.example/cb",
            "https://app.example/cb?tenant=7&x=1",
            "https://app.example/cb?tenant=77",
            "https://APP.example/cb?tenant=7",
            "https://app.example/cb/../cb?tenant=7",
            "https://app.example:443/cb?tenant=7",
            "http://app.example/cb?tenant=7",
            "https://app.example/cb?tenant=7#",
            "javascript:alert(1)",
        ];

        for uri in strangers {
            let parameters =
                [("client_id", "app"), ("redirect_uri", uri), ("response_type", "token"), ("state", "s")];
            let body = refused(ask(&house, &parameters), 400, "invalid_request").await;
            assert!(!body.to_string().contains("tenant=7"), "a registered value is told: {body}");
            let page = ask(&house, &parameters).header("accept", "text/html").send().await.unwrap();
            assert_eq!(page.status(), 400);
            assert!(page.headers().get(LOCATION).is_none(), "{uri}");
        }
    }
}

#[tokio::test]
async fn a_person_sees_a_page_where_the_app_cannot_be_told() {
    let house = House::embedded().await;
    register(&house);
    let requests: [&[(&str, &str)]; 4] = [
        &[],
        &[("client_id", "app")],
        &[("client_id", "nobody"), ("redirect_uri", CALLBACK), ("response_type", "token")],
        &[("client_id", "app"), ("redirect_uri", "https://evil.example/<script>"), ("response_type", "token")],
    ];

    for parameters in requests {
        let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        let page = ask(&house, parameters).header("accept", accept).send().await.unwrap();

        assert_eq!(page.status(), 400);
        assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
        assert_eq!(header(&page, "cache-control"), "no-store");
        assert!(header(&page, "content-security-policy").contains("default-src 'none'"));
        assert!(page.headers().get(LOCATION).is_none());
        let id = header(&page, "x-request-id");
        let text = page.text().await.unwrap();
        assert!(text.contains("id=\"error-page\""));
        assert!(text.contains(&id), "the page names the request");
        assert!(!text.contains("<script"));
    }
}

#[tokio::test]
async fn a_post_is_read_like_a_get() {
    let house = House::embedded().await;
    register(&house);
    let form =
        [("client_id", "app"), ("redirect_uri", CALLBACK), ("response_type", "token"), ("state", "s+1"), ("x", "y")];

    let pairs = sent_back(house.bare("/authorize").form(&form)).await;

    assert_eq!(value(&pairs, "error"), Some("unsupported_response_type"));
    assert_eq!(value(&pairs, "state"), Some("s+1"));
    let not_a_form = house.bare("/authorize").json(&serde_json::json!({})).send().await.unwrap();
    assert_eq!(not_a_form.status(), 415);
    problem(not_a_form).await;
}

#[tokio::test]
async fn a_missing_response_type_goes_back_and_without_state_none_is_invented() {
    let house = House::embedded().await;
    register(&house);

    for state in [None, Some("")] {
        let mut parameters = vec![("client_id", "app"), ("redirect_uri", CALLBACK)];
        parameters.extend(state.map(|state| ("state", state)));
        let pairs = sent_back(ask(&house, &parameters)).await;
        assert_eq!(value(&pairs, "error"), Some("invalid_request"));
        assert_eq!(value(&pairs, "state"), None);
    }
}

#[tokio::test]
async fn a_repeated_parameter_is_refused_and_not_sent_anywhere() {
    let house = House::embedded().await;
    register(&house);
    let sound = [("client_id", "app"), ("redirect_uri", CALLBACK), ("response_type", "token"), ("state", "s")];

    for repeated in ["client_id", "redirect_uri", "response_type", "state", "scope"] {
        let mut parameters = sound.to_vec();
        parameters.extend([(repeated, "x"), (repeated, "")]);
        refused(ask(&house, &parameters), 400, "invalid_request").await;
        refused(house.bare("/authorize").form(&parameters), 400, "invalid_request").await;
    }
}

#[tokio::test]
async fn a_native_app_may_listen_on_any_port_of_loopback_if_it_is_registered_so() {
    let house = House::embedded().await;
    let add = [
        "client",
        "add",
        "--id",
        "native",
        "--name",
        "Native",
        "--public",
        "--redirect-uri",
        "http://127.0.0.1/cb",
        "--scope",
        "openid",
    ];
    house.json(&add);
    let ada = Person::new(&house, "ada");
    let request = |port: &str| {
        let uri = format!("http://127.0.0.1{port}/cb");
        let challenge = challenge(VERIFIER);
        let parameters = [
            ("response_type", "code"),
            ("client_id", "native"),
            ("redirect_uri", &*uri),
            ("code_challenge", &*challenge),
            ("code_challenge_method", "S256"),
        ];
        person::link("/authorize", &parameters)
    };
    assert_eq!(ada.open(&request(":51234")).await.status, 400, "exact by default");

    let known = house.json(&["client", "edit", "native", "--loopback-any-port", "on"]);
    assert_eq!(known["loopback_any_port"], true);
    eventually(Duration::from_secs(2), async || ada.open(&request(":51234")).await.shows("login-submit")).await;
    let page = ada.sign_in(&ada.open(&request(":51234")).await).await;
    let answer = ada.decide(&page, "approve").await.answer();

    assert_eq!(answer.to, "http://127.0.0.1:51234/cb");
    let redeem = async |port: &str| {
        let uri = format!("http://127.0.0.1{port}/cb");
        let form = [
            ("grant_type", "authorization_code"),
            ("client_id", "native"),
            ("code", answer.code()),
            ("redirect_uri", &uri),
            ("code_verifier", VERIFIER),
        ];
        house.bare("/token").form(&form).send().await.unwrap().status().as_u16()
    };
    assert_eq!(redeem(":51235").await, 400, "the code is bound to the port that it was sent to");
    assert_eq!(redeem(":51234").await, 200);

    // RFC 8252 §8.6: whoever listens on a port may be anyone.
    assert!(ada.open(&request(":51234")).await.shows("consent-approve"));
    let silent = ada.open(&format!("{}&prompt=none", request(":51234"))).await.answer();
    assert_eq!(silent.error(), "consent_required");
    house.json(&["client", "edit", "native", "--loopback-any-port", "off"]);
    eventually(Duration::from_secs(2), async || ada.open(&request("")).await.location().is_some()).await;
    assert_eq!(ada.open(&request("")).await.answer().to, "http://127.0.0.1/cb", "a registered address is its own");
}
