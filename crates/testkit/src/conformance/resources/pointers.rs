//! Rules for rows that point at rows: never at one that is gone or out of sight.

use serde_json::{Value, json};
use valetkey_resources::model::{OnDelete, Resource};
use valetkey_resources::ports::{Changing, Creating, PAGE_BYTES, Precondition, Removing, Sight};

use super::Shop;
use super::shop::user;
use crate::api::{ORDERS, PAYMENTS, REVIEWS, USERS};
use crate::build::id;
use crate::clock::moment;
use crate::conformance::race;

async fn order_of(shop: &Shop, number: u128, owner: &str) {
    let mut creation = shop.creation(ORDERS, id(number), json!({"amount": 1}));
    creation.owner = Some(owner.into());
    assert_eq!(shop.ports.rows.create(creation).await.unwrap(), Creating::Created);
}

pub async fn a_row_points_at_what_is_in_sight_only(shop: Shop) {
    order_of(&shop, 1, "alice").await;
    let payment = |number, order, owner: Option<&str>| {
        let mut creation = shop.creation(PAYMENTS, id(number), json!({"order_id": id(order)}));
        creation.draft.pointers[0].owner = owner.map(Into::into);
        shop.ports.rows.create(creation)
    };

    assert_eq!(payment(10, 1, None).await.unwrap(), Creating::Created);
    assert_eq!(payment(11, 1, Some("alice")).await.unwrap(), Creating::Created);
    assert_eq!(payment(12, 1, Some("bob")).await.unwrap(), Creating::Dangling("order_id".into()));
    assert_eq!(payment(13, 2, None).await.unwrap(), Creating::Dangling("order_id".into()));
    let astray = shop.apply(shop.change(PAYMENTS, id(10), json!({"order_id": id(2)}))).await;
    assert!(matches!(astray, Changing::Dangling(field) if field == "order_id"));
    assert!(shop.find(PAYMENTS, id(12)).await.is_none() && shop.find(PAYMENTS, id(13)).await.is_none());
    assert_eq!(shop.find(PAYMENTS, id(10)).await.unwrap().revision, 1);
}

pub async fn a_row_may_point_at_itself(shop: Shop) {
    shop.create(REVIEWS, id(1), json!({"answers_id": id(1), "text": "me"})).await;

    assert_eq!(shop.remove(REVIEWS, id(1)).await, Removing::Removed);
    assert!(shop.find(REVIEWS, id(1)).await.is_none());
}

pub async fn what_is_pointed_at_is_kept_or_takes_along_or_is_let_go(shop: Shop) {
    shop.create(USERS, id(1), user("a")).await;
    shop.create(ORDERS, id(2), json!({"user_id": id(1), "note": "a note"})).await;
    shop.create(PAYMENTS, id(3), json!({"order_id": id(2)})).await;
    shop.create(REVIEWS, id(4), json!({"order_id": id(2), "text": "stays"})).await;
    shop.create(REVIEWS, id(5), json!({"payment_id": id(3), "text": "goes"})).await;

    let kept = shop.remove(USERS, id(1)).await;
    let gone = shop.remove(ORDERS, id(2)).await;
    let now_gone = shop.remove(USERS, id(1)).await;

    assert_eq!(kept, Removing::InUse(ORDERS.into()));
    assert_eq!((gone, now_gone), (Removing::Removed, Removing::Removed));
    assert!(shop.find(PAYMENTS, id(3)).await.is_none() && shop.find(REVIEWS, id(5)).await.is_none());
    let stays = shop.find(REVIEWS, id(4)).await.unwrap();
    assert_eq!((stays.revision, stays.updated_at), (2, moment(2)));
    assert_eq!(shop.document(REVIEWS, id(4)).await, json!({"order_id": null, "text": "stays"}));
}

/// The shop, where reviews see to what they point at in another way.
fn with_reviews(shop: Shop, order: OnDelete, payment: OnDelete) -> Shop {
    let mut api = (*shop.api).clone();
    let mut fields = shop.resource(REVIEWS).fields.clone();
    for (field, on_delete) in fields.iter_mut().zip([order, payment]) {
        field.references.as_mut().unwrap().on_delete = on_delete;
    }
    *api.resources.iter_mut().find(|resource| resource.name == REVIEWS).unwrap() =
        Resource::new(REVIEWS, "review", fields).into();
    Shop { api: api.into(), ..shop }
}

pub async fn a_refusal_further_down_undoes_all(shop: Shop) {
    let shop = with_reviews(shop, OnDelete::Clear, OnDelete::Refuse);
    shop.create(ORDERS, id(1), json!({})).await;
    shop.create(PAYMENTS, id(2), json!({"order_id": id(1)})).await;
    shop.create(REVIEWS, id(3), json!({"payment_id": id(2), "order_id": id(1)})).await;

    let refused = shop.remove(ORDERS, id(1)).await;

    assert_eq!(refused, Removing::InUse(REVIEWS.into()));
    assert!(shop.find(ORDERS, id(1)).await.is_some() && shop.find(PAYMENTS, id(2)).await.is_some());
    assert_eq!(shop.find(REVIEWS, id(3)).await.unwrap().revision, 1);
}

pub async fn what_goes_along_by_another_way_refuses_nothing(shop: Shop) {
    let shop = with_reviews(shop, OnDelete::Delete, OnDelete::Refuse);
    let mut turned = (*shop.api).clone();
    turned.resources.reverse();
    for api in [shop.api.clone(), turned.into()] {
        let shop = Shop { api, ..shop.clone() };
        // The last one keeps the payment, and goes with the review that it answers; both of these go with the order.
        shop.create(ORDERS, id(1), json!({})).await;
        shop.create(PAYMENTS, id(2), json!({"order_id": id(1)})).await;
        shop.create(REVIEWS, id(3), json!({"order_id": id(1)})).await;
        shop.create(REVIEWS, id(4), json!({"payment_id": id(2), "answers_id": id(3)})).await;
        shop.create(REVIEWS, id(5), json!({"payment_id": id(2)})).await;

        let kept = shop.remove(ORDERS, id(1)).await;
        assert_eq!(kept, Removing::InUse(REVIEWS.into()));
        assert!(shop.find(REVIEWS, id(4)).await.is_some());

        assert_eq!(shop.remove(REVIEWS, id(5)).await, Removing::Removed);
        assert_eq!(shop.remove(ORDERS, id(1)).await, Removing::Removed);
        assert!(shop.find(PAYMENTS, id(2)).await.is_none() && shop.find(REVIEWS, id(4)).await.is_none());
    }
}

pub async fn more_rows_than_one_removal_sees_to_keep_it(shop: Shop) {
    const MOST: u128 = 1_000;
    shop.create(ORDERS, id(0), json!({})).await;
    race(50, |first| {
        let shop = shop.clone();
        async move {
            for number in (first as u128 + 1..=MOST).step_by(50) {
                shop.create(PAYMENTS, id(number), json!({"order_id": id(0)})).await;
            }
        }
    })
    .await;
    shop.create(REVIEWS, id(1), json!({"order_id": id(0), "payment_id": id(7)})).await;

    let kept = shop.remove(ORDERS, id(0)).await;
    assert!(matches!(kept, Removing::TooMany { most: 1_000, .. }), "{kept:?}");
    assert_eq!(shop.document(REVIEWS, id(1)).await["order_id"], json!(id(0)));
    assert!(shop.find(PAYMENTS, id(MOST)).await.is_some());

    shop.remove(REVIEWS, id(1)).await;
    assert_eq!(shop.remove(ORDERS, id(0)).await, Removing::Removed);
    assert!(shop.find(PAYMENTS, id(MOST)).await.is_none());
}

pub async fn a_row_that_goes_with_two_others_counts_once(shop: Shop) {
    let shop = with_reviews(shop, OnDelete::Delete, OnDelete::Delete);
    shop.create(ORDERS, id(0), json!({})).await;
    shop.create(PAYMENTS, id(0), json!({"order_id": id(0)})).await;
    race(50, |first| {
        let shop = shop.clone();
        async move {
            for number in (first as u128..600).step_by(50) {
                shop.create(REVIEWS, id(number), json!({"order_id": id(0), "payment_id": id(0)})).await;
            }
        }
    })
    .await;

    assert_eq!(shop.remove(ORDERS, id(0)).await, Removing::Removed);
    assert!(shop.find(REVIEWS, id(599)).await.is_none());
}

pub async fn rows_too_large_to_be_written_anew_keep_what_they_point_at(shop: Shop) {
    shop.create(ORDERS, id(0), json!({})).await;
    let text = "x".repeat(PAGE_BYTES / 5);
    for number in 1..=5 {
        shop.create(REVIEWS, id(number), json!({"order_id": id(0), "text": text})).await;
    }

    let kept = shop.remove(ORDERS, id(0)).await;
    assert!(matches!(kept, Removing::TooMany { .. }), "{kept:?}");
    assert_eq!(shop.find(REVIEWS, id(1)).await.unwrap().revision, 1);

    shop.remove(REVIEWS, id(5)).await;
    assert_eq!(shop.remove(ORDERS, id(0)).await, Removing::Removed);
    assert_eq!(shop.find(REVIEWS, id(1)).await.unwrap().revision, 2);
}

pub async fn rows_too_large_to_go_along_keep_what_they_point_at(shop: Shop) {
    shop.create(ORDERS, id(0), json!({})).await;
    shop.create(PAYMENTS, id(0), json!({"order_id": id(0)})).await;
    let text = "x".repeat(8 * PAGE_BYTES / 9);
    for number in 1..=9 {
        shop.create(REVIEWS, id(number), json!({"payment_id": id(0), "text": text})).await;
    }

    let kept = shop.remove(ORDERS, id(0)).await;
    assert!(matches!(kept, Removing::TooMany { .. }), "{kept:?}");
    assert!(shop.find(PAYMENTS, id(0)).await.is_some());

    shop.remove(REVIEWS, id(9)).await;
    assert_eq!(shop.remove(ORDERS, id(0)).await, Removing::Removed);
    assert!(shop.find(REVIEWS, id(8)).await.is_none());
}

pub async fn a_circle_of_rows_goes_as_a_whole(shop: Shop) {
    shop.create(REVIEWS, id(1), json!({"text": "one"})).await;
    shop.create(REVIEWS, id(2), json!({"answers_id": id(1)})).await;
    shop.create(REVIEWS, id(3), json!({"answers_id": id(2)})).await;
    shop.apply(shop.change(REVIEWS, id(1), json!({"answers_id": id(3)}))).await;

    assert_eq!(shop.remove(REVIEWS, id(2)).await, Removing::Removed);
    for number in 1..4 {
        assert!(shop.find(REVIEWS, id(number)).await.is_none());
    }
}

pub async fn removal_asks_sight_and_condition(shop: Shop) {
    order_of(&shop, 1, "alice").await;
    let remove = |owner: &str, revision| {
        let mut removal = shop.removal(ORDERS, id(1));
        removal.sight = Sight { owner: Some(owner.into()), under: None };
        removal.condition = Precondition::Revision(vec![revision]);
        shop.ports.rows.remove(removal)
    };

    assert_eq!(remove("bob", 1).await.unwrap(), Removing::Missing);
    assert_eq!(remove("alice", 2).await.unwrap(), Removing::ConditionFailed(1));
    assert_eq!(remove("alice", 1).await.unwrap(), Removing::Removed);
    assert_eq!(remove("alice", 1).await.unwrap(), Removing::Missing);
}

/// Rows whose pointer leads nowhere.
async fn dangling(shop: &Shop, resource: &str, numbers: std::ops::Range<u128>, field: &str, to: &str) -> Vec<u128> {
    let mut found = Vec::new();
    for number in numbers {
        let Some(row) = shop.find(resource, id(number)).await else { continue };
        let document: Value = serde_json::from_str(&row.document).unwrap();
        let target = document[field].as_str().map(|text| text.parse().unwrap());
        if let Some(target) = target
            && shop.find(to, target).await.is_none()
        {
            found.push(number);
        }
    }
    found
}

pub async fn a_race_of_child_and_removal_leaves_nothing_dangling(shop: Shop) {
    for round in 0..20 {
        let (parent, first) = (round * 100, round * 100 + 1);
        shop.create(USERS, id(parent), user(&parent.to_string())).await;
        let outcomes = race(9, |number| {
            let shop = shop.clone();
            async move {
                if number == 4 {
                    return shop.remove(USERS, id(parent)).await == Removing::Removed;
                }
                let child = json!({"user_id": id(parent)});
                shop.try_create(ORDERS, id(first + number as u128), child).await == Creating::Created
            }
        })
        .await;

        let children = outcomes.iter().enumerate().filter(|(at, made)| *at != 4 && **made).count();
        assert!(!(outcomes[4] && children > 0), "the row went, and {children} point at it");
        assert_eq!(dangling(&shop, ORDERS, first..first + 9, "user_id", USERS).await, [0; 0]);
    }
}

pub async fn a_race_of_change_and_removal_leaves_nothing_dangling(shop: Shop) {
    for round in 0..20 {
        let (target, first) = (round * 100, round * 100 + 1);
        shop.create(ORDERS, id(target), json!({})).await;
        for number in first..first + 6 {
            shop.create(REVIEWS, id(number), json!({"text": "a"})).await;
        }
        race(7, |number| {
            let shop = shop.clone();
            async move {
                if number == 3 {
                    assert_eq!(shop.remove(ORDERS, id(target)).await, Removing::Removed);
                } else {
                    let at = first + if number > 3 { number as u128 - 1 } else { number as u128 };
                    shop.apply(shop.change(REVIEWS, id(at), json!({"order_id": id(target)}))).await;
                }
            }
        })
        .await;

        assert_eq!(dangling(&shop, REVIEWS, first..first + 6, "order_id", ORDERS).await, [0; 0]);
    }
}
