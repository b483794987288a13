//! Handlers that take longer than whoever asked for the action stays.

use std::time::Duration;

use serde_json::json;

use super::handlers::{house, settled};
use super::{Caller, self_link, status_of};
use crate::answer::header;
use crate::house::{Engine, House, eventually};
use crate::receiver::Receiver;

const SOON: Duration = Duration::from_secs(15);

/// Runs on both engines, with a handler that answers nobody before it is told to.
async fn on_both(more: &[(&str, &str)], check: impl AsyncFn(&mut House, &Receiver, Caller, String)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let receiver = Receiver::holding().await;
        let Some(mut house) = house(engine, &receiver.url(), "60s", more).await else { continue };
        let caller = Caller::client_with(&house, "till", "all:jobs").await;
        let job = self_link(&caller.make("/api/jobs", json!({ "title": "letter" })).await);
        check(&mut house, &receiver, caller, job).await;
    }
}

/// Asks for an action, and hangs up once the handler has been called.
async fn ask_and_hang_up(house: &House, receiver: &Receiver, caller: &Caller, job: &str) {
    let asking = tokio::spawn(caller.post(&format!("{job}/send"), &json!({})).send());
    receiver.receives(1).await;
    asking.abort();
    // Only the connection that asks for the numbers is left.
    eventually(SOON, async || {
        let numbers = house.get("/metrics").send().await.unwrap().text().await.unwrap();
        numbers.lines().any(|line| line == "valetkey_connections 1")
    })
    .await;
}

#[tokio::test]
async fn a_caller_who_hangs_up_does_not_make_the_handler_be_called_twice() {
    on_both(&[], async |house, receiver, caller, job| {
        ask_and_hang_up(house, receiver, &caller, &job).await;
        let monitor = caller.read(&job).await["links"]["operation"].as_str().unwrap().to_owned();

        receiver.release();

        assert_eq!(settled(&caller, &monitor).await["status"], "succeeded");
        assert_eq!(caller.read(&job).await["status"], "sent");
        assert_eq!(receiver.received().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_handler_slower_than_a_request_may_be_gets_its_caller_202_and_is_called_once() {
    on_both(&[("VALETKEY_LIMITS_REQUEST_TIMEOUT", "2s")], async |_, receiver, caller, job| {
        let accepted = status_of(caller.post(&format!("{job}/send"), &json!({})), 202).await;
        let monitor = header(&accepted, "location");
        assert_eq!(caller.read(&monitor).await["status"], "running");

        receiver.release();

        assert_eq!(settled(&caller, &monitor).await["status"], "succeeded");
        assert_eq!(caller.read(&job).await["status"], "sent");
        assert_eq!(receiver.received().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_server_that_stops_waits_for_a_call_whose_caller_hung_up() {
    on_both(&[], async |house, receiver, caller, job| {
        ask_and_hang_up(house, receiver, &caller, &job).await;

        house.tell("TERM");
        eventually(SOON, async || house.log().contains("draining")).await;
        receiver.release();
        assert_eq!(house.ended().await, Some(0));

        house.start().await;
        // Elsewhere than before, so that tokens of before are those of another.
        let caller = Caller::client_with(house, "other", "all:jobs").await;
        assert_eq!(caller.read(&job).await["status"], "sent");
        assert_eq!(receiver.received().len(), 1);
    })
    .await;
}
