//! `valetkey ready`: asks the server that these settings describe whether it can do its work, for a supervisor that has
//! nothing else to ask with. Opens no store and needs no key.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use serde_json::json;

use super::Failure;
use super::output::Output;
use crate::config::Config;

/// Shorter than any supervisor waits, and longer than the server waits for its store.
const PATIENCE: Duration = Duration::from_secs(8);

pub(super) async fn run(config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let scheme = if config.has_tls() { "https" } else { "http" };
    let url = format!("{scheme}://{}/readyz", near(config.listen));
    // The certificate names the public host and not this address. Nothing is sent that someone else should not read, and
    // whoever can answer here instead of the server has this machine already.
    let client = Client::builder().tls_danger_accept_invalid_certs(true).no_proxy().redirect(Policy::none());
    let asked = client.timeout(PATIENCE).build()?.get(&url).send().await;
    let (ready, words) = match asked {
        Ok(answer) if answer.status() == 200 => (true, "ready".to_owned()),
        Ok(answer) => (false, format!("not ready: {url} answers {}", answer.status().as_u16())),
        Err(error) if error.is_timeout() => (false, format!("not ready: {url} does not answer")),
        Err(_) => (false, format!("not ready: nobody answers at {url}")),
    };
    output.print(&json!({ "ready": ready, "words": words }), || words.clone())?;
    Ok(if ready { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Where to reach a listener from this machine: one that listens everywhere also does so on loopback.
fn near(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_asked_on_loopback_and_others_where_they_are() {
        for (listen, asked) in
            [("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:443", "[::1]:443"), ("10.0.0.5:8080", "10.0.0.5:8080")]
        {
            assert_eq!(near(listen.parse().unwrap()).to_string(), asked);
        }
    }
}
