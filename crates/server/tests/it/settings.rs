//! Where settings come from, and what `config check` and `doctor` find.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::house::{Engine, House};

async fn unstarted() -> House {
    House::unstarted(Engine::Sqlite, &[]).await.unwrap()
}

/// What the doctor says of one matter.
pub fn examined(house: &House, what: &str, more: &[&str]) -> Vec<(String, String)> {
    let mut arguments = vec!["doctor", "--json"];
    arguments.extend(more);
    let output = house.run(&arguments);
    let chart: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(chart["ok"] == true, output.status.success());
    let found = chart["findings"].as_array().unwrap().iter().filter(|finding| finding["what"] == what);
    let text = |finding: &Value, member: &str| finding[member].as_str().unwrap().to_owned();
    found.map(|finding| (text(finding, "verdict"), text(finding, "words"))).collect()
}

#[tokio::test]
async fn a_slip_in_the_settings_is_shown_with_its_place_and_what_was_meant() {
    let house = unstarted().await;
    let file = house.folder().join("valetkey.toml");
    fs::write(&file, "demo = \"off\"\n\n[tokens]\n  acess_lifetime = \"5m\"\n").unwrap();

    let (code, words) = house.fail(&["config", "check"]);

    assert_eq!(code, 2);
    assert!(words.contains(&format!("{}:4:3: ", file.display())), "{words}");
    assert!(words.contains("did you mean `tokens.access_lifetime`?"), "{words}");
    let (_, serve) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(serve, words, "the server says the same");
}

#[tokio::test]
async fn flags_weigh_more_than_the_environment_and_that_more_than_the_file() {
    let mut house = unstarted().await;
    let port = |house: &House, more: &[&str]| examined(house, "port", more).remove(0).1;
    fs::write(house.folder().join("valetkey.toml"), "listen = \"127.0.0.2:41\"\n").unwrap();

    assert!(port(&house, &[]).starts_with("127.0.0.2:41 "));
    house.set("VALETKEY_LISTEN", "127.0.0.3:42");
    assert!(port(&house, &[]).starts_with("127.0.0.3:42 "));
    assert!(port(&house, &["--listen", "127.0.0.4:43"]).starts_with("127.0.0.4:43 "));
    house.set("VALETKEY_LISTN", "127.0.0.5:44");
    let slip = examined(&house, "settings", &[]);
    assert!(slip.iter().any(|(_, words)| words.contains("did you mean VALETKEY_LISTEN?")), "{slip:?}");
}

#[tokio::test]
async fn every_command_tells_of_a_variable_that_nothing_reads() {
    let mut house = unstarted().await;
    house.set("VALETKEY_DATABSE", "elsewhere.db");

    for command in [&["client", "list"][..], &["migrate"], &["api", "check"], &["key", "list", "--json"]] {
        let output = house.run(command);
        let words = String::from_utf8(output.stderr).unwrap();

        assert!(output.status.success(), "{command:?}: {words}");
        assert_eq!(words.matches("did you mean VALETKEY_DATABASE?").count(), 1, "{command:?}: {words}");
    }
}

#[tokio::test]
async fn the_doctor_finds_a_root_key_that_is_wrong_missing_or_open_to_others() {
    let house = unstarted().await;
    let key = house.data().join("root.key");
    house.json(&["key", "list"]);
    let mode = |mode| fs::set_permissions(&key, fs::Permissions::from_mode(mode)).unwrap();
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let verdict = |house: &House| examined(house, "keys", &[]).remove(0);

    assert_eq!(verdict(&house).0, "good");
    mode(0o644);
    let (open, words) = verdict(&house);
    assert_eq!(open, "bad");
    assert!(words.contains("chmod 600"), "{words}");
    mode(0o600);
    fs::write(&key, "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=\n").unwrap();
    let (wrong, words) = verdict(&house);
    assert_eq!(wrong, "bad");
    assert!(words.contains("root key"), "{words}");
    fs::remove_file(&key).unwrap();
    assert_eq!(verdict(&house).0, "bad");
    assert!(!key.exists(), "the doctor makes nothing");
}

#[tokio::test]
async fn what_keeps_a_server_from_starting_is_found_before_by_a_look() {
    let house = unstarted().await;
    let file = |name: &str, text: &str, mode| {
        let path = house.folder().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let key = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=";
    let slips = [
        ("VALETKEY_ROOT_KEY_FILE", file("open.key", key, 0o644), "chmod 600"),
        ("VALETKEY_ROOT_KEY_FILE", file("no.key", "no key", 0o600), "holds no key"),
        ("VALETKEY_OUTBOUND_EXTRA_CA", file("ca.pem", "no certificate", 0o644), "ca.pem"),
        ("VALETKEY_LOG_LEVEL", "info,valetkey=loud".to_owned(), "valetkey=loud"),
    ];

    for (name, value, told) in slips {
        for (command, code) in [(&["config", "check"][..], 2), (&["doctor"], 1)] {
            let looked = house.command(command).env(name, &value).output().unwrap();
            let words = String::from_utf8(looked.stdout).unwrap();
            assert_eq!(looked.status.code(), Some(code), "{name}={value}: {words}");
            assert_eq!(words.matches(told).count(), 1, "{name}={value}: {words}");
        }
        let served = house.command(&["serve", "--listen", "127.0.0.1:0"]).env(name, &value).output().unwrap();
        let code = if name == "VALETKEY_LOG_LEVEL" { 2 } else { 1 };
        assert_eq!(served.status.code(), Some(code), "{name}={value}");
    }
}

#[tokio::test]
async fn the_doctor_looks_for_room_and_asks_redis() {
    let mut house = unstarted().await;
    house.json(&["key", "list"]);

    let (_, room) = examined(&house, "disk", &[]).remove(0);
    assert!(room.contains("MB are left"), "{room}");
    assert_eq!(examined(&house, "redis", &[]), []);
    // Nobody listens there.
    house.set("VALETKEY_REDIS", "redis://127.0.0.1:1");
    assert_eq!(examined(&house, "redis", &[]).remove(0).0, "doubtful");
    house.set("VALETKEY_LIMITS_WITHOUT_REDIS", "closed");
    let (verdict, words) = examined(&house, "redis", &[]).remove(0);
    assert_eq!(verdict, "bad");
    assert!(words.contains("limits.without_redis"), "{words}");
}
