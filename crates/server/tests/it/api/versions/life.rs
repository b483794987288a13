//! Four states by date: every header of each.

use serde_json::json;

use super::super::status_of;
use super::{day, in_a_bakery_of};
use crate::answer::{header, problem};

const TOLD: [&str; 4] = ["deprecation", "sunset", "api-warning", "link"];

fn http(day: jiff::civil::Date) -> String {
    day.strftime("%a, %d %b %Y 00:00:00 GMT").to_string()
}

fn unix(day: jiff::civil::Date) -> i64 {
    day.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp().as_second()
}

#[tokio::test]
async fn an_active_version_has_none_of_the_headers() {
    let days = format!("released: {}, deprecated: {}, sunset: {}", day(-400), day(1), day(200));
    in_a_bakery_of(&days, async |_, caller| {
        let answer = status_of(caller.get("/api/v1/purchases"), 200).await;

        assert_eq!(TOLD.map(|name| header(&answer, name)), ["", "", "", ""]);
    })
    .await;
}

#[tokio::test]
async fn a_deprecated_version_says_so_on_every_answer() {
    let days = format!("released: {}, deprecated: {}, sunset: {}", day(-400), day(0), day(200));
    in_a_bakery_of(&days, async |house, caller| {
        let links = format!(
            "<{0}/api/v3/docs>; rel=\"successor-version\", <{0}/api/v1/docs>; rel=\"deprecation\"",
            house.origin
        );
        let expected = [format!("@{}", unix(day(0))), http(day(200)), String::new(), links];

        for (path, status) in [("/api/v1/purchases", 200), ("/api/v1/purchases/x", 404), ("/api/v1/openapi.json", 200)]
        {
            let answer = status_of(caller.get(path), status).await;

            assert_eq!(TOLD.map(|name| header(&answer, name)), expected, "{path}");
        }
        let described = super::super::sent(caller.get("/api/v1/openapi.json"), 200).await;
        assert_eq!(described["paths"]["/purchases"]["get"]["deprecated"], true);
        let newest = status_of(caller.get("/api/orders"), 200).await;
        assert_eq!(TOLD.map(|name| header(&newest, name)), ["", "", "", ""]);
    })
    .await;
}

#[tokio::test]
async fn a_version_past_its_sunset_warns_and_has_lost_what_was_listed() {
    let days = format!(
        "released: {}, deprecated: {}, sunset: {}, removed: {}, notice: https://bakery.example/farewell, gone: [purchases.delete, purchases.void]",
        day(-400),
        day(-200),
        day(0),
        day(30)
    );
    in_a_bakery_of(&days, async |house, caller| {
        let answer = status_of(caller.post("/api/v1/purchases", &json!({ "total": "1.00" })), 200).await;
        let path = header(&answer, "location");

        let warning =
            format!("Version 1 is past its sunset since {} and is removed on {}. Move to version 3.", day(0), day(30));
        let links = format!(
            "<{}/api/v3/docs>; rel=\"successor-version\", <https://bakery.example/farewell>; rel=\"deprecation\"",
            house.origin
        );
        assert_eq!(
            TOLD.map(|name| header(&answer, name)),
            [format!("@{}", unix(day(-200))), http(day(0)), warning, links]
        );
        let read = super::super::sent(caller.get(&path), 200).await;
        assert!(read["links"]["void"].is_null(), "links name what can be done now: {read}");
        let options = status_of(caller.request(reqwest::Method::OPTIONS, &path), 204).await;
        assert_eq!(header(&options, "allow"), "GET, HEAD, PUT, PATCH, OPTIONS");
        let described = super::super::sent(caller.get("/api/v1/openapi.json"), 200).await;
        assert!(described["paths"]["/purchases/{id}"]["delete"].is_null());
        for request in [caller.delete(&path), caller.post(&format!("{path}/void"), &json!({}))] {
            let gone = status_of(request, 410).await;

            assert_eq!(header(&gone, "x-api-version"), "1");
            let gone = problem(gone).await;
            assert_eq!(gone["successor"]["version"], 3, "{gone}");
        }
        status_of(caller.delete(&path.replace("/v1/purchases", "/v3/orders")), 204).await;
    })
    .await;
}

#[tokio::test]
async fn a_removed_version_is_gone_for_everyone() {
    let days =
        format!("released: {}, deprecated: {}, sunset: {}, removed: {}", day(-800), day(-500), day(-300), day(0));
    in_a_bakery_of(&days, async |house, caller| {
        let nobody = reqwest::Client::new();
        for request in [
            nobody.get(format!("{}/api/v1/purchases", house.origin)),
            nobody.get(format!("{}/api/v1/anything/else", house.origin)),
            nobody.get(format!("{}/api/v1/openapi.json", house.origin)),
            caller.get("/api/orders").header("x-api-version", "1"),
            caller.get("/api/orders").header("x-api-version", day(-400).to_string()),
            caller.get("/api/orders").header("accept", "application/vnd.bakery+json;version=1"),
        ] {
            let gone = status_of(request, 410).await;

            assert_eq!(header(&gone, "x-api-version"), "1");
            assert!(header(&gone, "link").contains("/api/v3/docs>; rel=\"successor-version\""));
            let gone = problem(gone).await;
            assert_eq!(gone["successor"]["documentation"], format!("{}/api/v3/docs", house.origin));
            assert!(gone["detail"].as_str().unwrap().contains("version 3"), "{gone}");
        }
    })
    .await;
}
