//! The limit of the token endpoint: a client that proved itself is counted by its name, everyone else by their network.

use axum::response::{IntoResponse, Response};
use valetkey_oauth::grants::Caller;
use valetkey_oauth::model::{Client, ClientKind};
use valetkey_rest::problem::Problem;
use valetkey_rest::rate_limit::{Limiter, Policy, Unanswered, Verdict, Whose, network};

/// What the token endpoint counts with.
#[derive(Debug, Clone)]
pub struct TokenLimit {
    /// Who counts.
    pub limiter: Limiter,
    /// How many there may be.
    pub policy: Policy,
}

/// Nobody may ask at the moment.
pub(crate) enum Held {
    /// One too many.
    Spent(Box<Verdict>, Box<Problem>),
    /// Nobody counts, and nobody is let in uncounted.
    Away(Box<Problem>),
}

impl TokenLimit {
    /// Counts a request of this client, or of this address if no client proved itself.
    pub(crate) async fn count(&self, client: Option<&Client>, caller: &Caller) -> Result<Verdict, Held> {
        let whose = match (client, caller.address) {
            (None, None) => "address nowhere".into(),
            (None, Some(address)) => Whose::at("address", address),
            // Anyone can name a public client: from elsewhere, nobody uses up what it has here.
            (Some(client), address) if client.kind == ClientKind::Public => {
                let from = address.map_or_else(|| "nowhere".to_owned(), |address| network(address).to_string());
                format!("client {} {from}", client.id).as_str().into()
            }
            (Some(client), _) => format!("client {}", client.id).as_str().into(),
        };
        let charged = self.limiter.charge(vec![self.policy.charge(whose)]).await;
        let verdict = charged.map_err(|away| Held::Away(Box::new(away.into())))?;
        match verdict.refusal() {
            None => Ok(verdict),
            Some(problem) => Err(Held::Spent(Box::new(verdict), Box::new(problem))),
        }
    }
}

impl IntoResponse for Held {
    fn into_response(self) -> Response {
        // RFC 6749 has no word for it at this endpoint; every library understands the status, and this one is next to it.
        let word = "temporarily_unavailable";
        match self {
            Self::Away(problem) => {
                let mut response = problem.error_code(word).into_response();
                response.extensions_mut().insert(Unanswered);
                response
            }
            Self::Spent(verdict, problem) => {
                let mut response = problem.error_code(word).into_response();
                verdict.write(response.headers_mut());
                response
            }
        }
    }
}
