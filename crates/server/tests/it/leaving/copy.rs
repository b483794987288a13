//! `valetkey copy`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::life::Life;
use super::{database, execute, started, text, unstarted};
use crate::house::{Engine, House};

/// So many that a copy takes a while.
const SESSIONS: usize = 40_000;

fn fill(house: &House) {
    let mut connection = rusqlite::Connection::open(database(house)).unwrap();
    let transaction = connection.transaction().unwrap();
    for number in 0..SESSIONS {
        let insert = "INSERT INTO sessions (id, client_id, subject, scope, authenticated_at, methods, generation, created_at, \
                      used_at, expires_at) VALUES (?1, 'app', 'someone', 'read:orders', 1, 'pwd', 1, 1, 1, 9000000000000)";
        transaction.prepare_cached(insert).unwrap().execute([&id(number)[..]]).unwrap();
    }
    // However late it is killed, a copy gets no further than here: PostgreSQL has no zero byte.
    transaction.execute("UPDATE sessions SET scope = char(0) WHERE id = ?1", [&id(SESSIONS - 1)[..]]).unwrap();
    transaction.commit().unwrap();
}

fn id(number: usize) -> [u8; 16] {
    (1_u128 << 100 | number as u128).to_be_bytes()
}

#[tokio::test]
async fn a_house_moves_to_postgres_and_back_though_the_copy_is_killed() {
    let Some(mut shared) = unstarted(Engine::Postgres).await else { return };
    let mut house = started(Engine::Sqlite).await.unwrap();
    let life = Life::begin(&house).await;
    let url = shared.database().to_owned();
    let served = house.fail(&["copy", "--to", &url]);
    house.stop().await;
    fill(&house);

    let mut killed =
        house.command(&["copy", "--to", &url, "--json"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let told = BufReader::new(killed.stderr.take().unwrap()).lines().map_while(Result::ok);
    let reached = told.take_while(|line| !line.contains("\"sessions\"")).count();
    killed.kill().unwrap();
    killed.wait().unwrap();
    execute(&house, "UPDATE sessions SET scope = 'read:orders' WHERE scope = char(0)").await;
    let half = shared.fail(&["serve", "--listen", "127.0.0.1:0"]);
    let copied = house.json(&["copy", "--to", &url]);

    assert!(served.1.contains("is serving"), "{}", served.1);
    assert!(reached > 0);
    assert!(half.1.contains("was not finished"), "{}", half.1);
    assert!(copied["resumed"].as_u64().unwrap() > 0, "{copied}");
    assert!(copied["rows"].as_u64().unwrap() >= SESSIONS as u64);
    assert!(!house.run(&["copy", "--to", &url]).status.success(), "a copy into a store that has rows");

    shared.start().await;
    let refused = shared.fail(&["copy", "--to", "sqlite:elsewhere/valetkey.db"]);
    shared.stop().await;
    let target = house.data().join("back").join("valetkey.db");
    shared.json(&["copy", "--from", &url, "--to", &format!("sqlite:{}", text(&target))]);
    assert!(refused.1.contains("in use"), "{}", refused.1);

    house.set("VALETKEY_DATABASE", &format!("sqlite:{}", text(&target)));
    house.start().await;
    life.goes_on(&house).await;
}

#[tokio::test]
async fn what_is_written_while_a_rehearsal_runs_stays_behind() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(house) = started(engine).await else { continue };
        house.client("early", &[]);

        let copied = house.json(&["copy", "--while-serving", "--to", "sqlite:there/valetkey.db"]);

        let mut other = unstarted(Engine::Sqlite).await.unwrap();
        other.set("VALETKEY_DATABASE", &format!("sqlite:{}", text(&house.folder().join("there/valetkey.db"))));
        assert!(other.json(&["client", "list"]).to_string().contains("early"), "{copied}");
    }
}

#[tokio::test]
async fn no_password_is_printed_whatever_goes_wrong() {
    let house = unstarted(Engine::Sqlite).await.unwrap();
    house.client("mine", &[]);
    let secret = "s3cretpassw0rd";
    for to in [
        format!("postgres://u:{secret}@127.0.0.1:1/x"),
        format!("postgres://u:{secret}@127.0.0.1:1/x?password={secret}"),
        format!("postgre://u:{secret}@127.0.0.1:1/x"),
        format!("postgres://u:{secret}@[::1/x"),
    ] {
        for arguments in [["copy", "--to", &to, "--json"], ["copy", "--from", &to, "--json"]] {
            let output = house.run(&arguments);

            let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
            assert!(!output.status.success());
            assert!(!said.contains(secret) && !said.is_empty(), "{said}");
        }
    }
}

#[tokio::test]
async fn a_database_is_not_copied_into_itself() {
    let house = unstarted(Engine::Sqlite).await.unwrap();
    house.client("mine", &[]);
    execute(&house, "SELECT 1").await;
    let same = format!("sqlite:{}", text(&database(&house)));

    let (code, words) = house.fail(&["copy", "--from", &same]);

    assert_eq!(code, 2);
    assert!(words.contains("same database"), "{words}");
}
