//! `/api/payments/<id>/refund`: an action that takes time.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Caller, self_link, sent, status_of};
use crate::answer::{header, problem};
use crate::both_engines;
use crate::house::eventually;

const SOON: Duration = Duration::from_secs(10);

async fn settled(caller: &Caller, path: &str) -> Value {
    eventually(SOON, async || !["pending", "running"].contains(&caller.read(path).await["status"].as_str().unwrap()))
        .await;
    caller.read(path).await
}

both_engines! {
    async fn a_refund_is_accepted_and_done_later(house: House) {
        let caller = Caller::client(&house).await;
        let payment = caller.make("/api/payments", json!({ "amount": 5, "currency": "EUR" })).await;
        let path = self_link(&payment);

        let accepted = status_of(caller.post(&format!("{path}/refund"), &json!({})), 202).await;
        let monitor = header(&accepted, "location");
        let accepted: Value = accepted.json().await.unwrap();
        let done = settled(&caller, &monitor).await;

        assert_eq!(payment["status"], "captured");
        assert_eq!(payment["links"]["refund"], format!("{path}/refund"));
        assert_eq!(monitor, format!("/api/operations/{}", accepted["id"].as_str().unwrap()));
        assert_eq!(accepted["links"]["resource"], path);
        assert_eq!(done["status"], "succeeded");
        assert_eq!(caller.read(&path).await["status"], "refunded");
        problem(status_of(caller.post(&format!("{path}/refund"), &json!({})), 409).await).await;
    }

    async fn whoever_may_only_act_can_watch_what_they_began(house: House) {
        let caller = Caller::client(&house).await;
        let path = self_link(&caller.make("/api/payments", json!({ "amount": 5 })).await);
        let actor = Caller::client_with(&house, "desk", "write:payments").await;
        let strangers = [("other", "read:orders"), ("twin", "write:payments")];

        let accepted = status_of(actor.post(&format!("{path}/refund"), &json!({})), 202).await;
        let monitor = header(&accepted, "location");

        assert_eq!(settled(&actor, &monitor).await["status"], "succeeded");
        for (name, scope) in strangers {
            let stranger = Caller::client_with(&house, name, scope).await;
            problem(status_of(stranger.get(&monitor), 403).await).await;
        }
    }

    async fn what_was_accepted_is_done_though_the_server_was_killed(house: House) {
        let mut house = house;
        let client = crate::api::register(&house, "till", crate::api::SCOPES);
        let caller = Caller::with(&house, house.token(&client).await);
        let mut monitors = Vec::new();
        for amount in 0..8 {
            let payment = caller.make("/api/payments", json!({ "amount": amount })).await;
            let refund = caller.post(&format!("{}/refund", self_link(&payment)), &json!({}));
            monitors.push((self_link(&payment), header(&status_of(refund, 202).await, "location")));
        }

        house.kill();
        house.start().await;
        let caller = Caller::with(&house, house.token(&client).await);

        for (payment, monitor) in monitors {
            // A lease of the killed server may still run: whoever took a task and died holds it back for ten seconds.
            eventually(Duration::from_secs(20), async || caller.read(&monitor).await["status"] == "succeeded").await;
            assert_eq!(caller.read(&payment).await["status"], "refunded");
        }
    }

    async fn a_repeat_under_a_key_is_one_operation(house: House) {
        let caller = Caller::client(&house).await;
        let payment = caller.make("/api/payments", json!({ "amount": 5 })).await;
        let refund = || {
            caller.post(&format!("{}/refund", self_link(&payment)), &json!({})).header("idempotency-key", "r")
        };

        let first = status_of(refund(), 202).await;
        let again = status_of(refund(), 200).await;

        assert_eq!(header(&again, "location"), header(&first, "location"));
        assert_eq!(header(&again, "idempotent-replayed"), "true");
    }

    async fn an_operation_is_for_whoever_began_it(house: House) {
        let (ada, eve) = (Caller::user(&house, "ada").await, Caller::user(&house, "eve").await);
        let payment = ada.make("/api/payments", json!({ "amount": 5 })).await;
        let refund = status_of(ada.post(&format!("{}/refund", self_link(&payment)), &json!({})), 202).await;
        let monitor = header(&refund, "location");

        sent(ada.get(&monitor), 200).await;

        problem(status_of(eve.get(&monitor), 404).await).await;
        problem(status_of(ada.delete(&monitor), 405).await).await;
    }
}
