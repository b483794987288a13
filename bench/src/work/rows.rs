//! Works of the declared API, on the orders of the shop.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use serde_json::json;
use uuid::Uuid;

use super::lane::{Made, repeat};
use crate::drive::Lane;
use crate::house::House;

/// One order of some thousands that are spread over the table, all of them again and again.
pub fn one(house: &House, lanes: usize) -> Vec<Box<dyn Lane>> {
    let get = |id: &String| house.api("GET", &format!("/orders/{id}")).bare();
    repeat(house.orders.iter().map(get).collect(), lanes, 200)
}

/// The same, but no order is asked for twice before all others that there are.
pub fn new_one(house: &House, lanes: usize) -> anyhow::Result<Vec<Box<dyn Lane>>> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    // Prime, so that each order comes once until all came, and far from one to the next.
    const STRIDE: u64 = 104_729;
    let mut ids = house.others.clone();
    if ids.is_empty() {
        ids = house.orders.iter().map(|id| id.parse()).collect::<Result<_, _>>()?;
    }
    let ids: Rc<[Uuid]> = ids.into();
    let id =
        move |number: u64| ids[usize::try_from(number * STRIDE % ids.len() as u64).unwrap_or_default()].to_string();
    each_another(&house.api("GET", "/orders/ID").bare(), "ID", &NUMBER, lanes, id)
}

/// Twenty orders of one currency up to some amount, the largest first: 500 such lists, again and again.
pub fn list(house: &House, lanes: usize) -> Vec<Box<dyn Lane>> {
    repeat((1..=500).map(|number| list_up_to(house, &format!("{number}000"))).collect(), lanes, 200)
}

/// The same, but no list is asked for twice within half a million.
pub fn new_list(house: &House, lanes: usize) -> anyhow::Result<Vec<Box<dyn Lane>>> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    // Both are prime: each amount comes once until all came.
    const AMOUNTS: u64 = 499_979;
    const STRIDE: u64 = 7919;
    let amount = |number: u64| (number * STRIDE % AMOUNTS + 1).to_string();
    each_another(&list_up_to(house, "AMOUNT"), "AMOUNT", &NUMBER, lanes, amount)
}

/// A request with something else each time in the place of this word.
fn each_another(
    request: &[u8],
    word: &str,
    number: &'static AtomicU64,
    lanes: usize,
    other: impl Fn(u64) -> String + Clone + 'static,
) -> anyhow::Result<Vec<Box<dyn Lane>>> {
    let at = request.windows(word.len()).position(|found| found == word.as_bytes()).context("nothing to put in")?;
    let (before, after) = (&request[..at], &request[at + word.len()..]);
    let lane = |_| {
        let (before, after, other) = (before.to_vec(), after.to_vec(), other.clone());
        let make = move |_: u64, out: &mut Vec<u8>| {
            out.extend_from_slice(&before);
            out.extend_from_slice(other(number.fetch_add(1, Ordering::Relaxed)).as_bytes());
            out.extend_from_slice(&after);
        };
        Box::new(Made { make, count: 0, status: 200 }) as Box<dyn Lane>
    };
    Ok((0..lanes).map(lane).collect())
}

fn list_up_to(house: &House, amount: &str) -> Vec<u8> {
    house.api("GET", &format!("/orders?currency=EUR&amount%5Blte%5D={amount}&sort=-amount&limit=20")).bare()
}

/// A new order; under a key of its own if `keyed`.
pub fn create(house: &House, lanes: usize, keyed: bool) -> Vec<Box<dyn Lane>> {
    let lane = |lane: usize| {
        let start = house.api("POST", "/orders").header("content-type", "application/json").bare();
        let head = start[..start.len() - 2].to_vec();
        let make = move |count: u64, out: &mut Vec<u8>| {
            let body =
                format!("{{\"amount\":{},\"currency\":\"EUR\",\"note\":\"left at door {lane}\"}}", count % 500_000);
            out.extend_from_slice(&head);
            if keyed {
                out.extend_from_slice(format!("idempotency-key: bench-{lane}-{count}\r\n").as_bytes());
            }
            out.extend_from_slice(format!("content-length: {}\r\n\r\n{body}", body.len()).as_bytes());
        };
        Box::new(Made { make, count: 0, status: 201 }) as Box<dyn Lane>
    };
    (0..lanes).map(lane).collect()
}

/// A change that changes something, each time of another order.
pub fn patch(house: &House, lanes: usize) -> Vec<Box<dyn Lane>> {
    let share = (house.orders.len() / lanes).max(1);
    let lane = |lane: usize| {
        let patch = |id: &String| house.api("PATCH", &format!("/orders/{id}"));
        let mine: Vec<_> = house.orders.iter().skip(lane * share).take(share).collect();
        let heads: Vec<Vec<u8>> = mine
            .into_iter()
            .map(|id| patch(id).header("content-type", "application/merge-patch+json").bare())
            .collect();
        let make = move |count: u64, out: &mut Vec<u8>| {
            let body = json!({ "amount": 1_000_000 + count % 900_000 }).to_string();
            let head = &heads[usize::try_from(count).unwrap_or_default() % heads.len()];
            out.extend_from_slice(&head[..head.len() - 2]);
            out.extend_from_slice(format!("content-length: {}\r\n\r\n{body}", body.len()).as_bytes());
        };
        Box::new(Made { make, count: 0, status: 200 }) as Box<dyn Lane>
    };
    (0..lanes).map(lane).collect()
}
