//! The floor: the same HTTP stack, allocator and settings as the server, a form in and a constant as JSON out. What the
//! server costs beyond this is its own doing.

use std::net::SocketAddr;

use axum::routing::post;
use axum::{Form, Json, Router};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

#[derive(Deserialize)]
struct Asked {
    grant_type: String,
    scope: String,
}

#[derive(Serialize)]
struct Answered {
    access_token: &'static str,
    token_type: &'static str,
    expires_in: u32,
    scope: String,
}

/// As long as an opaque token of the server.
const TOKEN: &str = "vk_at_AAAAAWX1dYw2bUZbX0k9Q7l6Vd0bqv1mJt4cN8yGf3sRzHkLwPxEoTiUaYgBnMvCqDhSjFrKlOpWeXtZuIyAsGdHfJkLzXcVbNmQwErTyUiOpAsDfGhJkLz";

async fn answer(Form(asked): Form<Asked>) -> Json<Answered> {
    let token_type = if asked.grant_type.is_empty() { "none" } else { "Bearer" };
    Json(Answered { access_token: TOKEN, token_type, expires_in: 900, scope: asked.scope })
}

/// Serves until it is killed. Says where on standard output.
pub async fn serve() -> anyhow::Result<()> {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    println!("{{\"listen\":\"{}\"}}", listener.local_addr()?);
    let router = Router::new().route("/token", post(answer));
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(host(stream, router.clone()));
    }
}

async fn host(stream: TcpStream, router: Router) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        router.clone().oneshot(request.map(axum::body::Body::new))
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_headers(200).max_buf_size(16_384);
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}
