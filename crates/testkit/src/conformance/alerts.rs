//! Rules for alerts: filed with their messages or not at all, once where once is enough.

use valetkey_oauth::model::{Alert, AlertKind, ClientId, KeyPurpose, SessionId};
use valetkey_oauth::ports::{AlertQuery, Ports, Raising};

use super::race;
use crate::build::{self, alert, delivery};
use crate::clock::moment;

async fn list(ports: &Ports, query: AlertQuery) -> Vec<Alert> {
    ports.alerts.list_alerts(&AlertQuery { limit: query.limit.max(1), ..query }).await.unwrap()
}

fn all() -> AlertQuery {
    AlertQuery { limit: 100, ..AlertQuery::default() }
}

pub async fn a_filed_alert_is_listed_as_it_was(ports: Ports) {
    let reused = alert(1);
    let mut key = Alert::new(alert(2).id, alert(2).at, AlertKind::KeyMade);
    key.key = Some(KeyPurpose::Seal);
    key.generation = Some(2);

    for new in [&reused, &key] {
        assert_eq!(ports.alerts.raise(new, moment(1_000), &[]).await.unwrap(), Raising::Filed);
    }

    assert_eq!(list(&ports, all()).await, [key, reused]);
}

pub async fn an_alert_brings_its_messages_along(ports: Ports) {
    let messages = [delivery(1), delivery(2)];

    ports.alerts.raise(&alert(1), moment(1_000), &messages).await.unwrap();

    let mut sent = ports.deliveries.claim_due(moment(1), moment(30), 100).await.unwrap();
    sent.sort_by_key(|message| message.id);
    assert_eq!(sent.iter().map(|message| message.id).collect::<Vec<_>>(), messages.map(|message| message.id));
}

pub async fn what_is_known_is_neither_filed_nor_sent_again(ports: Ports) {
    ports.alerts.raise(&alert(1), moment(1_000), &[]).await.unwrap();
    let again = Alert { id: alert(2).id, at: alert(2).at, ..alert(1) };
    let elsewhere = Alert { id: alert(3).id, session: Some(SessionId(build::id(99))), ..alert(1) };

    let known = ports.alerts.raise(&again, moment(1_000), &[delivery(2)]).await.unwrap();
    let new = ports.alerts.raise(&elsewhere, moment(1_000), &[delivery(3)]).await.unwrap();

    assert_eq!((known, new), (Raising::Known, Raising::Filed));
    assert_eq!(list(&ports, all()).await.len(), 2);
    let sent = ports.deliveries.claim_due(moment(1), moment(30), 100).await.unwrap();
    assert_eq!(sent.iter().map(|message| message.id).collect::<Vec<_>>(), [delivery(3).id]);
}

pub async fn of_many_who_raise_one_alert_one_files_it(ports: Ports) {
    let outcomes = race(16, |number| {
        let (alerts, number) = (ports.alerts.clone(), number as u128);
        async move {
            let new = Alert { id: alert(number + 1).id, at: alert(number + 1).at, ..alert(1) };
            alerts.raise(&new, moment(1_000), &[delivery(number)]).await.unwrap()
        }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Raising::Filed).count(), 1);
    assert_eq!(list(&ports, all()).await.len(), 1);
    assert_eq!(ports.deliveries.claim_due(moment(1), moment(30), 100).await.unwrap().len(), 1);
}

pub async fn alerts_are_listed_newest_first_and_filtered(ports: Ports) {
    for number in 1..=5 {
        let mut new = alert(number);
        if number == 3 {
            new = Alert { subject: Some("bob".to_owned()), client: Some(ClientId::new("other")), ..new };
        }
        if number == 4 {
            new.kind = AlertKind::CodeReplayed;
        }
        ports.alerts.raise(&new, moment(1_000), &[]).await.unwrap();
    }
    let ids =
        async |query: AlertQuery| -> Vec<_> { list(&ports, query).await.into_iter().map(|found| found.id).collect() };
    let numbered = |numbers: &[u128]| -> Vec<_> { numbers.iter().map(|number| alert(*number).id).collect() };

    assert_eq!(ids(all()).await, numbered(&[5, 4, 3, 2, 1]));
    assert_eq!(ids(AlertQuery { limit: 2, before: Some(alert(4).id), ..all() }).await, numbered(&[3, 2]));
    assert_eq!(ids(AlertQuery { subject: Some("bob".to_owned()), ..all() }).await, numbered(&[3]));
    assert_eq!(ids(AlertQuery { kind: Some(AlertKind::CodeReplayed), ..all() }).await, numbered(&[4]));
    assert_eq!(ids(AlertQuery { since: Some(moment(4)), ..all() }).await, numbered(&[5, 4]));
    let both = AlertQuery { subject: Some("alice".to_owned()), kind: Some(AlertKind::RefreshReused), ..all() };
    assert_eq!(ids(both).await, numbered(&[5, 2, 1]));
    assert_eq!(ids(AlertQuery { subject: Some("no\0body".to_owned()), ..all() }).await, []);
}

pub async fn an_alert_that_was_kept_long_enough_goes(ports: Ports) {
    ports.alerts.raise(&alert(1), moment(100), &[]).await.unwrap();
    ports.alerts.raise(&alert(2), moment(101), &[]).await.unwrap();

    let swept = ports.sweeping.sweep(moment(100), 10).await.unwrap();

    assert_eq!(swept.alerts, 1);
    assert_eq!(list(&ports, all()).await, [alert(2)]);
}
