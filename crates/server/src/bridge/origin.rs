//! Where a request comes from, as a person may be shown it: the address that the edge vouches for, and the agent.

use std::net::IpAddr;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::header::USER_AGENT;
use valetkey_oauth::model::SessionOrigin;

use crate::app::edge::ClientAddress;

/// Longer names of agents are cut: they are shown, and stored.
const LONGEST_AGENT: usize = 200;

/// Gives each request its origin.
pub async fn know(mut request: Request, next: Next) -> Response {
    let origin = of(&request);
    request.extensions_mut().insert(origin);
    next.run(request).await
}

/// Reads it.
pub fn of(request: &Request) -> SessionOrigin {
    let address = request.extensions().get::<ClientAddress>().map(|address| IpAddr::to_string(&address.0));
    let agent = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok());
    let agent = agent.map(|agent| agent.chars().take(LONGEST_AGENT).collect());
    SessionOrigin { sign_in: None, address, agent }
}
