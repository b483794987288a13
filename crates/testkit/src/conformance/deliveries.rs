//! Rules for messages on their way out: each is handed to one, and to another if that one is not heard of.

use std::collections::BTreeMap;

use valetkey_oauth::model::{Delivery, DeliveryId, DeliveryKind};
use valetkey_oauth::ports::Ports;

use super::race;
use crate::build::{self, delivery};
use crate::clock::moment;

async fn claim(ports: &Ports, now: i64, until: i64) -> Vec<DeliveryId> {
    let claimed = ports.deliveries.claim_due(moment(now), moment(until), 100).await.unwrap();
    let mut ids: Vec<_> = claimed.into_iter().map(|message| message.id).collect();
    ids.sort();
    ids
}

pub async fn a_posted_message_comes_out_as_it_went_in(ports: Ports) {
    let mut posted = delivery(1);
    posted.kind = DeliveryKind::LogoutToken;
    posted.body = vec![0, 255, 7];

    ports.deliveries.post(&[posted.clone(), delivery(2)]).await.unwrap();
    ports.deliveries.post(&[]).await.unwrap();
    let claimed = ports.deliveries.claim_due(moment(1), moment(30), 100).await.unwrap();

    let found = claimed.iter().find(|message| message.id == posted.id).unwrap();
    assert_eq!(claimed.len(), 2);
    assert_eq!(*found, Delivery { due_at: moment(30), attempts: 1, ..posted });
}

pub async fn a_message_is_posted_once(ports: Ports) {
    ports.deliveries.post(&[delivery(1)]).await.unwrap();
    claim(&ports, 1, 30).await;

    ports.deliveries.post(&[delivery(1)]).await.unwrap();

    assert_eq!(claim(&ports, 1, 30).await, []);
}

pub async fn of_many_who_look_at_once_one_gets_each_message(ports: Ports) {
    let messages: Vec<_> = (1..=40).map(delivery).collect();
    ports.deliveries.post(&messages).await.unwrap();

    let taken = race(16, |_| {
        let deliveries = ports.deliveries.clone();
        async move {
            let mut own = Vec::new();
            // Whoever finds nothing has seen rows that others hold, or none: both mean that these are taken.
            for _ in 0..16 {
                own.extend(deliveries.claim_due(moment(1), moment(30), 3).await.unwrap());
            }
            own
        }
    })
    .await;

    let mut seen: BTreeMap<DeliveryId, u32> = BTreeMap::new();
    for message in taken.into_iter().flatten() {
        assert_eq!(message.attempts, 1);
        *seen.entry(message.id).or_default() += 1;
    }
    assert_eq!(seen.len(), 40);
    assert!(seen.values().all(|times| *times == 1), "{seen:?}");
}

pub async fn a_message_of_one_who_never_came_back_is_handed_out_again(ports: Ports) {
    ports.deliveries.post(&[delivery(1)]).await.unwrap();

    let first = claim(&ports, 1, 30).await;
    let meanwhile = claim(&ports, 29, 60).await;
    let again = ports.deliveries.claim_due(moment(30), moment(60), 100).await.unwrap();

    assert_eq!((first.len(), meanwhile.len()), (1, 0));
    assert_eq!(again.iter().map(|message| message.attempts).collect::<Vec<_>>(), [2]);
}

pub async fn a_closed_message_is_gone(ports: Ports) {
    ports.deliveries.post(&[delivery(1), delivery(2)]).await.unwrap();

    ports.deliveries.close(delivery(1).id).await.unwrap();
    ports.deliveries.close(delivery(1).id).await.unwrap();
    ports.deliveries.postpone(delivery(1).id, moment(0)).await.unwrap();

    assert_eq!(claim(&ports, 1, 30).await, [delivery(2).id]);
}

pub async fn a_postponed_message_is_due_at_its_new_time(ports: Ports) {
    ports.deliveries.post(&[delivery(1)]).await.unwrap();
    claim(&ports, 1, 30).await;

    ports.deliveries.postpone(delivery(1).id, moment(10)).await.unwrap();

    assert_eq!(claim(&ports, 9, 30).await, []);
    assert_eq!(claim(&ports, 10, 40).await, [delivery(1).id]);
}

pub async fn no_more_are_handed_out_than_asked_and_the_longest_due_come_first(ports: Ports) {
    let mut messages: Vec<_> = (1..=5).map(delivery).collect();
    for (message, due) in messages.iter_mut().zip([5, 4, 3, 2, 9]) {
        message.due_at = moment(due);
    }
    ports.deliveries.post(&messages).await.unwrap();

    let mut two = ports.deliveries.claim_due(moment(6), moment(30), 2).await.unwrap();

    two.sort_by_key(|message| message.id);
    assert_eq!(two.iter().map(|message| message.id.0).collect::<Vec<_>>(), [3, 4].map(build::id));
    assert_eq!(claim(&ports, 6, 30).await, [delivery(1).id, delivery(2).id]);
}

pub async fn a_message_whose_time_is_over_is_not_handed_out(ports: Ports) {
    ports.deliveries.post(&[delivery(1)]).await.unwrap();

    assert_eq!(claim(&ports, 86_400, 86_430).await, []);
    assert_eq!(ports.sweeping.sweep(moment(86_400), 10).await.unwrap().deliveries, 1);
}
