//! Who still calls which version: in the metrics, and on the command line.

use std::time::Duration;

use super::super::{Caller, status_of};
use super::{day, in_a_bakery_of};
use crate::answer::problem;
use crate::house::eventually;

#[tokio::test]
async fn the_callers_of_each_version_are_known() {
    let days = format!("released: {}, deprecated: {}, sunset: {}", day(-400), day(-20), day(200));
    in_a_bakery_of(&days, async |house, till| {
        let app = Caller::client_with(house, "app", "all:bread").await;
        for _ in 0..3 {
            status_of(app.get("/api/v1/purchases"), 200).await;
        }
        status_of(till.get("/api/orders"), 200).await;

        let metric = r#"valetkey_api_requests_total{version="1",client="app"} 3"#;
        let numbers =
            async || house.http.get(format!("{}/metrics", house.origin)).send().await.unwrap().text().await.unwrap();
        eventually(Duration::from_secs(15), async || numbers().await.contains(metric)).await;
        let usage = house.json(&["api", "usage"]);
        let only = house.json(&["api", "usage", "--version", "3"]);
        let words = String::from_utf8(house.run(&["api", "usage"]).stdout).unwrap();

        let rows = usage["usage"].as_array().unwrap();
        assert_eq!(rows.len(), 2, "{usage}");
        assert_eq!(
            (&rows[0]["version"], &rows[0]["client"], &rows[0]["requests"]),
            (&1.into(), &"app".into(), &3.into())
        );
        assert_eq!(rows[0]["state"], "deprecated");
        assert_eq!(usage["unused_versions"], serde_json::json!([2]));
        assert_eq!(only["usage"].as_array().unwrap().len(), 1);
        assert!(words.contains("Nobody has called version 2."), "{words}");
    })
    .await;
}

#[tokio::test]
async fn whoever_still_calls_a_version_that_is_gone_is_known() {
    let days = format!("released: {}, removed: {}", day(-400), day(-5));
    in_a_bakery_of(&days, async |house, till| {
        let late = Caller::client_with(house, "late", "all:bread").await;
        let key = house.json(&["apikey", "add", "--name", "old-job", "--scope", "all:bread"]);
        let key_client = key["id"].as_str().unwrap();
        for path in ["/api/v1/purchases", "/api/v1/nothing/of/the/kind"] {
            problem(status_of(late.get(path), 410).await).await;
        }
        problem(status_of(late.get("/api/orders").header("x-api-version", "1"), 410).await).await;
        let nobody = |path: &str| house.http.get(format!("{}{path}", house.origin));
        problem(status_of(nobody("/api/v1/purchases"), 410).await).await;
        problem(status_of(nobody("/api/v1/purchases").bearer_auth("made up"), 410).await).await;
        problem(status_of(nobody("/api/v1/clients").header("x-api-key", key["key"].as_str().unwrap()), 410).await)
            .await;
        status_of(till.get("/api/orders"), 200).await;

        let metric = r#"valetkey_api_requests_total{version="1",client="late"} 3"#;
        let numbers =
            async || house.http.get(format!("{}/metrics", house.origin)).send().await.unwrap().text().await.unwrap();
        eventually(Duration::from_secs(15), async || numbers().await.contains(metric)).await;

        let usage = house.json(&["api", "usage", "--version", "1"]);
        let rows = usage["usage"].as_array().unwrap();
        let seen: Vec<_> = rows.iter().map(|row| (row["client"].as_str().unwrap(), row["requests"].as_u64())).collect();
        assert_eq!(seen[0], ("late", Some(3)));
        assert!(seen.contains(&("(anonymous)", Some(2))), "{usage}");
        assert!(seen.iter().any(|(client, requests)| client.contains(key_client) && *requests == Some(1)), "{usage}");
        assert_eq!(rows[0]["state"], "removed");
    })
    .await;
}

#[tokio::test]
async fn a_call_of_what_goes_with_the_sunset_counts_as_one_of_its_version() {
    let days =
        format!("released: {}, deprecated: {}, sunset: {}, gone: [purchases.delete]", day(-400), day(-300), day(-5));
    in_a_bakery_of(&days, async |house, till| {
        let made = till.make("/api/v3/orders", serde_json::json!({ "amount": 1, "gift": false })).await;
        let path = format!("/api/v1/purchases/{}", made["id"].as_str().unwrap());
        problem(status_of(till.delete(&path), 410).await).await;

        let counted = async || !house.json(&["api", "usage", "--version", "1"])["usage"].as_array().unwrap().is_empty();
        eventually(Duration::from_secs(15), counted).await;

        let row = &house.json(&["api", "usage", "--version", "1"])["usage"][0];
        assert_eq!((&row["requests"], &row["state"]), (&1.into(), &"sunset".into()));
    })
    .await;
}
