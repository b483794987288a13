//! How an authorization request ends: pages and endpoints hand over an answer, and here it becomes a response.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use valetkey_endpoints::authorization::finish;
use valetkey_oauth::Authority;
use valetkey_oauth::accounts::{CarriedChange, SignInChange};
use valetkey_oauth::authorize::{Answer, AuthorizationResponse};
use valetkey_pages::form_post::{self, FormPostPage};
use valetkey_pages::{Brand, Language};

/// What the endings need.
#[derive(Clone)]
pub struct Endings {
    /// Whose words the errors are.
    pub authority: Arc<Authority>,
    /// The look of the form that posts itself.
    pub brand: Arc<Brand>,
}

/// Turns what was decided into what a browser does next.
pub async fn send(State(endings): State<Endings>, request: Request, next: Next) -> Response {
    let asked = Language::of_request(request.uri(), request.headers());
    let mut response = next.run(request).await;
    let change = response.extensions_mut().remove::<SignInChange>();
    let carried = response.extensions_mut().remove::<CarriedChange>();
    // A page knows what the app asked for in the request that it goes on with.
    let language = response.extensions_mut().remove::<Language>().unwrap_or(asked);
    if let Some(answer) = response.extensions_mut().remove::<Answer>() {
        response = finish(&endings.authority, answer);
        // The end may be an error, which is shown further out.
        response.extensions_mut().insert(language);
    }
    let mut response = match response.extensions_mut().remove::<AuthorizationResponse>() {
        None => response,
        Some(AuthorizationResponse { redirect_uri, parameters, .. }) => form_post::page(&FormPostPage {
            brand: endings.brand,
            language,
            action: redirect_uri,
            fields: parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        }),
    };
    // Whatever becomes of the answer, the cookies go with it.
    if let Some(change) = change {
        response.extensions_mut().insert(change);
    }
    if let Some(carried) = carried {
        response.extensions_mut().insert(carried);
    }
    response
}
