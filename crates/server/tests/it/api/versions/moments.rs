//! A version that counts seconds finds what it shows, however finely it is stored.

use serde_json::json;

use super::super::Caller;
use crate::house::{Engine, House};

const COUNTED: &str = r#"
api: { name: counted }
scopes: { "all:x": Everything }
versions:
  1: { released: 2025-01-01 }
  2: { released: 2026-01-01, changes: [{ retype: things.at, from: { type: integer }, codec: epoch, lossy: true }] }
resources:
  things:
    scopes: { read: "all:x", write: "all:x" }
    fields:
      at: { type: string, format: date-time, filter: true, sort: true }
"#;

#[tokio::test]
async fn comparisons_are_those_of_what_is_shown() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), COUNTED).unwrap();
        house.start().await;
        let caller = Caller::client_with(&house, "till", "all:x").await;
        for at in ["1969-12-31T23:59:58.5Z", "1969-12-31T23:59:59.5Z", "1970-01-01T00:00:00.5Z", "1970-01-01T00:00:01Z"]
        {
            caller.make("/api/v2/things", json!({ "at": at })).await;
        }
        caller.make("/api/v2/things", json!({ "at": "1970-01-01T00:00:01.5Z" })).await;
        let list = async |query: &str| caller.column(&format!("/api/v1/things?{query}sort=at"), "at").await;
        let shown: Vec<i64> = list("").await.iter().map(|at| at.as_i64().unwrap()).collect();
        assert_eq!(shown, [-1, 0, 0, 1, 1]);

        for limit in -2..=2 {
            for (op, holds) in [
                ("", i64::eq as fn(&i64, &i64) -> bool),
                ("[gt]", i64::gt),
                ("[gte]", i64::ge),
                ("[lt]", i64::lt),
                ("[lte]", i64::le),
            ] {
                let expected: Vec<i64> = shown.iter().copied().filter(|at| holds(at, &limit)).collect();
                assert_eq!(list(&format!("at{op}={limit}&")).await, expected, "at{op}={limit}");
            }
        }
    }
}
