//! A tiny app on another port: it notes what the browser brings, and can also be a bad one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::response::{Html, Redirect};
use axum::routing::get;
use http::StatusCode;
use tokio::net::TcpListener;

use crate::house::eventually;

type Pairs = Vec<(String, String)>;

/// What reached the app.
#[derive(Debug, Clone)]
pub struct Arrival {
    pub method: &'static str,
    pub pairs: Pairs,
}

impl Arrival {
    /// A parameter; empty if it did not come.
    pub fn get(&self, name: &str) -> &str {
        self.pairs.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// The app, listening until its test ends.
pub struct App {
    pub port: u16,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
}

#[derive(Clone)]
struct Shared {
    server: String,
    port: u16,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
}

impl App {
    /// Takes a port, so that the app can be registered before the server runs.
    pub async fn listen() -> (Self, TcpListener) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        (Self { port: listener.local_addr().unwrap().port(), arrivals: Arc::default() }, listener)
    }

    /// Begins to answer.
    pub fn serve(&self, listener: TcpListener, server: &str) {
        let shared = Shared { server: server.to_owned(), port: self.port, arrivals: self.arrivals.clone() };
        let router = Router::new()
            .route("/cb", get(came).post(posted))
            .route("/on", get(leads_on))
            .route("/stay", get(stays).post(stays))
            .route("/frame", get(frames))
            .route("/attack", get(attacks))
            .with_state(shared);
        tokio::spawn(async move { axum::serve(listener, router).await });
    }

    /// An address of the app.
    pub fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The last that came, when it comes.
    pub async fn arrival(&self) -> Arrival {
        eventually(Duration::from_secs(15), async || !self.arrivals.lock().unwrap().is_empty()).await;
        self.arrivals.lock().unwrap().pop().unwrap()
    }
}

const DONE: Html<&str> = Html("<!doctype html><title>App</title><h1 id=\"app\">The app</h1>");

async fn came(State(shared): State<Shared>, Query(pairs): Query<Pairs>) -> Html<&'static str> {
    shared.arrivals.lock().unwrap().push(Arrival { method: "GET", pairs });
    DONE
}

async fn posted(State(shared): State<Shared>, Form(pairs): Form<Pairs>) -> Html<&'static str> {
    shared.arrivals.lock().unwrap().push(Arrival { method: "POST", pairs });
    DONE
}

/// Apps often lead from their callback to another host of theirs.
async fn leads_on(State(shared): State<Shared>, Query(pairs): Query<Pairs>) -> Redirect {
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&pairs).finish();
    Redirect::to(&format!("http://localhost:{}/cb?{query}", shared.port))
}

/// Leaves the browser on the page that it came from.
async fn stays() -> StatusCode {
    StatusCode::NO_CONTENT
}

async fn frames(State(shared): State<Shared>) -> Html<String> {
    Html(format!(
        "<!doctype html><title>Frame</title><h1>Prize!</h1><iframe id=\"frame\" src=\"{}/login\"></iframe>",
        shared.server
    ))
}

/// Forms that send someone else's wishes with this browser's cookies.
async fn attacks(State(shared): State<Shared>) -> Html<String> {
    let form = |id: &str, path: &str, fields: &[(&str, &str)]| {
        let fields: String =
            fields.iter().map(|(name, value)| format!("<input name=\"{name}\" value=\"{value}\">")).collect();
        format!(
            "<form method=\"post\" action=\"{}{path}\">{fields}<button id=\"{id}\">{id}</button></form>",
            shared.server
        )
    };
    let login =
        form("login", "/login", &[("username", "mallory"), ("password", crate::world::PASSWORD), ("csrf", "x")]);
    let logout = form("logout", "/logout", &[("csrf", "x")]);
    Html(format!("<!doctype html><title>Prize</title>{login}{logout}"))
}
