//! Which web origins may read what, errors included.

use std::time::Duration;

use reqwest::{Method, RequestBuilder};

use crate::answer::header;
use crate::app::App;
use crate::both_engines;
use crate::house::{Engine, House, eventually};
use crate::person::Person;

const LISTED: &str = "https://app.example";

#[tokio::test]
async fn a_listed_origin_can_read_answers_and_errors_and_another_cannot() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_CORS_ORIGINS", LISTED)]).await.unwrap();
    let client = house.client("till", &[]);
    let requests = || {
        vec![
            house.post("/token", &client, &[("grant_type", "client_credentials")]),
            house.post("/token", &client, &[("grant_type", "password")]),
            house.bare("/token").form(&[("grant_type", "client_credentials")]),
            house.get("/token"),
            house.get("/nope"),
            house.get("/nope?token=x"),
            house.bare("/token?access_token=x"),
            (0..110).fold(house.get("/nope"), |request, n| request.header(format!("x-{n}"), "y")),
        ]
    };

    for request in requests() {
        let shown = format!("{request:?}");
        let answer = request.header("origin", LISTED).send().await.unwrap();
        assert_eq!(header(&answer, "access-control-allow-origin"), LISTED, "{shown:.120}");
        assert!(header(&answer, "vary").to_lowercase().contains("origin"), "{shown:.120}");
        assert!(
            header(&answer, "access-control-expose-headers").to_lowercase().contains("x-request-id"),
            "{shown:.120}"
        );
    }
    for stranger in ["https://evil.example", "https://app.example.evil.example", "http://app.example", "null"] {
        for request in requests() {
            let answer = request.header("origin", stranger).send().await.unwrap();
            assert_eq!(header(&answer, "access-control-allow-origin"), "", "{stranger}");
        }
    }
}

#[tokio::test]
async fn a_preflight_allows_the_listed_origin_only() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_CORS_ORIGINS", LISTED)]).await.unwrap();
    let ask = async |origin: &str| {
        let request = house.http.request(Method::OPTIONS, format!("{}/token", house.origin)).header("origin", origin);
        let request = request.header("access-control-request-method", "POST");
        request.header("access-control-request-headers", "authorization,idempotency-key").send().await.unwrap()
    };

    let (listed, stranger) = (ask(LISTED).await, ask("https://evil.example").await);

    assert!(listed.status().is_success());
    assert_eq!(header(&listed, "access-control-allow-origin"), LISTED);
    assert!(header(&listed, "access-control-allow-methods").contains("POST"));
    let allowed = header(&listed, "access-control-allow-headers").to_lowercase();
    assert!(allowed.contains("authorization") && allowed.contains("idempotency-key"), "{allowed}");
    assert_eq!(header(&listed, "access-control-allow-credentials"), "");
    assert_eq!(header(&stranger, "access-control-allow-origin"), "");
}

#[tokio::test]
async fn documents_for_everyone_keep_their_star_on_errors() {
    let house = House::embedded().await;

    for request in [house.get("/jwks?token=x"), house.bare("/jwks")] {
        let answer = request.header("origin", "https://anyone.example").send().await.unwrap();
        assert!(answer.status().is_client_error());
        assert_eq!(header(&answer, "access-control-allow-origin"), "*");
    }
    for path in ["/jwks", "/api/openapi.json", "/api/v1/openapi.json"] {
        let asked = house.http.request(Method::OPTIONS, format!("{}{path}", house.origin));
        let asked = asked.header("origin", "https://anyone.example").header("access-control-request-method", "GET");
        let answer = asked.header("access-control-request-headers", "x-api-version").send().await.unwrap();
        assert_eq!((answer.status().as_u16(), header(&answer, "access-control-allow-origin").as_str()), (204, "*"));
        assert!(header(&answer, "access-control-allow-methods").contains("GET"), "{path}");
        assert_eq!(header(&answer, "access-control-allow-headers"), "x-api-version", "{path}");
    }
}

#[tokio::test]
async fn no_script_of_another_origin_reads_the_authorization_endpoint_or_a_page() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_CORS_ORIGINS", "https://app.example")]).await.unwrap();

    for path in ["/authorize", "/login", "/consent", "/device", "/account", "/logout", "/"] {
        for method in [Method::GET, Method::OPTIONS] {
            let request = house.http.request(method.clone(), format!("{}{path}", house.origin));
            let request =
                request.header("origin", "https://app.example").header("access-control-request-method", "GET");
            let answer = request.send().await.unwrap();

            let allowed: Vec<_> =
                answer.headers().keys().filter(|name| name.as_str().starts_with("access-control")).collect();
            assert!(allowed.is_empty(), "{method} {path}: {allowed:?}");
        }
    }
}

#[tokio::test]
async fn an_options_request_that_is_no_preflight_is_answered_by_the_route() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_CORS_ORIGINS", LISTED)]).await.unwrap();
    let ask = |origin: &'static str| {
        house.http.request(Method::OPTIONS, format!("{}/api/users", house.origin)).header("origin", origin).send()
    };

    let (listed, stranger) = (ask(LISTED).await.unwrap(), ask("https://evil.example").await.unwrap());

    for answer in [&listed, &stranger] {
        assert!(header(answer, "allow").contains("POST"), "{answer:?}");
        assert_eq!(header(answer, "access-control-allow-methods"), "");
    }
    assert_eq!(header(&listed, "access-control-allow-origin"), LISTED);
    assert_eq!(header(&stranger, "access-control-allow-origin"), "");
}

both_engines! {
    async fn what_a_client_registered_is_for_its_own_answers(house: House) {
        let spa = house.client("spa", &["--origin", "https://spa.example"]);
        let other = house.client("other", &[]);
        let origin = |request: RequestBuilder| async {
            let answer = request.header("origin", "https://spa.example").send().await.unwrap();
            header(&answer, "access-control-allow-origin") == "https://spa.example"
        };
        let grant = [("grant_type", "client_credentials")];
        let (mine, theirs) = (house.token(&spa).await, house.token(&other).await);

        assert!(origin(house.post("/token", &spa, &grant)).await);
        assert!(!origin(house.post("/token", &other, &grant)).await);
        assert!(origin(house.get("/api/orders").bearer_auth(&mine)).await);
        assert!(origin(house.get("/api/users").bearer_auth(&mine)).await, "a 403 can be read");
        assert!(!origin(house.get("/api/orders").bearer_auth(&theirs)).await);
        // Before anyone is known, it is enough that some client registered it.
        assert!(origin(house.get("/api/orders").bearer_auth("vk_at_expired")).await);
        assert!(origin(house.bare("/token").form(&grant)).await);
        for path in ["/token", "/api/orders", "/api/v1/orders/x/pay", "/userinfo", "/revoke"] {
            let preflight = house.http.request(Method::OPTIONS, format!("{}{path}", house.origin));
            assert!(origin(preflight.header("access-control-request-method", "PATCH")).await, "{path}");
        }

        house.json(&["client", "edit", "spa", "--origin", "https://elsewhere.example"]);
        eventually(Duration::from_millis(1500), async || !origin(house.post("/token", &spa, &grant)).await).await;
        assert!(!origin(house.get("/api/orders").bearer_auth("vk_at_expired")).await);
    }
}

both_engines! {
    async fn each_oauth_endpoint_keeps_the_answers_of_one_client_from_the_pages_of_another(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let spa = house.client("spa", &["--origin", "https://spa.example"]);
        let origin = |request: RequestBuilder| async {
            let answer = request.header("origin", "https://spa.example").send().await.unwrap();
            header(&answer, "access-control-allow-origin") == "https://spa.example"
        };
        let theirs = app.tokens(&house, &ada, &[]).await.access;

        assert!(!origin(house.get("/userinfo").bearer_auth(&theirs)).await);
        assert!(!origin(house.bare("/userinfo").form(&[("access_token", &theirs)])).await);
        for path in ["/introspect", "/revoke", "/device/code"] {
            for form in [&[("token", "vk_at_x")][..], &[]] {
                assert!(origin(house.post(path, &spa, form)).await, "{path} {form:?}");
                assert!(!origin(house.post(path, &app.client, form)).await, "{path} {form:?}");
            }
            assert!(origin(house.bare(path).form(&[("token", "x")])).await, "{path}: nobody in particular asks");
        }
        house.json(&["client", "edit", "app", "--origin", "https://spa.example"]);
        eventually(Duration::from_millis(1500), async || origin(house.get("/userinfo").bearer_auth(&theirs)).await).await;
    }
}

#[tokio::test]
async fn only_an_origin_can_be_registered_as_one() {
    let house = House::embedded().await;

    for wrong in [
        "*",
        "null",
        "https://*.example",
        "https://a.example/",
        "a.example",
        "https://A.example",
        "https://a.example:443",
        "",
    ] {
        let (_, words) = house.fail(&["client", "add", "--name", "x", "--origin", wrong]);
        assert!(words.contains("no web origin"), "{wrong}: {words}");
    }
    assert_eq!(
        house.json(&["client", "add", "--name", "x", "--origin", "http://localhost:3000"])["origins"][0],
        "http://localhost:3000"
    );
}
