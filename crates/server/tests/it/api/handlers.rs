//! Actions whose work a service of one's own does.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Caller, self_link, sent, status_of};
use crate::answer::{header, problem};
use crate::house::{Engine, House, eventually};
use crate::receiver::{Receiver, SECRET};

const SOON: Duration = Duration::from_secs(15);

/// A house whose jobs are sent, and perhaps sent later, by a handler at this address that may take so long.
pub async fn house(engine: Engine, url: &str, timeout: &str, more: &[(&str, &str)]) -> Option<House> {
    let declaration = format!(
        r#"
api: {{ name: post }}
scopes: {{ "all:jobs": Everything }}
resources:
  jobs:
    scopes: {{ read: "all:jobs", write: "all:jobs" }}
    fields:
      title: {{ type: string, required: true }}
      status: {{ enum: [new, sent], readOnly: true, default: new }}
      reference: {{ type: string, maxLength: 10, readOnly: true }}
    state: status
    actions:
      send: {{ from: new, to: sent, handler: {{ url: "{url}", timeout: {timeout}, attempts: 3 }} }}
      send_later:
        from: new
        to: sent
        async: true
        input: {{ type: object, properties: {{ fast: {{ type: boolean }} }}, additionalProperties: false }}
        handler: {{ url: "{url}", timeout: {timeout}, attempts: 3 }}
"#
    );
    let settings = [
        ("VALETKEY_API", "api.yaml"),
        ("VALETKEY_OUTBOUND_ALLOW", "127.0.0.0/8"),
        ("VALETKEY_HANDLERS_SECRET", SECRET),
    ];
    let mut house = House::unstarted(engine, &[&settings, more].concat()).await?;
    std::fs::write(house.folder().join("api.yaml"), declaration).unwrap();
    house.start().await;
    Some(house)
}

/// Runs on both engines, with a receiver of its own each time.
async fn on_both(statuses: &[u16], words: &str, check: impl AsyncFn(&House, &Receiver, Caller, String)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let receiver = Receiver::saying(statuses, words).await;
        let Some(house) = house(engine, &receiver.url(), "2s", &[]).await else { continue };
        let caller = Caller::client_with(&house, "till", "all:jobs").await;
        let job = self_link(&caller.make("/api/jobs", json!({ "title": "letter" })).await);
        check(&house, &receiver, caller, job).await;
    }
}

pub async fn settled(caller: &Caller, path: &str) -> Value {
    eventually(SOON, async || ["succeeded", "failed"].contains(&caller.read(path).await["status"].as_str().unwrap()))
        .await;
    caller.read(path).await
}

#[tokio::test]
async fn a_handler_is_called_signed_and_its_result_becomes_part_of_the_row() {
    on_both(&[200], r#"{"data":{"reference":"R-7"}}"#, async |_, receiver, caller, job| {
        let done = sent(caller.post(&format!("{job}/send"), &json!({})).header("idempotency-key", "s"), 200).await;

        let calls = receiver.received();
        assert_eq!(calls.len(), 1);
        assert!(calls[0].is_signed());
        let told = calls[0].json();
        assert_eq!((&told["resource"], &told["action"]), (&json!("jobs"), &json!("send")));
        assert_eq!((&told["data"]["title"], &told["client"]), (&json!("letter"), &json!("till")));
        assert_eq!(calls[0].header("idempotency-key"), told["operation"]);
        assert_eq!((&done["status"], &done["reference"]), (&json!("sent"), &json!("R-7")));
        assert_eq!(caller.read(&job).await, done);
        let again = sent(caller.post(&format!("{job}/send"), &json!({})).header("idempotency-key", "s"), 200).await;
        assert_eq!(again, done);
        assert_eq!(receiver.received().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_handler_that_fails_at_first_is_called_again() {
    on_both(&[500, 200], "", async |_, receiver, caller, job| {
        let accepted = status_of(caller.post(&format!("{job}/send"), &json!({})), 202).await;
        let monitor = header(&accepted, "location");
        let meanwhile = caller.read(&job).await;
        status_of(caller.post(&format!("{job}/send_later"), &json!({})), 409).await;
        let done = settled(&caller, &monitor).await;

        assert_eq!(meanwhile["links"]["operation"], monitor);
        assert!(meanwhile["links"].get("send").is_none(), "{meanwhile}");
        assert_eq!(done["status"], "succeeded");
        let calls = receiver.received();
        assert_eq!(calls.len(), 2);
        assert_eq!(calls[0].header("webhook-id"), calls[1].header("webhook-id"));
        assert_eq!(caller.read(&job).await["status"], "sent");
    })
    .await;
}

#[tokio::test]
async fn a_handler_that_never_answers_well_is_called_as_often_as_was_declared() {
    on_both(&[500, 500, 500, 500], "", async |_, receiver, caller, job| {
        let accepted = status_of(caller.post(&format!("{job}/send"), &json!({})), 202).await;

        let failed = settled(&caller, &header(&accepted, "location")).await;

        assert_eq!((&failed["status"], receiver.received().len()), (&json!("failed"), 3));
    })
    .await;
}

#[tokio::test]
async fn a_handler_that_refuses_is_believed() {
    on_both(&[422], r#"{"detail":"The address is unknown."}"#, async |_, receiver, caller, job| {
        let refused = caller.post(&format!("{job}/send"), &json!({})).header("idempotency-key", "s");
        let refused = problem(status_of(refused, 409).await).await;
        let later = status_of(caller.post(&format!("{job}/send_later"), &json!({ "fast": true })), 202).await;
        let failed = settled(&caller, &header(&later, "location")).await;

        assert_eq!(refused["detail"], "The address is unknown.");
        assert_eq!(
            (&failed["status"], &failed["problem"]["detail"]),
            (&json!("failed"), &json!("The address is unknown."))
        );
        assert_eq!(receiver.received()[1].json()["input"], json!({ "fast": true }));
        let row = caller.read(&job).await;
        assert_eq!(row["status"], "new");
        assert_eq!(row["links"]["send"], format!("{job}/send"));
        // What came to nothing does not hold its key.
        status_of(caller.post(&format!("{job}/send"), &json!({})).header("idempotency-key", "s"), 409).await;
        assert_eq!(receiver.received().len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_refusal_with_a_zero_byte_is_told_alike_on_both_engines() {
    on_both(&[422], r#"{"detail":"gone\u0000away"}"#, async |_, _, caller, job| {
        let later = status_of(caller.post(&format!("{job}/send_later"), &json!({})), 202).await;
        let failed = settled(&caller, &header(&later, "location")).await;
        let refused = problem(status_of(caller.post(&format!("{job}/send"), &json!({})), 409).await).await;

        assert_eq!(failed["problem"]["detail"], "gone\u{fffd}away");
        assert_eq!(refused["detail"], "gone\u{fffd}away");
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_no_result() {
    let long = format!(r#"{{"data":{{"reference":"R-7"}},"more":"{}"}}"#, "x".repeat(65 * 1024));
    on_both(&[200], &long, async |_, receiver, caller, job| {
        let refused = problem(status_of(caller.post(&format!("{job}/send"), &json!({})), 409).await).await;

        assert!(refused["detail"].as_str().unwrap().contains("longer than 65536 bytes"), "{refused}");
        assert_eq!(receiver.received().len(), 1);
        assert_eq!(caller.read(&job).await["status"], "new");
    })
    .await;
}

#[tokio::test]
async fn a_result_that_breaks_the_schema_is_no_result() {
    on_both(&[200], r#"{"data":{"reference":"much too long a reference"}}"#, async |_, _, caller, job| {
        let refused = problem(status_of(caller.post(&format!("{job}/send"), &json!({})), 409).await).await;

        assert!(refused["detail"].as_str().unwrap().contains("reference"), "{refused}");
        assert_eq!(caller.read(&job).await["status"], "new");
    })
    .await;
}

#[tokio::test]
async fn the_body_of_an_action_is_checked_by_its_schema() {
    on_both(&[200], "", async |_, receiver, caller, job| {
        let wrong = json!({ "fast": 1, "soon": true });
        let refused = problem(status_of(caller.post(&format!("{job}/send_later"), &wrong), 422).await).await;

        let expected = [("fast", "INVALID_TYPE"), ("soon", "UNKNOWN")];
        assert_eq!(super::errors(&refused), super::pairs(&expected));
        assert!(receiver.received().is_empty());
    })
    .await;
}

#[tokio::test]
async fn handlers_without_a_secret_stop_the_start() {
    let mut house = house(Engine::Sqlite, "https://handler.example/", "2s", &[]).await.unwrap();
    house.kill();
    house.set("VALETKEY_HANDLERS_SECRET", "");

    let (code, words) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);

    assert_eq!(code, 2);
    assert!(words.contains("jobs.send calls a handler") && words.contains("VALETKEY_HANDLERS_SECRET"), "{words}");
}
