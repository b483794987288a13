//! `POST /token`

use reqwest::RequestBuilder;
use reqwest::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use serde_json::Value;

use crate::answer::{header, problem, refused};
use crate::both_engines;
use crate::house::{House, Registered};

const FORM: &str = "application/x-www-form-urlencoded";

/// A form written by hand, so that it can be wrong.
pub fn raw(house: &House, client: &Registered, body: impl Into<Vec<u8>>) -> RequestBuilder {
    let request = house.bare("/token").basic_auth(&client.id, Some(&client.secret));
    request.header(CONTENT_TYPE, FORM).body(body.into())
}

pub async fn succeeds(request: RequestBuilder) -> Value {
    let answer = request.send().await.unwrap();
    let (status, body) = (answer.status(), answer.text().await.unwrap());
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

both_engines! {
    async fn client_credentials_answer_a_token_that_may_not_be_kept(house: House) {
        let client = house.client("till", &[]);

        let answer = house.post("/token", &client, &[("grant_type", "client_credentials")]).send().await.unwrap();

        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
        assert_eq!(answer.headers()[CACHE_CONTROL], "no-store");
        let body: Value = answer.json().await.unwrap();
        assert!(body["access_token"].as_str().unwrap().starts_with("vk_at_"));
        assert_eq!(body["token_type"], "Bearer");
        assert_eq!(body["expires_in"], 900);
        assert_eq!(body["scope"], "read:orders write:orders");
        assert!(body.get("refresh_token").is_none());
    }
}

#[tokio::test]
async fn only_offered_grants_are_given() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let other = house.client("page", &["--grant", "authorization_code", "--redirect-uri", "https://app.example/cb"]);
    house.json(&["client", "edit", "page", "--grant", "authorization_code"]);

    for grant in
        ["password", "implicit", "token", "urn:ietf:params:oauth:grant-type:saml2-bearer", "Client_Credentials"]
    {
        refused(house.post("/token", &client, &[("grant_type", grant)]), 400, "unsupported_grant_type").await;
    }
    refused(house.post("/token", &client, &[("scope", "read:orders")]), 400, "invalid_request").await;
    refused(house.post("/token", &client, &[("grant_type", "")]), 400, "invalid_request").await;
    let unregistered = house.post("/token", &other, &[("grant_type", "client_credentials")]);
    refused(unregistered, 400, "unauthorized_client").await;
}

#[tokio::test]
async fn a_form_is_read_strictly_and_unknown_parameters_are_ignored() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let malformed: [&[u8]; 9] = [
        b"grant_type=client_credentials&grant_type=client_credentials",
        b"grant_type=client_credentials&scope=read:orders&scope=",
        b"grant_type=client_credentials&%73cope=a&scope=b",
        b"grant_type=client_credentials&x=1&x=2",
        b"grant_type=client_credentials&x=%zz",
        b"grant_type=client_credentials&x=%",
        b"grant_type=client_credentials&x=%00",
        b"grant_type=client_credentials&x=%ff",
        b"grant_type=client_credentials&x=\xc3\x28",
    ];

    for body in malformed {
        refused(raw(&house, &client, body), 400, "invalid_request").await;
    }
    let body = succeeds(raw(&house, &client, "grant_type=client_credentials&scope=&extra=foobar&")).await;
    assert_eq!(body["scope"], "read:orders write:orders");
}

#[tokio::test]
async fn a_body_must_be_a_form_of_at_most_64_kib() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let body = "grant_type=client_credentials";
    let typed = |kind: &'static str, body: String| {
        house.bare("/token").basic_auth(&client.id, Some(&client.secret)).header(CONTENT_TYPE, kind).body(body)
    };
    let padded = |size: usize| format!("{body}&x={}", "y".repeat(size - body.len() - 3));

    succeeds(typed("application/x-www-form-urlencoded;charset=UTF-8", body.to_owned())).await;
    succeeds(typed("Application/X-WWW-Form-Urlencoded; charset=\"utf-8\"", body.to_owned())).await;
    succeeds(typed(FORM, padded(65_536))).await;
    refused(typed(FORM, padded(65_537)), 413, "invalid_request").await;
    refused(typed("application/json", r#"{"grant_type":"client_credentials"}"#.to_owned()), 415, "invalid_request")
        .await;
    refused(typed("application/x-www-form-urlencoded;charset=latin1", body.to_owned()), 415, "invalid_request").await;
    refused(house.bare("/token"), 415, "invalid_request").await;
}

#[tokio::test]
async fn a_scope_can_be_narrowed_and_never_widened() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let ask =
        |scope: &'static str| house.post("/token", &client, &[("grant_type", "client_credentials"), ("scope", scope)]);

    assert_eq!(succeeds(ask("read:orders")).await["scope"], "read:orders");
    assert_eq!(succeeds(ask("write:orders read:orders")).await["scope"], "write:orders read:orders");
    for wider in ["read:orders write:payments", "openid", "read:order", "READ:ORDERS", "read:orders\u{e9}", "a\"b"] {
        let body = refused(ask(wider), 400, "invalid_scope").await;
        assert!(!body.to_string().contains("write:orders"), "a registered scope is told: {body}");
    }
}

#[tokio::test]
async fn a_resource_must_be_one_that_is_served_here() {
    let house = House::embedded().await;
    let client = house.client("till", &["--access-token", "opaque"]);
    let ask = |resource: String| {
        house.post("/token", &client, &[("grant_type", "client_credentials"), ("resource", &resource)])
    };

    for resource in [format!("{}/api", house.origin), house.origin.clone()] {
        let token = succeeds(ask(resource.clone())).await["access_token"].as_str().unwrap().to_owned();
        assert_eq!(house.introspect(&client, &token).await["aud"], resource);
    }
    for elsewhere in ["https://elsewhere.example", "not a uri", "/api"] {
        refused(ask(elsewhere.to_owned()), 400, "invalid_target").await;
    }
}

#[tokio::test]
async fn only_post_is_answered() {
    let house = House::embedded().await;

    for method in ["GET", "PUT", "DELETE", "PATCH"] {
        let request = house.http.request(method.parse().unwrap(), format!("{}/token", house.origin));
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 405);
        assert_eq!(header(&answer, ALLOW.as_str()), "POST");
        assert!(problem(answer).await["type"].as_str().unwrap().ends_with("/problems/method-not-allowed"));
    }
}
