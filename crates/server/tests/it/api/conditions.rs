//! `ETag`, `If-Match`, `If-None-Match`.

use serde_json::json;

use super::{Caller, status_of};
use crate::answer::{header, problem};
use crate::every_server;

every_server! {
    async fn a_change_needs_the_revision_that_it_names(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let first = header(&status_of(caller.get(&path), 200).await, "etag");

        let changed = caller.patch(&path, &json!({ "name": "Eve" })).header("if-match", &first);
        let second = header(&status_of(changed, 200).await, "etag");

        assert_ne!(first, second);
        let late = caller.patch(&path, &json!({ "name": "Zoe" })).header("if-match", &first);
        let refused = status_of(late, 412).await;
        assert_eq!(header(&refused, "etag"), second);
        problem(refused).await;
        let body = json!({ "name": "Zoe", "email": "zoe@example.org" });
        status_of(caller.put(&path, &body).header("if-match", &first), 412).await;
        status_of(caller.delete(&path).header("if-match", &first), 412).await;
        assert_eq!(caller.read(&path).await["name"], "Eve");
        for wrong in ["\"1-v9\"", "\"+2-v1\"", "\"02-v1\"", "\"nonsense\"", &format!("W/{second}")] {
            status_of(caller.delete(&path).header("if-match", wrong), 412).await;
        }
        status_of(caller.delete(&path).header("if-match", "no tag at all"), 400).await;
        status_of(caller.patch(&path, &json!({ "name": "Zoe" })).header("if-match", "*"), 200).await;
        let third = header(&status_of(caller.get(&path), 200).await, "etag");
        let either = format!("{first}, {third}");
        status_of(caller.delete(&path).header("if-match", either), 204).await;
    }

    async fn a_read_that_wants_another_revision_is_refused(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let etag = header(&status_of(caller.get(&path), 200).await, "etag");

        status_of(caller.get(&path).header("if-match", &etag), 200).await;
        status_of(caller.get(&path).header("if-match", "*"), 200).await;
        problem(status_of(caller.get(&path).header("if-match", "\"x\""), 412).await).await;
    }

    async fn what_has_not_changed_is_not_sent_again(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let etag = header(&status_of(caller.get(&path), 200).await, "etag");

        let same = status_of(caller.get(&path).header("if-none-match", format!("\"x\", W/{etag}")), 304).await;
        let any = status_of(caller.get(&path).header("if-none-match", "*"), 304).await;

        assert_eq!(header(&same, "etag"), etag);
        assert!(same.bytes().await.unwrap().is_empty() && any.bytes().await.unwrap().is_empty());
        status_of(caller.get(&path).header("if-none-match", "\"x\""), 200).await;
    }

    async fn a_change_can_demand_that_a_row_is_another(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let etag = header(&status_of(caller.get(&path), 200).await, "etag");

        for unwanted in ["*", &etag] {
            status_of(caller.patch(&path, &json!({ "name": "Zoe" })).header("if-none-match", unwanted), 412).await;
            let refused = status_of(caller.delete(&path).header("if-none-match", unwanted), 412).await;
            assert!(problem(refused).await["detail"].as_str().unwrap().contains("If-None-Match"));
        }

        assert_eq!(caller.read(&path).await["name"], "ada");
        status_of(caller.patch(&path, &json!({ "name": "Zoe" })).header("if-none-match", "\"x\""), 200).await;
    }

    async fn a_change_that_changes_nothing_keeps_the_tag(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let before = header(&status_of(caller.get(&path), 200).await, "etag");

        let same = status_of(caller.patch(&path, &json!({ "name": "ada" })), 200).await;

        assert_eq!(header(&same, "etag"), before);
    }

}
