//! Lists: the envelope, three kinds of paging, filters, order, fields, counts.

use serde_json::{Value, json};

use super::{Caller, sent, status_of};
use crate::answer::{header, problem};
use crate::both_engines;

async fn orders(caller: &Caller) {
    for (amount, currency) in
        [(30, "USD"), (10, "EUR"), (20, "GBP"), (10, "USD"), (40, "EUR"), (20, "EUR"), (50, "GBP")]
    {
        caller.make("/api/orders", json!({ "amount": amount, "currency": currency })).await;
    }
}

/// Follows `next` to the end and gathers one member of each row.
async fn walk(caller: &Caller, first: &str, member: &str) -> (Vec<Value>, usize) {
    let (mut seen, mut pages, mut next) = (Vec::new(), 0, Some(first.to_owned()));
    while let Some(path) = next {
        let page = caller.read(&path).await;
        seen.extend(page["data"].as_array().unwrap().iter().map(|row| row[member].clone()));
        next = page["links"]["next"].as_str().map(str::to_owned);
        pages += 1;
        assert!(pages < 50, "a walk without an end");
    }
    (seen, pages)
}

both_engines! {
    async fn a_list_has_an_envelope(house: House) {
        let caller = Caller::client(&house).await;
        orders(&caller).await;

        let empty = caller.read("/api/users").await;
        let list = caller.read("/api/orders").await;

        assert_eq!(empty, json!({
            "data": [],
            "meta": { "total": null, "page": null, "per_page": 20 },
            "links": { "self": "/api/users", "next": null, "prev": null },
        }));
        assert_eq!(list["data"].as_array().unwrap().len(), 7);
        assert_eq!(list["data"][0]["links"]["pay"], format!("/api/orders/{}/pay", list["data"][0]["id"].as_str().unwrap()));
    }

    async fn cursors_lead_forth_and_back(house: House) {
        let caller = Caller::client(&house).await;
        orders(&caller).await;
        let all = caller.column("/api/orders?sort=-amount,currency", "id").await;

        let (forth, pages) = walk(&caller, "/api/orders?sort=-amount,currency&limit=3", "id").await;
        let first = status_of(caller.get("/api/orders?sort=-amount,currency&limit=3"), 200).await;
        let link = header(&first, "link");
        let first: Value = first.json().await.unwrap();
        let second = caller.read(first["links"]["next"].as_str().unwrap()).await;
        let back = caller.read(second["links"]["prev"].as_str().unwrap()).await;

        assert_eq!((forth, pages), (all, 3));
        assert_eq!(first["links"]["prev"], json!(null));
        assert_eq!(link, format!("<{}>; rel=\"next\"", first["links"]["next"].as_str().unwrap()));
        assert_eq!(back["data"], first["data"]);
        assert_eq!(back["links"]["prev"], json!(null));
        let compared = status_of(caller.get("/api/orders?amount[gte]=0&sort=amount&limit=3"), 200).await;
        let link = header(&compared, "link");
        let next = link.split(['<', '>']).nth(1).unwrap();
        assert!(next.starts_with("/api/orders?amount%5Bgte%5D=0&"), "brackets stand in no address: {link}");
        assert_eq!(caller.read(next).await["data"].as_array().unwrap().len(), 3);
    }

    async fn a_cursor_is_for_its_query_and_its_caller_alone(house: House) {
        let caller = Caller::client(&house).await;
        let other = Caller::client_with(&house, "other", crate::api::SCOPES).await;
        orders(&caller).await;
        let first = caller.read("/api/orders?sort=amount&limit=2").await;
        let next = first["links"]["next"].as_str().unwrap().to_owned();

        status_of(caller.get(&next), 200).await;
        status_of(caller.get(&next.replace("limit=2", "limit=5")), 200).await;

        problem(status_of(other.get(&next), 400).await).await;
        problem(status_of(caller.get(&next.replace("sort=amount", "sort=-amount")), 400).await).await;
        problem(status_of(caller.get(&format!("{next}&currency=EUR")), 400).await).await;
        problem(status_of(caller.get(&next.replace("/orders", "/payments")), 400).await).await;
        let cut = &next[..next.len() - 1];
        problem(status_of(caller.get(cut), 400).await).await;
    }

    async fn pages_and_offsets_have_a_total(house: House) {
        let caller = Caller::client(&house).await;
        orders(&caller).await;

        let page = caller.read("/api/orders?page=2&size=3&sort=amount").await;
        let offset = caller.read("/api/orders?offset=3&limit=3&sort=amount").await;
        let last = caller.read("/api/orders?page=3&size=3").await;
        let beyond = caller.read("/api/orders?page=9&size=3").await;

        assert_eq!(page["meta"], json!({ "total": 7, "page": 2, "per_page": 3 }));
        assert_eq!(offset["meta"], json!({ "total": 7, "page": null, "per_page": 3 }));
        assert_eq!(page["data"], offset["data"]);
        assert_eq!(page["links"]["next"], "/api/orders?size=3&sort=amount&page=3");
        assert_eq!(page["links"]["prev"], "/api/orders?size=3&sort=amount&page=1");
        assert_eq!(offset["links"]["next"], "/api/orders?limit=3&sort=amount&offset=6");
        assert_eq!(offset["links"]["prev"], "/api/orders?limit=3&sort=amount&offset=0");
        assert_eq!((last["data"].as_array().unwrap().len(), &last["links"]["next"]), (1, &json!(null)));
        assert_eq!((&beyond["data"], &beyond["meta"]["total"]), (&json!([]), &json!(7)));
    }

    async fn a_count_is_told_to_those_who_ask(house: House) {
        let caller = Caller::client(&house).await;
        orders(&caller).await;

        for wish in ["count=exact", "count=capped"] {
            let answer = status_of(caller.get("/api/orders?limit=2&currency=EUR").header("prefer", wish), 200).await;
            assert_eq!(header(&answer, "preference-applied"), wish);
            assert_eq!(answer.json::<Value>().await.unwrap()["meta"]["total"], 3);
        }
    }

    async fn a_page_is_never_larger_than_allowed(house: House) {
        let caller = Caller::client(&house).await;

        let large = caller.read("/api/orders?limit=1000").await;

        assert_eq!(large["meta"]["per_page"], 100);
        assert_eq!(caller.read("/api/orders?page=1&size=1000").await["meta"]["per_page"], 100);
    }

    async fn filters_leave_what_fits(house: House) {
        let caller = Caller::client(&house).await;
        orders(&caller).await;
        let amounts = async |query: &str| caller.column(&format!("/api/orders?{query}&sort=amount"), "amount").await;

        assert_eq!(amounts("currency=EUR").await, [10, 20, 40]);
        assert_eq!(amounts("currency=EUR&currency=GBP").await, [10, 20, 20, 40, 50]);
        assert_eq!(amounts("currency[in]=EUR,GBP&amount[gt]=20").await, [40, 50]);
        assert_eq!(amounts("currency[ne]=EUR").await, [10, 20, 30, 50]);
        assert_eq!(amounts("amount[gte]=20&amount[lte]=30").await, [20, 20, 30]);
        assert_eq!(amounts("amount[lt]=20").await, [10, 10]);
        assert_eq!(amounts("amount=10&currency=USD").await, [10]);
        assert_eq!(amounts("filter[amount]=50").await, [50]);
        assert_eq!(amounts("status=paid").await, Vec::<i64>::new());
        assert_eq!(amounts("created_at[gt]=2020-01-01").await.len(), 7);
        assert_eq!(amounts("created_at[lt]=2020-01-01T00:00:00%2B01:00").await.len(), 0);
        assert_eq!(amounts("user_id=null").await.len(), 7);
    }

    async fn sorting_takes_several_keys_in_any_direction(house: House) {
        let caller = Caller::client(&house).await;
        orders(&caller).await;

        let list = caller.read("/api/orders?sort=currency,-amount&fields=currency,amount").await;

        let expected = json!([
            { "amount": 40, "currency": "EUR" }, { "amount": 20, "currency": "EUR" }, { "amount": 10, "currency": "EUR" },
            { "amount": 50, "currency": "GBP" }, { "amount": 20, "currency": "GBP" },
            { "amount": 30, "currency": "USD" }, { "amount": 10, "currency": "USD" },
        ]);
        assert_eq!(list["data"], expected);
    }

    async fn only_the_fields_that_were_asked_for_come(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 5, "note": "n" })).await;

        let one = caller.read(&format!("{path}?fields=note")).await;
        let list = sent(caller.get("/api/orders?fields=id,amount"), 200).await;

        assert_eq!(one, json!({ "note": "n" }));
        let mut keys: Vec<_> = list["data"][0].as_object().unwrap().keys().collect();
        keys.sort();
        assert_eq!(keys, ["amount", "id"]);
    }
}
