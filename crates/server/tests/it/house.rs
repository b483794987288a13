//! A running server of a test's own: a temporary folder, a free port, and one of the two engines.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use reqwest::{Client, RequestBuilder};
use serde_json::Value;
use tempfile::TempDir;

use crate::database::Database;

/// Which database a house stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// Runs a test on both engines; where PostgreSQL is not there, it says so and passes.
#[macro_export]
macro_rules! both_engines {
    ($($(#[doc = $doc:literal])* async fn $name:ident($house:ident: House) $body:block)+) => {
        $(mod $name {
            #[allow(unused_imports)]
            use super::*;
            use $crate::house::{Engine, House};

            async fn check($house: House) $body

            #[tokio::test]
            async fn sqlite() {
                check(House::on(Engine::Sqlite).await.unwrap()).await;
            }

            #[tokio::test]
            async fn postgres() {
                if let Some(house) = House::on(Engine::Postgres).await {
                    check(house).await;
                }
            }
        })+
    };
}

/// A server with its store. Dropping it kills the server and removes everything.
pub struct House {
    pub engine: Engine,
    pub origin: String,
    pub http: Client,
    settings: Vec<(String, String)>,
    folder: TempDir,
    database: Option<Database>,
    server: Option<Child>,
    log: Arc<Mutex<String>>,
    /// Where the API is called, if another server than this one serves it.
    pub api: Option<String>,
    /// What the server listens on; any free port if nobody says more.
    pub listen: String,
    /// Is there no room for the log?
    pub mute: bool,
}

/// The system chooses a port.
const ANYWHERE: &str = "127.0.0.1:0";

/// A client as `client add` made it.
#[derive(Clone)]
pub struct Registered {
    pub id: String,
    pub secret: String,
}

impl House {
    /// A fresh store on SQLite and a running server, where the engine does not matter.
    pub async fn embedded() -> Self {
        Self::on(Engine::Sqlite).await.unwrap()
    }

    /// A fresh store and a running server without demonstration users.
    pub async fn on(engine: Engine) -> Option<Self> {
        Self::with(engine, &[]).await
    }

    /// The same, with settings from the environment.
    pub async fn with(engine: Engine, settings: &[(&str, &str)]) -> Option<Self> {
        let mut house = Self::unstarted(engine, settings).await?;
        house.start().await;
        Some(house)
    }

    /// A fresh store, and no server yet.
    pub async fn unstarted(engine: Engine, settings: &[(&str, &str)]) -> Option<Self> {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::make().await?),
        };
        let mut environment = vec![("VALETKEY_DEMO".to_owned(), "0".to_owned())];
        if let Some(database) = &database {
            environment.push(("VALETKEY_DATABASE".to_owned(), database.url.clone()));
            environment
                .push(("VALETKEY_ROOT_KEY".to_owned(), "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=".to_owned()));
        }
        environment.extend(settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Some(Self {
            engine,
            origin: String::new(),
            http: Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap(),
            settings: environment,
            folder: tempfile::tempdir().unwrap(),
            database,
            server: None,
            log: Arc::default(),
            api: None,
            listen: ANYWHERE.to_owned(),
            mute: false,
        })
    }

    /// The address of the shared database.
    pub fn database(&self) -> &str {
        &self.database.as_ref().unwrap().url
    }

    /// A second server on the same shared database, with the same settings and a folder of its own. Not started yet.
    pub fn neighbour(&self) -> Self {
        Self {
            engine: self.engine,
            origin: String::new(),
            http: self.http.clone(),
            settings: self.settings.clone(),
            folder: tempfile::tempdir().unwrap(),
            database: None,
            server: None,
            log: Arc::default(),
            api: None,
            listen: ANYWHERE.to_owned(),
            mute: false,
        }
    }

    /// The binary, in this house: its folder, its database, and nothing else of the environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_valetkey"));
        command
            .args(arguments)
            .env_clear()
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .env("VALETKEY_DATA", self.data())
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// A server on SQLite that listens elsewhere than on loopback.
    pub async fn listening(listen: &str, settings: &[(&str, &str)]) -> Self {
        let mut house = Self::unstarted(Engine::Sqlite, settings).await.unwrap();
        house.listen = listen.to_owned();
        house.start().await;
        house
    }

    /// Starts the server and waits until it says where it is.
    pub async fn start(&mut self) {
        let mut server = self
            .command(&["serve", "--json", "--listen", &self.listen])
            .stdout(Stdio::piped())
            .stderr(if self.mute { full().into() } else { Stdio::piped() })
            .spawn()
            .unwrap();
        if let Some(mut errors) = server.stderr.take() {
            let log = self.log.clone();
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(length @ 1..) = errors.read(&mut buffer) {
                    log.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..length]));
                }
            });
        }
        let output = server.stdout.take().unwrap();
        let banner = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            BufReader::new(output).read_line(&mut line).unwrap();
            line
        });
        let banner = banner.await.unwrap();
        let banner: Value = serde_json::from_str(&banner)
            .unwrap_or_else(|_| panic!("the server did not start: {banner:?}\n{}", self.log.lock().unwrap()));
        // Not the issuer: under a public URL of its own, nobody listens in a test.
        self.origin = format!("http://{}", banner["listen"].as_str().unwrap());
        self.server = Some(server);
    }

    /// Ends the server at once, as a power cut would.
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    /// Asks the server to end, and answers its exit code.
    pub async fn stop(&mut self) -> Option<i32> {
        self.stop_by("TERM").await
    }

    /// The same by another signal.
    pub async fn stop_by(&mut self, signal: &str) -> Option<i32> {
        self.server.as_ref()?;
        self.tell(signal);
        self.ended().await
    }

    /// Sends the server a signal.
    pub fn tell(&self, signal: &str) {
        let told = Command::new("kill").args(["-s", signal, &self.pid().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// Waits until the server has ended, and answers its exit code.
    pub async fn ended(&mut self) -> Option<i32> {
        let mut server = self.server.take()?;
        tokio::task::spawn_blocking(move || server.wait().unwrap().code()).await.unwrap()
    }

    /// The process id of the running server.
    pub fn pid(&self) -> u32 {
        self.server.as_ref().unwrap().id()
    }

    /// Changes a setting for what starts from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.retain(|(known, _)| known != name);
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    /// The operator's own secrets: the root key, and the password of the database.
    pub fn hidden(&self) -> Vec<String> {
        let file = std::fs::read_to_string(self.data().join("root.key")).ok();
        let given = |name: &str| self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let address = given("VALETKEY_DATABASE").and_then(|url| url::Url::parse(&url).ok());
        // A password of two letters would be found anywhere.
        let password = address.and_then(|url| url.password().map(str::to_owned)).filter(|word| word.len() > 7);
        let found = [file, given("VALETKEY_ROOT_KEY"), password].into_iter().flatten();
        found.map(|secret| secret.trim().to_owned()).collect()
    }

    /// Where the server keeps its files.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The folder that commands run in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What the server has written to its log so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command to its end with something on its standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Runs a command that must fail, and answers its exit code and what it said on standard error.
    pub fn fail(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.run(arguments);
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?} succeeded: {words}");
        (output.status.code().unwrap(), words)
    }

    /// Runs a command that must succeed and print one JSON value and nothing else.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments).arg("--json").output().unwrap();
        let words = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        assert!(output.status.success(), "{arguments:?}: {words:?}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
    }

    /// Registers a client for client credentials with two scopes, and whatever else is asked.
    pub fn client(&self, id: &str, more: &[&str]) -> Registered {
        let mut arguments = vec!["client", "add", "--name", id, "--id", id];
        arguments.extend(["--grant", "client_credentials", "--scope", "read:orders write:orders"]);
        arguments.extend(more);
        let made = self.json(&arguments);
        Registered {
            id: made["client_id"].as_str().unwrap().to_owned(),
            secret: made["client_secret"].as_str().unwrap_or_default().to_owned(),
        }
    }

    /// A GET on a path.
    pub fn get(&self, path: &str) -> RequestBuilder {
        self.http.get(format!("{}{path}", self.origin))
    }

    /// A POST to a path, with nothing in it yet.
    pub fn bare(&self, path: &str) -> RequestBuilder {
        self.http.post(format!("{}{path}", self.origin))
    }

    /// A form to a path, authenticated by Basic.
    pub fn post(&self, path: &str, client: &Registered, form: &[(&str, &str)]) -> RequestBuilder {
        self.bare(path).basic_auth(&client.id, Some(&client.secret)).form(form)
    }

    /// A fresh access token.
    pub async fn token(&self, client: &Registered) -> String {
        let answer = self.post("/token", client, &[("grant_type", "client_credentials")]).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// What introspection says.
    pub async fn introspect(&self, client: &Registered, token: &str) -> Value {
        self.post("/introspect", client, &[("token", token)]).send().await.unwrap().json().await.unwrap()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A file on a disk without room.
fn full() -> std::fs::File {
    std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// Asks again and again until the condition holds; fails after `within`.
pub async fn eventually(within: Duration, mut holds: impl AsyncFnMut() -> bool) {
    let asked = tokio::time::timeout(within, async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(asked.await.is_ok(), "it did not come true within {within:?}");
}
