//! `/api/users`: one resource, each method.

use reqwest::Method;
use serde_json::json;

use super::{Caller, self_link, sent, status_of};
use crate::answer::{header, problem};
use crate::every_server;

/// However a server writes its list.
fn allowed(answer: &reqwest::Response) -> String {
    header(answer, "allow").split(',').map(str::trim).collect::<Vec<_>>().join(", ")
}

every_server! {
    async fn what_is_made_has_a_location_and_is_found_there(house: House) {
        let caller = Caller::client(&house).await;
        let body = json!({ "name": "Ada", "email": "ada@example.org", "address": { "city": "London" } });

        let made = status_of(caller.post("/api/users", &body), 201).await;
        let (location, etag) = (header(&made, "location"), header(&made, "etag"));
        assert_eq!(header(&made, "content-type"), "application/json");
        let made: serde_json::Value = made.json().await.unwrap();
        let found = status_of(caller.get(&location), 200).await;

        assert_eq!(location, format!("/api/users/{}", made["id"].as_str().unwrap()));
        assert_eq!(made["links"]["self"], location);
        assert_eq!(made["tags"], json!(null));
        assert_eq!(made["address"]["city"], "London");
        assert_eq!(header(&found, "etag"), etag);
        assert_eq!(found.json::<serde_json::Value>().await.unwrap(), made);
    }

    async fn head_answers_the_headers_of_get_without_a_body(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        let got = status_of(caller.get(&path), 200).await;
        let head = status_of(caller.request(Method::HEAD, &path), 200).await;

        for name in ["etag", "content-type", "content-length"] {
            assert_eq!(header(&head, name), header(&got, name), "{name}");
        }
        assert!(head.bytes().await.unwrap().is_empty());
        status_of(caller.request(Method::HEAD, "/api/users"), 200).await;
    }

    async fn put_replaces_all_of_it(house: House) {
        let caller = Caller::client(&house).await;
        let body = json!({ "name": "Ada", "email": "ada@example.org", "tags": ["x"], "address": { "city": "London" } });
        let made = caller.make("/api/users", body).await;
        let path = self_link(&made);

        let replaced = sent(caller.put(&path, &json!({ "name": "Eve", "email": "eve@example.org" })), 200).await;
        let round_trip = sent(caller.put(&path, &replaced), 200).await;

        assert_eq!(replaced["name"], "Eve");
        assert_eq!((&replaced["tags"], &replaced["address"]), (&json!(null), &json!(null)));
        assert_eq!(caller.read(&path).await, replaced);
        assert_eq!(round_trip, replaced);
        let missing = problem(status_of(caller.put(&path, &json!({ "name": "Eve" })), 400).await).await;
        assert_eq!(crate::api::errors(&missing), crate::api::pairs(&[("email", "REQUIRED")]));
        let nobody = "/api/users/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e";
        status_of(caller.put(nobody, &json!({ "name": "Eve", "email": "e@example.org" })), 404).await;
    }

    async fn what_is_deleted_is_gone_and_stays_gone(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        let gone = status_of(caller.delete(&path), 204).await;

        assert!(gone.bytes().await.unwrap().is_empty());
        problem(status_of(caller.get(&path), 404).await).await;
        problem(status_of(caller.delete(&path), 404).await).await;
        problem(status_of(caller.patch(&path, &json!({ "name": "x" })), 404).await).await;
    }

    async fn options_and_405_name_the_methods(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        let options = status_of(caller.request(Method::OPTIONS, &path), 204).await;
        let refused = status_of(caller.post(&path, &json!({})), 405).await;

        assert_eq!(allowed(&options), "GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
        assert!(header(&options, "accept-patch").contains("application/json-patch+json"));
        assert_eq!(allowed(&refused), "GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
        problem(refused).await;
        let refused = status_of(caller.delete("/api/users"), 405).await;
        assert_eq!(allowed(&refused), "GET, HEAD, POST, OPTIONS");
        let options = house.http.request(Method::OPTIONS, format!("{}/api/users", house.origin)).send().await.unwrap();
        assert_eq!(allowed(&options), "GET, HEAD, POST, OPTIONS");
    }

    async fn a_unique_value_is_taken_once(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let other = caller.make_user("eve").await;

        let body = json!({ "name": "Also Ada", "email": "ada@example.org" });
        let refused = problem(status_of(caller.post("/api/users", &body), 409).await).await;
        let changed = problem(status_of(caller.patch(&other, &json!({ "email": "ada@example.org" })), 409).await).await;

        for told in [refused, changed] {
            assert_eq!(crate::api::errors(&told), crate::api::pairs(&[("email", "NOT_UNIQUE")]));
        }
        sent(caller.patch(&path, &json!({ "email": "ada@example.org" })), 200).await;
        status_of(caller.delete(&path), 204).await;
        status_of(caller.post("/api/users", &body), 201).await;
    }
}
