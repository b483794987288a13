//! The page that runs every flow step by step, for newcomers. Owns what it says; its script under `static/playground`
//! asks the endpoints like any other app, and takes every word it shows from this page.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, Language, View, respond, view::spoken};

#[cfg(test)]
mod tests;

/// The playground, which is also what its app is sent back to.
#[derive(Debug, Clone, Template)]
#[template(path = "playground.html")]
pub struct PlaygroundPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// The issuer of tokens, which is also where the endpoints are.
    pub issuer: String,
    /// The public client that the page plays.
    pub app: String,
    /// Where codes for it are sent: this page again.
    pub redirect_uri: String,
    /// What it asks for.
    pub scope: String,
    /// The confidential client of the commands.
    pub service: String,
    /// Who can sign in.
    pub user: String,
}

impl PlaygroundPage {
    /// What the page does, for those who run no script: a title and a command for each step.
    fn commands(&self) -> Vec<(String, String)> {
        let Self { issuer, app, redirect_uri, scope, .. } = self;
        let language = self.language;
        let unpadded = "tr '+/' '-_' | tr -d '=\\n'";
        let token = |more: &[&str]| {
            let fields: Vec<_> = more.iter().map(|field| format!(" \\\n  -d {field}")).collect();
            format!("curl {issuer}/token \\\n  -d client_id={app}{}", fields.concat())
        };
        let make = format!(
            "VERIFIER=$(head -c 32 /dev/urandom | base64 | {unpadded})\n\
             CHALLENGE=$(printf %s \"$VERIFIER\" | openssl dgst -sha256 -binary | base64 | {unpadded})"
        );
        let open = format!(
            "echo \"{issuer}/authorize?response_type=code&client_id={app}&redirect_uri={redirect_uri}&scope={}\
             &state=$RANDOM&code_challenge=$CHALLENGE&code_challenge_method=S256\"",
            scope.replace(' ', "+")
        );
        let redirect = format!("redirect_uri={redirect_uri}");
        let trade =
            token(&["grant_type=authorization_code", "code=\"$CODE\"", &redirect, "code_verifier=\"$VERIFIER\""]);
        let rotate = token(&["grant_type=refresh_token", "refresh_token=\"$REFRESH_TOKEN\""]);
        let user = format!("curl {issuer}/userinfo \\\n  -H \"Authorization: Bearer $ACCESS_TOKEN\"");
        let revoke = format!("curl -i {issuer}/revoke \\\n  -d client_id={app} \\\n  -d token=\"$REFRESH_TOKEN\"");
        let device = format!("curl {issuer}/device/code \\\n  -d client_id={app} \\\n  -d scope=\"{scope}\"");
        vec![
            (language.say("play-make"), make),
            (language.say("play-curl-open"), open),
            (language.say("play-trade"), trade),
            (language.say("play-use"), user),
            (language.say("play-rotate"), rotate),
            (language.say("play-revoke"), revoke),
            (language.say("play-device-ask"), device),
            (language.say("play-service-button"), self.service_command()),
        ]
    }

    /// The secret stays a shell variable: a page that anyone can read does not show it.
    fn service_command(&self) -> String {
        let Self { issuer, service, .. } = self;
        format!(
            "curl {issuer}/token \\\n  -d grant_type=client_credentials \\\n  -d client_id={service} \\\n  \
             -d client_secret=\"$CLIENT_SECRET\""
        )
    }
}

/// Answers with the page. It may run our script, which may ask this server, and no other.
pub fn page(view: &PlaygroundPage) -> Response {
    respond::html_with_script(StatusCode::OK, view)
}

spoken!(PlaygroundPage);

impl View for PlaygroundPage {
    fn samples() -> Vec<Self> {
        vec![Self {
            brand: Arc::default(),
            language: Language::English,
            issuer: "http://127.0.0.1:8080".into(),
            app: "demo-app".into(),
            redirect_uri: "http://127.0.0.1:8080/playground/callback".into(),
            scope: "openid profile email offline_access".into(),
            service: "demo-service".into(),
            user: "demo".into(),
        }]
    }
}
