//! Rules for rows that are asked for again and again: an engine that remembers them tells nobody what is no longer so.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use uuid::Uuid;
use valetkey_resources::ports::{Changing, Creating, Removing, Sight, Stored, TaskId};

use super::Shop;
use super::shop::{edited, object, user};
use super::tasks::{begin, finish, task};
use crate::api::{ORDERS, PAYMENTS, REVIEWS, USERS};
use crate::build::id;
use crate::clock::moment;
use crate::conformance::race;

/// The row, asked for so often that whoever remembers rows has it.
async fn known(shop: &Shop, resource: &str, id: Uuid) -> Option<Stored> {
    let row = shop.find(resource, id).await;
    for _ in 0..3 {
        assert_eq!(shop.find(resource, id).await, row);
    }
    row
}

/// An engine that looks for what others write has done so after two commits.
async fn settled(shop: &Shop) {
    shop.find(USERS, id(900)).await;
    shop.create(USERS, id(901), user("one@example.com")).await;
    shop.create(USERS, id(902), user("two@example.com")).await;
}

pub async fn a_row_that_was_asked_for_is_as_the_last_change_left_it(shop: Shop) {
    settled(&shop).await;
    shop.create(ORDERS, id(1), json!({"amount": 1})).await;
    shop.create(ORDERS, id(2), json!({"amount": 1})).await;
    let other = known(&shop, ORDERS, id(2)).await;

    for amount in 2..6 {
        let before = known(&shop, ORDERS, id(1)).await.unwrap();
        let Changing::Changed(row) = shop.apply(shop.change(ORDERS, id(1), json!({"amount": amount}))).await else {
            panic!("{amount}")
        };
        assert_eq!(row.revision, before.revision + 1);
        assert_eq!(known(&shop, ORDERS, id(1)).await, Some(row));
    }
    assert_eq!(known(&shop, ORDERS, id(2)).await, other);
}

pub async fn a_row_that_was_asked_for_has_its_task_and_no_other(shop: Shop) {
    settled(&shop).await;
    shop.create(ORDERS, id(1), json!({"amount": 1})).await;
    known(&shop, ORDERS, id(1)).await;

    shop.apply(begin(&shop, task(7, 1, None))).await;
    let begun = known(&shop, ORDERS, id(1)).await.unwrap().task;
    shop.ports.operations.claim(moment(10), moment(20), 1).await.unwrap();
    shop.apply(finish(&shop, 7, 1)).await;

    assert_eq!(begun, Some(TaskId(id(7))));
    assert_eq!(known(&shop, ORDERS, id(1)).await.unwrap().task, None);
}

pub async fn what_a_removal_does_to_rows_that_were_asked_for_is_seen(shop: Shop) {
    settled(&shop).await;
    shop.create(ORDERS, id(2), json!({"amount": 1})).await;
    shop.create(PAYMENTS, id(3), json!({"order_id": id(2)})).await;
    shop.create(REVIEWS, id(4), json!({"order_id": id(2), "text": "stays"})).await;
    for (resource, number) in [(ORDERS, 2), (PAYMENTS, 3), (REVIEWS, 4)] {
        assert!(known(&shop, resource, id(number)).await.is_some());
    }

    assert_eq!(shop.remove(ORDERS, id(2)).await, Removing::Removed);

    assert_eq!(known(&shop, ORDERS, id(2)).await, None);
    assert_eq!(known(&shop, PAYMENTS, id(3)).await, None);
    assert_eq!(known(&shop, REVIEWS, id(4)).await.unwrap().revision, 2);
    assert_eq!(shop.document(REVIEWS, id(4)).await["order_id"], json!(null));
    // One that nothing may go along with.
    assert!(known(&shop, USERS, id(901)).await.is_some());
    assert_eq!(shop.remove(USERS, id(901)).await, Removing::Removed);
    assert_eq!(known(&shop, USERS, id(901)).await, None);
    // Whoever comes after it under the same id is another one.
    assert_eq!(shop.try_create(ORDERS, id(2), json!({"amount": 8})).await, Creating::Created);
    known(&shop, ORDERS, id(2)).await;
    assert_eq!(shop.document(ORDERS, id(2)).await["amount"], 8);
}

pub async fn a_row_that_its_owner_asked_for_is_shown_to_nobody_else(shop: Shop) {
    settled(&shop).await;
    let mut creation = shop.creation(ORDERS, id(1), json!({"amount": 1}));
    creation.owner = Some("alice".into());
    shop.ports.rows.create(creation).await.unwrap();
    let orders = shop.resource(ORDERS);
    let seen_by = async |owner: &str| {
        let sight = Sight { owner: Some(owner.into()), under: None };
        let several = shop.ports.rows.find_all(&orders, &[id(1)], &sight).await.unwrap();
        (shop.ports.rows.find(&orders, id(1), &sight).await.unwrap().is_some(), several.rows.len())
    };

    for _ in 0..4 {
        assert_eq!(seen_by("alice").await, (true, 1));
        assert_eq!(seen_by("bob").await, (false, 0));
    }
    // An id is that of one resource.
    known(&shop, ORDERS, id(1)).await;
    assert_eq!(known(&shop, PAYMENTS, id(1)).await, None);
}

/// Each reader sees a row grow, never shrink, and nothing older than what was answered before it asked.
pub async fn readers_of_a_row_that_changes_never_go_back(shop: Shop) {
    settled(&shop).await;
    shop.create(ORDERS, id(1), json!({"amount": 0})).await;
    let answered = Arc::new(AtomicU64::new(1));
    let work = |number: usize| {
        let (shop, answered) = (shop.clone(), answered.clone());
        async move {
            let mut met = 0;
            loop {
                if number == 0 {
                    let grows = shop.clone();
                    let grow = shop.edit(ORDERS, id(1), move |row| {
                        Ok(edited(grows.draft(ORDERS, json!({"amount": row.revision}))))
                    });
                    let Changing::Changed(row) = shop.apply(grow).await else { panic!() };
                    answered.store(row.revision, Ordering::SeqCst);
                } else {
                    let least = answered.load(Ordering::SeqCst).max(met);
                    let row = shop.find(ORDERS, id(1)).await.unwrap();
                    assert!(row.revision >= least, "{} after {least}", row.revision);
                    assert_eq!(object(serde_json::from_str(&row.document).unwrap())["amount"], row.revision - 1);
                    met = row.revision;
                    tokio::task::yield_now().await;
                }
                if answered.load(Ordering::SeqCst) > 60 {
                    return met;
                }
            }
        }
    };

    let met = race(4, work).await;

    assert!(met[1..].iter().all(|met| *met > 0), "{met:?}");
}
