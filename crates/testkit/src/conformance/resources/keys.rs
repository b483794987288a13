//! Rules for answers under a key: a request is done once, and told again.

use serde_json::json;
use valetkey_resources::ports::{Change, Changing, Creating, Creation, Edited, Kept, Keyed, PAGE_BYTES, TaskStep};
use valetkey_rest::problem::{Problem, catalogue};

use super::Shop;
use super::shop::{answer, edited, keyed, user};
use crate::api::{ORDERS, USERS};
use crate::build::id;
use crate::clock::moment;
use crate::conformance::race;

fn creation(shop: &Shop, number: u128, email: &str, keyed: Keyed) -> Creation {
    let mut creation = shop.creation(USERS, id(number), user(email));
    creation.keyed = Some((keyed, answer(email)));
    creation
}

async fn create(shop: &Shop, number: u128, email: &str, keyed: Keyed) -> Creating {
    shop.ports.rows.create(creation(shop, number, email, keyed)).await.unwrap()
}

pub async fn a_repeat_gets_the_answer_and_does_nothing(shop: Shop) {
    let first = create(&shop, 1, "a", keyed("k", 1, 0)).await;

    let again = create(&shop, 2, "b", keyed("k", 1, 5)).await;

    assert_eq!(first, Creating::Created);
    assert_eq!(again, Creating::Kept(Kept::Answer(answer("a"))));
    assert!(shop.find(USERS, id(2)).await.is_none());
    assert_eq!(shop.ports.answers.kept(&keyed("k", 1, 5)).await.unwrap(), Some(Kept::Answer(answer("a"))));
    assert_eq!(shop.ports.answers.kept(&keyed("other", 1, 5)).await.unwrap(), None);
}

pub async fn a_key_is_checked_before_unique_values(shop: Shop) {
    create(&shop, 1, "a", keyed("k", 1, 0)).await;

    let again = create(&shop, 2, "a", keyed("k", 1, 1)).await;
    let same_id = create(&shop, 1, "a", keyed("k", 1, 1)).await;

    assert_eq!(again, Creating::Kept(Kept::Answer(answer("a"))));
    assert_eq!(same_id, Creating::Kept(Kept::Answer(answer("a"))));
}

pub async fn another_request_under_a_key_is_told(shop: Shop) {
    create(&shop, 1, "a", keyed("k", 1, 0)).await;

    let other = create(&shop, 2, "b", keyed("k", 2, 0)).await;

    assert_eq!(other, Creating::Kept(Kept::OtherRequest));
    assert_eq!(shop.ports.answers.kept(&keyed("k", 2, 0)).await.unwrap(), Some(Kept::OtherRequest));
}

pub async fn requests_at_once_are_done_once_for_each_key(shop: Shop) {
    // Three of each key; one has the id of a row that is there.
    shop.create(ORDERS, id(100), json!({"amount": 0})).await;
    let outcomes = race(48, |number| {
        let shop = shop.clone();
        let word = format!("k{}", number % 16);
        let row = if number == 5 { 100 } else { number as u128 };
        let mut creation = shop.creation(ORDERS, id(row), json!({"amount": number}));
        creation.keyed = Some((keyed(&word, 1, 0), answer(&word)));
        async move { shop.ports.rows.create(creation).await.unwrap() }
    })
    .await;

    for key in 0..16 {
        let mine: Vec<_> = outcomes.iter().skip(key).step_by(16).collect();
        let created = mine.iter().filter(|outcome| ***outcome == Creating::Created).count();
        assert_eq!(created, 1, "key {key}: {mine:?}");
        let word = format!("k{key}");
        let told = Creating::Kept(Kept::Answer(answer(&word)));
        for outcome in mine {
            let is_taken_id = key == 5 && *outcome == Creating::IdTaken;
            assert!(*outcome == Creating::Created || *outcome == told || is_taken_id, "key {key}: {outcome:?}");
        }
        assert_eq!(shop.ports.answers.kept(&keyed(&word, 1, 0)).await.unwrap(), Some(Kept::Answer(answer(&word))));
    }
    let mut there = 0;
    for number in 0..48 {
        there += usize::from(shop.find(ORDERS, id(number)).await.is_some());
    }
    assert_eq!(there, 16);
}

pub async fn a_refusal_frees_the_key(shop: Shop) {
    shop.create(USERS, id(1), user("a")).await;
    let mut refused = shop.edit(USERS, id(1), |_| Err(Problem::new(&catalogue::BAD_REQUEST)));
    refused.keyed = Some(keyed("c", 1, 0));

    let taken = create(&shop, 2, "a", keyed("k", 1, 0)).await;
    let change = shop.apply(refused).await;

    assert_eq!(taken, Creating::NotUnique("email".into()));
    assert!(matches!(change, Changing::Refused(_)));
    for word in ["k", "c"] {
        assert_eq!(shop.ports.answers.kept(&keyed(word, 1, 0)).await.unwrap(), None);
    }
    assert_eq!(create(&shop, 2, "b", keyed("k", 2, 0)).await, Creating::Created);
}

pub async fn a_key_is_free_after_its_time(shop: Shop) {
    create(&shop, 1, "a", keyed("k", 1, 0)).await;

    let late = create(&shop, 2, "b", keyed("k", 2, 100)).await;

    assert_eq!(late, Creating::Created);
    assert_eq!(shop.ports.answers.kept(&keyed("k", 2, 101)).await.unwrap(), Some(Kept::Answer(answer("b"))));
}

pub async fn keys_of_two_callers_are_two(shop: Shop) {
    let mut of_bob = keyed("k", 1, 0);
    of_bob.key.subject = Some("bob".into());
    let mut of_client = keyed("k", 1, 0);
    of_client.key.subject = None;
    let mut of_other = keyed("k", 1, 0);
    of_other.key.client = "other".into();

    for (number, keyed) in [keyed("k", 1, 0), of_bob, of_client, of_other].into_iter().enumerate() {
        assert_eq!(create(&shop, number as u128, &number.to_string(), keyed).await, Creating::Created);
    }
}

pub async fn racing_twins_make_one_row(shop: Shop) {
    let outcomes = race(32, |number| {
        let creation = creation(&shop, number as u128, "a", keyed("k", 1, 0));
        let rows = shop.ports.rows.clone();
        async move { rows.create(creation).await.unwrap() }
    })
    .await;

    let made = outcomes.iter().filter(|outcome| **outcome == Creating::Created).count();
    let told = outcomes.iter().filter(|outcome| **outcome == Creating::Kept(Kept::Answer(answer("a")))).count();
    assert_eq!((made, told), (1, 31), "{outcomes:?}");
}

fn change(shop: &Shop, members: serde_json::Value, keyed: Keyed) -> Change {
    let inner = shop.clone();
    let mut change = shop.edit(USERS, id(1), move |row| {
        let mut document = super::shop::object(serde_json::from_str(&row.document).unwrap());
        document.extend(super::shop::object(members.clone()));
        let answer = answer(&format!("revision {}", row.revision + 1));
        Ok(Edited { answer: Some(answer), ..edited(inner.draft(USERS, document.into())) })
    });
    change.keyed = Some(keyed);
    change
}

pub async fn racing_twins_change_once(shop: Shop) {
    shop.create(USERS, id(1), user("a")).await;

    let outcomes = race(32, |number| {
        let change = change(&shop, json!({"visits": number}), keyed("k", 1, 0));
        let rows = shop.ports.rows.clone();
        async move { rows.change(change).await.unwrap() }
    })
    .await;

    let changed = outcomes.iter().filter(|outcome| matches!(outcome, Changing::Changed(_))).count();
    let kept = Kept::Answer(answer("revision 2"));
    let told = outcomes.iter().filter(|outcome| matches!(outcome, Changing::Kept(told) if *told == kept)).count();
    assert_eq!((changed, told), (1, 31), "{outcomes:?}");
    assert_eq!(shop.find(USERS, id(1)).await.unwrap().revision, 2);
}

pub async fn a_change_that_asks_for_nothing_keeps_its_answer(shop: Shop) {
    shop.create(USERS, id(1), user("a")).await;
    let nothing = |keyed| {
        let edit = |_: &_| Ok(Edited { draft: None, task: TaskStep::None, answer: Some(answer("nothing")) });
        let mut change = shop.edit(USERS, id(1), edit);
        change.keyed = Some(keyed);
        change
    };

    let first = shop.apply(nothing(keyed("k", 1, 0))).await;
    let again = shop.apply(nothing(keyed("k", 1, 0))).await;

    assert!(matches!(first, Changing::Changed(row) if row.revision == 1));
    assert!(matches!(again, Changing::Kept(Kept::Answer(told)) if told == answer("nothing")));
}

pub async fn answers_are_swept_after_their_time(shop: Shop) {
    for number in 0_u32..5 {
        let keyed = keyed(&format!("k{number}"), 1, i64::from(number));
        create(&shop, u128::from(number), &number.to_string(), keyed).await;
    }

    let few = shop.ports.answers.sweep_answers(moment(102), 2).await.unwrap();
    let rest = shop.ports.answers.sweep_answers(moment(102), 10).await.unwrap();

    assert_eq!((few, rest), (2, 1));
    assert!(shop.ports.answers.kept(&keyed("k3", 1, 102)).await.unwrap().is_some());
}

pub async fn large_answers_are_swept_a_few_at_a_time(shop: Shop) {
    for number in 0_u32..6 {
        let mut creation = creation(&shop, u128::from(number), &number.to_string(), keyed(&number.to_string(), 1, 0));
        creation.keyed.as_mut().unwrap().1.body = vec![b'x'; PAGE_BYTES / 2];
        assert_eq!(shop.ports.rows.create(creation).await.unwrap(), Creating::Created);
    }

    let mut swept = Vec::new();
    for _ in 0..4 {
        swept.push(shop.ports.answers.sweep_answers(moment(1000), 200).await.unwrap());
    }

    assert_eq!(swept, [2, 2, 2, 0]);
}
