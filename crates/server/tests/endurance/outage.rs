//! A PostgreSQL that dies or freezes under load: clients are told to come again, and all is well once it is back.

use std::time::{Duration, Instant};

use crate::house::{Engine, House, Registered, eventually};
use crate::load::{Load, Tally, active, is_unavailable};
use crate::own_postgres::OwnPostgres;
use crate::process::Process;

/// Nobody waits longer than this for an answer.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// More than there are connections to the database.
pub const CLIENTS: usize = 24;

/// A house whose engine is reached by URL, so that its server may be killed.
pub async fn house_on(postgres: &OwnPostgres) -> House {
    let root = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=";
    let settings = [("VALETKEY_DATABASE", postgres.url.as_str()), ("VALETKEY_ROOT_KEY", root)];
    House::with(Engine::Sqlite, &settings).await.unwrap()
}

pub async fn status(house: &House, path: &str) -> u16 {
    house.get(path).send().await.unwrap().status().as_u16()
}

/// Asks what needs the store; each must be answered in time, and with the problem that says to come again.
pub async fn ask_in_vain(house: &House, client: &Registered, token: &str, doubtful: &str) {
    let requests = [
        house.post("/introspect", client, &[("token", token)]),
        // Whether this one takes effect later is not known: the database may have it on its desk.
        house.post("/revoke", client, &[("token", doubtful)]),
        house.get("/readyz"),
    ];
    for request in requests {
        let began = Instant::now();
        let answer = request.send().await.unwrap();
        assert!(is_unavailable(&answer), "{answer:?}");
        assert!(began.elapsed() < PATIENCE, "{answer:?} after {:?}", began.elapsed());
    }
    assert_eq!(status(house, "/healthz").await, 200);
    assert_eq!(status(house, "/jwks").await, 200);
}

pub async fn all_is_well(house: &House, client: &Registered, tally: &Tally) {
    eprintln!(
        "{:?}, {} unanswered, longest wait {:?}, {} revocations held, {} tokens still work",
        tally.statuses,
        tally.unanswered,
        tally.longest,
        tally.revoked.len(),
        tally.kept.len()
    );
    assert_eq!(tally.complaints, [""; 0]);
    assert_eq!(tally.unanswered, 0);
    assert!(tally.longest < PATIENCE, "{:?}", tally.longest);
    assert!(tally.count(503) > 0 && tally.revoked.len() > 20, "{:?}", tally.statuses);
    assert_eq!(active(house, client, &tally.revoked).await, [""; 0], "a revocation was forgotten");
    assert_eq!(active(house, client, &tally.kept).await.len(), tally.kept.len());
}

#[tokio::test]
async fn a_database_that_crashes_under_load_is_used_again_once_it_is_back() {
    let Some(mut postgres) = OwnPostgres::start().await else { return };
    let house = house_on(&postgres).await;
    let server = Process(house.pid());
    let client = house.client("till", &[]);
    let (token, doubtful) = (house.token(&client).await, house.token(&client).await);

    let mut tally = Tally::default();
    for _ in 0..2 {
        let load = Load::start(&house, &client, CLIENTS);
        // Load before and after the outage is part of the test, and takes its time.
        tokio::time::sleep(Duration::from_millis(500)).await;
        postgres.crash();
        eventually(PATIENCE, async || status(&house, "/readyz").await == 503).await;
        eventually(PATIENCE, async || {
            is_unavailable(&house.post("/introspect", &client, &[("token", &token)]).send().await.unwrap())
        })
        .await;
        ask_in_vain(&house, &client, &token, &doubtful).await;
        postgres.resume().await;
        eventually(PATIENCE, async || status(&house, "/readyz").await == 200).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        tally.add(load.end().await);
    }

    assert!(server.is_alive());
    all_is_well(&house, &client, &tally).await;
    assert_eq!(house.introspect(&client, &token).await["active"], true);
}

#[tokio::test]
async fn a_database_that_freezes_under_load_keeps_nobody_waiting() {
    let Some(postgres) = OwnPostgres::start().await else { return };
    let house = house_on(&postgres).await;
    let client = house.client("till", &[]);
    let (token, doubtful) = (house.token(&client).await, house.token(&client).await);
    let load = Load::start(&house, &client, CLIENTS);
    tokio::time::sleep(Duration::from_millis(500)).await;

    postgres.freeze();
    ask_in_vain(&house, &client, &token, &doubtful).await;
    postgres.thaw();

    eventually(PATIENCE, async || status(&house, "/readyz").await == 200).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let tally = load.end().await;
    all_is_well(&house, &client, &tally).await;
    assert_eq!(house.introspect(&client, &token).await["active"], true);
}
