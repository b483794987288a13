//! A server that is away, refuses or hangs up.

use std::time::{Duration, Instant};

use valetkey_oauth::model::Session;
use valetkey_oauth::ports::{Opening, Poll, Ports, Rotation, StoreError};
use valetkey_store::postgres::{Postgres, Settings};
use valetkey_testkit::build;
use valetkey_testkit::clock::moment;

use crate::fresh;
use crate::schema::Schema;
use crate::wire::Wire;

/// Hangs up on every connection of this test but the caller's own.
async fn hang_up(schema: &Schema) {
    let terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                     WHERE application_name = current_schema() AND pid <> pg_backend_pid()";
    schema.client().await.execute(terminate, &[]).await.unwrap();
}

async fn use_eight_connections(ports: &Ports) {
    let pings: Vec<_> = (0..8)
        .map(|_| {
            let ports = ports.clone();
            tokio::spawn(async move { ports.sweeping.ping().await })
        })
        .collect();
    for ping in pings {
        ping.await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_after_the_server_hung_up_is_answered() {
    let Some((ports, schema)) = fresh().await else { return };
    ports.clients.register(&build::client("app")).await.unwrap();

    for _ in 0..5 {
        use_eight_connections(&ports).await;
        hang_up(&schema).await;
        assert!(ports.clients.find(&build::client("app").id).await.unwrap().is_some());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_transition_after_the_server_hung_up_happens_or_is_unavailable() {
    let Some((ports, schema)) = fresh().await else { return };
    ports.sessions.open(&build::session(1), &build::opening()).await.unwrap();
    use_eight_connections(&ports).await;

    hang_up(&schema).await;
    let mut unavailable = 0;
    while let Err(error) = ports.sessions.rotate(build::session(1).id, 1, &build::rotation(moment(1))).await {
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        unavailable += 1;
        assert!(unavailable <= 1, "one broken connection tells about the others");
    }

    assert_eq!(ports.sessions.find_session(build::session(1).id).await.unwrap().unwrap().generation, 2);
}

/// A store behind a wire that breaks, once it is told to, where this comes back.
async fn behind_a_wire(at: &'static str) -> Option<(Ports, Wire, Schema)> {
    let (ports, schema) = fresh().await?;
    ports.clients.register(&build::client("app")).await.unwrap();
    let wire = Wire::to(&schema, at).await;
    let ports = Postgres::open(wire.settings()).await.unwrap().ports();
    Some((ports, wire, schema))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_rotation_whose_answer_was_lost_is_told_all_the_same() {
    let Some((ports, wire, _schema)) = behind_a_wire("UPDATE 1\0").await else { return };
    let first = build::session(1);
    ports.sessions.open(&first, &build::opening()).await.unwrap();

    wire.break_once();
    let rotated = ports.sessions.rotate(first.id, 1, &build::rotation(moment(1))).await.unwrap();
    let again = ports.sessions.rotate(first.id, 1, &build::rotation(moment(2))).await.unwrap();

    assert!(wire.is_broken());
    assert!(matches!(rotated, Rotation::Rotated(session) if session.generation == 2));
    assert!(matches!(again, Rotation::Reused(_)), "who comes after it is a thief as ever");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_opening_whose_answer_was_lost_is_told_all_the_same() {
    let Some((ports, wire, _schema)) = behind_a_wire("INSERT 0 1\0").await else { return };
    let first = build::session(1);

    wire.break_once();
    let opened = ports.sessions.open(&first, &build::opening()).await.unwrap();
    let later = Session { created_at: moment(1), ..first.clone() };
    let again = ports.sessions.open(&later, &build::opening()).await.unwrap();

    assert!(wire.is_broken());
    assert_eq!(opened, Opening::Opened);
    assert!(matches!(again, Opening::Replayed(_)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_device_whose_answer_was_lost_is_let_in_all_the_same() {
    let Some((ports, wire, _schema)) = behind_a_wire("COMMIT\0").await else { return };
    let device = build::device(1);
    ports.devices.ask(&device, 100).await.unwrap();
    let poll = async |seconds| ports.devices.poll(device.id, &build::poll(moment(seconds))).await.unwrap();

    wire.break_once();
    assert_eq!((poll(1).await, wire.is_broken()), (Poll::Pending, true), "and not too soon after itself");
    ports.devices.approve(device.id, &build::approval(), moment(2)).await.unwrap();
    wire.break_once();
    let polled = poll(7).await;
    let again = poll(20).await;

    assert!(wire.is_broken());
    assert!(matches!(polled, Poll::Redeemed(session) if session.id == device.id.session()));
    assert!(matches!(again, Poll::Replayed(_)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_waited_in_vain_for_a_new_connection_takes_one_that_rests() {
    let Some((ports, wire, _schema)) = behind_a_wire("nothing").await else { return };

    wire.fall_silent();
    let pings = ports.sweeping.clone();
    let answers = tokio::join!(pings.ping(), pings.ping(), pings.ping());

    assert!(matches!(answers, (Ok(()), Ok(()), Ok(()))), "{answers:?}");
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_unavailable_within_five_seconds() {
    // 192.0.2.0/24 is nobody's (RFC 5737); port 1 has no listener.
    for host in ["192.0.2.1:5432", "127.0.0.1:1"] {
        let url = format!("postgres://someone:hush-hush@{host}/valetkey");
        let begun = Instant::now();

        let outcome = Postgres::open(&Settings { url, pool_size: 2, extra_ca: None }).await;

        let Err(StoreError::Unavailable(why)) = outcome else { panic!("{host} gave {:?}", outcome.err()) };
        assert!(!why.contains("hush-hush"), "{why}");
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}

#[tokio::test]
async fn a_server_that_accepts_and_says_nothing_is_unavailable_within_five_seconds_or_as_soon_as_the_url_says() {
    for (query, seconds) in [("", 5), ("?connect_timeout=1", 3)] {
        let mute = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("postgres://someone@{}/valetkey{query}", mute.local_addr().unwrap());
        let begun = Instant::now();

        let outcome = Postgres::open(&Settings { url, pool_size: 2, extra_ca: None }).await;

        assert!(matches!(outcome, Err(StoreError::Unavailable(_))));
        assert!(begun.elapsed() < Duration::from_secs(seconds), "{query} took {:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn a_wrong_password_is_named_and_not_repeated() {
    let Some(schema) = Schema::make().await else { return };
    let role = format!("stranger_of_{}", schema.name());
    let client = schema.client().await;
    client.batch_execute(&format!("CREATE ROLE {role} LOGIN PASSWORD 'right'")).await.unwrap();

    let outcome = Postgres::open(&schema.settings_of(&role, "wr0ng-one")).await;
    client.batch_execute(&format!("DROP ROLE {role}")).await.unwrap();

    match outcome {
        Err(error) => {
            let text = format!("{error} {error:?}");
            assert!(text.contains("password authentication failed") && !text.contains("wr0ng-one"), "{text}");
        }
        Ok(_) => eprintln!("skipped: this server asks for no password"),
    }
}

#[tokio::test]
async fn an_unreadable_url_is_refused_without_repeating_it() {
    for url in ["postgres://someone@host/db?hush=1", "mysql://someone:hush@host/db", "host/hush", ""] {
        let outcome = Postgres::open(&Settings { url: url.to_owned(), pool_size: 2, extra_ca: None }).await;

        let Err(StoreError::Failed(why)) = outcome else { panic!("{url:?} gave {:?}", outcome.err()) };
        assert!(why.contains("database URL") && !why.contains("hush"), "{why}");
    }
}

#[test]
fn settings_do_not_print_the_password() {
    let url = "postgres://someone:hush-hush@host/db".to_owned();

    let text = format!("{:?}", Settings { url, pool_size: 2, extra_ca: None });

    assert!(!text.contains("hush-hush"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn more_callers_than_connections_all_get_their_turn() {
    let Some((ports, _schema)) = fresh().await else { return };

    let callers: Vec<_> = (0..200)
        .map(|number| {
            let ports = ports.clone();
            tokio::spawn(async move { ports.sessions.open(&build::session(number), &build::opening()).await })
        })
        .collect();

    for caller in callers {
        caller.await.unwrap().unwrap();
    }
}
