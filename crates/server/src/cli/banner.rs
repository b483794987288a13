//! What a person sees when the server has started: where it is, and commands that work when pasted.

use serde_json::{Value, json};
use valetkey_pages::api_docs;

use crate::app::demo::{self, Demonstration};

/// What the banner tells.
pub(super) struct Banner<'a> {
    pub(super) origin: &'a str,
    pub(super) listen: String,
    pub(super) engine: &'a str,
    pub(super) data: String,
    pub(super) demonstration: Option<&'a Demonstration>,
}

impl Banner<'_> {
    /// For programs.
    pub(super) fn value(&self) -> Value {
        let secret = |secret: &Option<_>| {
            secret.as_ref().map(|secret: &valetkey_oauth::model::Secret| secret.expose().to_owned())
        };
        let demonstration = self.demonstration.map(|made| {
            json!({
                "client_id": demo::SERVICE,
                "client_secret": secret(&made.service_secret),
                "username": demo::USER,
                "password": secret(&made.password),
            })
        });
        json!({
            "issuer": self.origin,
            "listen": self.listen,
            "engine": self.engine,
            "version": env!("CARGO_PKG_VERSION"),
            "demonstration": demonstration,
        })
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let origin = self.origin;
        let mut text = format!(
            "\n  Valetkey {} is at {origin}\n\n  API docs  {origin}{}\n  metadata  {origin}/.well-known/openid-configuration\n  sign in   {origin}/login\n  keys      \
             {origin}/jwks\n  health    {origin}/readyz\n  store     {} in {}\n",
            env!("CARGO_PKG_VERSION"),
            api_docs::PATH,
            self.engine,
            self.data,
        );
        if let Some(made) = self.demonstration {
            text += &demonstration(origin, made);
        }
        text
    }
}

fn demonstration(origin: &str, made: &Demonstration) -> String {
    let mut text = String::new();
    text += &format!("\n  Watch the flows        {origin}{}\n", demo::PLAYGROUND);
    if let Some(password) = &made.password {
        text += &format!("  Demonstration user     {}  password  {}\n", demo::USER, password.expose());
    }
    let Some(secret) = &made.service_secret else {
        text += &format!(
            "\n  The demonstration client is {}; its secret was shown at the first start.\n  For a new one: valetkey \
             client rotate-secret {}\n",
            demo::SERVICE,
            demo::SERVICE
        );
        return text;
    };
    let (id, secret) = (demo::SERVICE, secret.expose());
    text += &format!("  Demonstration client   {id}  secret  {secret}\n  Both are shown this once. Try:\n\n");
    text += &format!(
        "TOKEN=$(curl -s -u {id}:{secret} -d grant_type=client_credentials -d scope=read:orders {origin}/token | sed -E 's/.*\"access_token\":\"([^\"]+)\".*/\\1/'); echo $TOKEN\n\n"
    );
    text += &format!("curl -u {id}:{secret} -d token=$TOKEN {origin}/introspect\n\n");
    text += &format!("curl -i -u {id}:{secret} -d token=$TOKEN {origin}/revoke\n");
    text
}
