//! Who still calls which version: in the metrics, and on the command line.

use std::time::Duration;

use super::super::{Caller, status_of};
use super::{day, in_a_bakery_of};
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
