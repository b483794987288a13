//! Those who share a statement: across nodes, and beside one who holds a row.

use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;
use valetkey_oauth::model::{Session, SessionEnd, SessionState};
use valetkey_oauth::ports::{Asking, Deciding, Opening, Poll, Ports, Rotation};
use valetkey_resources::ports::Changing;
use valetkey_store::postgres::Postgres;
use valetkey_testkit::api::ORDERS;
use valetkey_testkit::build::{self, approval, device, id, opening, poll, rotation, session};
use valetkey_testkit::clock::moment;
use valetkey_testkit::conformance::resources::{Shop, changes};

use crate::schema::Schema;
use crate::{fresh, fresh_shop};

const SESSIONS: u128 = 48;

async fn two_nodes() -> Option<([Ports; 2], Schema)> {
    let (first, schema) = fresh().await?;
    let second = Postgres::open(&schema.settings()).await.unwrap().ports();
    Some(([first, second], schema))
}

/// What both nodes answer about each session, asked all at once, and in opposite order.
async fn at_once<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    nodes: &[Ports; 2],
    ask: impl Fn(Ports, u128) -> F,
) -> Vec<(u128, T)> {
    let tasks: Vec<_> = (0..SESSIONS)
        .flat_map(|number| [(0, number), (1, SESSIONS - 1 - number)])
        .map(|(node, number)| (number, tokio::spawn(ask(nodes[node].clone(), number))))
        .collect();
    let mut answers = Vec::new();
    for (number, task) in tasks {
        answers.push((number, task.await.unwrap()));
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_nodes_that_open_the_same_sessions_one_opens_each() {
    let Some((nodes, _schema)) = two_nodes().await else { return };

    let outcomes =
        at_once(
            &nodes,
            |ports, number| async move { ports.sessions.open(&session(number), &opening()).await.unwrap() },
        )
        .await;

    for number in 0..SESSIONS {
        let mine = || outcomes.iter().filter(|(of, _)| *of == number).map(|(_, outcome)| outcome);
        assert_eq!(mine().filter(|outcome| **outcome == Opening::Opened).count(), 1, "session {number}");
        assert_eq!(mine().filter(|outcome| matches!(outcome, Opening::Replayed(_))).count(), 1, "session {number}");
        let found = nodes[0].sessions.find_session(session(number).id).await.unwrap().unwrap();
        assert_eq!(found.state, SessionState::Ended(SessionEnd::CodeReplayed));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_nodes_that_rotate_the_same_sessions_one_rotates_each() {
    let Some((nodes, _schema)) = two_nodes().await else { return };
    for number in 0..SESSIONS {
        nodes[0].sessions.open(&session(number), &opening()).await.unwrap();
    }

    let outcomes = at_once(&nodes, |ports, number| async move {
        ports.sessions.rotate(session(number).id, 1, &rotation(moment(1))).await.unwrap()
    })
    .await;

    for number in 0..SESSIONS {
        let mine = || outcomes.iter().filter(|(of, _)| *of == number).map(|(_, outcome)| outcome);
        assert_eq!(mine().filter(|outcome| matches!(outcome, Rotation::Rotated(_))).count(), 1, "session {number}");
        assert_eq!(mine().filter(|outcome| matches!(outcome, Rotation::Reused(_))).count(), 1, "session {number}");
    }
}

/// Devices that were let in and have not polled.
async fn let_in(ports: &Ports, count: u128) {
    ports.clients.register(&build::client("app")).await.unwrap();
    for number in 0..count {
        assert_eq!(ports.devices.ask(&device(number), 100).await.unwrap(), Asking::Asked);
        let decided = ports.devices.approve(device(number).id, &approval(), moment(1)).await.unwrap();
        assert_eq!(decided, Deciding::Decided);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_nodes_that_are_polled_by_the_same_devices_one_lets_each_in() {
    let Some((nodes, _schema)) = two_nodes().await else { return };
    let_in(&nodes[0], SESSIONS).await;

    let outcomes = at_once(&nodes, |ports, number| async move {
        ports.devices.poll(device(number).id, &poll(moment(5))).await.unwrap()
    })
    .await;

    for number in 0..SESSIONS {
        let mine = || outcomes.iter().filter(|(of, _)| *of == number).map(|(_, outcome)| outcome);
        assert_eq!(mine().filter(|outcome| matches!(outcome, Poll::Redeemed(_))).count(), 1, "device {number}");
        assert_eq!(mine().filter(|outcome| matches!(outcome, Poll::Replayed(_))).count(), 1, "device {number}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_device_that_somebody_holds_keeps_only_its_own_poll_waiting() {
    let Some((ports, schema)) = fresh().await else { return };
    let_in(&ports, 8).await;
    let holder = schema.client().await;
    let hold = format!("BEGIN; SELECT FROM devices WHERE id = '{}' FOR UPDATE", device(3).id.0);
    holder.batch_execute(&hold).await.unwrap();

    let ask = |number| {
        let devices = ports.devices.clone();
        tokio::spawn(async move { devices.poll(device(number).id, &poll(moment(5))).await })
    };
    let held = ask(3);
    for other in (0..8).filter(|number| *number != 3).map(ask).collect::<Vec<_>>() {
        let outcome = timeout(Duration::from_secs(4), other).await.expect("nobody waits for a stranger");
        assert!(matches!(outcome.unwrap().unwrap(), Poll::Redeemed(_)));
    }
    assert!(!held.is_finished());
    holder.batch_execute("COMMIT").await.unwrap();

    assert!(matches!(held.await.unwrap().unwrap(), Poll::Redeemed(_)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_that_somebody_holds_keeps_only_its_own_caller_waiting() {
    let Some((ports, schema)) = fresh().await else { return };
    for number in 0..8 {
        ports.sessions.open(&session(number), &opening()).await.unwrap();
    }
    let holder = schema.client().await;
    let hold = format!("BEGIN; SELECT FROM sessions WHERE id = '{}' FOR UPDATE", build::id(3));
    holder.batch_execute(&hold).await.unwrap();

    let rotate = |number| {
        let sessions = ports.sessions.clone();
        tokio::spawn(async move { sessions.rotate(session(number).id, 1, &rotation(moment(1))).await })
    };
    let held = rotate(3);
    let others: Vec<_> = (0..8).filter(|number| *number != 3).map(rotate).collect();
    for other in others {
        let outcome = timeout(Duration::from_secs(4), other).await.expect("nobody waits for a stranger");
        assert!(matches!(outcome.unwrap().unwrap(), Rotation::Rotated(_)));
    }
    assert!(!held.is_finished());
    holder.batch_execute("COMMIT").await.unwrap();

    assert!(matches!(held.await.unwrap().unwrap(), Rotation::Rotated(_)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_statement_that_one_holds_up_fails_nobody_else() {
    let Some((ports, schema)) = fresh().await else { return };
    ports.sessions.open(&session(100), &opening()).await.unwrap();
    let holder = schema.client().await;
    // A session that somebody is about to open: until they have, nobody knows whether another may.
    let hold = format!(
        "BEGIN; CREATE TEMPORARY TABLE mine ON COMMIT DROP AS SELECT * FROM sessions; UPDATE mine SET id = '{}'; \
         INSERT INTO sessions SELECT * FROM mine",
        build::id(3)
    );
    holder.batch_execute(&hold).await.unwrap();

    let open = |number| {
        let sessions = ports.sessions.clone();
        tokio::spawn(async move { sessions.open(&session(number), &opening()).await })
    };
    let held = open(3);
    let others: Vec<_> = (0..8).filter(|number| *number != 3).map(open).collect();
    // Another connection looks: within one transaction, PostgreSQL looks up once what others do.
    let looker = schema.client().await;
    let pid: i32 = holder.query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0);
    let give_up = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity \
                   WHERE query LIKE '%unnest%' AND $1 = ANY (pg_blocking_pids(pid))";
    while looker.query_one(give_up, &[&pid]).await.unwrap().get::<_, i64>(0) == 0 {
        assert!(!held.is_finished(), "the session is held");
    }

    for other in others {
        assert_eq!(other.await.unwrap().unwrap(), Opening::Opened);
    }
    holder.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(held.await.unwrap().unwrap(), Opening::Opened);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_open_one_session_the_one_that_is_told_so_is_the_one_that_stands() {
    let Some((ports, _schema)) = fresh().await else { return };

    let tasks: Vec<_> = (0..32)
        .map(|caller| {
            let sessions = ports.sessions.clone();
            let mine = Session { subject: format!("caller {caller}"), ..session(1) };
            tokio::spawn(async move {
                let outcome = sessions.open(&mine, &opening()).await.unwrap();
                (mine.subject, outcome)
            })
        })
        .collect();
    let mut opened = Vec::new();
    for task in tasks {
        let (subject, outcome) = task.await.unwrap();
        opened.extend((outcome == Opening::Opened).then_some(subject));
    }

    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert_eq!(opened, [found.subject]);
}

#[tokio::test]
async fn an_edit_of_a_large_row_is_not_done_where_others_wait() {
    let Some((ports, _schema)) = fresh_shop().await else { return };

    changes::large_rows_are_edited_apart(Shop::new(ports)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_wait_for_one_row_leave_connections_to_others() {
    let Some((ports, schema)) = fresh_shop().await else { return };
    let shop = Shop::new(ports);
    shop.create(ORDERS, id(1), json!({"amount": 1})).await;
    shop.create(ORDERS, id(2), json!({"amount": 1})).await;
    let holder = schema.client().await;
    holder.batch_execute("BEGIN").await.unwrap();
    assert_eq!(holder.query("SELECT FROM r_orders WHERE id = $1 FOR UPDATE", &[&id(1)]).await.unwrap().len(), 1);

    let changes: Vec<_> = (0..48)
        .map(|_| {
            let shop = shop.clone();
            tokio::spawn(async move { shop.apply(shop.change(ORDERS, id(1), json!({"amount": 2}))).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let other = timeout(Duration::from_secs(1), shop.apply(shop.change(ORDERS, id(2), json!({"amount": 2})))).await;
    holder.batch_execute("ROLLBACK").await.unwrap();

    assert!(matches!(other, Ok(Changing::Changed(_))), "{other:?}");
    for change in changes {
        let outcome = change.await.unwrap();
        assert!(matches!(outcome, Changing::Changed(_)), "{outcome:?}");
    }
}
