//! Many processes that start at the same moment on a store that does not exist yet.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::house::{Engine, House, Registered};

const ROUNDS: usize = 4;

/// A server beside the one of the house. Dropping it kills it.
struct Node(Child);

impl Drop for Node {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Node {
    fn spawn(house: &House) -> Self {
        Self(piped(house.command(&["serve", "--json", "--listen", "127.0.0.1:0"])))
    }

    /// Waits until it says where it is.
    fn origin(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let banner: Value = serde_json::from_str(&line).unwrap_or_default();
        banner["issuer"].as_str().unwrap_or_else(|| panic!("a server did not start: {line}")).to_owned()
    }
}

fn piped(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn output_of(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn read(house: &House, origin: &str, path: &str) -> String {
    house.http.get(format!("{origin}{path}")).send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn three_servers_that_start_at_once_on_an_empty_postgresql_share_one_set_of_keys() {
    for _ in 0..ROUNDS {
        let Some(mut house) = House::unstarted(Engine::Postgres, &[]).await else { return };
        let mut nodes: Vec<Node> = (0..3).map(|_| Node::spawn(&house)).collect();

        let origins: Vec<String> = nodes.iter_mut().map(Node::origin).collect();

        let mut keys = Vec::new();
        for origin in &origins {
            keys.push(read(&house, origin, "/jwks").await);
        }
        assert!(keys.iter().all(|other| *other == keys[0]), "{keys:?}");
        only_first_keys(&house);
        let client = house.client("till", &[]);
        for origin in &origins {
            house.origin.clone_from(origin);
            let token = house.token(&client).await;
            for other in &origins {
                house.origin.clone_from(other);
                assert_eq!(house.introspect(&client, &token).await["active"], true);
            }
        }
        let history = history(&house).await;
        assert!(
            !history.is_empty() && history.iter().copied().eq(1..=history.len() as i32),
            "each ran once: {history:?}"
        );
    }
}

#[tokio::test]
async fn commands_and_a_server_racing_at_the_first_start_make_one_store_with_one_root_key() {
    for _ in 0..ROUNDS {
        let mut house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();
        let add = |id: &str| {
            let mut command = house.command(&["client", "add", "--name", id, "--id", id, "--json"]);
            command.args(["--grant", "client_credentials", "--scope", "read:orders"]);
            piped(command)
        };
        let mut commands = vec![add("one")];
        let mut node = Node::spawn(&house);
        commands.extend([add("two"), add("three")]);

        let origin = node.origin();
        let made: Vec<Value> = commands.into_iter().map(output_of).collect();

        let keys = read(&house, &origin, "/jwks").await;
        house.origin = origin;
        let mut tokens = Vec::new();
        for client in &made {
            let word = |name: &str| client[name].as_str().unwrap().to_owned();
            let client = Registered { id: word("client_id"), secret: word("client_secret") };
            tokens.push((house.token(&client).await, client));
        }
        only_first_keys(&house);
        assert_eq!(drafts(&house), [""; 0]);
        drop(node);
        house.start().await;
        assert_eq!(read(&house, &house.origin, "/jwks").await, keys);
        for (token, client) in &tokens {
            assert_eq!(house.introspect(client, token).await["active"], true);
        }
    }
}

/// Nobody replaced a key that someone else had just made.
fn only_first_keys(house: &House) {
    let keys = house.json(&["key", "list"]);
    let all = keys.as_array().or_else(|| keys["keys"].as_array()).unwrap_or_else(|| panic!("{keys}"));
    assert!(!all.is_empty() && all.iter().all(|key| key["generation"] == 1), "{keys}");
}

/// Files that a first start makes on the way and must not leave.
fn drafts(house: &House) -> Vec<String> {
    let files = fs::read_dir(house.data()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    files.filter(|name| name.contains("draft") || name.contains("probe")).collect()
}

/// The migrations that the database remembers.
async fn history(house: &House) -> Vec<i32> {
    let command = house.command(&[]);
    let url = command.get_envs().find(|(name, _)| *name == "VALETKEY_DATABASE").unwrap().1.unwrap();
    let (client, connection) = tokio_postgres::connect(url.to_str().unwrap(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let rows = client.query("SELECT version FROM refinery_schema_history ORDER BY version", &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}
