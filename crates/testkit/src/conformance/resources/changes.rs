//! Rules for changes: each sees the row as the last one left it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use valetkey_resources::ports::{Changing, Edited, Precondition, Sight, TaskStep};
use valetkey_rest::problem::{Problem, catalogue};

use super::Shop;
use super::shop::{edited, object, user};
use crate::api::{ORDERS, PAYMENTS, USERS};
use crate::build::id;
use crate::clock::moment;
use crate::conformance::race;

pub async fn a_change_counts_and_is_found(shop: Shop) {
    shop.create(USERS, id(1), user("a@example.com")).await;

    let Changing::Changed(row) = shop.apply(shop.change(USERS, id(1), json!({"name": "B"}))).await else { panic!() };

    assert_eq!((row.revision, row.created_at, row.updated_at), (2, moment(0), moment(1)));
    assert_eq!(shop.find(USERS, id(1)).await.unwrap(), row);
    assert_eq!(shop.document(USERS, id(1)).await["name"], "B");
}

pub async fn an_edit_that_wants_nothing_leaves_no_trace(shop: Shop) {
    shop.create(USERS, id(1), user("a@example.com")).await;
    let before = shop.find(USERS, id(1)).await.unwrap();

    let nothing = shop.edit(USERS, id(1), |_| Ok(Edited { draft: None, task: TaskStep::None, answer: None }));
    let outcome = shop.apply(nothing).await;

    assert!(matches!(outcome, Changing::Changed(row) if row == before));
    assert_eq!(shop.find(USERS, id(1)).await.unwrap(), before);
}

pub async fn a_change_is_refused_by_sight_then_condition_then_edit(shop: Shop) {
    let mut creation = shop.creation(ORDERS, id(1), json!({"amount": 1}));
    creation.owner = Some("alice".into());
    shop.ports.rows.create(creation).await.unwrap();
    let change = |owner: &str, revisions: &[u64]| {
        let mut change = shop.edit(ORDERS, id(1), |_| Err(Problem::new(&catalogue::BAD_REQUEST)));
        change.sight = Sight { owner: Some(owner.into()), under: None };
        change.condition = Precondition::Revision(revisions.to_vec());
        change
    };

    let hidden = shop.apply(change("bob", &[7])).await;
    let stale = shop.apply(change("alice", &[7, 8])).await;
    let never = shop.apply(change("alice", &[])).await;
    let refused = shop.apply(change("alice", &[3, 1])).await;
    let missing = shop.apply(shop.change(ORDERS, id(2), json!({}))).await;

    assert!(matches!(hidden, Changing::Missing), "{hidden:?}");
    assert!(matches!(stale, Changing::ConditionFailed(1)), "{stale:?}");
    assert!(matches!(never, Changing::ConditionFailed(1)), "{never:?}");
    assert!(matches!(refused, Changing::Refused(_)), "{refused:?}");
    assert!(matches!(missing, Changing::Missing), "{missing:?}");
    assert_eq!(shop.find(ORDERS, id(1)).await.unwrap().revision, 1);
}

pub async fn racing_changes_lose_nothing(shop: Shop) {
    shop.create(USERS, id(1), user("a@example.com")).await;

    let outcomes = race(32, |_| {
        let shop = shop.clone();
        async move {
            let inner = shop.clone();
            let change = shop.edit(USERS, id(1), move |row| {
                let mut document = object(serde_json::from_str(&row.document).unwrap());
                let visits = document["visits"].as_i64().unwrap();
                document.insert("visits".into(), json!(visits + 1));
                Ok(edited(inner.draft(USERS, document.into())))
            });
            shop.apply(change).await
        }
    })
    .await;

    assert!(outcomes.iter().all(|outcome| matches!(outcome, Changing::Changed(_))), "{outcomes:?}");
    assert_eq!(shop.document(USERS, id(1)).await["visits"], 32);
    assert_eq!(shop.find(USERS, id(1)).await.unwrap().revision, 33);
}

pub async fn changes_of_many_rows_at_once_are_each_decided_on_their_own_row(shop: Shop) {
    for number in 0..24 {
        shop.create(ORDERS, id(number), json!({"amount": number, "note": "left at the door"})).await;
    }

    // Of each four: a good one, one that is refused, one whose condition fails, a good one. The last four are for the rows of
    // the first four, and those before them for rows that are not there.
    let outcomes = race(32, |number| {
        let shop = shop.clone();
        async move {
            let mut change = shop.change(ORDERS, id(number as u128 % 28), json!({"amount": 1000 + number}));
            match number % 4 {
                1 => change.edit = shop.edit(ORDERS, id(0), |_| Err(Problem::new(&catalogue::BAD_REQUEST))).edit,
                2 => change.condition = Precondition::Revision(vec![9]),
                _ => {}
            }
            shop.apply(change).await
        }
    })
    .await;

    for (number, outcome) in outcomes.iter().enumerate() {
        let row = id(number as u128 % 28);
        match outcome {
            Changing::Changed(changed) if number % 4 == 0 || number % 4 == 3 => assert_eq!(changed.id, row),
            Changing::Refused(_) if number % 4 == 1 => {}
            Changing::ConditionFailed(revision) if number % 4 == 2 => assert!((1..=2).contains(revision)),
            Changing::Missing if (24..28).contains(&number) => {}
            other => panic!("change {number}: {other:?}"),
        }
    }
    for number in 0..24_u128 {
        let found = shop.find(ORDERS, id(number)).await.unwrap();
        let changes = if number % 4 == 0 || number % 4 == 3 { 1 + u64::from(number < 4) } else { 0 };
        assert_eq!(found.revision, 1 + changes, "row {number}");
        let amount = shop.document(ORDERS, id(number)).await["amount"].as_u64().unwrap();
        let expected = if changes == 0 { vec![number] } else { vec![1000 + number, 1028 + number] };
        assert!(expected.contains(&u128::from(amount)), "row {number} has {amount}");
    }
}

pub async fn racing_conditions_have_one_winner(shop: Shop) {
    shop.create(USERS, id(1), user("a@example.com")).await;

    let outcomes = race(32, |number| {
        let shop = shop.clone();
        async move {
            let mut change = shop.change(USERS, id(1), json!({"visits": number}));
            change.condition = Precondition::Revision(vec![1]);
            shop.apply(change).await
        }
    })
    .await;

    let winners = outcomes.iter().filter(|outcome| matches!(outcome, Changing::Changed(_))).count();
    let losers = outcomes.iter().filter(|outcome| matches!(outcome, Changing::ConditionFailed(2))).count();
    assert_eq!((winners, losers), (1, 31));
}

pub async fn a_change_to_a_taken_value_changes_nothing(shop: Shop) {
    shop.create(USERS, id(1), user("a@example.com")).await;
    shop.create(USERS, id(2), user("b@example.com")).await;

    let taken = shop.apply(shop.change(USERS, id(2), json!({"email": "a@example.com"}))).await;
    let own = shop.apply(shop.change(USERS, id(1), json!({"email": "a@example.com"}))).await;

    assert!(matches!(taken, Changing::NotUnique(field) if field == "email"));
    assert!(matches!(own, Changing::Changed(_)));
    assert_eq!(shop.find(USERS, id(2)).await.unwrap().revision, 1);
}

pub async fn a_long_edit_of_a_row_that_stays_as_it_is_is_done_once(shop: Shop) {
    shop.create(ORDERS, id(1), json!({})).await;
    shop.create(ORDERS, id(2), json!({})).await;
    shop.create(PAYMENTS, id(3), json!({"order_id": id(1)})).await;
    let mut change = shop.change(PAYMENTS, id(3), json!({"order_id": id(2)}));
    let (edit, times) = (change.edit.clone(), Arc::new(AtomicUsize::new(0)));
    let counted = times.clone();
    change.edit = Arc::new(move |row| {
        counted.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(5) {
            std::hint::spin_loop();
        }
        edit(row)
    });

    assert!(matches!(shop.apply(change).await, Changing::Changed(_)));

    assert_eq!(times.load(Ordering::Relaxed), 1);
    assert_eq!(shop.document(PAYMENTS, id(3)).await["order_id"], json!(id(2)));
}

/// For a runtime of one thread.
pub async fn large_rows_are_edited_apart(shop: Shop) {
    let here = std::thread::current().id();
    for (number, length) in [(11, 100), (12, 100_000)] {
        shop.create(ORDERS, id(number), json!({"amount": 1, "note": "x".repeat(length)})).await;
        let mut change = shop.change(ORDERS, id(number), json!({"amount": 2}));
        let (edit, was_here) = (change.edit.clone(), Arc::new(Mutex::new(None)));
        let seen = was_here.clone();
        change.edit = Arc::new(move |row| {
            *seen.lock().unwrap() = Some(std::thread::current().id() == here);
            edit(row)
        });

        assert!(matches!(shop.apply(change).await, Changing::Changed(_)));

        assert_eq!(*was_here.lock().unwrap(), Some(length == 100), "{length}");
        assert_eq!(shop.document(ORDERS, id(number)).await["amount"], 2);
    }
}

pub async fn of_large_rows_no_more_are_edited_at_a_time_than_there_are_cores(shop: Shop) {
    let cores = std::thread::available_parallelism().unwrap().get();
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for number in 0..12 {
        shop.create(ORDERS, id(number), json!({"amount": 1, "note": "x".repeat(100_000)})).await;
    }

    let outcomes = race(12, |number| {
        let (shop, running, most) = (shop.clone(), running.clone(), most.clone());
        async move {
            let mut change = shop.change(ORDERS, id(number as u128), json!({"amount": 2}));
            let edit = change.edit.clone();
            change.edit = Arc::new(move |row| {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_millis(2) {
                    std::thread::yield_now();
                }
                running.fetch_sub(1, Ordering::SeqCst);
                edit(row)
            });
            shop.apply(change).await
        }
    })
    .await;

    assert!(outcomes.iter().all(|outcome| matches!(outcome, Changing::Changed(_))), "{outcomes:?}");
    assert!((1..=cores).contains(&most.load(Ordering::SeqCst)), "{most:?} on {cores} cores");
}

pub async fn whoever_waits_to_change_a_large_row_keeps_nobody_else_waiting(shop: Shop) {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let mut changes = Vec::new();
    for number in 0..40 {
        shop.create(ORDERS, id(number), json!({"amount": 1, "note": "x".repeat(100_000)})).await;
        let mut change = shop.change(ORDERS, id(number), json!({"amount": 2}));
        let (edit, gate) = (change.edit.clone(), gate.clone());
        change.edit = Arc::new(move |row| {
            drop(gate.1.wait_while(gate.0.lock().unwrap(), |is_open| !*is_open));
            edit(row)
        });
        let shop = shop.clone();
        changes.push(tokio::spawn(async move { shop.apply(change).await }));
        tokio::task::yield_now().await;
    }

    shop.create(ORDERS, id(50), json!({"amount": 1})).await;
    let small = shop.apply(shop.change(ORDERS, id(50), json!({"amount": 2}))).await;
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();

    assert!(matches!(small, Changing::Changed(_)), "{small:?}");
    for change in changes {
        let outcome = change.await.unwrap();
        assert!(matches!(outcome, Changing::Changed(_)), "{outcome:?}");
    }
}

/// Engines that do not know what others write have none.
pub async fn a_generation_never_comes_again(shop: Shop) {
    // An engine may want to look around first.
    shop.ports.rows.generation();
    shop.create(USERS, id(8), user("h@example.com")).await;
    shop.create(USERS, id(9), user("i@example.com")).await;
    let mut met = vec![shop.ports.rows.generation()];
    let is_known = met[0].is_some();

    shop.create(USERS, id(1), user("a@example.com")).await;
    met.push(shop.ports.rows.generation());
    shop.create(ORDERS, id(2), json!({"amount": 1, "user_id": id(1).to_string()})).await;
    met.push(shop.ports.rows.generation());
    shop.apply(shop.change(ORDERS, id(2), json!({"amount": 2}))).await;
    met.push(shop.ports.rows.generation());
    shop.remove(ORDERS, id(2)).await;
    met.push(shop.ports.rows.generation());

    assert!(met.iter().all(|generation| generation.is_some() == is_known), "{met:?}");
    assert!(!is_known || met.windows(2).all(|pair| pair[0] < pair[1]), "{met:?}");
}
