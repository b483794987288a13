//! `Idempotency-Key`: a repeat is answered, not done again.

use serde_json::{Value, json};

use super::{Caller, sent, status_of};
use crate::answer::{header, problem};
use crate::{both_engines, every_server};

every_server! {
    async fn a_repeat_gets_the_same_answer_with_200(house: House) {
        let caller = Caller::client(&house).await;
        let body = json!({ "name": "Ada", "email": "ada@example.org" });
        let ask = |body: &Value| caller.post("/api/users", body).header("idempotency-key", "k-1");

        let first = status_of(ask(&body), 201).await;
        let (location, etag, replayed) = (header(&first, "location"), header(&first, "etag"), header(&first, "idempotent-replayed"));
        let first = first.text().await.unwrap();
        let again = status_of(ask(&body), 200).await;

        assert_eq!(replayed, "");
        assert_eq!(header(&again, "idempotent-replayed"), "true");
        assert_eq!((header(&again, "location"), header(&again, "etag")), (location.clone(), etag));
        assert_eq!(again.text().await.unwrap(), first);
        assert_eq!(caller.column("/api/users", "id").await.len(), 1);
        // The order of members and white space are not what was asked for.
        let spaced = caller.request(reqwest::Method::POST, "/api/users").header("idempotency-key", "\"k-1\"");
        let spaced = spaced.header("content-type", "application/json");
        status_of(spaced.body("{ \"email\":\"ada@example.org\",  \"name\":\"Ada\" }"), 200).await;
        // What happened to the row since does not matter.
        status_of(caller.delete(&location), 204).await;
        assert_eq!(status_of(ask(&body), 200).await.text().await.unwrap(), first);
    }
}

both_engines! {
    async fn another_request_under_a_key_is_refused(house: House) {
        let caller = Caller::client(&house).await;
        let other = Caller::client_with(&house, "other", crate::api::SCOPES).await;
        let order = json!({ "amount": 5 });
        sent(caller.post("/api/orders", &order).header("idempotency-key", "k"), 201).await;

        let refused = caller.post("/api/orders", &json!({ "amount": 6 })).header("idempotency-key", "k");
        let refused = problem(status_of(refused, 422).await).await;

        assert!(refused["type"].as_str().unwrap().ends_with("/problems/idempotency-key-reused"), "{refused}");
        // The key comes first, whatever else is wrong.
        let wrong = caller.post("/api/orders", &json!({ "amount": -6 })).header("idempotency-key", "k");
        let wrong = problem(status_of(wrong, 422).await).await;
        assert!(wrong["type"].as_str().unwrap().ends_with("/problems/idempotency-key-reused"), "{wrong}");
        let elsewhere = caller.post("/api/payments", &order).header("idempotency-key", "k");
        status_of(elsewhere, 422).await;
        sent(other.post("/api/orders", &order).header("idempotency-key", "k"), 201).await;
        for bad in ["", "with space", &"x".repeat(256)] {
            let asked = caller.post("/api/orders", &order).header("idempotency-key", bad);
            status_of(asked, 400).await;
        }
    }

    async fn a_request_that_was_refused_leaves_its_key_free(house: House) {
        let caller = Caller::client(&house).await;

        let wrong = caller.post("/api/orders", &json!({ "amount": -5 })).header("idempotency-key", "k");
        status_of(wrong, 422).await;

        sent(caller.post("/api/orders", &json!({ "amount": 5 })).header("idempotency-key", "k"), 201).await;
    }

    async fn a_key_survives_kill_minus_nine(house: House) {
        let mut house = house;
        let client = crate::api::register(&house, "till", crate::api::SCOPES);
        let caller = Caller::with(&house, house.token(&client).await);
        let body = json!({ "amount": 5 });
        let first = sent(caller.post("/api/orders", &body).header("idempotency-key", "k"), 201).await;

        house.kill();
        house.start().await;
        let caller = Caller::with(&house, house.token(&client).await);
        let again = sent(caller.post("/api/orders", &body).header("idempotency-key", "k"), 200).await;

        assert_eq!(again, first);
        assert_eq!(caller.column("/api/orders", "id").await.len(), 1);
    }

    async fn an_action_under_a_key_is_done_once(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 5 })).await;
        let pay = || caller.post(&format!("{path}/pay"), &json!({})).header("idempotency-key", "pay");

        let first = sent(pay(), 200).await;
        let again = status_of(pay(), 200).await;

        assert_eq!(first["status"], "paid");
        assert_eq!(header(&again, "idempotent-replayed"), "true");
        assert_eq!(again.json::<Value>().await.unwrap(), first);
        status_of(caller.post(&format!("{path}/pay"), &json!({})), 409).await;
    }
}
