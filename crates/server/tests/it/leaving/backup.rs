//! `valetkey backup` and `valetkey restore`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::life::Life;
use super::{started, text, unstarted};
use crate::house::{Engine, House};

const BOTH: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

#[tokio::test]
async fn a_backup_of_a_running_server_lives_on_elsewhere_on_either_engine() {
    for from in BOTH {
        let Some(house) = started(from).await else { continue };
        let life = Life::begin(&house).await;
        let file = house.folder().join("a.backup");
        let made = house.json(&["backup", &text(&file)]);
        house.client("late", &[]);
        assert_eq!(made["not_included"]["root_key"], "VALETKEY_ROOT_KEY");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let bytes = fs::read(&file).unwrap();
        for hidden in house.hidden() {
            assert!(!bytes.windows(hidden.len()).any(|part| part == hidden.as_bytes()), "a secret is in the backup");
        }
        for to in BOTH {
            let Some(mut other) = unstarted(to).await else { continue };

            let restored = other.json(&["restore", &text(&file)]);
            other.start().await;

            assert_eq!((&restored["rows"], &restored["root_key"]), (&made["rows"], &"fits".into()));
            assert!(!other.json(&["client", "list"]).to_string().contains("late"));
            life.goes_on(&other).await;
        }
    }
}

#[tokio::test]
async fn a_restore_that_cannot_work_changes_nothing() {
    let mut house = House::embedded().await;
    house.client("mine", &[]);
    let (whole, broken) = (house.folder().join("a.backup"), house.folder().join("b.backup"));
    house.json(&["backup", &text(&whole)]);
    let bytes = fs::read(&whole).unwrap();
    let before = house.json(&["client", "list"]);

    let served = house.fail(&["restore", &text(&whole), "--replace"]);
    house.stop().await;
    let occupied = house.fail(&["restore", &text(&whole)]);
    fs::write(&broken, &bytes[..bytes.len() - 40]).unwrap();
    let cut = house.fail(&["restore", &text(&broken), "--replace"]);
    fs::write(&broken, "a letter\n").unwrap();
    let letter = house.fail(&["restore", &text(&broken), "--replace"]);
    let missing = house.fail(&["restore", "nowhere.backup", "--replace"]);
    let key = house.data().join("root.key");
    let kept = fs::read_to_string(&key).unwrap();
    fs::write(&key, "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=\n").unwrap();
    let foreign = house.fail(&["restore", &text(&whole), "--replace"]);
    fs::write(&key, kept).unwrap();

    for (outcome, words) in [
        (served, "is serving"),
        (occupied, "1 in clients"),
        (cut, "damaged"),
        (letter, "no backup of valetkey"),
        (missing, "nowhere.backup"),
        (foreign, "does not open the keys"),
    ] {
        assert_eq!(outcome.0, 1, "{}", outcome.1);
        assert!(outcome.1.contains(words), "{words}: {}", outcome.1);
    }
    assert_eq!(house.json(&["client", "list"]), before);
}

#[tokio::test]
async fn a_restore_goes_back_to_what_was() {
    let mut house = House::embedded().await;
    house.client("first", &[]);
    let folder = house.folder().join("backups");
    fs::create_dir(&folder).unwrap();
    let made = house.json(&["backup", &text(&folder)]);
    let file = made["file"].as_str().unwrap().to_owned();
    let taken = house.fail(&["backup", &file]);
    house.client("second", &[]);
    house.stop().await;

    let looked = house.json(&["restore", &file, "--dry-run"]);
    let there = house.json(&["client", "list"]).to_string();
    house.json(&["restore", &file, "--replace"]);
    house.start().await;

    assert_eq!(looked["replaced"]["clients"], 2);
    assert!(there.contains("second"));
    let now = house.json(&["client", "list"]).to_string();
    assert!(now.contains("first") && !now.contains("second"), "{now}");
    assert_eq!(taken.0, 2);
    assert!(taken.1.contains("--force"), "{}", taken.1);
    house.json(&["backup", &file, "--force"]);
}
