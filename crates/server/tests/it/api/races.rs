//! Many at once: nothing is lost, nothing is done twice.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Caller, status_of};
use crate::answer::header;
use crate::both_engines;

both_engines! {
    async fn no_change_is_lost_among_racing_writers(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let append = |number: usize| {
            let patch = json!([{ "op": "add", "path": "/tags/-", "value": format!("t{number}") }]);
            let request = caller.request(Method::PATCH, &path).header("content-type", "application/json-patch+json");
            request.body(patch.to_string()).send()
        };
        status_of(caller.patch(&path, &json!({ "tags": [] })), 200).await;

        let answers = join_all((0..64).map(append)).await;

        assert!(answers.iter().all(|answer| answer.as_ref().unwrap().status() == 200));
        assert_eq!(caller.read(&path).await["tags"].as_array().unwrap().len(), 64);
    }

    async fn of_many_who_name_one_revision_one_wins(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let etag = header(&status_of(caller.get(&path), 200).await, "etag");

        let racers = (0..32).map(|number| {
            caller.patch(&path, &json!({ "name": format!("n{number}") })).header("if-match", &etag).send()
        });
        let statuses: Vec<u16> = join_all(racers).await.iter().map(|answer| answer.as_ref().unwrap().status().as_u16()).collect();

        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 412).count(), 31, "{statuses:?}");
    }

    async fn of_many_twins_under_one_key_one_makes_something(house: House) {
        let caller = Caller::client(&house).await;
        let body = json!({ "name": "Ada", "email": "ada@example.org" });

        let twins = (0..32).map(|_| caller.post("/api/users", &body).header("idempotency-key", "k").send());
        let answers = join_all(twins).await;

        let statuses: Vec<u16> = answers.iter().map(|answer| answer.as_ref().unwrap().status().as_u16()).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 201, 409].contains(status)), "{statuses:?}");
        assert_eq!(caller.column("/api/users", "id").await.len(), 1);
    }

    async fn of_many_with_one_unique_value_one_gets_it(house: House) {
        let caller = Caller::client(&house).await;
        let body = json!({ "name": "Ada", "email": "ada@example.org" });

        let answers = join_all((0..32).map(|_| caller.post("/api/users", &body).send())).await;

        let statuses: Vec<u16> = answers.iter().map(|answer| answer.as_ref().unwrap().status().as_u16()).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 31, "{statuses:?}");
    }

    async fn of_many_who_pay_and_cancel_one_gets_through(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 5 })).await;

        let racers = (0..32).map(|number| {
            let action = if number % 2 == 0 { "pay" } else { "cancel" };
            caller.post(&format!("{path}/{action}"), &json!({})).send()
        });
        let statuses: Vec<u16> = join_all(racers).await.iter().map(|answer| answer.as_ref().unwrap().status().as_u16()).collect();

        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 31, "{statuses:?}");
    }

    async fn a_walk_meets_each_row_that_stays_exactly_once(house: House) {
        let caller = Caller::client(&house).await;
        let mut staying = Vec::new();
        let mut going = Vec::new();
        for number in 0..60 {
            let path = caller.make_order(json!({ "amount": number % 7 })).await;
            if number % 3 == 0 { going.push(path) } else { staying.push(path) }
        }

        let meanwhile = async {
            for path in going {
                status_of(caller.delete(&path), 204).await;
                caller.make_order(json!({ "amount": 3 })).await;
            }
        };
        let walk = async {
            let (mut seen, mut next) = (Vec::new(), Some("/api/orders?sort=-amount&limit=4".to_owned()));
            while let Some(path) = next {
                let page: Value = caller.read(&path).await;
                seen.extend(page["data"].as_array().unwrap().iter().map(crate::api::self_link));
                next = page["links"]["next"].as_str().map(str::to_owned);
            }
            seen
        };
        let ((), seen) = tokio::join!(meanwhile, walk);

        for path in staying {
            assert_eq!(seen.iter().filter(|met| **met == path).count(), 1, "{path}");
        }
    }
}
