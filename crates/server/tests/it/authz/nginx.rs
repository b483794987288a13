//! `examples/guard/nginx.conf` as it stands, with the ports of this test.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axum::Router;
use http::HeaderMap;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::answer::header;
use crate::api_keys::key;
use crate::house::{Engine, House, eventually};

const CONFIG: &str = include_str!("../../../../../examples/guard/nginx.conf");

/// nginx before a service that tells which headers reached it. Dropping it ends nginx.
struct Proxy {
    origin: String,
    nginx: Child,
    _folder: TempDir,
}

impl Proxy {
    async fn before(house: &House) -> Option<Self> {
        // Daemons stand where an ordinary user's path does not lead.
        let program = ["nginx", "/usr/sbin/nginx"]
            .into_iter()
            .find(|program| Command::new(program).arg("-v").stderr(Stdio::null()).status().is_ok());
        let Some(program) = program else {
            eprintln!("left out: nginx is not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let listen = free_address();
        let places = format!(
            "http {{ access_log off; {}",
            ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|kind| format!("{kind}_temp_path tmp; ")).concat()
        );
        let config = CONFIG
            .replacen("http {", &places, 1)
            .replace("127.0.0.1:8080", house.origin.trim_start_matches("http://"))
            .replace("127.0.0.1:9000", &service().await)
            .replace("127.0.0.1:8000", &listen);
        let file = folder.path().join("nginx.conf");
        fs::write(&file, format!("daemon off; pid nginx.pid; error_log stderr;\n{config}")).unwrap();
        let mut command = Command::new(program);
        command.arg("-p").arg(folder.path()).arg("-c").arg(&file).args(["-e", "stderr"]);
        let nginx = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let origin = format!("http://{listen}");
        eventually(Duration::from_secs(10), async || house.http.get(&origin).send().await.is_ok()).await;
        Some(Self { origin, nginx, _folder: folder })
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Politely: killed, it would leave its workers behind.
        let _ = Command::new("kill").arg(self.nginx.id().to_string()).status();
        let _ = self.nginx.wait();
    }
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

async fn service() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let told = |headers: HeaderMap| async move {
        let each = headers.iter().map(|(name, value)| (name.to_string(), json!(value.to_str().unwrap())));
        Value::Object(each.collect()).to_string()
    };
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(told)).await });
    address
}

#[tokio::test]
async fn nginx_lets_through_whom_authz_lets_through_and_tells_the_service_who_it_is() {
    let house = House::embedded().await;
    let Some(proxy) = Proxy::before(&house).await else { return };
    let till = house.client("till", &[]);
    let token = house.token(&till).await;
    let (_, stranger) = key(&house, &["--scope", "read:users"]);
    let ask = |path: &str| house.http.get(format!("{}{path}", proxy.origin));

    let passed = ask("/files/1").bearer_auth(&token).header("x-auth-subject", "admin").header("x-auth-client", "root");
    let reached: Value = passed.send().await.unwrap().json().await.unwrap();
    let posted = house.http.post(format!("{}/files", proxy.origin)).bearer_auth(&token).body("x".repeat(10_000));
    let anonymous = ask("/files/1").send().await.unwrap();
    let lacking = ask("/files/1").header("x-api-key", stranger).send().await.unwrap();
    let in_url = ask(&format!("/files/1?access_token={token}")).bearer_auth(&token).send().await.unwrap();

    assert_eq!(reached["x-auth-client"], "till");
    assert_eq!(reached["x-auth-scope"], "read:orders write:orders");
    assert_eq!(reached["x-auth-subject"], Value::Null, "what a caller claims must not reach the service");
    assert_eq!(reached["authorization"], Value::Null, "the token must not reach the service");
    assert_eq!(posted.send().await.unwrap().status(), 200);
    assert_eq!(anonymous.status(), 401);
    assert!(header(&anonymous, "www-authenticate").contains("resource_metadata="));
    assert_eq!(lacking.status(), 403);
    assert!(header(&lacking, "www-authenticate").contains("insufficient_scope"));
    assert_eq!(in_url.status(), 401);

    house.post("/revoke", &till, &[("token", &token)]).send().await.unwrap();
    assert_eq!(ask("/files/1").bearer_auth(&token).send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn what_a_caller_says_of_where_it_comes_from_stops_at_nginx() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_TRUSTED_PROXIES", "127.0.0.1")]).await.unwrap();
    let Some(proxy) = Proxy::before(&house).await else { return };
    let (_, elsewhere) = key(&house, &["--scope", "read:orders", "--from", "10.9.9.9"]);
    let (_, here) = key(&house, &["--scope", "read:orders", "--from", "127.0.0.0/8"]);
    let ask = |key: &str| house.http.get(format!("{}/a", proxy.origin)).header("x-api-key", key);

    assert_eq!(ask(&here).send().await.unwrap().status(), 200);
    for (name, value) in [("x-forwarded-for", "10.9.9.9"), ("forwarded", "for=10.9.9.9"), ("x-real-ip", "10.9.9.9")] {
        let refused = ask(&elsewhere).header(name, value).send().await.unwrap();
        assert_eq!(refused.status(), 403, "{name}");
    }
    let anonymous = house.http.get(format!("{}/a", proxy.origin)).send().await.unwrap();
    assert_eq!(anonymous.headers().get_all("www-authenticate").iter().count(), 1);
    // Bytes that are no ASCII do not hide a token beside them.
    let line =
        format!("GET /a?access_token=x&\u{e9} HTTP/1.1\r\nHost: a\r\nX-API-Key: {here}\r\nConnection: close\r\n\r\n");
    let mut stream = TcpStream::connect(proxy.origin.trim_start_matches("http://")).unwrap();
    stream.write_all(line.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}
