//! Rules for new rows: found as they were made, by those who may see them, each id and unique value once.

use serde_json::{Value, json};
use valetkey_resources::model::Cell;
use valetkey_resources::ports::{Creating, Sight};

use super::Shop;
use super::shop::user;
use crate::api::{ORDERS, REVIEWS, USERS};
use crate::build::id;
use crate::clock::moment;
use crate::conformance::race;

pub async fn what_was_made_is_found_as_it_was(shop: Shop) {
    let document = json!({"amount": 7, "currency": "EUR", "weight": 1.5, "gift": true, "note": "mind the cat"});
    let mut creation = shop.creation(ORDERS, id(1), document);
    creation.owner = Some("alice".into());
    let text = creation.draft.document.clone();

    shop.ports.rows.create(creation).await.unwrap();
    let found = shop.find(ORDERS, id(1)).await.unwrap();

    assert_eq!((found.id, found.revision, found.owner.as_deref()), (id(1), 1, Some("alice")));
    assert_eq!((found.created_at, found.updated_at, found.task), (moment(0), moment(0), None));
    assert_eq!(found.document, text);
    assert!(shop.find(ORDERS, id(2)).await.is_none());
}

pub async fn what_is_out_of_sight_is_not_there(shop: Shop) {
    shop.create(USERS, id(1), user("a@example.com")).await;
    shop.create(USERS, id(2), user("b@example.com")).await;
    for (number, owner, above) in [(10, Some("alice"), id(1)), (11, Some("bob"), id(1)), (12, None, id(2))] {
        let mut creation = shop.creation(ORDERS, id(number), json!({"user_id": above}));
        creation.owner = owner.map(Into::into);
        shop.ports.rows.create(creation).await.unwrap();
    }
    let orders = shop.resource(ORDERS);
    let above = orders.column("user_id").unwrap();
    let seen = async |owner: Option<&str>, under: Option<u128>| {
        let sight = Sight { owner: owner.map(Into::into), under: under.map(|number| (above, id(number))) };
        let mut found = Vec::new();
        for number in 10..13 {
            if shop.ports.rows.find(&orders, id(number), &sight).await.unwrap().is_some() {
                found.push(number);
            }
        }
        let ids: Vec<_> = (9..14).map(id).collect();
        let mut all: Vec<_> =
            shop.ports.rows.find_all(&orders, &ids, &sight).await.unwrap().rows.into_iter().map(|row| row.id).collect();
        all.sort();
        if let (Some(owner), None) = (owner, under) {
            assert_eq!(shop.ports.rows.owned(&orders, &ids, owner).await.unwrap(), all);
        }
        assert_eq!(all, found.iter().copied().map(id).collect::<Vec<_>>());
        found
    };

    assert_eq!(seen(None, None).await, [10, 11, 12]);
    assert_eq!(seen(Some("alice"), None).await, [10]);
    assert_eq!(seen(None, Some(1)).await, [10, 11]);
    assert_eq!(seen(Some("bob"), Some(1)).await, [11]);
    assert_eq!(seen(Some("bob"), Some(2)).await, [0; 0]);
}

pub async fn an_id_is_taken_once(shop: Shop) {
    shop.create(USERS, id(1), user("a@example.com")).await;

    let again = shop.try_create(USERS, id(1), user("b@example.com")).await;

    assert_eq!(again, Creating::IdTaken);
    assert_eq!(shop.document(USERS, id(1)).await["email"], "a@example.com");
}

pub async fn a_unique_value_is_taken_once_and_nothing_is_no_value(shop: Shop) {
    shop.create(USERS, id(1), user("a@example.com")).await;

    let again = shop.try_create(USERS, id(2), user("a@example.com")).await;
    let other = shop.try_create(USERS, id(3), user("A@example.com")).await;

    assert_eq!(again, Creating::NotUnique("email".into()));
    assert_eq!(other, Creating::Created);
    for number in 4..6 {
        shop.create(USERS, id(number), json!({"name": "nobody", "email": null})).await;
    }
    assert!(shop.find(USERS, id(2)).await.is_none());
}

pub async fn racing_twins_of_a_unique_value_have_one_winner(shop: Shop) {
    let outcomes = race(32, |number| {
        let shop = shop.clone();
        async move { shop.try_create(USERS, id(number as u128), user("a@example.com")).await }
    })
    .await;

    let winners = outcomes.iter().filter(|outcome| **outcome == Creating::Created).count();
    assert_eq!(winners, 1);
    assert!(outcomes.iter().all(|o| matches!(o, Creating::Created | Creating::NotUnique(_))), "{outcomes:?}");
}

pub async fn rows_made_at_once_are_each_there_and_a_taken_id_harms_nobody(shop: Shop) {
    shop.create(ORDERS, id(7), json!({"amount": 70})).await;

    // The last four have the ids of the first four.
    let outcomes = race(36, |number| {
        let shop = shop.clone();
        async move { shop.try_create(ORDERS, id(number as u128 % 32), json!({"amount": number})).await }
    })
    .await;
    let found = race(33, |number| {
        let shop = shop.clone();
        async move { shop.find(ORDERS, id(number as u128)).await.map(|row| row.id) }
    })
    .await;

    for number in 0..32 {
        let twins = [Some(&outcomes[number]), outcomes.get(32..).unwrap().get(number)];
        let made = twins.into_iter().flatten().filter(|outcome| **outcome == Creating::Created).count();
        assert_eq!(made, usize::from(number != 7), "row {number}");
        assert_eq!(found[number], Some(id(number as u128)));
    }
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Creating::Created | Creating::IdTaken)), "{outcomes:?}");
    assert_eq!(found[32], None);
    assert_eq!(shop.document(ORDERS, id(7)).await["amount"], 70);
}

pub async fn strange_and_long_texts_are_kept_and_told_apart(shop: Shop) {
    let long = "ä".repeat(5_000);
    let texts =
        ["a\0b", "a\u{1}b", "a\u{1}\u{1}b", "a\u{1}\u{2}b", "a", "a\0", "", "'\"\\", &long, &format!("{long}a")];

    for (number, text) in texts.iter().enumerate() {
        shop.create(USERS, id(number as u128), user(text)).await;
    }

    for (number, text) in texts.iter().enumerate() {
        assert_eq!(shop.document(USERS, id(number as u128)).await["email"], *text);
        let twin = shop.try_create(USERS, id(100), user(text)).await;
        assert_eq!(twin, Creating::NotUnique("email".into()), "{text:?}");
    }
}

pub async fn a_very_long_text_of_words_is_kept(shop: Shop) {
    let many: String = (0..200_000).map(|number| format!("word{number} ")).collect();
    let same = "again ".repeat(300_000);
    let one = "x".repeat(1_500_000);

    for (number, text) in [many, same, one].into_iter().enumerate() {
        let id = id(number as u128);
        shop.create(REVIEWS, id, json!({"text": text})).await;
        assert_eq!(shop.document(REVIEWS, id).await["text"].as_str().map(str::len), Some(text.len()));
    }
    let draft = shop.draft(REVIEWS, json!({"order_id": Value::Null}));
    assert_eq!(draft.cells[0], Cell::Null);
}
