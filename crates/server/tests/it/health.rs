//! `/healthz`, `/readyz` and `/metrics`

use std::time::Duration;

use serde_json::json;

use crate::answer::{header, problem, refused};
use crate::both_engines;
use crate::house::{Engine, House, eventually};
use crate::relay::Relay;

/// Longer than a connection to a silent database is waited for.
const WHILE: Duration = Duration::from_secs(15);

both_engines! {
    async fn a_running_server_is_alive_and_ready(house: House) {
        for (path, status) in [("/healthz", "ok"), ("/readyz", "ready")] {
            let answer = house.get(path).send().await.unwrap();

            assert_eq!(answer.status(), 200);
            assert_eq!(header(&answer, "content-type"), "application/json");
            assert_eq!(header(&answer, "cache-control"), "no-store");
            assert_eq!(answer.json::<serde_json::Value>().await.unwrap(), json!({ "status": status }));
        }
    }

    async fn what_happened_is_counted(house: House) {
        let client = house.client("till", &[]);
        let token = house.token(&client).await;
        house.introspect(&client, &token).await;
        house.introspect(&client, "nonsense").await;
        house.post("/revoke", &client, &[("token", &token)]).send().await.unwrap();
        house.post("/token", &client, &[("grant_type", "password")]).send().await.unwrap();
        house.get("/made-up/path").send().await.unwrap();

        let answer = house.get("/metrics").send().await.unwrap();

        assert!(header(&answer, "content-type").starts_with("application/openmetrics-text"));
        let text = answer.text().await.unwrap();
        for line in [
            "valetkey_tokens_issued_total{grant=\"client_credentials\"} 1",
            "valetkey_introspections_total{active=\"true\"} 1",
            "valetkey_introspections_total{active=\"false\"} 1",
            "valetkey_revocations_total 1",
            "valetkey_refusals_total{code=\"unsupported_grant_type\"} 1",
            "valetkey_http_requests_total{method=\"POST\",route=\"/token\",status=\"200\"} 1",
            "valetkey_store_up 1",
            "valetkey_panics_total 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
        }
        assert!(!text.contains("made-up"), "what a caller invents is no label");
        assert!(text.ends_with("# EOF\n"));
    }
}

#[tokio::test]
async fn whoever_watches_asks_with_the_binary_alone() {
    let mut house = House::embedded().await;
    let listen = house.origin.trim_start_matches("http://").to_owned();
    let ask = |house: &House| house.run(&["ready", "--json", "--listen", &listen]);

    let running = ask(&house);
    house.kill();
    let gone = ask(&house);

    assert_eq!(running.status.code(), Some(0));
    assert_eq!(gone.status.code(), Some(1));
    let words: serde_json::Value = serde_json::from_slice(&gone.stdout).unwrap();
    assert_eq!(words["ready"], false);
    assert!(words["words"].as_str().unwrap().contains(&listen), "{words}");
}

#[tokio::test]
async fn behind_a_proxy_anyone_may_ask_for_health_and_for_nothing_else() {
    let settings = [("VALETKEY_PUBLIC_URL", "https://id.example.com"), ("VALETKEY_TRUSTED_PROXIES", "192.0.2.1")];
    let house = House::listening("0.0.0.0:0", &settings).await;

    for (path, status) in [("/healthz", 200), ("/readyz", 200), ("/metrics", 421), ("/token", 421)] {
        assert_eq!(house.get(path).send().await.unwrap().status(), status, "{path}");
    }
}

#[tokio::test]
async fn metrics_can_be_switched_off() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_TELEMETRY_METRICS", "false")]).await.unwrap();

    assert_eq!(house.get("/metrics").send().await.unwrap().status(), 404);
    assert!(!house.get("/").send().await.unwrap().text().await.unwrap().contains("/metrics"));
}

// Commands block their thread, and the relay must go on meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_store_is_away_says_so_asks_to_try_again_and_recovers() {
    let Some(mut house) = House::unstarted(Engine::Postgres, &[]).await else { return };
    let mut relay = Relay::to(house.database()).await;
    house.set("VALETKEY_DATABASE", &relay.url);
    house.start().await;
    let client = house.client("till", &[]);
    let token = house.token(&client).await;
    let ready = async || house.get("/readyz").send().await.unwrap();
    let up = async |line: &str| house.get("/metrics").send().await.unwrap().text().await.unwrap().contains(line);

    relay.cut().await;

    eventually(WHILE, async || ready().await.status() == 503).await;
    let refusal = ready().await;
    assert!(header(&refusal, "retry-after").parse::<u32>().unwrap() >= 1);
    assert!(!problem(refusal).await.to_string().contains("ostgre"), "the cause is not told");
    assert_eq!(house.get("/healthz").send().await.unwrap().status(), 200);
    assert_eq!(house.get("/jwks").send().await.unwrap().status(), 200);
    refused(house.post("/introspect", &client, &[("token", &token)]), 503, "temporarily_unavailable").await;
    eventually(WHILE, async || up("valetkey_store_up 0").await).await;
    relay.mend().await;
    eventually(WHILE, async || ready().await.status() == 200).await;
    assert_eq!(house.introspect(&client, &token).await["active"], true);
    eventually(WHILE, async || up("valetkey_store_up 1").await).await;
    for told in ["the store does not answer", "the store answers again"] {
        eventually(WHILE, async || house.log().matches(told).count() == 1).await;
    }
}
