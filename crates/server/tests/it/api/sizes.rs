//! Pages of large rows over HTTP: they end early, and their links lead to the rest.

use serde_json::{Value, json};

use super::Caller;
use crate::both_engines;
use crate::house::House;

/// Follows `links.next` (or `links.prev`) to the end: what each page shows.
async fn walk(caller: &Caller, from: &str, link: &str) -> Vec<Vec<Value>> {
    let (mut pages, mut path) = (Vec::new(), from.to_owned());
    loop {
        let list = caller.read(&path).await;
        assert!(list.to_string().len() < 6 << 20);
        pages.push(list["data"].as_array().unwrap().iter().map(|row| row["amount"].clone()).collect());
        match list["links"][link].as_str() {
            Some(next) => path = next.to_owned(),
            None => return pages,
        }
    }
}

async fn with_large_orders(house: &House) -> Caller {
    let caller = Caller::client(house).await;
    let note = "x".repeat(1_000_000);
    for amount in 0..10 {
        caller.make_order(json!({ "amount": amount, "note": note })).await;
    }
    caller
}

fn amounts(pages: &[Vec<Value>]) -> Vec<u64> {
    pages.iter().flatten().map(|amount| amount.as_u64().unwrap()).collect()
}

both_engines! {
    async fn a_page_of_large_rows_ends_early_and_its_links_lead_on(house: House) {
        let caller = with_large_orders(&house).await;
        let whole: Vec<u64> = (0..10).collect();

        for start in ["/api/orders?limit=100", "/api/orders?offset=0&limit=100&sort=amount", "/api/orders?page=1&size=100"] {
            let pages = walk(&caller, start, "next").await;
            assert_eq!((amounts(&pages), pages.len()), (whole.clone(), 3), "{start}");
        }
        let last = caller.read("/api/orders?limit=1&sort=-amount").await;
        let next = last["links"]["next"].as_str().unwrap();
        assert_eq!(amounts(&walk(&caller, next, "next").await).len(), 9);
    }

    async fn a_numbered_page_that_ends_early_goes_on_by_offset(house: House) {
        let caller = with_large_orders(&house).await;

        let page = caller.read("/api/orders?size=6&sort=amount&page=1").await;

        assert_eq!(page["data"].as_array().unwrap().len(), 4);
        assert_eq!(page["meta"], json!({ "total": 10, "page": 1, "per_page": 6 }));
        assert_eq!(page["links"]["next"], "/api/orders?sort=amount&offset=4&limit=6");
        let second = caller.read("/api/orders?size=6&sort=amount&page=2").await;
        assert_eq!(second["data"][0]["amount"], 6);
        assert_eq!(second["links"]["next"], Value::Null);
    }

    async fn what_comes_along_counts_as_well(house: House) {
        let caller = Caller::client(&house).await;
        let made = json!({ "name": "Ada", "email": "ada@example.org", "tags": ["x".repeat(1_000_000)] });
        let user = caller.make("/api/users", made).await;
        for amount in 0..6 {
            caller.make_order(json!({ "amount": amount, "user_id": user["id"] })).await;
        }

        let pages = walk(&caller, "/api/orders?limit=100&include=user", "next").await;
        assert_eq!((amounts(&pages), pages.len()), ((0..6).collect(), 2));

        let from_the_end = caller.read("/api/orders?limit=5&sort=-amount").await["links"]["next"].clone();
        let back = caller.read(from_the_end.as_str().unwrap()).await["links"]["prev"].as_str().unwrap().to_owned();
        let pages = walk(&caller, &format!("{back}&include=user"), "prev").await;
        let lengths: Vec<usize> = pages.iter().map(Vec::len).collect();
        assert_eq!((lengths, amounts(&pages)), (vec![4, 1], vec![4, 3, 2, 1, 5]));
    }
}
