//! Calls that the server makes itself. One client for all of them: it reaches public addresses and what an operator
//! allows, follows no redirect, knows no proxy, and waits and reads for only so long.

mod address;
mod resolver;
mod signature;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use ipnet::IpNet;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder, RequestBuilder, Response};
use rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

pub use address::Reach;
use resolver::Checked;
pub use signature::sign;

/// For a call as a whole, its answer included.
const PATIENCE: Duration = Duration::from_secs(10);
/// For the connection alone.
const CONNECT: Duration = Duration::from_secs(5);
/// More than this is read of no answer: key sets and the like are a few KiB.
const MOST: usize = 64 * 1024;

/// Why a client for outgoing calls cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// The extra authorities cannot be read.
    #[error("outbound.extra_ca: the certificates in {path} are not usable: {why}. Name a PEM file with at least one")]
    ExtraCa {
        /// Which file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// TLS cannot be set up.
    #[error("TLS for outgoing calls cannot be set up: {0}")]
    Setup(#[source] reqwest::Error),
    /// TLS has no version to speak.
    #[error("TLS for outgoing calls cannot be set up: {0}")]
    Versions(#[source] rustls::Error),
}

/// Why a call came to nothing. Names neither the query nor the credentials of a URL.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It is no URL that can be called.
    #[error("the URL cannot be called")]
    BadUrl,
    /// The address is not one that may be called.
    #[error("{0} is no public address, and outbound.allow does not name it")]
    Refused(String),
    /// Plain HTTP is for allowed networks.
    #[error("plain HTTP is spoken only to addresses that outbound.allow names")]
    NotSecure,
    /// The answer has no end, or a far one.
    #[error("the answer is longer than {MOST} bytes")]
    TooLong,
    /// Nobody answered, or not in time, or not over TLS that is trusted.
    #[error("{0}")]
    Failed(String),
}

/// The client for every call of our own. Cheap to clone.
#[derive(Clone)]
pub struct Outbound {
    reach: Arc<Reach>,
    /// Over TLS, to public and allowed addresses. Made with the first call: the authorities of a system take megabytes,
    /// and a server that calls nobody needs none. A system without any can verify nobody; that is told to whoever calls.
    secure: Arc<OnceLock<Result<Client, String>>>,
    /// In the clear, to allowed addresses alone.
    plain: Client,
}

impl Outbound {
    /// A client that reaches public addresses and `allow`, and trusts the system's authorities and those in `extra_ca`.
    pub fn new(allow: &[IpNet], extra_ca: Option<&Path>) -> Result<Self, OutboundError> {
        let certificates = extra_ca.map(read_certificates).transpose()?.unwrap_or_default();
        let reach = Arc::new(Reach::new(allow));
        let secure = OnceLock::new();
        if !certificates.is_empty() {
            // What an operator named is looked at while the operator looks on.
            let client = speaking_tls(&reach).tls_certs_merge(certificates).build().map_err(OutboundError::Setup)?;
            secure.get_or_init(|| Ok(client));
        }
        let plain =
            cautious().tls_backend_preconfigured(trusting_nobody()?).dns_resolver(Checked::plain(reach.clone()));
        Ok(Self { reach, secure: Arc::new(secure), plain: plain.build().map_err(OutboundError::Setup)? })
    }

    fn secure(&self) -> Result<&Client, CallError> {
        let build = || speaking_tls(&self.reach).build().map_err(|error| innermost(&error).to_string());
        self.secure.get_or_init(build).as_ref().map_err(|why| {
            CallError::Failed(format!(
                "TLS cannot be set up: {why}. Install the certificates of the system, or set outbound.extra_ca"
            ))
        })
    }

    /// Posts a body and answers the status. What else the receiver says is not read.
    pub async fn post(&self, url: &str, headers: HeaderMap, body: Vec<u8>) -> Result<StatusCode, CallError> {
        let url = Url::parse(url).map_err(|_| CallError::BadUrl)?;
        let request = self.client(&url)?.post(url).headers(headers).body(body);
        Ok(send(request).await?.status())
    }

    /// Posts a body and answers the status and a few KiB of what was said. Waits so long and no longer.
    pub async fn call(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
        patience: Duration,
    ) -> Result<(StatusCode, Bytes), CallError> {
        let url = Url::parse(url).map_err(|_| CallError::BadUrl)?;
        let request = self.client(&url)?.post(url).headers(headers).body(body).timeout(patience);
        let answer = send(request).await?;
        Ok((answer.status(), read(answer).await?))
    }

    /// Posts a body and answers the status and a few KiB of what was said.
    pub async fn exchange(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<(StatusCode, Bytes), CallError> {
        self.call(url, headers, body, PATIENCE).await
    }

    /// Fetches a document of a few KiB. Anything but 200 is a failure.
    pub async fn fetch(&self, url: &str, headers: HeaderMap) -> Result<Bytes, CallError> {
        let url = Url::parse(url).map_err(|_| CallError::BadUrl)?;
        let answer = send(self.client(&url)?.get(url).headers(headers)).await?;
        if answer.status() != StatusCode::OK {
            return Err(CallError::Failed(format!("it answered {}", answer.status().as_u16())));
        }
        read(answer).await
    }

    /// Chooses the client by the scheme. An address in the URL itself never reaches a resolver, so it is checked here.
    fn client(&self, url: &Url) -> Result<&Client, CallError> {
        let is_secure = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(CallError::BadUrl),
        };
        let literal = match url.host().ok_or(CallError::BadUrl)? {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
        };
        if let Some(address) = literal {
            match is_secure {
                true if !self.reach.may_call(address) => return Err(CallError::Refused(address.to_string())),
                false if !self.reach.may_call_in_the_clear(address) => return Err(CallError::NotSecure),
                _ => {}
            }
        }
        if is_secure { self.secure() } else { Ok(&self.plain) }
    }
}

fn speaking_tls(reach: &Arc<Reach>) -> ClientBuilder {
    cautious().https_only(true).dns_resolver(Checked::secure(reach.clone()))
}

fn cautious() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("valetkey/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(CONNECT)
        .timeout(PATIENCE)
        .pool_max_idle_per_host(1)
}

/// TLS for the client that never speaks it: no authority is looked for, and none is trusted.
fn trusting_nobody() -> Result<ClientConfig, OutboundError> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(OutboundError::Versions)?;
    Ok(config.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

fn read_certificates(path: &Path) -> Result<Vec<Certificate>, OutboundError> {
    let unusable = |why: String| OutboundError::ExtraCa { path: path.display().to_string(), why };
    let text = std::fs::read(path).map_err(|error| unusable(error.to_string()))?;
    let found = Certificate::from_pem_bundle(&text).map_err(|error| unusable(error.to_string()))?;
    if found.is_empty() { Err(unusable("no certificate found".to_owned())) } else { Ok(found) }
}

async fn send(request: RequestBuilder) -> Result<Response, CallError> {
    request.send().await.map_err(failed)
}

async fn read(mut answer: Response) -> Result<Bytes, CallError> {
    let mut body = BytesMut::new();
    while let Some(part) = answer.chunk().await.map_err(failed)? {
        if body.len() + part.len() > MOST {
            return Err(CallError::TooLong);
        }
        body.extend_from_slice(&part);
    }
    Ok(body.freeze())
}

/// `without_url` keeps the query out of it.
fn failed(error: reqwest::Error) -> CallError {
    if error.is_timeout() {
        return CallError::Failed("no answer in time".to_owned());
    }
    let error = error.without_url();
    let cause = innermost(&error);
    match cause.downcast_ref::<resolver::NoneLeft>() {
        Some(resolver::NoneLeft { name, secure: true }) => CallError::Refused(name.clone()),
        Some(resolver::NoneLeft { secure: false, .. }) => CallError::NotSecure,
        None => CallError::Failed(cause.to_string()),
    }
}

/// The first cause, which says most.
fn innermost(error: &reqwest::Error) -> &(dyn std::error::Error + 'static) {
    let mut cause: &(dyn std::error::Error + 'static) = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause
}
