//! `/.well-known/…`: what this server and its API say of themselves.

use reqwest::Method;
use serde_json::{Value, json};

use crate::answer::{header, problem};
use crate::house::{Engine, House};

const OPENID: &str = "/.well-known/openid-configuration";
const OAUTH: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const API: &str = "/.well-known/oauth-protected-resource/api";

async fn read(house: &House, path: &str) -> Value {
    house.get(path).send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn both_documents_name_the_issuer_exactly_and_endpoints_below_it() {
    let house = House::embedded().await;
    for path in [OPENID, OAUTH] {
        let document = read(&house, path).await;

        assert_eq!(document["issuer"], house.origin);
        for (member, at) in [
            ("authorization_endpoint", "/authorize"),
            ("token_endpoint", "/token"),
            ("device_authorization_endpoint", "/device/code"),
            ("introspection_endpoint", "/introspect"),
            ("revocation_endpoint", "/revoke"),
            ("jwks_uri", "/jwks"),
        ] {
            assert_eq!(document[member], format!("{}{at}", house.origin), "{path}");
        }
        assert_eq!(document["authorization_response_iss_parameter_supported"], true);
        assert!(document["response_types_supported"].is_array(), "client libraries demand the member");
    }
}

#[tokio::test]
async fn the_issuer_is_the_public_url_without_a_slash_at_its_end() {
    let settings = [("VALETKEY_PUBLIC_URL", "https://id.example.com/")];
    let house = House::with(Engine::Sqlite, &settings).await.unwrap();
    let client = house.client("till", &[]);

    let token = house.token(&client).await;

    assert_eq!(read(&house, OPENID).await["issuer"], "https://id.example.com");
    assert_eq!(read(&house, OAUTH).await["token_endpoint"], "https://id.example.com/token");
    assert_eq!(house.introspect(&client, &token).await["iss"], "https://id.example.com");
    assert_eq!(read(&house, RESOURCE).await["authorization_servers"], json!(["https://id.example.com"]));
}

#[tokio::test]
async fn only_what_works_is_advertised() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let every = ["client_credentials", "authorization_code", "refresh_token", "password", "implicit"];
    let device = "urn:ietf:params:oauth:grant-type:device_code";
    let document = read(&house, OAUTH).await;
    let advertised = document["grant_types_supported"].as_array().unwrap();

    for grant in every.into_iter().chain([device]) {
        let answer = house.post("/token", &client, &[("grant_type", grant)]).send().await.unwrap();
        let body: Value = answer.json().await.unwrap();
        let offered = body["error"] != "unsupported_grant_type";
        assert_eq!(advertised.contains(&json!(grant)), offered, "{grant}");
    }
    let openid = read(&house, OPENID).await;
    for (document, member, path) in [
        (&document, "device_authorization_endpoint", "/device/code"),
        (&openid, "device_authorization_endpoint", "/device/code"),
        (&openid, "userinfo_endpoint", "/userinfo"),
    ] {
        let status = house.bare(path).send().await.unwrap().status();
        assert_eq!(document.get(member).is_some(), status != 404, "{member}");
    }
    assert_eq!(advertised.len(), 4);
    assert_eq!(document["response_types_supported"], json!(["code"]));
    assert_eq!(document["response_modes_supported"], json!(["query", "form_post"]));
    assert_eq!(document["code_challenge_methods_supported"], json!(["S256"]));
    for member in ["response_types_supported", "grant_types_supported"] {
        assert!(!document[member].as_array().unwrap().iter().any(|word| word.as_str().unwrap().contains("token id")));
    }
    let proofs = json!(["client_secret_basic", "client_secret_post"]);
    let and_none = json!(["client_secret_basic", "client_secret_post", "none"]);
    assert_eq!(document["introspection_endpoint_auth_methods_supported"], proofs);
    assert_eq!(document["token_endpoint_auth_methods_supported"], and_none, "a public client has no secret");
    assert_eq!(document["revocation_endpoint_auth_methods_supported"], and_none);
}

#[tokio::test]
async fn discovery_has_the_members_that_openid_connect_demands() {
    let house = House::embedded().await;

    let document = read(&house, OPENID).await;

    assert_eq!(document["subject_types_supported"], json!(["public", "pairwise"]));
    assert_eq!(document["id_token_signing_alg_values_supported"][0], "RS256");
    assert_eq!(document["userinfo_endpoint"], format!("{}/userinfo", house.origin));
    assert_eq!(document["claims_parameter_supported"], true);
    // Unsaid, these two would mean yes.
    assert_eq!(document["request_parameter_supported"], false);
    assert_eq!(document["request_uri_parameter_supported"], false);
    for (member, value) in
        [("scopes_supported", "openid"), ("claims_supported", "sub"), ("prompt_values_supported", "none")]
    {
        assert!(document[member].as_array().unwrap().contains(&json!(value)), "{member}");
    }
}

#[tokio::test]
async fn each_protected_resource_document_names_the_resource_it_was_asked_for() {
    let house = House::embedded().await;

    let (origin, api) = (read(&house, RESOURCE).await, read(&house, API).await);

    assert_eq!(origin["resource"], house.origin);
    assert_eq!(api["resource"], format!("{}/api", house.origin));
    for document in [origin, api] {
        assert_eq!(document["authorization_servers"], json!([house.origin]));
        assert_eq!(document["bearer_methods_supported"], json!(["header"]));
        assert!(document["scopes_supported"].as_array().unwrap().contains(&json!("read:orders")));
    }
}

#[tokio::test]
async fn anyone_may_read_and_keep_the_documents_for_a_while() {
    let house = House::embedded().await;
    for path in [OPENID, OAUTH, RESOURCE, API] {
        let at = format!("{}{path}", house.origin);

        let get = house.http.get(&at).header("origin", "https://anyone.example").send().await.unwrap();
        let head = house.http.head(&at).send().await.unwrap();
        let preflight = house
            .http
            .request(Method::OPTIONS, &at)
            .header("origin", "https://anyone.example")
            .header("access-control-request-method", "GET")
            .header("access-control-request-headers", "mcp-protocol-version")
            .send()
            .await
            .unwrap();
        let post = house.http.post(&at).send().await.unwrap();

        assert_eq!(header(&get, "content-type"), "application/json");
        assert_eq!(header(&get, "access-control-allow-origin"), "*");
        assert_eq!(header(&get, "cache-control"), "public, max-age=300");
        assert_eq!(head.status(), 200);
        assert_eq!(header(&head, "content-length"), get.content_length().unwrap().to_string());
        assert_eq!(preflight.status(), 204);
        assert_eq!(header(&preflight, "access-control-allow-origin"), "*");
        assert_eq!(header(&preflight, "access-control-allow-headers"), "mcp-protocol-version");
        assert_eq!(post.status(), 405);
        assert!(header(&post, "allow").contains("GET"));
        problem(post).await;
    }
}

#[tokio::test]
async fn what_is_at_hand_is_what_the_router_would_have_answered() {
    let house = House::embedded().await;
    for path in [OPENID, OAUTH, RESOURCE, API, "/jwks"] {
        let at_hand = house.get(path).header("origin", "https://app.example").send().await.unwrap();
        // A query has to be looked at, so the router is asked.
        let routed = house.get(&format!("{path}?x=1")).header("origin", "https://app.example").send().await.unwrap();

        assert_eq!(at_hand.status(), 200);
        let headers = |answer: &reqwest::Response| {
            let mut headers = answer.headers().clone();
            for changing in ["x-request-id", "date"] {
                assert!(headers.remove(changing).is_some(), "{path} has no {changing}");
            }
            headers
        };
        assert_eq!(headers(&at_hand), headers(&routed), "{path}");
        assert_eq!(at_hand.bytes().await.unwrap(), routed.bytes().await.unwrap(), "{path}");
    }
}
