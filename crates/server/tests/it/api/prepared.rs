//! A declaration that asks for more, on a server that has many rows already: it answers while it fills, is killed, and goes
//! on.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;
use valetkey_resources::declaration;
use valetkey_resources::ports::{Creation, Draft, Ports};
use valetkey_store::sqlite::Sqlite;

use super::{Caller, register, sent, status_of};
use crate::answer::{header, problem};
use crate::house::{Engine, House, Registered, eventually};

const SHED: &str = r#"
api: { name: shed, title: Shed }
scopes: { "all:things": Everything }
resources:
  things:
    scopes: { read: "all:things", write: "all:things" }
    fields:
      name: { type: string, required: true }
      weight: { type: integer }
"#;

/// So many that nobody would wait for them.
const MANY: u128 = 24_000;
const LONG: Duration = Duration::from_secs(60);

fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0000 + number)
}

/// The shed with more to list by.
fn larger() -> String {
    SHED.replace("weight: { type: integer }", "weight: { type: integer, filter: true, sort: true }")
        + "      colour: { enum: [red, blue], default: red, filter: true }\n"
}

fn declare(house: &House, text: &str) {
    std::fs::write(house.folder().join("api.yaml"), text).unwrap();
}

/// A shed with many things, whose server is stopped; a client for it.
async fn crowded(engine: Engine) -> Option<(House, Registered)> {
    let mut house = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await?;
    declare(&house, SHED);
    house.start().await;
    let client = register(&house, "till", "all:things");
    house.stop().await;
    match engine {
        Engine::Sqlite => {
            crowd_a_file(&Sqlite::open(&house.data().join("valetkey.db")).unwrap().resource_ports()).await
        }
        Engine::Postgres => crowd_a_database(house.database()).await,
    }
    Some((house, client))
}

async fn crowd_a_database(url: &str) {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let insert = format!(
        "INSERT INTO r_things (id, revision, created_at, updated_at, document) \
         SELECT ('01920000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 0, 0, \
         format('{{\"name\":\"thing %s\",\"weight\":%s}}', n, {MANY} - n) FROM generate_series(0, {MANY} - 1) AS n"
    );
    client.batch_execute(&insert).await.unwrap();
}

async fn crowd_a_file(ports: &Ports) {
    let resource = declaration::read(SHED).unwrap().api.resources[0].clone();
    let numbers: Vec<u128> = (0..MANY).collect();
    for part in numbers.chunks(2_000) {
        let made = part.iter().map(|number| {
            let document = json!({ "name": format!("thing {number}"), "weight": MANY - number });
            let draft = Draft::new(&resource, document.as_object().unwrap());
            let resource = Arc::clone(&resource);
            let now = "2026-01-01T00:00:00Z".parse().unwrap();
            ports.rows.create(Creation { resource, id: id(*number), owner: None, now, revision: 1, draft, keyed: None })
        });
        assert!(join_all(made).await.iter().all(Result::is_ok));
    }
}

/// The smallest thing that a list shows, or none while it cannot.
async fn smallest(caller: &Caller) -> Option<String> {
    let answer = caller.get("/api/things?sort=weight&limit=1&colour=red").send().await.unwrap();
    match answer.status().as_u16() {
        200 => {
            let list: serde_json::Value = answer.json().await.unwrap();
            Some(list["data"][0]["name"].as_str().unwrap().to_owned())
        }
        503 => None,
        other => panic!("{other}"),
    }
}

async fn counted(caller: &Caller, query: &str) -> u64 {
    let asked = caller.get(&format!("/api/things?limit=1&{query}")).header("prefer", "count=exact");
    sent(asked, 200).await["meta"]["total"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_answers_while_it_fills_and_the_next_one_goes_on_when_it_is_killed() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((mut house, client)) = crowded(engine).await else { continue };
        declare(&house, &larger());

        house.start().await;
        let caller = Caller::with(&house, house.token(&client).await);
        let waiting = status_of(caller.get("/api/things?sort=weight"), 503).await;
        let wait: u64 = header(&waiting, "retry-after").parse().unwrap();
        let told = problem(waiting).await;
        let page = caller.read("/api/things?limit=1").await;
        let path = format!("/api/things/{}", id(9));
        let early = status_of(caller.get(&path), 200).await;
        let etag = header(&early, "etag");
        let blue = caller.patch(&path, &json!({ "colour": "blue" })).header("if-match", &etag);
        let blue = sent(blue, 200).await;
        let made = caller.make("/api/things", json!({ "name": "new", "weight": 0, "colour": "red" })).await;
        status_of(caller.request(Method::GET, "/readyz"), 200).await;
        house.kill();

        assert!((1..=60).contains(&wait), "{wait}");
        assert!(told["type"].as_str().unwrap().ends_with("/problems/being-prepared"), "{told}");
        assert!(told["detail"].as_str().unwrap().contains("things.weight"), "{told}");
        assert_eq!(page["data"][0]["colour"], "red");
        assert_eq!((blue["colour"].as_str(), made["colour"].as_str()), (Some("blue"), Some("red")));
        house.start().await;
        let caller = Caller::with(&house, house.token(&client).await);
        eventually(LONG, async || smallest(&caller).await.is_some()).await;
        assert_eq!(smallest(&caller).await.unwrap(), "new");
        assert_eq!(counted(&caller, "colour=blue").await, 1);
        assert_eq!(counted(&caller, "colour=red").await, u64::try_from(MANY).unwrap());
        assert_eq!(counted(&caller, "weight[gte]=1").await, u64::try_from(MANY).unwrap());
        let log = house.log();
        assert!(log.contains("preparing the declared API") && log.contains("per_second"), "{log}");
        eventually(LONG, async || house.log().contains("the declared API is prepared")).await;
        let planned = house.json(&["api", "apply", "--dry-run"]);
        assert_eq!(planned["additions"], json!([]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_field_that_becomes_unique_is_so_before_the_first_answer() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((mut house, client)) = crowded(engine).await else { continue };
        declare(
            &house,
            &SHED.replace("name: { type: string, required: true }", "name: { type: string, unique: true }"),
        );

        house.start().await;

        let caller = Caller::with(&house, house.token(&client).await);
        status_of(caller.post("/api/things", &json!({ "name": "thing 23999" })), 409).await;
        status_of(caller.post("/api/things", &json!({ "name": "thing 24000" })), 201).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_servers_one_fills_and_both_answer() {
    let Some((mut first, client)) = crowded(Engine::Postgres).await else { return };
    first.set("VALETKEY_PUBLIC_URL", "http://127.0.0.1:9");
    let mut second = first.neighbour();
    declare(&first, &larger());
    declare(&second, &larger());

    tokio::join!(first.start(), second.start());
    let token = first.token(&client).await;
    let callers = [&first, &second].map(|house| Caller::with(house, token.clone()));
    for caller in &callers {
        status_of(caller.get(&format!("/api/things/{}", id(9))), 200).await;
    }
    for caller in &callers {
        eventually(LONG, async || smallest(caller).await.is_some()).await;
        assert_eq!(counted(caller, "colour=red").await, u64::try_from(MANY).unwrap());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_tells_programs_how_far_it_is() {
    let (house, _) = crowded(Engine::Sqlite).await.unwrap();
    declare(&house, &larger());

    let output = house.run(&["api", "apply", "--json"]);

    let told = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<serde_json::Value> = told.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(lines.iter().any(|line| line["progress"]["what"] == "rows of things"), "{told}");
    assert_eq!(lines.last().unwrap()["progress"]["percent"], 100, "{told}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["applied"], true);
}
