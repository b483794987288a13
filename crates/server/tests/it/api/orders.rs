//! `/api/orders` and `/api/users/<id>/orders`: nested views, owners, relations, links.

use serde_json::{Value, json};

use super::{Caller, errors, pairs, self_link, sent, status_of};
use crate::answer::problem;
use crate::both_engines;

const NOBODY: &str = "/api/users/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e";

both_engines! {
    async fn a_nested_path_is_a_filtered_view(house: House) {
        let caller = Caller::client(&house).await;
        let (ada, eve) = (caller.make_user("ada").await, caller.make_user("eve").await);

        let order = caller.make(&format!("{ada}/orders"), json!({ "amount": 5 })).await;
        caller.make("/api/orders", json!({ "amount": 6, "user_id": eve.rsplit('/').next().unwrap() })).await;
        let id = order["id"].as_str().unwrap();

        assert_eq!(self_link(&order), format!("/api/orders/{id}"));
        assert_eq!(order["user_id"], ada.rsplit('/').next().unwrap());
        assert_eq!(caller.column(&format!("{ada}/orders"), "amount").await, [5]);
        assert_eq!(caller.read(&format!("{ada}/orders/{id}")).await, caller.read(&self_link(&order)).await);
        problem(status_of(caller.get(&format!("{eve}/orders/{id}")), 404).await).await;
        problem(status_of(caller.get(&format!("{NOBODY}/orders")), 404).await).await;
        problem(status_of(caller.post(&format!("{NOBODY}/orders"), &json!({ "amount": 1 })), 404).await).await;
        problem(status_of(caller.delete(&format!("{eve}/orders/{id}")), 404).await).await;
        let other = json!({ "amount": 1, "user_id": eve.rsplit('/').next().unwrap() });
        let refused = problem(status_of(caller.post(&format!("{ada}/orders"), &other), 422).await).await;
        assert_eq!(errors(&refused), pairs(&[("user_id", "INVALID_VALUE")]));
        let paid = sent(caller.post(&format!("{ada}/orders/{id}/pay"), &json!({})), 200).await;
        assert_eq!(paid["status"], "paid");
        let put = sent(caller.put(&format!("{ada}/orders/{id}"), &json!({ "amount": 9 })), 200).await;
        assert_eq!((&put["amount"], &put["user_id"], &put["status"]), (&json!(9), &order["user_id"], &json!("paid")));
        status_of(caller.delete(&format!("{ada}/orders/{id}")), 204).await;
    }

    async fn a_patch_below_a_row_cannot_move_it_elsewhere(house: House) {
        let caller = Caller::client(&house).await;
        let (ada, eve) = (caller.make_user("ada").await, caller.make_user("eve").await);
        let order = caller.make(&format!("{ada}/orders"), json!({ "amount": 5 })).await;
        let path = format!("{ada}/orders/{}", order["id"].as_str().unwrap());

        for elsewhere in [json!(null), json!(eve.rsplit('/').next().unwrap())] {
            let refused = status_of(caller.patch(&path, &json!({ "user_id": elsewhere })), 422).await;
            assert_eq!(errors(&problem(refused).await), pairs(&[("user_id", "INVALID_VALUE")]));
        }

        assert_eq!(caller.read(&path).await["user_id"], order["user_id"]);
    }

    async fn an_id_is_told_in_small_letters_however_it_was_sent(house: House) {
        let caller = Caller::client(&house).await;
        let user = caller.make_user("ada").await;
        let id = user.rsplit('/').next().unwrap();

        let order = caller.make("/api/orders", json!({ "amount": 5, "user_id": id.to_uppercase() })).await;
        let nested = caller.make(&format!("{user}/orders"), json!({ "amount": 5, "user_id": id.to_uppercase() })).await;

        assert_eq!((&order["user_id"], &nested["user_id"]), (&json!(id), &json!(id)));
        assert_eq!(caller.column(&format!("/api/orders?user_id={}", id.to_uppercase()), "amount").await, [5, 5]);
    }

    async fn a_user_sees_only_their_own_orders_and_a_client_sees_all(house: House) {
        let (ada, eve) = (Caller::user(&house, "ada").await, Caller::user(&house, "eve").await);
        let client = Caller::client(&house).await;
        let of_ada = ada.make_order(json!({ "amount": 1 })).await;
        let of_client = client.make_order(json!({ "amount": 3 })).await;
        eve.make_order(json!({ "amount": 2 })).await;

        assert_eq!(ada.column("/api/orders?sort=amount", "amount").await, [1]);
        assert_eq!(eve.column("/api/orders?sort=amount", "amount").await, [2]);
        assert_eq!(client.column("/api/orders?sort=amount", "amount").await, [1, 2, 3]);
        assert_eq!(eve.read("/api/orders?page=1").await["meta"]["total"], 1);
        for hidden in [&of_ada, &of_client] {
            status_of(eve.get(hidden), 404).await;
            status_of(eve.patch(hidden, &json!({ "amount": 9 })), 404).await;
            status_of(eve.put(hidden, &json!({ "amount": 9 })), 404).await;
            status_of(eve.delete(hidden), 404).await;
            status_of(eve.post(&format!("{hidden}/pay"), &json!({})), 404).await;
        }
        sent(client.patch(&of_ada, &json!({ "note": "seen" })), 200).await;
        assert_eq!(ada.read(&of_ada).await["note"], "seen");
    }

    async fn a_reference_to_a_hidden_row_is_as_one_to_none(house: House) {
        let (ada, eve) = (Caller::user(&house, "ada").await, Caller::user(&house, "eve").await);
        let order = ada.make_order(json!({ "amount": 1 })).await;
        let of_ada = order.rsplit('/').next().unwrap();

        let pay = |caller: &Caller, id: &str| caller.post("/api/payments", &json!({ "order_id": id, "amount": 1 }));
        let hidden = problem(status_of(pay(&eve, of_ada), 422).await).await;
        let missing = problem(status_of(pay(&eve, "01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e"), 422).await).await;
        let payment = sent(pay(&ada, of_ada), 201).await;

        let without_instance = |mut problem: Value| {
            problem.as_object_mut().unwrap().remove("instance");
            problem
        };
        assert_eq!(without_instance(hidden), without_instance(missing));
        let seen = eve.read(&format!("{}?include=order", self_link(&payment))).await;
        assert_eq!((&seen["order_id"], &seen["order"]), (&json!(of_ada), &json!(null)));
        assert_eq!(ada.read(&format!("{}?include=order", self_link(&payment))).await["order"]["amount"], 1);
    }

    async fn what_an_order_refers_to_comes_along(house: House) {
        let caller = Caller::client(&house).await;
        let ada = caller.make_user("ada").await;
        let order = caller.make(&format!("{ada}/orders"), json!({ "amount": 5 })).await;
        caller.make("/api/orders", json!({ "amount": 6 })).await;

        let one = caller.read(&format!("{}?include=user", self_link(&order))).await;
        let list = caller.column("/api/orders?include=user&sort=amount", "user").await;

        assert_eq!(one["user"], caller.read(&ada).await);
        assert_eq!(list, [caller.read(&ada).await, json!(null)]);
        assert_eq!(order["links"]["user"], ada);
    }

    async fn the_server_sets_what_it_says_it_sets(house: House) {
        let caller = Caller::client(&house).await;

        let order = caller.make("/api/orders", json!({ "amount": 5 })).await;
        let changed = sent(caller.patch(&self_link(&order), &json!({ "amount": 6 })), 200).await;

        assert_eq!((&order["status"], &order["currency"], &order["note"]), (&json!("pending"), &json!("EUR"), &json!(null)));
        assert!(order["created_at"].as_str().unwrap().ends_with('Z'), "{order}");
        assert_eq!(changed["created_at"], order["created_at"]);
    }

    async fn a_version_in_the_path_stays_in_the_links(house: House) {
        let caller = Caller::client(&house).await;

        let order = caller.make("/api/v2/orders", json!({ "amount": 5 })).await;

        assert_eq!(self_link(&order), format!("/api/v2/orders/{}", order["id"].as_str().unwrap()));
        sent(caller.get(&self_link(&order)), 200).await;
    }

    async fn what_others_refer_to_cannot_be_deleted(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        assert_eq!(caller.read(&path).await["links"]["orders"], format!("{path}/orders"));
        let order = caller.make(&format!("{path}/orders"), json!({ "amount": 5 })).await;

        let refused = problem(status_of(caller.delete(&path), 409).await).await;
        status_of(caller.delete(&self_link(&order)), 204).await;
        status_of(caller.delete(&path), 204).await;

        assert!(refused["detail"].as_str().unwrap().contains("orders"), "{refused}");
    }

    async fn a_patch_cannot_move_the_state_and_takes_a_value_back_to_its_default(house: House) {
        let caller = Caller::client(&house).await;
        let order = caller.make_order(json!({ "amount": 5, "currency": "USD" })).await;
        let steps = |patch: &str| {
            let request = caller.request(reqwest::Method::PATCH, &order);
            request.header("content-type", "application/json-patch+json").body(patch.to_owned())
        };

        let state = problem(status_of(caller.patch(&order, &json!({ "status": "paid" })), 422).await).await;
        let taken = steps(r#"[{ "op": "remove", "path": "/created_at" }]"#);
        let taken = problem(status_of(taken, 422).await).await;
        let fallen_back = sent(caller.patch(&order, &json!({ "currency": null })), 200).await;

        assert_eq!(errors(&state), pairs(&[("status", "READ_ONLY")]));
        assert_eq!(errors(&taken), pairs(&[("created_at", "READ_ONLY")]));
        assert_eq!(fallen_back["currency"], "EUR");
    }
}
