//! The program: flags in, a listening server out.

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, bail};
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use clap::{Parser, ValueEnum};
use example_resource_server::{World, app, app::default_quota};
use valetkey_rest::{
    Clock,
    bearer::{
        Challenge, Verify,
        introspection::{IntrospectionVerify, Introspector},
        jwks::{JwksVerify, Trust},
    },
};

/// Serves the users of a shop to callers with tokens of an authorization server.
#[derive(Parser)]
struct Flags {
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
    /// The authorization server that issues tokens.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    issuer: String,
    /// The audience that tokens must have. Without it, introspection takes tokens for any.
    #[arg(long)]
    audience: Option<String>,
    /// How tokens are verified.
    #[arg(long, value_enum, default_value = "jwks")]
    verify: Way,
    /// The client that this server is, for introspection.
    #[arg(long, required_if_eq("verify", "introspection"))]
    client_id: Option<String>,
    /// A file that holds the secret of that client.
    #[arg(long, required_if_eq("verify", "introspection"))]
    client_secret_file: Option<PathBuf>,
    /// An origin whose pages may call. May be given several times.
    #[arg(long = "origin")]
    origins: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Way {
    /// Here, with the published keys: JWT access tokens.
    Jwks,
    /// By asking the issuer: tokens of any kind, and revocation at once.
    Introspection,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let flags = Flags::parse();
    let clock: Clock = Arc::new(wall_clock);
    let mut cursor_key = [0; 32];
    SystemRandom::new().fill(&mut cursor_key).ok().context("the system has no randomness")?;
    let world = World {
        problems: flags.issuer.clone(),
        verify: verifier(&flags, &clock)?,
        challenge: Challenge { realm: "shop".into(), resource_metadata: None },
        quota: default_quota(),
        origins: flags.origins.clone(),
        cursor_key,
        clock,
        random: Arc::new(fill),
    };
    let listener = tokio::net::TcpListener::bind(flags.listen).await.context("cannot listen")?;
    println!("serving http://{}/api/users", listener.local_addr()?);
    axum::serve(listener, app(world)).await.context("the server stopped")
}

fn verifier(flags: &Flags, clock: &Clock) -> anyhow::Result<Arc<dyn Verify>> {
    let issuer = flags.issuer.trim_end_matches('/');
    // Keys and introspections come from where we were told, and not from where a redirect leads.
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    match (flags.verify, &flags.client_id, &flags.client_secret_file) {
        (Way::Jwks, ..) => {
            let audience = flags.audience.clone().unwrap_or_else(|| format!("{issuer}/api"));
            let trust = Trust { issuer: issuer.to_owned(), audience, jwks_uri: format!("{issuer}/jwks") };
            Ok(Arc::new(JwksVerify::new(trust, http, clock.clone())))
        }
        (Way::Introspection, Some(client_id), Some(file)) => {
            let secret = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            let introspector = Introspector {
                endpoint: format!("{issuer}/introspect"),
                client_id: client_id.clone(),
                client_secret: secret.trim().to_owned(),
                audience: flags.audience.clone(),
            };
            Ok(Arc::new(IntrospectionVerify::new(introspector, http, clock.clone())))
        }
        (Way::Introspection, ..) => bail!("introspection needs --client-id and --client-secret-file"),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the program's one real clock")]
fn wall_clock() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Randomness that failed would have failed at start. Ids are no secrets: without it they would be the time alone.
fn fill(bytes: &mut [u8]) {
    let _ = SystemRandom::new().fill(bytes);
}
