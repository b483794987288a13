//! Webhooks: alerts reach a real receiver, signed, also over failures and a crash, and nobody else.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use tokio::net::TcpListener;

use crate::house::{Engine, House, eventually};
use crate::receiver::{Received, Receiver, SECRET};

/// A running server that sends its alerts to this URL.
async fn house(engine: Engine, url: &str, allow: &str) -> Option<House> {
    let settings = [
        ("VALETKEY_WEBHOOK_URL", url),
        ("VALETKEY_WEBHOOK_SECRET", SECRET),
        ("VALETKEY_OUTBOUND_ALLOW", allow),
        ("VALETKEY_LOG_LEVEL", "debug"),
    ];
    House::with(engine, &settings).await
}

/// The alert that a rotated key causes.
fn rotate(house: &House) {
    house.json(&["key", "rotate", "seal", "--now"]);
}

fn ids(received: &[Received]) -> Vec<String> {
    received.iter().map(|message| message.header("webhook-id").to_owned()).collect()
}

async fn metrics(house: &House) -> String {
    house.get("/metrics").send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn an_alert_arrives_signed_within_a_second_or_so() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let receiver = Receiver::answering(&[204]).await;
        let Some(house) = house(engine, &receiver.url(), "127.0.0.1").await else { continue };

        rotate(&house);
        let [message] = receiver.receives(1).await.try_into().ok().unwrap();

        let listed = house.json(&["audit", "list", "--kind", "key_made"]);
        assert!(message.is_signed());
        assert_eq!(message.header("content-type"), "application/json");
        assert_eq!(message.json(), listed[0], "the record and the message say the same");
        assert_eq!(message.header("webhook-id"), listed[0]["id"].as_str().unwrap());
        let counted = r#"valetkey_deliveries_total{kind="webhook",outcome="delivered"} 1"#;
        eventually(Duration::from_secs(2), async || metrics(&house).await.contains(counted)).await;
        assert_eq!(receiver.received().len(), 1);
    }
}

#[tokio::test]
async fn a_message_that_was_not_taken_comes_again_with_the_same_id_and_a_fresh_signature() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let receiver = Receiver::answering(&[500, 404, 200]).await;
        let Some(house) = house(engine, &receiver.url(), "127.0.0.0/8").await else { continue };

        rotate(&house);
        let [first, second] = receiver.receives(2).await.try_into().ok().unwrap();

        let time = |message: &Received| message.header("webhook-timestamp").parse::<i64>().unwrap();
        assert!(first.is_signed() && second.is_signed());
        assert_eq!(first.header("webhook-id"), second.header("webhook-id"));
        assert_eq!(first.body, second.body);
        assert!((4..=9).contains(&(time(&second) - time(&first))), "{} {}", time(&first), time(&second));
        Timestamp::from_second(time(&second)).unwrap();
    }
}

#[tokio::test]
async fn a_receiver_that_is_gone_for_good_is_left_alone() {
    let receiver = Receiver::answering(&[410]).await;
    let house = house(Engine::Sqlite, &receiver.url(), "127.0.0.1").await.unwrap();

    rotate(&house);

    let given_up = r#"valetkey_deliveries_total{kind="webhook",outcome="given_up"} 1"#;
    eventually(Duration::from_secs(5), async || metrics(&house).await.contains(given_up)).await;
}

#[tokio::test]
async fn a_message_outlives_a_server_that_was_killed() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        // Nobody listens yet.
        let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let Some(mut house) = house(engine, &format!("http://{address}/hook"), "127.0.0.1").await else { continue };
        rotate(&house);
        eventually(Duration::from_secs(5), async || house.log().contains("message not delivered")).await;

        house.kill();
        let receiver = Receiver::at(address).await;
        house.start().await;

        let [message] = receiver.receives(1).await.try_into().ok().unwrap();
        assert!(message.is_signed());
        assert_eq!(message.json()["type"], "key_made");
    }
}

#[tokio::test]
async fn a_message_that_waits_when_the_server_starts_is_sent() {
    let receiver = Receiver::answering(&[204]).await;
    let settings = [
        ("VALETKEY_WEBHOOK_URL", &*receiver.url()),
        ("VALETKEY_WEBHOOK_SECRET", SECRET),
        ("VALETKEY_OUTBOUND_ALLOW", "127.0.0.1"),
    ];
    let mut house = House::unstarted(Engine::Sqlite, &settings).await.unwrap();
    rotate(&house);
    assert_eq!(receiver.received().len(), 0, "a command sends nothing itself");

    house.start().await;

    assert_eq!(receiver.receives(1).await.len(), 1);
}

#[tokio::test]
async fn of_two_servers_on_one_database_one_sends_each_message() {
    let receiver = Receiver::answering(&[204]).await;
    let Some(first) = house(Engine::Postgres, &receiver.url(), "127.0.0.1").await else { return };
    let mut second = first.neighbour();
    second.start().await;

    for _ in 0..4 {
        first.json(&["key", "rotate", "--now"]);
    }
    let received = receiver.receives(16).await;
    // Each look of either server would be a chance to send one twice.
    tokio::time::sleep(Duration::from_secs(3)).await;

    let mut counted: BTreeMap<String, u32> = BTreeMap::new();
    for id in ids(&receiver.received()) {
        *counted.entry(id).or_default() += 1;
    }
    assert_eq!((received.len(), counted.len()), (16, 16));
    assert!(counted.values().all(|times| *times == 1), "{counted:?}");
}

#[tokio::test]
async fn what_only_this_machine_can_reach_is_not_called() {
    let inside = Receiver::answering(&[204]).await;
    let port = inside.address.port();

    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1"] {
        let url = format!("https://{host}:{port}/hook");
        let house = house(Engine::Sqlite, &url, "10.0.0.0/8").await.unwrap();
        rotate(&house);
        eventually(Duration::from_secs(5), async || house.log().contains("outbound.allow")).await;
        assert_eq!(house.json(&["audit", "list"]).as_array().unwrap().len(), 1, "it is on record nevertheless");
    }

    assert_eq!(inside.received().len(), 0);
}

#[tokio::test]
async fn a_receiver_cannot_send_the_server_elsewhere() {
    let inside = Receiver::answering(&[204]).await;
    let outside = Receiver::redirecting(&inside.url()).await;
    let house = house(Engine::Sqlite, &outside.url(), "127.0.0.1").await.unwrap();

    rotate(&house);
    outside.receives(1).await;

    eventually(Duration::from_secs(5), async || house.log().contains("it answered 307")).await;
    assert_eq!(inside.received().len(), 0);
}

#[tokio::test]
async fn the_log_names_the_receiver_and_none_of_its_secrets() {
    let receiver = Receiver::answering(&[500]).await;
    let mut house = house(Engine::Sqlite, &receiver.url(), "127.0.0.1").await.unwrap();
    house.set("VALETKEY_LOG_LEVEL", "trace");
    house.stop().await;
    house.start().await;

    rotate(&house);
    eventually(Duration::from_secs(5), async || house.log().contains("message not delivered")).await;
    house.stop().await;

    let log = house.log();
    assert!(log.contains(&format!("http://{}\"", receiver.address)), "{log}");
    for secret in ["s3cr3t", &SECRET["whsec_".len()..], "webhook-signature", "v1,"] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{line:?}");
    }
}

#[tokio::test]
async fn a_system_without_authorities_can_still_serve() {
    let settings = [
        ("SSL_CERT_FILE", "/nonexistent"),
        ("SSL_CERT_DIR", "/nonexistent"),
        ("VALETKEY_WEBHOOK_URL", "https://ops.example/hook"),
        ("VALETKEY_WEBHOOK_SECRET", SECRET),
    ];
    let house = House::with(Engine::Sqlite, &settings).await.unwrap();

    rotate(&house);

    eventually(Duration::from_secs(5), async || house.log().contains("set outbound.extra_ca")).await;
}

#[tokio::test]
async fn a_webhook_that_cannot_work_keeps_the_server_from_starting() {
    let house = House::unstarted(Engine::Sqlite, &[("VALETKEY_WEBHOOK_URL", "https://ops.example/hook")]).await;
    let mut house = house.unwrap();

    let (code, unsigned) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
    house.set("VALETKEY_WEBHOOK_SECRET", SECRET);
    house.set("VALETKEY_WEBHOOK_URL", "http://ops.example/hook");
    let (_, plain) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
    house.set("VALETKEY_WEBHOOK_SECRET", "c2hvcnQ=");
    let (_, short) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
    house.set("VALETKEY_WEBHOOK_SECRET", SECRET);
    house.set("VALETKEY_WEBHOOK_URL", "https://ops.example/hook");
    house.set("VALETKEY_OUTBOUND_EXTRA_CA", "nowhere.pem");
    let (_, missing) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);

    assert!(code == 2 && unsigned.contains("webhook.secret") && unsigned.contains("openssl rand"), "{unsigned}");
    assert!(plain.contains("webhook.url") && plain.contains("https://"), "{plain}");
    assert!(short.contains("24 to 64 bytes") && !short.contains("c2hvcnQ"), "{short}");
    assert!(missing.contains("outbound.extra_ca") && missing.contains("nowhere.pem"), "{missing}");
}
