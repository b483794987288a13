//! Which version a request means, and how the answer tells it.

use serde_json::json;

use super::super::{Caller, sent, status_of};
use super::in_a_bakery;
use crate::answer::{header, problem};
use crate::house::{Engine, House, Registered};

const OWN: &str = "application/vnd.bakery+json";

#[tokio::test]
async fn a_version_is_chosen_in_four_ways_and_echoed() {
    in_a_bakery(async |_, caller| {
        let by = |name: &'static str, value: String| caller.get("/api/orders").header(name, value);
        for (request, version, vary) in [
            (caller.get("/api/v2/orders"), "2", "authorization, accept"),
            (by("accept", format!("{OWN};version=2")), "2", "authorization, accept"),
            (by("x-api-version", "2".into()), "2", "authorization, accept, X-API-Version"),
            (by("x-api-version", super::day(-11).to_string()), "2", "authorization, accept, X-API-Version"),
            (by("x-api-version", super::day(-10).to_string()), "3", "authorization, accept, X-API-Version"),
            (caller.get("/api/orders"), "3", "authorization, accept, X-API-Version, X-API-Key"),
        ] {
            let answer = status_of(request, 200).await;

            assert_eq!((header(&answer, "x-api-version").as_str(), header(&answer, "vary").as_str()), (version, vary));
        }
    })
    .await;
}

#[tokio::test]
async fn unknown_and_disagreeing_versions_are_refused_by_where_they_stand() {
    in_a_bakery(async |_, caller| {
        for (request, status) in [
            (caller.get("/api/v9/orders"), 404),
            (caller.get("/api/orders").header("accept", format!("{OWN};version=9")), 406),
            (caller.get("/api/orders").header("x-api-version", "9"), 400),
            (caller.get("/api/orders").header("x-api-version", "2020-02-30"), 400),
            (caller.get("/api/orders").header("x-api-version", "2000-01-01"), 400),
            (caller.get("/api/orders").header("x-api-version", "latest"), 400),
            (caller.get("/api/v2/orders").header("x-api-version", "3"), 400),
            (caller.get("/api/v2/orders").header("accept", format!("{OWN};version=3")), 400),
            (caller.get("/api/v2/orders").header("accept", format!("{OWN};version=9")), 406),
        ] {
            let answer = status_of(request, status).await;

            assert_eq!(
                header(&answer, "x-api-version"),
                "3",
                "without a version of its own, an answer is of the default"
            );
            problem(answer).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_path_of_another_version_is_not_there() {
    in_a_bakery(async |_, caller| {
        status_of(caller.get("/api/v1/purchases"), 200).await;
        status_of(caller.get("/api/v1/orders"), 404).await;
        status_of(caller.get("/api/purchases").header("x-api-version", "1"), 200).await;
        let refused = status_of(caller.get("/api/purchases"), 404).await;

        assert_eq!(header(&refused, "x-api-version"), "3");
        assert_eq!(problem(refused).await["detail"], "Version 3 of this API has nothing at this address.");
    })
    .await;
}

#[tokio::test]
async fn every_answer_tells_its_version_even_a_refusal() {
    in_a_bakery(async |house, caller| {
        let nobody = reqwest::Client::new();
        for (request, status, version) in [
            (nobody.get(format!("{}/api/v1/purchases", house.origin)), 401, "1"),
            (nobody.get(format!("{}/api/orders", house.origin)), 401, "3"),
            (nobody.get(format!("{}/api/v2/nothing", house.origin)), 404, "2"),
            (caller.delete("/api/v2/orders"), 405, "2"),
            (caller.get("/api/v1/purchases?nonsense=1"), 400, "1"),
            (nobody.get(format!("{}/api/v1/openapi.json", house.origin)), 200, "1"),
            (nobody.get(format!("{}/api/v2/docs", house.origin)), 200, "2"),
        ] {
            let answer = status_of(request, status).await;

            assert_eq!(header(&answer, "x-api-version"), version);
        }
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_was_given_before_anyone_was_asked_tells_its_version_too() {
    let days = format!("released: {}, deprecated: {}, sunset: {}", super::day(-400), super::day(-1), super::day(200));
    super::in_a_bakery_with(&[("VALETKEY_LIMITS_API_REQUESTS", "3")], &days, async |house, caller| {
        let nobody = reqwest::Client::new();
        let many = |request: reqwest::RequestBuilder| {
            (0..110).fold(request, |request, n| request.header(format!("x-{n}"), "y"))
        };
        let get = |path: &str| nobody.get(format!("{}{path}", house.origin));
        for (request, status, version) in [
            (get("/api/v1/purchases?token=x"), 400, "1"),
            (caller.get("/api/orders?access_token=x"), 400, "3"),
            (many(get("/api/v1/purchases")), 431, "1"),
            (many(get("/api/orders")), 431, "3"),
            (many(get("/api/orders").header("x-api-version", "2")), 431, "2"),
            (get("/api/v2/orders"), 401, "2"),
            (get("/api/v1/purchases"), 429, "1"),
            (get("/api/v2/openapi.json?token=x"), 429, "2"),
        ] {
            let answer = status_of(request, status).await;

            assert_eq!(header(&answer, "x-api-version"), version, "{status}");
            assert_eq!(header(&answer, "deprecation").is_empty(), version != "1", "{status}");
        }
        let elsewhere = status_of(get("/nothing?token=x"), 400).await;
        assert_eq!(header(&elsewhere, "x-api-version"), "", "only the API has versions");
    })
    .await;
}

#[tokio::test]
async fn each_version_is_described_as_it_is() {
    in_a_bakery(async |_, caller| {
        let first = sent(caller.get("/api/v1/openapi.json"), 200).await;
        let third = sent(caller.get("/api/openapi.json"), 200).await;
        let second = sent(caller.get("/api/openapi.json").header("x-api-version", "2"), 200).await;

        let paths =
            |document: &serde_json::Value| document["paths"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert!(paths(&first).contains(&"/purchases/{id}/void".to_owned()));
        assert!(!paths(&first).contains(&"/purchases/{id}/pack".to_owned()));
        assert!(paths(&third).contains(&"/orders/{id}/pack".to_owned()));
        assert!(first["paths"]["/purchases"]["post"]["responses"]["201"].is_null());
        assert_eq!(second["info"]["version"], "2");
        let fields = |document: &serde_json::Value| document["components"]["schemas"]["Order"]["properties"].clone();
        assert_eq!(fields(&second)["amount"]["type"], "string");
        assert_eq!(fields(&third)["amount"]["type"], "integer");
        assert!(fields(&second)["fax"].is_object() && fields(&third)["fax"].is_null());
    })
    .await;
}

#[tokio::test]
async fn a_client_is_pinned_by_its_token_until_it_says_otherwise() {
    in_a_bakery(async |house, _| {
        for (id, format, pin) in
            [("opaque", "opaque", "1"), ("signed", "jwt", "1"), ("dated", "opaque", &*super::day(-300).to_string())]
        {
            let grants = ["--grant", "client_credentials", "--scope", "all:bread", "--access-token", format];
            let arguments = ["client", "add", "--name", id, "--id", id, "--api-version", pin];
            let made = house.json(&[&arguments[..], &grants].concat());
            assert_eq!(made["api_version"], pin);
            let secret = made["client_secret"].as_str().unwrap().to_owned();
            let token = house.token(&Registered { id: id.to_owned(), secret }).await;
            let caller = Caller::with(house, token);

            let pinned = status_of(caller.get("/api/purchases"), 200).await;
            let asked = status_of(caller.get("/api/orders").header("x-api-version", "3"), 200).await;

            assert_eq!(header(&pinned, "x-api-version"), "1", "{id}");
            assert_eq!(header(&pinned, "vary"), "authorization, accept, X-API-Version, X-API-Key");
            assert_eq!(header(&asked, "x-api-version"), "3");
            status_of(caller.get("/api/v2/orders"), 200).await;
            let options = status_of(caller.request(reqwest::Method::OPTIONS, "/api/purchases"), 204).await;
            assert_eq!(header(&options, "x-api-version"), "1");
            for path in ["/api/nothing", "/api", "/api/"] {
                let lost = status_of(caller.get(path), 404).await;
                assert_eq!(header(&lost, "x-api-version"), "1", "{id}: what is not there has a version too: {path}");
            }
            let described = sent(caller.get("/api/openapi.json"), 200).await;
            assert_eq!(described["info"]["version"], "1");
        }
        let free = house.json(&["client", "edit", "opaque", "--api-version", "none"]);
        assert!(free["api_version"].is_null());
        for (word, why) in [("newest", "`newest` is no version"), ("", "`` is no version"), ("77", "declares 1, 2, 3.")]
        {
            let (code, told) = house.fail(&["client", "edit", "opaque", "--api-version", word]);
            assert!(code == 2 && told.contains(why), "{code} {told}");
            let (code, told) = house.fail(&["client", "add", "--name", "new", "--api-version", word]);
            assert!(code == 2 && told.contains(why), "{code} {told}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_pin_to_what_is_gone_is_410_wherever_it_asks() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        let declare = |house: &House, first: &str| {
            std::fs::write(house.folder().join("api.yaml"), super::bakery(first, "")).unwrap();
        };
        let released = format!("released: {}", super::day(-400));
        declare(&house, &format!("{released}, removed: {}", super::day(1)));
        house.start().await;
        let arguments = ["client", "add", "--name", "late", "--id", "late", "--api-version", "1"];
        let made = house.json(&[&arguments[..], &["--grant", "client_credentials", "--scope", "all:bread"]].concat());
        house.stop().await;

        declare(&house, &format!("{released}, removed: {}", super::day(-1)));
        house.start().await;
        let secret = made["client_secret"].as_str().unwrap().to_owned();
        let caller = Caller::with(&house, house.token(&Registered { id: "late".to_owned(), secret }).await);

        for path in ["/api/orders", "/api/nothing", "/api/openapi.json"] {
            let gone = status_of(caller.get(path), 410).await;
            assert_eq!(header(&gone, "x-api-version"), "1", "{path}");
        }
        let (_, told) = house.fail(&["client", "add", "--name", "later", "--api-version", "1"]);
        assert!(told.contains("version 1 was removed on"), "{told}");
    }
}

/// What paid for a thing was an action, and is a list below it now.
const PAID: &str = r#"
api: { name: paid }
scopes:
  all:x: Everything
  pay:x: { description: Pay, limit: { requests: 9, window: 1d } }
versions:
  1: { released: 2025-01-01 }
  2:
    released: 2026-01-01
    changes: [{ rename: things.actions.payments, to: pay }, { add: payments }]
resources:
  things:
    scopes: { read: "all:x", write: "all:x" }
    fields:
      status: { enum: [open, paid], default: open, readOnly: true }
    state: status
    actions:
      pay: { from: open, to: paid, scope: "pay:x" }
  payments:
    scopes: { read: "all:x", write: "all:x" }
    parent: { resource: things, field: thing_id }
    fields:
      thing_id: { references: things, required: true }
"#;

#[tokio::test]
async fn one_path_is_an_action_in_one_version_and_a_list_in_another() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), PAID).unwrap();
        house.start().await;
        let caller = Caller::client_with(&house, "till", "all:x pay:x").await;
        let thing = caller.make("/api/v2/things", json!({})).await;
        let below = format!("things/{}/payments", thing["id"].as_str().unwrap());

        let made = caller.make(&format!("/api/{below}"), json!({})).await;
        let listed = caller.read(&format!("/api/v2/{below}")).await;
        let paid = sent(caller.post(&format!("/api/v1/{below}"), &json!({})), 200).await;
        let again = caller.post(&format!("/api/{below}"), &json!({})).header("x-api-version", "1");

        assert_eq!(made["thing_id"], thing["id"]);
        assert_eq!(listed["data"][0]["id"], made["id"]);
        assert_eq!(paid["status"], "paid");
        let again = status_of(again, 409).await;
        assert!(header(&again, "ratelimit-policy").contains("\"pay:x\";q=9;"), "{again:?}");
        problem(again).await;
        status_of(caller.get(&format!("/api/v1/{below}")), 405).await;
    }
}
