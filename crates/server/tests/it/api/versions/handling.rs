//! Handlers that were written for an older version: they are called, and answer, in its words.

use serde_json::json;

use super::super::{Caller, sent};
use super::{bakery, day};
use crate::house::{Engine, House};
use crate::receiver::{Receiver, SECRET};

/// A bakery whose orders are packed by a handler that speaks this version, and answers so.
async fn house(engine: Engine, receiver: &Receiver, version: &str) -> Option<House> {
    let settings = [
        ("VALETKEY_API", "api.yaml"),
        ("VALETKEY_OUTBOUND_ALLOW", "127.0.0.0/8"),
        ("VALETKEY_HANDLERS_SECRET", SECRET),
    ];
    let mut house = House::unstarted(engine, &settings).await?;
    let handler = format!(", handler: {{ url: \"{}\", timeout: 5s{version} }}", receiver.url());
    let declaration = bakery(&format!("released: {}", day(-400)), &handler);
    std::fs::write(house.folder().join("api.yaml"), declaration).unwrap();
    house.start().await;
    Some(house)
}

#[tokio::test]
async fn a_handler_is_called_in_the_words_of_its_version_and_answers_in_them() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let words = r#"{"data":{"total":"2.50","street":"Oak 2","fax":"99"}}"#;
        let receiver = Receiver::saying(&[200], words).await;
        let Some(house) = house(engine, &receiver, ", version: 1").await else { continue };
        let caller = Caller::client_with(&house, "till", "all:bread").await;
        let order = json!({ "amount": 1234, "gift": true, "address": { "street": "Elm 1", "city": "Bern" } });
        let made = caller.make("/api/orders", order).await;
        let path = format!("/api/orders/{}", made["id"].as_str().unwrap());

        let packed = sent(caller.post(&format!("{path}/pack"), &json!({})), 200).await;

        let calls = receiver.received();
        assert!(calls.len() == 1 && calls[0].is_signed());
        let told = calls[0].json();
        assert_eq!(
            (&told["version"], &told["resource"], &told["action"]),
            (&json!(1), &json!("purchases"), &json!("pack"))
        );
        let expected = json!({ "id": made["id"], "client_id": null, "total": "12.34", "status": "open",
            "address": { "city": "Bern" }, "street": "Elm 1", "fax": null });
        assert_eq!(told["data"], expected);
        assert_eq!(
            (&packed["amount"], &packed["status"], &packed["gift"]),
            (&json!(250), &json!("packed"), &json!(true))
        );
        assert_eq!(packed["address"], json!({ "street": "Oak 2", "city": "Bern" }));
        let seen = sent(caller.get(&path.replace("/api/orders", "/api/v1/purchases")), 200).await;
        assert_eq!((&seen["total"], &seen["fax"]), (&json!("2.50"), &json!("99")));
    }
}

#[tokio::test]
async fn a_handler_that_names_no_version_speaks_the_newest() {
    let receiver = Receiver::saying(&[200], r#"{"data":{"amount":250}}"#).await;
    let house = house(Engine::Sqlite, &receiver, "").await.unwrap();
    let caller = Caller::client_with(&house, "till", "all:bread").await;
    let made = caller.make("/api/orders", json!({ "amount": 1234, "gift": true })).await;

    let packed =
        sent(caller.post(&format!("/api/orders/{}/pack", made["id"].as_str().unwrap()), &json!({})), 200).await;

    let told = receiver.received()[0].json();
    assert_eq!(
        (&told["version"], &told["resource"], &told["data"]["amount"]),
        (&json!(3), &json!("orders"), &json!(1234))
    );
    assert!(told["data"].get("fax").is_none(), "{told}");
    assert_eq!(packed["amount"], 250);
}

#[tokio::test]
async fn a_result_that_the_stored_model_cannot_have_fails_the_operation() {
    // One is no amount, the other is more than an order may come to.
    for total in ["much", "999999999.99"] {
        let receiver = Receiver::saying(&[200], &json!({ "data": { "total": total } }).to_string()).await;
        let house = house(Engine::Sqlite, &receiver, ", version: 1").await.unwrap();
        let caller = Caller::client_with(&house, "till", "all:bread").await;
        let made = caller.make("/api/orders", json!({ "amount": 1234, "gift": true })).await;
        let path = format!("/api/orders/{}", made["id"].as_str().unwrap());

        let answer = caller.post(&format!("{path}/pack"), &json!({})).send().await.unwrap();

        assert!(answer.status().as_u16() >= 400, "{}", answer.status());
        let left = sent(caller.get(&path), 200).await;
        assert_eq!((&left["amount"], &left["status"]), (&json!(1234), &json!("open")));
    }
}
