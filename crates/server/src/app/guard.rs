//! Who calls: the layers that find it out by a token or an API key, for every route that asks.

use std::sync::Arc;

use axum::Router;
use tower::Layer;
use valetkey_oauth::Authority;
use valetkey_oauth::model::API_KEY_PREFIX;
use valetkey_rest::api_key::{AddressOf, ApiKeyLayer, ApiKeyService};
use valetkey_rest::bearer::{BearerLayer, BearerService, Challenge, KeyOf};

use super::api::PREFIX;
use super::edge::ClientAddress;
use crate::bridge::api_key::OwnKeys;
use crate::bridge::bearer::OwnTokens;
use crate::bridge::certificate;

/// What lets those in who bring a good token or a good key. Outside: whoever is known by a key needs no token.
pub fn guards(authority: &Arc<Authority>) -> (ApiKeyLayer, BearerLayer) {
    (keys(authority), tokens(authority))
}

/// Lets those in who bring a good token or a good key.
pub fn guarded(routes: Router, authority: &Arc<Authority>) -> Router {
    routes.layer(guards(authority))
}

/// Lets everyone in, and knows those who bring a good token or a good key.
pub fn recognising(routes: Router, authority: &Arc<Authority>) -> Router {
    routes.layer((keys(authority).letting_on(), tokens(authority).letting_on()))
}

/// The same before a service that is no route.
pub fn recognised<S>(inner: S, authority: &Arc<Authority>) -> ApiKeyService<BearerService<S>> {
    keys(authority).letting_on().layer(tokens(authority).letting_on().layer(inner))
}

fn tokens(authority: &Arc<Authority>) -> BearerLayer {
    let (verify, clock) = (OwnTokens::of(authority.clone()), authority.clone());
    let shown: KeyOf = Arc::new(move |extensions| {
        let shown = certificate::of(extensions).filter(|certificate| certificate.holds_at(clock.now()));
        shown.map(|certificate| certificate.thumbprint)
    });
    BearerLayer::new(Arc::new(verify), challenge(authority)).shown_by(shown)
}

fn keys(authority: &Arc<Authority>) -> ApiKeyLayer {
    let address: AddressOf = Arc::new(|extensions| extensions.get::<ClientAddress>().map(|address| address.0));
    ApiKeyLayer::new(Arc::new(OwnKeys(authority.clone())), API_KEY_PREFIX, challenge(authority)).seen_from(address)
}

/// What every refusal says of where tokens come from.
pub fn challenge(authority: &Authority) -> Challenge {
    let issuer = &authority.policy.issuer;
    Challenge {
        realm: authority.policy.audience.clone(),
        resource_metadata: Some(format!("{issuer}/.well-known/oauth-protected-resource{PREFIX}")),
    }
}
