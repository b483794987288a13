//! Actions as transitions, and links that name what may be done now.

use serde_json::json;

use super::{Caller, sent, status_of};
use crate::answer::{header, problem};
use crate::both_engines;

both_engines! {
    async fn an_action_moves_the_state_once(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 5 })).await;
        let before = caller.read(&path).await;

        let paid = sent(caller.post(&format!("{path}/pay"), &json!({})), 200).await;
        let refused = problem(status_of(caller.post(&format!("{path}/cancel"), &json!({})), 409).await).await;

        assert_eq!(before["links"]["pay"], format!("{path}/pay"));
        assert_eq!(before["links"]["cancel"], format!("{path}/cancel"));
        assert_eq!(paid["status"], "paid");
        assert!(paid["links"].get("pay").is_none() && paid["links"].get("cancel").is_none(), "{paid}");
        assert!(refused["detail"].as_str().unwrap().contains("paid"), "{refused}");
        assert_eq!(caller.read(&path).await, paid);
    }

    async fn links_name_only_what_this_caller_may_do(house: House) {
        let caller = Caller::client(&house).await;
        let reader = Caller::client_with(&house, "reader", "read:orders").await;
        let user = caller.make_user("ada").await;
        let order = caller.make(&format!("{user}/orders"), json!({ "amount": 5 })).await;
        let path = crate::api::self_link(&order);

        let seen = reader.read(&path).await;

        assert_eq!(seen["links"], json!({ "self": path }));
        assert_eq!(order["links"].as_object().unwrap().len(), 4, "{order}");
        status_of(reader.post(&format!("{path}/pay"), &json!({})), 403).await;
    }

    async fn an_action_needs_no_body_and_takes_none(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 5 })).await;

        status_of(caller.post(&format!("{path}/pay"), &json!({ "now": true })), 422).await;
        status_of(caller.get(&format!("{path}/pay")), 405).await;
        let bare = caller.request(reqwest::Method::POST, &format!("{path}/pay"));

        assert_eq!(sent(bare, 200).await["status"], "paid");
        status_of(caller.post("/api/orders/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e/pay", &json!({})), 404).await;
    }

    async fn an_action_honours_if_match(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 5 })).await;
        let first = header(&status_of(caller.get(&path), 200).await, "etag");
        sent(caller.patch(&path, &json!({ "amount": 6 })), 200).await;

        let pay = caller.post(&format!("{path}/pay"), &json!({}));
        status_of(pay.header("if-match", &first), 412).await;

        assert_eq!(caller.read(&path).await["status"], "pending");
    }
}
