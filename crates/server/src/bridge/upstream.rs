//! Calls to other providers, and the providers as the rules want them.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use valetkey_oauth::accounts::SignInDesk;
use valetkey_oauth::model::Secret;
use valetkey_oauth::ports::{CallFailed, ClientProof, UpstreamCalls};
use valetkey_oauth::upstream::{Linking, Provider, UpstreamDesk};

use crate::config::{self, Config, LinkingRule};
use crate::outbound::{CallError, Outbound};

/// Speaks to providers through the one way out.
pub struct OutboundUpstream(pub Outbound);

#[async_trait]
impl UpstreamCalls for OutboundUpstream {
    async fn fetch(&self, url: &str, bearer: Option<&Secret>) -> Result<Vec<u8>, CallFailed> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(token) = bearer {
            headers.insert(AUTHORIZATION, hidden(&format!("Bearer {}", token.expose()))?);
        }
        Ok(self.0.fetch(url, headers).await.map_err(failed)?.to_vec())
    }

    async fn post(&self, url: &str, form: Secret, proof: ClientProof) -> Result<(u16, Vec<u8>), CallFailed> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        if let ClientProof::Basic(pair) = proof {
            headers.insert(AUTHORIZATION, hidden(&format!("Basic {}", pair.expose()))?);
        }
        let body = form.expose().as_bytes().to_vec();
        let (status, said) = self.0.exchange(url, headers, body).await.map_err(failed)?;
        Ok((status.as_u16(), said.to_vec()))
    }
}

fn hidden(text: &str) -> Result<HeaderValue, CallFailed> {
    let mut value = HeaderValue::try_from(text).map_err(|_| CallFailed("a token cannot be sent".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

fn failed(error: CallError) -> CallFailed {
    CallFailed(error.to_string())
}

/// A secret that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("providers.{id}.client_secret_file: {path} cannot be used: {why}")]
pub struct SecretError {
    id: String,
    path: String,
    why: String,
}

/// The providers of the settings; their secrets are read now.
pub fn providers(config: &Config) -> Result<Vec<Provider>, SecretError> {
    config.providers.iter().map(provider).collect()
}

/// Where people come in through other providers.
pub fn desk(providers: Vec<Provider>, desk: SignInDesk, outbound: Outbound) -> UpstreamDesk {
    UpstreamDesk::new(desk, providers, Arc::new(OutboundUpstream(outbound)))
}

fn provider(settings: &config::Provider) -> Result<Provider, SecretError> {
    let given = settings.client_secret.as_ref().map(|secret| Secret::new(secret.expose()));
    let secret = match &settings.client_secret_file {
        None => given,
        Some(path) => Some(read(path).map_err(|why| SecretError {
            id: settings.id.clone(),
            path: path.display().to_string(),
            why,
        })?),
    };
    Ok(Provider {
        id: settings.id.clone(),
        name: settings.label().to_owned(),
        issuer: settings.issuer.clone(),
        client_id: settings.client_id.clone(),
        secret,
        scopes: settings.scopes.join(" "),
        linking: match settings.linking {
            LinkingRule::VerifiedEmail => Linking::VerifiedEmail,
            LinkingRule::Admin => Linking::Admin,
        },
        makes_accounts: settings.create_accounts,
        domains: settings.email_domains.clone(),
        claims: settings.claims.iter().map(|rule| rule.0.clone()).collect(),
        renews_claims: settings.update_claims,
    })
}

fn read(path: &PathBuf) -> Result<Secret, String> {
    let text = std::fs::read_to_string(path).map(zeroize::Zeroizing::new).map_err(|error| error.to_string())?;
    if text.trim().is_empty() { Err("it is empty".to_owned()) } else { Ok(Secret::new(text.trim())) }
}
