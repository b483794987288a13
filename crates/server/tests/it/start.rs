//! `valetkey serve`: how it starts, why it does not, and how it ends.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::house::{Engine, House, eventually};

mod held;

/// A server that is ended with the test, whatever becomes of it.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server that must refuse; answers its exit code and its words.
async fn refuses(house: &House, more: &[&str]) -> (i32, String) {
    let words = house.folder().join("words");
    let mut arguments = vec!["serve"];
    arguments.extend(if more.contains(&"--listen") { &[][..] } else { &["--listen", "127.0.0.1:0"] });
    arguments.extend(more);
    let mut command = house.command(&arguments);
    command.stdout(Stdio::null()).stderr(File::create(&words).unwrap());
    let mut server = Ended(command.spawn().unwrap());
    eventually(Duration::from_secs(20), async || server.0.try_wait().unwrap().is_some()).await;
    let code = server.0.wait().unwrap().code().unwrap();
    let words = fs::read_to_string(&words).unwrap();
    assert!(words.contains("valetkey: "), "{words}");
    assert!(!words.contains("panicked"), "{words}");
    (code, words)
}

async fn unstarted() -> House {
    House::unstarted(Engine::Sqlite, &[]).await.unwrap()
}

#[tokio::test]
async fn a_busy_port_is_named_and_nothing_is_made() {
    let house = unstarted().await;
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();

    let (code, words) = refuses(&house, &["--listen", &address]).await;

    assert_eq!(code, 1);
    assert!(words.contains(&address) && words.contains("--listen"), "{words}");
    assert!(!house.data().exists());
}

#[tokio::test]
async fn a_data_folder_that_cannot_be_written_is_named() {
    let house = unstarted().await;
    fs::write(house.folder().join("file"), "").unwrap();
    let below = house.folder().join("file").join("below").display().to_string();

    let (code, words) = refuses(&house, &["--data", &below]).await;

    assert_eq!(code, 1);
    assert!(words.contains(&below) && words.contains("--data"), "{words}");
}

#[tokio::test]
async fn a_second_server_on_the_same_file_is_refused_and_told_who_has_it() {
    let house = House::embedded().await;

    let (code, words) = refuses(&house, &[]).await;

    assert_eq!(code, 1);
    assert!(words.contains(&format!("process {}", house.pid())), "{words}");
    assert_eq!(house.get("/readyz").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_killed_server_leaves_no_lock_behind() {
    let mut house = House::embedded().await;

    house.kill();
    house.start().await;

    assert_eq!(house.get("/readyz").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_store_needs_the_root_key_it_was_made_with() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[]).await else { continue };
        house.json(&["key", "list"]);
        let other = "emFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6MTIzNDU=";

        house.set("VALETKEY_ROOT_KEY", other);
        let (code, words) = refuses(&house, &[]).await;

        assert_eq!(code, 1);
        assert!(words.contains("root key"), "{words}");
        assert!(!words.contains(other));
    }
}

#[tokio::test]
async fn commands_on_a_shared_store_want_its_root_key_as_a_server_does() {
    let Some(mut house) = House::unstarted(Engine::Postgres, &[]).await else { return };
    house.set("VALETKEY_ROOT_KEY", "");
    fs::create_dir(house.data()).unwrap();
    // Left by a store of its own, and no key for one that is shared.
    fs::write(house.data().join("root.key"), "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=\n").unwrap();
    fs::set_permissions(house.data().join("root.key"), fs::Permissions::from_mode(0o600)).unwrap();

    let (code, words) = refuses(&house, &[]).await;
    let (beside, said) = house.fail(&["key", "list"]);

    assert_eq!((code, beside), (2, 2));
    assert_eq!(said, words);
    assert!(said.contains("VALETKEY_ROOT_KEY"), "{said}");
}

#[tokio::test]
async fn a_missing_root_key_is_not_replaced_under_an_existing_store() {
    let house = unstarted().await;
    house.json(&["key", "list"]);
    let key = house.data().join("root.key");
    fs::remove_file(&key).unwrap();

    let (code, words) = refuses(&house, &[]).await;

    assert_eq!(code, 1);
    assert!(words.contains("root.key") && words.contains("VALETKEY_ROOT_KEY"), "{words}");
    assert!(!key.exists());
}

#[tokio::test]
async fn a_file_that_is_no_database_is_named_and_left_as_it_is() {
    let house = unstarted().await;
    fs::create_dir(house.data()).unwrap();
    let file = house.data().join("valetkey.db");
    let garbage = "no database ".repeat(1000);
    fs::write(&file, &garbage).unwrap();

    let (code, words) = refuses(&house, &[]).await;

    assert_eq!(code, 1);
    assert!(words.contains(&file.display().to_string()), "{words}");
    assert_eq!(fs::read_to_string(&file).unwrap(), garbage);
}

#[tokio::test]
async fn plain_http_is_refused_beyond_loopback() {
    let house = unstarted().await;

    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        let (code, words) = refuses(&house, &["--listen", address]).await;
        assert_eq!(code, 2);
        assert!(words.contains("TLS") && words.contains("trusted_proxies"), "{words}");
    }
    assert!(!house.data().exists());
}

#[tokio::test]
async fn a_database_that_does_not_answer_is_named_without_its_password() {
    let mut house = unstarted().await;
    house.set("VALETKEY_ROOT_KEY", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=");

    let (code, words) = refuses(&house, &["--database", "postgres://app:s3cret@127.0.0.1:9/valetkey"]).await;

    assert_eq!(code, 1);
    assert!(words.contains("127.0.0.1:9") && words.contains("Is PostgreSQL running there?"), "{words}");
    assert!(!words.contains("s3cret"), "{words}");
    let Some(server) = valetkey_testkit::services::postgres() else { return };
    let mut elsewhere = url::Url::parse(&server).unwrap();
    elsewhere.set_path("/nowhere-at-all");
    let (code, words) = refuses(&house, &["--database", elsewhere.as_str()]).await;
    assert!(code == 1 && words.contains("createdb"), "{words}");
}

#[tokio::test]
async fn a_server_that_is_asked_to_end_ends_well() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::on(engine).await else { continue };
        house.get("/readyz").send().await.unwrap();

        assert_eq!(house.stop().await, Some(0));
        eventually(Duration::from_secs(5), async || house.log().contains("\"stopped\"")).await;
    }
}

#[tokio::test]
async fn two_first_starts_on_one_database_agree() {
    let settings = [("VALETKEY_PUBLIC_URL", "http://127.0.0.1:9")];
    let Some(mut first) = House::unstarted(Engine::Postgres, &settings).await else { return };
    let mut second = first.neighbour();

    tokio::join!(first.start(), second.start());

    for format in ["opaque", "jwt"] {
        let client = first.client(format, &["--access-token", format]);
        for (issuer, other) in [(&first, &second), (&second, &first)] {
            let token = issuer.token(&client).await;
            assert_eq!(other.introspect(&client, &token).await["active"], true, "{format}");
        }
    }
}

/// Starts a demonstration and waits until it has said everything.
async fn demonstration(house: &House, last: &str) -> (Ended, String) {
    let said = house.folder().join("said");
    let mut command = house.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.stdout(File::create(&said).unwrap()).stderr(Stdio::null());
    let server = Ended(command.spawn().unwrap());
    let read = || fs::read_to_string(&said).unwrap();
    eventually(Duration::from_secs(20), async || read().trim_end().ends_with(last)).await;
    (server, read())
}

#[tokio::test]
async fn the_commands_of_the_demonstration_work_when_pasted_and_its_secrets_are_told_once() {
    let house = House::unstarted(Engine::Sqlite, &[("VALETKEY_DEMO", "1")]).await.unwrap();

    let (server, said) = demonstration(&house, "/revoke").await;
    let commands: Vec<_> = said.lines().filter(|line| line.starts_with("TOKEN=") || line.starts_with("curl")).collect();
    let pasted = Command::new("bash").args(["-euo", "pipefail", "-c", &commands.join("\n")]).output().unwrap();

    assert_eq!(commands.len(), 3, "{said}");
    let answers = String::from_utf8(pasted.stdout).unwrap();
    assert!(pasted.status.success(), "{answers}");
    assert!(answers.starts_with("vk_at_"), "{answers}");
    assert!(answers.contains("\"active\":true") && answers.contains("HTTP/1.1 200 OK"), "{answers}");
    drop(server);
    let words: Vec<_> = said.split_whitespace().collect();
    let after = |word: &str| words[words.iter().position(|found| *found == word).unwrap() + 1].to_owned();
    let (_server, again) = demonstration(&house, "rotate-secret demo-service").await;
    for secret in [after("password"), after("secret")] {
        assert!(secret.len() >= 20, "{said}");
        assert!(!again.contains(&secret), "{again}");
    }
}

#[tokio::test]
async fn who_is_told_to_stop_in_the_moment_of_the_start_stops() {
    let mut house = House::embedded().await;
    for _ in 0..8 {
        assert_eq!(house.stop().await, Some(0));
        house.start().await;
    }
}

#[tokio::test]
async fn a_terminal_that_is_closed_ends_the_server_as_an_operator_does() {
    // Whoever runs these tests with `nohup` has all that they start ignore it.
    let hangup = (!ignores_hangups(std::process::id())).then_some("HUP");
    for signal in hangup.into_iter().chain(["INT"]) {
        let mut house = House::embedded().await;
        assert_eq!(house.stop_by(signal).await, Some(0), "{signal}");
    }
}

#[tokio::test]
async fn who_starts_a_server_with_nohup_may_close_the_terminal() {
    let house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();
    let binary = env!("CARGO_BIN_EXE_valetkey");
    let mut server = Command::new("nohup")
        .args([binary, "serve", "--listen", "127.0.0.1:0"])
        .current_dir(house.folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
    assert!(said.next().is_some(), "it has started");

    let does_nothing = ignores_hangups(server.id());
    server.kill().unwrap();
    server.wait().unwrap();

    assert!(does_nothing, "SIGHUP");
}

/// Does SIGHUP do nothing to this process?
fn ignores_hangups(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

#[tokio::test]
async fn a_server_without_its_declaration_leaves_the_store_alone() {
    let both = [Engine::Sqlite, Engine::Postgres];
    for engine in both {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        let declaration = "api: { name: library }\nscopes: { \"all:books\": Everything }\nresources:\n  books:\n    \
                           scopes: { read: \"all:books\", write: \"all:books\" }\n    fields: { title: { type: string } }\n";
        std::fs::write(house.folder().join("api.yaml"), declaration).unwrap();
        house.start().await;
        assert_eq!(house.stop().await, Some(0));

        house.set("VALETKEY_API", "");
        for command in [&["serve"][..], &["api", "apply"], &["api", "reindex"], &["doctor"]] {
            let refused = house.run(command);
            let said = [refused.stdout, refused.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(!refused.status.success() && said.contains("--api FILE"), "{command:?}: {said}");
        }

        house.set("VALETKEY_API", "api.yaml");
        house.start().await;
    }
}

#[tokio::test]
async fn who_is_told_to_stop_twice_does_not_wait_any_longer() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_LIMITS_NOTICE", "10m")]).await.unwrap();
    let pid = house.pid().to_string();
    let tell = || assert!(Command::new("kill").arg(&pid).status().unwrap().success());

    tell();
    let is_leaving = async || house.get("/readyz").send().await.is_ok_and(|answer| answer.status() == 503);
    eventually(Duration::from_secs(20), is_leaving).await;
    tell();

    let is_gone = async || house.get("/readyz").send().await.is_err();
    eventually(Duration::from_secs(20), is_gone).await;
}
