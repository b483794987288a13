//! Lists that are asked for again: from memory or not, they show what is there.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Caller, self_link, status_of};
use crate::both_engines;
use crate::house::{Engine, House, eventually};

/// The same list three times, so that one of them may be remembered. All of them are the same.
async fn seen(caller: &Caller, path: &str) -> Value {
    let first = caller.read(path).await;
    for _ in 0..2 {
        assert_eq!(caller.read(path).await, first, "{path}");
    }
    first
}

both_engines! {
    async fn a_list_shows_each_change_that_was_answered(house: House) {
        let caller = Caller::client(&house).await;
        let user = caller.make_user("ada").await;
        let user_id = user.rsplit('/').next().unwrap().to_owned();
        let below = format!("{user}/orders");
        let lists = ["/api/orders", "/api/orders?include=user", "/api/orders?page=1", "/api/v1/orders?sort=-total", &below];
        let all = async || {
            let mut all = Vec::new();
            for list in lists {
                all.push(seen(&caller, list).await["data"].clone());
            }
            all
        };
        let mut before = all().await;
        let mut path = String::new();

        for change in ["post", "patch", "put", "pay", "note", "user", "delete"] {
            match change {
                "post" => path = caller.make_order(json!({ "amount": 5, "user_id": user_id })).await,
                "patch" => drop(status_of(caller.patch(&path, &json!({ "amount": 6 })), 200).await),
                "put" => drop(status_of(caller.put(&path, &json!({ "amount": 7, "user_id": user_id })), 200).await),
                "pay" => drop(status_of(caller.post(&format!("{path}/pay"), &json!({})), 200).await),
                "note" => drop(status_of(caller.patch(&path, &json!({ "note": "x" })), 200).await),
                "user" => drop(status_of(caller.patch(&user, &json!({ "name": "Countess" })), 200).await),
                _ => drop(status_of(caller.delete(&path), 204).await),
            }
            let after = all().await;
            for (list, (before, after)) in lists.iter().zip(before.iter().zip(&after)) {
                // What a user is called shows only where they come along.
                assert_eq!(before != after, change != "user" || list.contains("include"), "{change}: {list}");
            }
            before = after;
        }
    }

    async fn a_list_is_nobody_elses(house: House) {
        let [all, reader] = [crate::api::SCOPES, "read:orders"];
        let till = Caller::client_with(&house, "till", all).await;
        let screen = Caller::client_with(&house, "screen", reader).await;
        let ada = Caller::user(&house, "ada").await;
        till.make_order(json!({ "amount": 5 })).await;
        let own = ada.make_order(json!({ "amount": 6 })).await;

        for _ in 0..3 {
            let [till, screen, ada] = [till.read("/api/orders").await, screen.read("/api/orders").await, ada.read("/api/orders").await];
            let rows = |list: &Value| list["data"].as_array().unwrap().clone();

            assert_eq!((rows(&till).len(), rows(&screen).len(), rows(&ada).len()), (2, 2, 1));
            assert!(rows(&till)[0]["links"]["pay"].is_string());
            assert_eq!(rows(&screen)[0]["links"].get("pay"), None);
            assert_eq!(self_link(&rows(&ada)[0]), own);
        }
    }

    async fn whoever_makes_something_finds_it_in_the_list_that_all_ask_for(house: House) {
        let caller = Caller::client(&house).await;
        let list = "/api/orders?limit=100";
        let one = async |number: usize| {
            for turn in 0..6 {
                let made = caller.make("/api/orders", json!({ "amount": number * 10 + turn })).await;
                assert!(caller.column(list, "id").await.contains(&made["id"]), "{number}, {turn}");
            }
        };

        join_all((0..12).map(one)).await;

        assert_eq!(caller.column(list, "id").await.len(), 72);
    }
}

#[tokio::test]
async fn what_somebody_changes_in_the_file_shows_after_a_moment() {
    let house = House::on(Engine::Sqlite).await.unwrap();
    let caller = Caller::client(&house).await;
    caller.make_order(json!({ "amount": 5, "note": "before" })).await;
    let notes = async || caller.column("/api/orders", "note").await;
    assert_eq!(seen(&caller, "/api/orders").await["data"][0]["note"], "before");

    let file = rusqlite::Connection::open(house.data().join("valetkey.db")).unwrap();
    let changed = file.execute("UPDATE r_orders SET document = replace(document, 'before', 'behind')", []);

    assert_eq!(changed, Ok(1));
    // Asked again and again, so that it stays what was asked for last.
    eventually(Duration::from_secs(5), async || notes().await == [json!("behind")]).await;
}
