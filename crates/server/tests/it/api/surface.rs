//! Details of HTTP that clients and proxies rely on.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Caller, self_link, sent, status_of};
use crate::answer::{header, problem};
use crate::both_engines;
use crate::house::{Engine, House};

/// Shelves that PUT makes, with a scope of its own for making them.
const SHELVES: &str = r#"
api: { name: library, title: Library }
scopes: { "read:shelves": Reading, "write:shelves": Changing, "make:shelves": Making }
resources:
  shelves:
    singular: shelf
    scopes: { read: "read:shelves", write: "write:shelves", create: "make:shelves" }
    put_creates: true
    require: { if_match: [replace], idempotency_key: [create] }
    fields:
      name: { type: string, required: true }
      until: { type: string, format: date-time, filter: true, sort: true }
"#;

const SHELF: &str = "/api/shelves/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e";

async fn in_a_library(check: impl AsyncFn(&House)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), SHELVES).unwrap();
        house.start().await;
        check(&house).await;
    }
}

#[tokio::test]
async fn a_put_that_only_makes_says_so_and_is_answered_as_a_condition() {
    in_a_library(async |house| {
        let caller = Caller::client_with(house, "till", "read:shelves write:shelves make:shelves").await;
        let make = || caller.put(SHELF, &json!({ "name": "A" })).header("if-none-match", "*");

        let made = status_of(make(), 201).await;
        let again = status_of(make(), 412).await;

        assert_eq!(header(&made, "location"), SHELF);
        assert_eq!(header(&again, "etag"), header(&made, "etag"));
        problem(again).await;
        status_of(caller.put(SHELF, &json!({ "name": "B" })), 428).await;
        assert_eq!(caller.read(SHELF).await["name"], "A");
    })
    .await;
}

#[tokio::test]
async fn a_put_that_makes_needs_the_scope_of_making() {
    in_a_library(async |house| {
        let keeper = Caller::client_with(house, "keeper", "read:shelves write:shelves").await;
        let maker = Caller::client_with(house, "maker", "read:shelves write:shelves make:shelves").await;

        let refused = status_of(keeper.put(SHELF, &json!({ "name": "A" })), 403).await;
        let challenge = header(&refused, "www-authenticate");
        status_of(maker.put(SHELF, &json!({ "name": "A" })), 201).await;
        let changed = keeper.put(SHELF, &json!({ "name": "B" })).header("if-match", "*");

        assert!(challenge.contains("scope=\"make:shelves\""), "{challenge}");
        assert_eq!(sent(changed, 200).await["name"], "B");
    })
    .await;
}

#[tokio::test]
async fn the_last_second_of_the_last_year_is_a_moment() {
    in_a_library(async |house| {
        let caller = Caller::client_with(house, "till", "read:shelves write:shelves make:shelves").await;
        let make = |name: &str, until: &str| {
            let request = caller.post("/api/shelves", &json!({ "name": name, "until": until }));
            request.header("idempotency-key", name.to_owned())
        };

        for (name, until) in
            [("c", "9999-12-31T23:59:59Z"), ("a", "9999-12-30T21:00:00Z"), ("b", "9999-12-31T10:00:00+02:00")]
        {
            assert_eq!(sent(make(name, until), 201).await["until"], until);
        }
        status_of(make("d", "9999-12-31T23:59:59-01:00"), 422).await;
        status_of(make("e", "9999-12-32T00:00:00Z"), 422).await;

        assert_eq!(caller.column("/api/shelves?sort=until", "name").await, ["a", "b", "c"]);
        assert_eq!(caller.column("/api/shelves?until[gte]=9999-12-31T23:59:59Z", "name").await, ["c"]);
        assert_eq!(caller.column("/api/shelves?until[lt]=9999-12-31", "name").await, ["a"]);
    })
    .await;
}

both_engines! {
    async fn what_is_accepted_is_read_as_it_is_meant(house: House) {
        let caller = Caller::client(&house).await;

        for refused in ["application/json;q=0", "application/json;q=0, */*;q=0.1", "text/html"] {
            problem(status_of(caller.get("/api/users").header("accept", refused), 406).await).await;
        }
        for fine in ["", " ", ",", "application/json;q=0.001"] {
            status_of(caller.get("/api/users").header("accept", fine), 200).await;
        }
    }

    async fn a_refused_media_type_is_told_what_the_method_takes(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let offers = async |method: Method, path: &str| {
            let request = caller.request(method, path).header("content-type", "text/plain").body("x");
            let refused = status_of(request, 415).await;
            ["accept", "accept-post", "accept-patch"].map(|name| header(&refused, name))
        };

        assert_eq!(offers(Method::POST, "/api/users").await, ["", "application/json", ""]);
        assert_eq!(offers(Method::PUT, &path).await, ["application/json", "", ""]);
        let [accept, accept_post, accept_patch] = offers(Method::PATCH, &path).await;
        assert_eq!((accept.as_str(), accept_post.as_str()), ("", ""));
        assert!(accept_patch.contains("application/merge-patch+json"), "{accept_patch}");
    }

    async fn a_304_does_not_speak_of_a_length(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        for path in [path.as_str(), "/api/openapi.json"] {
            let whole = status_of(caller.get(path), 200).await;
            let etag = header(&whole, "etag");
            let length = whole.bytes().await.unwrap().len();
            for method in [Method::GET, Method::HEAD] {
                let same = caller.request(method.clone(), path).header("if-none-match", &etag);
                let same = status_of(same, 304).await;
                assert_eq!(header(&same, "content-length"), "", "{method} {path}");
                assert_eq!(header(&same, "transfer-encoding"), "", "{method} {path}");
                assert_eq!(header(&same, "etag"), etag);
            }
            let head = status_of(caller.request(Method::HEAD, path), 200).await;
            assert_eq!(header(&head, "content-length"), length.to_string(), "{path}");
        }
    }

    async fn a_patch_with_a_thousand_bad_steps_is_told_fifty(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let steps: Vec<_> = (0..1_000).map(|_| json!({ "op": "paint", "path": "/name" })).collect();

        let request = caller.request(Method::PATCH, &path).header("content-type", "application/json-patch+json");
        let refused = problem(status_of(request.body(Value::from(steps).to_string()), 400).await).await;

        assert_eq!(refused["errors"].as_array().unwrap().len(), 50);
        assert!(refused["detail"].as_str().unwrap().contains("950 more"), "{}", refused["detail"]);
    }

    async fn a_link_names_only_what_the_caller_can_see(house: House) {
        let (ada, bob) = (Caller::user(&house, "ada").await, Caller::user(&house, "bob").await);
        let till = Caller::client(&house).await;
        let order = ada.make_order(json!({ "amount": 5 })).await;
        let id = order.rsplit('/').next().unwrap();
        let payment = ada.make("/api/payments", json!({ "order_id": id, "amount": 5 })).await;
        let path = self_link(&payment);

        let link = async |caller: &Caller| caller.read(&path).await["links"]["order"].clone();
        assert_eq!(payment["links"]["order"], order);
        assert_eq!((link(&ada).await, link(&till).await), (json!(order), json!(order)));
        assert_eq!(link(&bob).await, json!(null));
        for (caller, expected) in [(&ada, json!(order)), (&bob, json!(null))] {
            let listed = caller.read("/api/payments").await;
            assert_eq!(listed["data"][0]["links"].get("order").cloned().unwrap_or_default(), expected);
            let included = caller.read("/api/payments?include=order").await;
            assert_eq!(included["data"][0]["order"].is_null(), expected.is_null());
            let changed = sent(caller.patch(&path, &json!({ "amount": 6 })), 200).await;
            assert_eq!(changed["links"].get("order").cloned().unwrap_or_default(), expected);
        }
    }

    async fn documents_for_anyone_tell_their_methods(house: House) {
        for path in ["/api/openapi.json", "/api/v1/openapi.json", "/api/docs"] {
            let answer = house.http.request(Method::OPTIONS, format!("{}{path}", house.origin)).send().await.unwrap();

            assert_eq!(answer.status(), 204, "{path}");
            assert_eq!(header(&answer, "allow"), "GET, HEAD, OPTIONS", "{path}");
        }
    }
}

#[tokio::test]
async fn whoever_is_not_known_is_counted_by_address() {
    let settings = [("VALETKEY_LIMITS_API_REQUESTS", "5"), ("VALETKEY_LIMITS_API_WINDOW", "1h")];
    let house = House::with(Engine::Sqlite, &settings).await.unwrap();
    let caller = Caller::client(&house).await;
    let left = |answer: &reqwest::Response| header(answer, "x-ratelimit-remaining");
    let stranger = |method: Method, path: &str| house.http.request(method, format!("{}{path}", house.origin));

    let without = status_of(stranger(Method::GET, "/api/orders"), 401).await;
    let wrong = status_of(stranger(Method::GET, "/api/orders").bearer_auth("vk_at_nonsense"), 401).await;
    let options = status_of(stranger(Method::OPTIONS, "/api/orders"), 204).await;
    let described = status_of(stranger(Method::GET, "/api/openapi.json"), 200).await;
    let nowhere = status_of(stranger(Method::GET, "/api/nothing"), 404).await;
    let refused = status_of(stranger(Method::GET, "/api/orders"), 429).await;

    assert_eq!([&without, &wrong, &options, &described, &nowhere].map(left), ["4", "3", "2", "1", "0"]);
    assert_eq!(header(&without, "x-ratelimit-limit"), "5");
    let wait: u64 = header(&refused, "retry-after").parse().unwrap();
    assert!((1..=3600).contains(&wait), "{wait}");
    problem(refused).await;
    // Who is known is counted alone, and other addresses of this server are not counted.
    assert_eq!(left(&status_of(caller.get("/api/orders"), 200).await), "4");
    assert_eq!(header(&status_of(stranger(Method::GET, "/healthz"), 200).await, "x-ratelimit-limit"), "");
    status_of(stranger(Method::GET, "/token"), 405).await;
}
