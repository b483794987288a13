//! What the command line can say of apps.

use clap::{Args, Subcommand};

use super::super::client::certificate::CertificateTerms;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ClientCommand {
    /// Register an app; its secret is printed once
    Add {
        /// What people call it
        #[arg(long)]
        name: String,
        /// Its id; one is made if none is given
        #[arg(long)]
        id: Option<String>,
        /// Cannot keep a secret: runs in a browser, on a phone or on a desk
        #[arg(long)]
        public: bool,
        #[command(flatten)]
        terms: ClientTerms,
    },
    /// List registered apps
    List,
    /// Change an app; what is not named stays
    Edit {
        /// Its id
        id: String,
        /// A new name
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        terms: ClientTerms,
    },
    /// Give an app a new secret; the old one works on for a while
    RotateSecret {
        /// Its id
        id: String,
        /// How long the old secret works on, such as 24h or 0s
        #[arg(long, default_value = "24h")]
        overlap: String,
    },
    /// Remove an app; its tokens and sessions end
    Remove {
        /// Its id
        id: String,
    },
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ClientTerms {
    /// Where codes may be sent, compared byte for byte; may be repeated
    #[arg(long = "redirect-uri", value_name = "URI")]
    pub(in crate::cli) redirect_uris: Vec<String>,
    /// Whether the port of a redirect URI on 127.0.0.1 or [::1] may differ, for native apps: on or off [default: off]
    #[arg(long, value_name = "SWITCH")]
    pub(in crate::cli) loopback_any_port: Option<String>,
    /// A grant_type: client_credentials, authorization_code, refresh_token, device_code; may be repeated
    #[arg(long = "grant", value_name = "GRANT")]
    pub(in crate::cli) grants: Vec<String>,
    /// A scope it may ask for; may be repeated, or several with spaces
    #[arg(long = "scope", value_name = "SCOPE")]
    pub(in crate::cli) scopes: Vec<String>,
    /// opaque; jwt for the server's algorithm; or es256, rs256, eddsa [default: the server's setting]
    #[arg(long, value_name = "FORMAT")]
    pub(in crate::cli) access_token: Option<String>,
    /// What signs its id_tokens: rs256, es256 or eddsa [default: rs256]
    #[arg(long, value_name = "ALG")]
    pub(in crate::cli) id_token: Option<String>,
    /// Whether each use of a refresh token voids it: on or off [default: on]
    #[arg(long, value_name = "SWITCH")]
    pub(in crate::cli) refresh_rotation: Option<String>,
    /// How long the last refresh token again is taken for a retry, at most 60s [default: 0s]
    #[arg(long, value_name = "TIME")]
    pub(in crate::cli) refresh_retry_window: Option<String>,
    /// Whose tokens it may introspect: own, or any for a resource server
    #[arg(long, value_name = "WHOSE")]
    pub(in crate::cli) introspect: Option<String>,
    /// Under which names it knows people: public, or pairwise for names that no app of another sector sees
    #[arg(long, value_name = "NAMES")]
    pub(in crate::cli) subject: Option<String>,
    /// Apps of one sector see the same pairwise names [default: the host of the redirect URIs]
    #[arg(long, value_name = "HOST")]
    pub(in crate::cli) sector: Option<String>,
    /// A web origin whose pages may read answers for it, such as https://app.example.com; may be repeated
    #[arg(long = "origin", value_name = "ORIGIN")]
    pub(in crate::cli) origins: Vec<String>,
    /// Where a browser may be sent after a sign-out, compared byte for byte; may be repeated
    #[arg(long = "post-logout-redirect-uri", value_name = "URI")]
    pub(in crate::cli) post_logout_redirect_uris: Vec<String>,
    /// Where it wants to be told that a user signed out (OpenID Connect Back-Channel Logout)
    #[arg(long, value_name = "URI")]
    pub(in crate::cli) backchannel_logout_uri: Option<String>,
    /// The version of the API that its requests mean when they say none: a number, or a day such as 2026-01-31; `none` for
    /// no pin
    #[arg(long, value_name = "VERSION")]
    pub(in crate::cli) api_version: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) certificate: CertificateTerms,
}
