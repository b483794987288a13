//! `valetkey audit list`: what someone should know of is on record, in the log and in the metrics.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::answer::refused;
use crate::app::{App, Tokens};
use crate::both_engines;
use crate::house::{Engine, House, eventually};
use crate::person::Person;
use crate::refresh::renewed;
use crate::token::succeeds;

fn list(house: &House, more: &[&str]) -> Vec<Value> {
    let listed = house.json(&[&["audit", "list"], more].concat());
    listed.as_array().unwrap().clone()
}

async fn metrics(house: &House) -> String {
    house.get("/metrics").send().await.unwrap().text().await.unwrap()
}

both_engines! {
    async fn a_replayed_refresh_token_is_on_record_with_everything_that_is_known(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let first = app.tokens(&house, &ada, &[]).await;
        let second = renewed(app.refresh(&house, &first.refresh)).await;
        renewed(app.refresh(&house, &second.refresh)).await;

        for _ in 0..5 {
            refused(app.refresh(&house, &first.refresh), 400, "invalid_grant").await;
        }

        let [alert] = list(&house, &[]).try_into().unwrap();
        let session = house.json(&["session", "list", "--client", "app"])[0].clone();
        assert_eq!(alert["type"], "refresh_reused");
        let data = json!({
            "client_id": "app", "session": session["id"], "sub": session["subject"], "address": "127.0.0.1",
            "generation": 1, "current_generation": 3,
        });
        assert_eq!(alert["data"], data);
        assert!(metrics(&house).await.contains(r#"valetkey_alerts_total{kind="refresh_reused"} 1"#));
        let log = house.log();
        let line = log.lines().find(|line| line.contains(r#""target":"valetkey::alert""#)).unwrap();
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&line["kind"], &line["session"]), (&json!("refresh_reused"), &session["id"]));
        assert_eq!((&line["address"], &line["generation"], &line["level"]), (&json!("127.0.0.1"), &json!(1), &json!("warn")));
    }

    async fn a_replayed_code_is_on_record_and_a_race_is_one_alert(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let answer = ada.allow(&app, &[]).await;

        join_all((0..12).map(|_| app.redeem(&house, answer.code()).send())).await;
        let tokens = Tokens::read(succeeds(app.redeem(&house, ada.allow(&app, &[]).await.code())).await);
        join_all((0..12).map(|_| app.refresh(&house, &tokens.refresh).send())).await;

        let kinds: Vec<_> = list(&house, &[]).iter().map(|alert| alert["type"].clone()).collect();
        assert_eq!(kinds, ["code_replayed", "refresh_reused"], "newest last");
        let [replay] = list(&house, &["--kind", "code_replayed"]).try_into().unwrap();
        assert_eq!((&replay["data"]["generation"], &replay["data"]["address"]), (&json!(0), &json!("127.0.0.1")));
    }

    async fn repeated_failures_are_on_record_under_the_account_they_aim_at(house: House) {
        let ada = Person::new(&house, "ada");
        let login = ada.open("/login").await;
        let stranger = Person::at(&house, "no-such-name");

        for _ in 0..5 {
            ada.type_password(&login, "a wrong guess").await;
        }
        let form = stranger.open("/login").await;
        for _ in 0..5 {
            stranger.type_password(&form, "a wrong guess").await;
        }

        eventually(Duration::from_secs(2), async || list(&house, &[]).len() == 2).await;
        let [alert] = list(&house, &["--user", "ada"]).try_into().unwrap();
        let unknown = list(&house, &[]).pop().unwrap();
        assert_eq!((&alert["type"], &alert["data"]["failures"]), (&json!("sign_in_failures"), &json!(5)));
        assert_eq!(alert["data"]["address"], "127.0.0.1");
        assert_eq!(unknown["data"], json!({ "address": "127.0.0.1", "failures": 5 }), "what was typed is not told");
        let text = format!("{:?} {}", list(&house, &[]), house.log());
        assert!(!text.contains("no-such-name") && !text.contains("wrong guess"));
    }
}

#[tokio::test]
async fn the_record_can_be_narrowed_and_is_there_before_the_first_start() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(house) = House::unstarted(engine, &[]).await else { continue };
        assert_eq!(list(&house, &[]), [Value::Null; 0]);
        Person::new(&house, "ada");

        house.json(&["key", "rotate", "--now"]);

        let all = list(&house, &[]);
        let keys: Vec<_> = all.iter().map(|alert| alert["data"]["key"].as_str().unwrap()).collect();
        assert_eq!(keys, ["seal", "ES256", "RS256", "EdDSA"]);
        assert_eq!(list(&house, &["--limit", "1"]), all[3..], "the newest");
        assert_eq!(list(&house, &["--since", "1h", "--kind", "key_made"]), all);
        assert_eq!(list(&house, &["--since", "0s"]), [Value::Null; 0]);
        assert_eq!(list(&house, &["--user", "ada"]), [Value::Null; 0]);
        let table = String::from_utf8(house.run(&["audit", "list"]).stdout).unwrap();
        assert!(table.contains("key_made") && table.contains("generation=2 key=seal"), "{table}");
        for (arguments, hint) in
            [(["--kind", "boredom"], "refresh_reused"), (["--user", "bob"], "bob"), (["--since", "soon"], "--since")]
        {
            let (_, words) = house.fail(&["audit", "list", arguments[0], arguments[1]]);
            assert!(words.starts_with("valetkey: ") && words.contains(hint), "{words}");
        }
    }
}

#[tokio::test]
async fn a_follower_sees_each_new_alert_once_as_one_line() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(house) = House::on(engine).await else { continue };
        house.json(&["key", "rotate", "seal", "--now"]);
        house.json(&["key", "rotate", "seal", "--now"]);
        let mut follower = house.command(&["audit", "list", "--follow", "--json", "--limit", "1"]);
        let mut follower = follower.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();

        let begin = tokio::task::spawn_blocking(move || (lines.next().unwrap().unwrap(), lines));
        let (begin, rest) = begin.await.unwrap();
        house.json(&["key", "rotate", "seal", "--now"]);
        house.json(&["key", "rotate", "seal", "--now"]);
        let reading = tokio::task::spawn_blocking(move || rest.take(2).map(Result::unwrap).collect::<Vec<_>>());
        let new = tokio::time::timeout(Duration::from_secs(10), reading).await.unwrap().unwrap();
        follower.kill().unwrap();
        follower.wait().unwrap();

        let generation = |line: &String| serde_json::from_str::<Value>(line).unwrap()["data"]["generation"].clone();
        assert_eq!(generation(&begin), 3);
        assert_eq!(new.iter().map(generation).collect::<Vec<_>>(), [4, 5]);
    }
}
