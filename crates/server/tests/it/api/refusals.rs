//! Each way to be wrong has a problem that names what is wrong, and none is a 5xx.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Caller, errors, pairs, sent, status_of};
use crate::answer::{header, problem};
use crate::both_engines;

both_engines! {
    async fn everything_that_is_wrong_with_a_body_is_told_at_once(house: House) {
        let caller = Caller::client(&house).await;
        let order = |body: Value| caller.post("/api/orders", &body);

        let wrong = json!({ "amount": -1, "currency": "CHF", "note": 7, "status": "paid", "colour": "red" });
        let semantic = problem(status_of(order(wrong), 422).await).await;
        let missing = problem(status_of(order(json!({ "currency": "CHF" })), 400).await).await;
        let text = problem(status_of(order(json!({ "amount": "5" })), 422).await).await;
        let huge = problem(status_of(order(json!({ "amount": 9_007_199_254_740_993_i64 })), 422).await).await;
        let fraction = problem(status_of(order(json!({ "amount": 1.5 })), 422).await).await;
        let nobody = json!({ "amount": 1, "user_id": "01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e" });
        let dangling = problem(status_of(order(nobody), 422).await).await;
        let nothing = problem(status_of(order(json!({ "amount": null })), 422).await).await;
        let zero = problem(status_of(order(json!({ "amount": 1, "note": "a\u{0}b" })), 422).await).await;

        let expected = [
            ("amount", "OUT_OF_RANGE"),
            ("colour", "UNKNOWN"),
            ("currency", "INVALID_VALUE"),
            ("note", "INVALID_TYPE"),
            ("status", "READ_ONLY"),
        ];
        assert_eq!(errors(&semantic), pairs(&expected));
        assert_eq!(errors(&missing), pairs(&[("amount", "REQUIRED"), ("currency", "INVALID_VALUE")]));
        assert_eq!(errors(&text), pairs(&[("amount", "INVALID_TYPE")]));
        assert_eq!(errors(&huge), pairs(&[("amount", "OUT_OF_RANGE")]));
        assert_eq!(errors(&fraction), pairs(&[("amount", "INVALID_TYPE")]));
        assert_eq!(errors(&dangling), pairs(&[("user_id", "NOT_FOUND")]));
        assert_eq!(errors(&nothing), pairs(&[("amount", "INVALID_TYPE")]));
        assert_eq!(errors(&zero), pairs(&[("note", "INVALID_FORMAT")]));
        assert_eq!(semantic["errors"][0]["pointer"], "/amount");
        assert!(caller.column("/api/orders", "id").await.is_empty());
    }

    async fn bodies_that_are_no_json_are_refused(house: House) {
        let caller = Caller::client(&house).await;
        let raw = |body: Vec<u8>| {
            caller.request(Method::POST, "/api/orders").header("content-type", "application/json").body(body)
        };
        let deep = format!("{{\"amount\":{}1{}}}", "[".repeat(400_000), "]".repeat(400_000));

        for body in [
            b"".to_vec(),
            b"{".to_vec(),
            b"{\"amount\":\"\xff\"}".to_vec(),
            b"{\"amount\":1,\"amount\":2}".to_vec(),
            b"{\"note\":\"\\ud800\"}".to_vec(),
            deep.into_bytes(),
        ] {
            let answer = raw(body.clone()).send().await.unwrap();
            assert_eq!(answer.status(), 400, "{}", String::from_utf8_lossy(&body[..body.len().min(60)]));
            problem(answer).await;
        }
        for body in ["[]", "null", "7", "\"text\""] {
            let answer = raw(body.into()).send().await.unwrap();
            assert_eq!(answer.status(), 422, "{body}");
        }
        let large = format!("{{\"amount\":1,\"note\":\"{}\"}}", "x".repeat(2 << 20));
        problem(status_of(raw(large.into()), 413).await).await;
        let form = caller.request(Method::POST, "/api/orders").form(&[("amount", "1")]);
        let refused = status_of(form, 415).await;
        assert_eq!(header(&refused, "accept-post"), "application/json");
        status_of(caller.request(Method::POST, "/api/orders").body("{}"), 415).await;
    }

    async fn a_patch_that_takes_out_what_no_field_is_called_is_refused(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        let patch = caller.patch(&path, &json!({ "colour": null, "": null, "name": "Eve" }));
        let refused = problem(status_of(patch, 422).await).await;

        assert_eq!(errors(&refused), pairs(&[("", "UNKNOWN"), ("colour", "UNKNOWN")]));
        assert_eq!(caller.read(&path).await["name"], "ada");
    }

    async fn unknown_places_and_media_types_are_refused(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        for unknown in ["/api/nothing", "/api/users/7", "/api/getUser", "/api/users/01942F4E-7B1C-7C3A-9D2E-5F6A7B8C9D0E"] {
            problem(status_of(caller.get(unknown), 404).await).await;
        }
        for wrong in [format!("{path}/paint"), format!("{path}/orders/7"), "/api/operations/7".to_owned()] {
            problem(status_of(caller.get(&wrong), 404).await).await;
        }
        problem(status_of(caller.get(&path).header("accept", "text/html"), 406).await).await;
        for fine in ["*/*", "application/json", "application/vnd.shop+json", "text/html, application/*;q=0.1"] {
            status_of(caller.get(&path).header("accept", fine), 200).await;
        }
    }

    async fn a_number_that_nothing_can_hold_is_told_with_its_field(house: House) {
        let caller = Caller::client(&house).await;
        for (body, field) in [(r#"{"amount": 1e400}"#, "amount"), (r#"{"amount": 1, "x": [{"y/z": -1e999}]}"#, "x.0.y/z")] {
            let request = caller.request(Method::POST, "/api/orders").header("content-type", "application/json").body(body);
            let refused = problem(status_of(request, 422).await).await;
            assert_eq!(refused["errors"][0]["field"], field, "{refused}");
            assert_eq!(refused["errors"][0]["code"], "OUT_OF_RANGE");
        }
    }

    async fn a_body_that_is_packed_is_refused(house: House) {
        let caller = Caller::client(&house).await;
        let make = |coding: &str| {
            caller.post("/api/users", &json!({ "name": "A", "email": "a@example.org" })).header("content-encoding", coding)
        };

        for coding in ["gzip", "br", "deflate, gzip", "zstd"] {
            let refused = status_of(make(coding), 415).await;
            assert_eq!(header(&refused, "accept-encoding"), "identity");
            problem(refused).await;
        }
        status_of(make("identity"), 201).await;
    }

    async fn unknown_and_bad_parameters_are_refused_by_name(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 5 })).await;

        for (query, field, code) in [
            ("colour=red", "colour", "UNKNOWN"),
            ("note=x", "note", "UNKNOWN"),
            ("amount=many", "amount", "INVALID_FORMAT"),
            ("amount[gte]=x", "amount[gte]", "INVALID_FORMAT"),
            ("amount[like]=1", "amount[like]", "INVALID_VALUE"),
            ("user_id[gt]=01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e", "user_id[gt]", "INVALID_VALUE"),
            ("status=unpaid", "status", "INVALID_VALUE"),
            ("created_at[lt]=yesterday", "created_at[lt]", "INVALID_FORMAT"),
            ("sort=note", "sort", "INVALID_VALUE"),
            ("sort=relevance", "sort", "INVALID_VALUE"),
            ("fields=amount,colour", "fields", "INVALID_VALUE"),
            ("include=friends", "include", "INVALID_VALUE"),
            ("cursor=nonsense", "cursor", "INVALID_VALUE"),
            ("limit=0", "limit", "OUT_OF_RANGE"),
            ("limit=ten", "limit", "INVALID_FORMAT"),
            ("amount=99999999999999999999", "amount", "OUT_OF_RANGE"),
            ("page=0", "page", "OUT_OF_RANGE"),
        ] {
            let refused = status_of(caller.get(&format!("/api/orders?{query}")), 400).await;
            let refused = problem(refused).await;
            assert_eq!(errors(&refused), pairs(&[(field, code)]), "{query}");
        }
        for mixed in ["page=1&offset=0", "cursor=x&page=1", "offset=0&size=2", "page=1&limit=2"] {
            problem(status_of(caller.get(&format!("/api/orders?{mixed}")), 400).await).await;
        }
        let many: Vec<String> = (0..2_000).map(|number| format!("amount={number}")).collect();
        let answer = caller.get(&format!("/api/orders?{}", many.join("&"))).send().await.unwrap();
        assert!(answer.status().is_client_error(), "{}", answer.status());
        for one in ["amount=5", "sort=amount", "limit=5", "page=1", "q=x"] {
            problem(status_of(caller.get(&format!("{path}?{one}")), 400).await).await;
        }
        sent(caller.get(&format!("{path}?fields=amount&include=user")), 200).await;
    }

    async fn everything_that_is_wrong_with_a_query_is_told_at_once(house: House) {
        let caller = Caller::client(&house).await;

        let refused = status_of(caller.get("/api/orders?limit=abc&colour=red&sort=zzz&amount=many"), 400).await;

        let mut told = errors(&problem(refused).await);
        told.sort();
        let wanted =
            [("amount", "INVALID_FORMAT"), ("colour", "UNKNOWN"), ("limit", "INVALID_FORMAT"), ("sort", "INVALID_VALUE")];
        assert_eq!(told, pairs(&wanted));
    }

    async fn only_reading_has_parameters(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 5 })).await;

        for wrong in [
            caller.delete(&format!("{path}?x=1")),
            caller.post("/api/orders?x=1", &json!({ "amount": 1 })),
            caller.put(&format!("{path}?fields=id"), &json!({ "amount": 1 })),
            caller.post(&format!("{path}/pay?x=1"), &json!({})),
        ] {
            problem(status_of(wrong, 400).await).await;
        }

        assert_eq!(caller.column("/api/orders", "status").await, ["pending"]);
    }

    async fn whole_numbers_are_told_as_whole_numbers(house: House) {
        let caller = Caller::client(&house).await;
        let raw = |amount: &str| {
            let body = format!("{{\"amount\":{amount}}}");
            caller.request(Method::POST, "/api/orders").header("content-type", "application/json").body(body)
        };

        for (sent, told) in [("7.0", "7"), ("1e2", "100"), ("-0", "0")] {
            let text = status_of(raw(sent), 201).await.text().await.unwrap();
            assert!(text.contains(&format!("\"amount\":{told},")), "{sent}: {text}");
        }
    }
}
