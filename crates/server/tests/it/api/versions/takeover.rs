//! One node after the other is given a newer declaration: those that have the earlier one answer rightly or not at all.

use serde_json::json;

use super::super::{Caller, register, self_link, sent, status_of};
use crate::answer::{header, problem};
use crate::house::{Engine, House};

const SHED: &str = r#"
api: { name: shed }
scopes: { "all:things": Everything }
versions:
  1: { released: 2025-01-01 }
resources:
  things:
    scopes: { read: "all:things", write: "all:things" }
    fields:
      state: { enum: [new, old], default: new, filter: true }
"#;

fn second() -> String {
    let change =
        "  2: { released: 2025-06-01, changes: [ { enum: things.state, values: { old: worn } } ] }\nresources:";
    SHED.replace("[new, old]", "[new, worn]").replace("resources:", change)
}

/// Gives the rows of a running server to a newer declaration: by a second node, or by a command.
async fn take_over(house: &House) -> Option<House> {
    if house.engine == Engine::Sqlite {
        std::fs::write(house.folder().join("api.yaml"), second()).unwrap();
        house.run(&["api", "apply"]);
        return None;
    }
    let mut newer = house.neighbour();
    std::fs::write(newer.folder().join("api.yaml"), second()).unwrap();
    newer.start().await;
    Some(newer)
}

#[tokio::test]
async fn a_node_with_the_earlier_declaration_says_so_and_changes_nothing() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), SHED).unwrap();
        house.start().await;
        let till = register(&house, "till", "all:things");
        let caller = Caller::with(&house, house.token(&till).await);
        let made = sent(caller.post("/api/things", &json!({ "state": "old" })), 201).await;
        let path = self_link(&made);
        status_of(house.get("/readyz"), 200).await;

        let newer = take_over(&house).await;

        for request in [
            caller.get(&path),
            caller.get("/api/things?state=old"),
            caller.post("/api/things", &json!({ "state": "old" })),
            caller.patch(&path, &json!({ "state": "new" })),
            caller.delete(&path),
        ] {
            let answer = status_of(request, 503).await;
            assert_eq!(header(&answer, "retry-after"), "5");
            let body = problem(answer).await;
            assert!(body["type"].as_str().unwrap().ends_with("/superseded"), "{body}");
            assert!(body["detail"].as_str().unwrap().contains("newer declaration of things"), "{body}");
        }
        status_of(house.get("/readyz"), 503).await;
        assert!(!house.token(&till).await.is_empty(), "what has no rows of the API goes on");

        let Some(newer) = newer else { continue };
        status_of(newer.get("/readyz"), 200).await;
        let caller = Caller::with(&newer, newer.token(&till).await);
        assert_eq!(caller.read(&path).await["state"], "worn");
        assert_eq!(caller.read("/api/things").await["data"].as_array().unwrap().len(), 1);
    }
}
