//! Whom an answer is for. Only a browser has to know: it asks whether a page may read it.

use axum::response::Response;
use http::HeaderMap;
use http::header::ORIGIN;
use valetkey_oauth::model::ClientId;
use valetkey_rest::cors::ForClient;

/// The client that an answer is for, once it is known.
pub(crate) struct Reader {
    is_asked: bool,
    client: Option<ForClient>,
}

impl Reader {
    /// Nobody yet.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        Self { is_asked: headers.contains_key(ORIGIN), client: None }
    }

    /// It is this client, whatever the answer is.
    pub(crate) fn is(&mut self, client: &ClientId) {
        if self.is_asked {
            self.client = Some(ForClient(client.as_str().into()));
        }
    }

    /// Writes it beside the answer.
    pub(crate) fn mark(self, mut response: Response) -> Response {
        if let Some(client) = self.client {
            response.extensions_mut().insert(client);
        }
        response
    }
}
