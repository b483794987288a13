//! A running edge with a small router behind it, and what it reports.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use http::Extensions;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use valetkey::app::edge::{ClientAddress, Edge, EdgeError, EdgeEvent, Halls, PeerCertificate, bind, serve};
use valetkey::config::{Config, Span};

/// No test waits longer than this for anything.
const PATIENCE: Duration = Duration::from_secs(10);

pub struct World {
    pub address: SocketAddr,
    pub gate: Arc<Gate>,
    pub leaving: CancellationToken,
    events: mpsc::UnboundedReceiver<EdgeEvent>,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<Result<(), EdgeError>>,
}

/// Holds the requests to `/hold` until the test lets them go.
#[derive(Default)]
pub struct Gate {
    pub entered: Notify,
    pub open: Notify,
}

impl World {
    pub async fn start(change: impl FnOnce(&mut Edge)) -> Self {
        Self::start_on("127.0.0.1:0", change).await
    }

    pub async fn start_on(listen: &str, change: impl FnOnce(&mut Edge)) -> Self {
        let (told, events) = mpsc::unbounded_channel();
        let mut edge = Edge::new(&Config::default());
        edge.reload_every = Duration::from_millis(20);
        edge.observer = Arc::new(move |event| _ = told.send(event.clone()));
        change(&mut edge);
        let leaving = edge.leaving.clone();
        let gate = Arc::new(Gate::default());
        let listener = bind(listen.parse().unwrap()).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (stop, stopped) = oneshot::channel();
        let (router, halls) = (router(Arc::clone(&gate)), Halls::open().unwrap());
        let serving = tokio::spawn(serve(vec![listener], router, edge, halls, async move { _ = stopped.await }));
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let mut world = Self { address, gate, leaving, events, stop: Some(stop), serving };
        world.event(|event| matches!(event, EdgeEvent::Listening { .. })).await;
        world
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn tls_url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.address.port())
    }

    /// Asks over a fresh connection.
    pub fn get(&self, path: &str) -> reqwest::RequestBuilder {
        client().build().unwrap().get(self.url(path))
    }

    pub async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends bytes over a fresh connection and returns all that comes back until the server closes it.
    pub async fn talk(&self, bytes: &str) -> String {
        let mut stream = self.connect().await;
        stream.write_all(bytes.as_bytes()).await.unwrap();
        read_all(&mut stream).await
    }

    /// Waits for an event that fits.
    pub async fn event(&mut self, fits: impl Fn(&EdgeEvent) -> bool) -> EdgeEvent {
        let search = async {
            loop {
                let event = self.events.recv().await.expect("the edge still reports");
                if fits(&event) {
                    return event;
                }
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("the event happens")
    }

    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).unwrap();
        }
    }

    pub async fn stopped(self) {
        tokio::time::timeout(PATIENCE, self.serving).await.expect("the edge ends").unwrap().unwrap();
    }
}

/// Everything until the server closes. A reset after the answer is an end as good as any.
pub async fn read_all(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the server closes");
    String::from_utf8(bytes).unwrap()
}

/// A client that speaks to the server itself, whatever proxy the environment names.
pub fn client() -> reqwest::ClientBuilder {
    reqwest::Client::builder().no_proxy()
}

pub fn millis(count: u64) -> Span {
    Span::from_millis(count)
}

fn router(gate: Arc<Gate>) -> Router {
    Router::new()
        .route("/", get(|| async { "hello" }))
        .route("/who", get(who))
        .route("/echo", post(|body: String| async { body }))
        .route("/hold", get(hold))
        .route("/thread", get(thread).post(|_: axum::body::Bytes| thread()))
        .with_state(gate)
}

/// Who answers.
async fn thread() -> String {
    std::thread::current().name().unwrap_or_default().to_owned()
}

async fn hold(State(gate): State<Arc<Gate>>) -> &'static str {
    gate.entered.notify_one();
    gate.open.notified().await;
    "held"
}

/// Says what the edge found out: client, scheme, certificate.
async fn who(request: axum::extract::Request) -> String {
    let found: &Extensions = request.extensions();
    let ClientAddress(client, scheme) = found.get::<ClientAddress>().unwrap();
    let certificate = match found.get::<PeerCertificate>() {
        Some(certificate) => format!("{:02x?} {}", &certificate.sha256[..4], certificate.chains_to_ca),
        None => "none".to_owned(),
    };
    let leftover = request
        .headers()
        .keys()
        .filter(|name| name.as_str().contains("forwarded") || name.as_str().contains("client-cert"))
        .count();
    format!("{client} {scheme:?} {certificate} {leftover}")
}
