//! The clients of the works, registered with the command line as an operator would.

use anyhow::Context as _;
use serde::Deserialize;

use super::person::CALLBACK;
use super::serving::Settings;

/// A client that has a secret.
#[derive(Debug, Clone, Deserialize)]
pub struct Client {
    #[serde(rename = "client_id")]
    pub id: String,
    #[serde(rename = "client_secret")]
    pub secret: String,
}

/// One for each way to use the server.
#[derive(Debug)]
pub struct Clients {
    pub opaque: Client,
    pub es256: Client,
    pub rs256: Client,
    /// A resource server, which introspects.
    pub guard: Client,
    /// An app with people.
    pub web: Client,
    pub device: Client,
    /// Calls the declared API for itself.
    pub shop: Client,
}

const ORDERS: &str = "read:orders write:orders read:users write:users";

impl Clients {
    /// Registers them all.
    pub async fn register(settings: &Settings) -> anyhow::Result<Self> {
        let machine = |format| ["--grant", "client_credentials", "--scope", ORDERS, "--access-token", format];
        let add = |name, more| add(settings, name, more);
        Ok(Self {
            opaque: add("opaque", &machine("opaque")).await?,
            es256: add("es256", &machine("es256")).await?,
            rs256: add("rs256", &machine("rs256")).await?,
            guard: add("guard", &["--grant", "client_credentials", "--introspect", "any"]).await?,
            web: add(
                "web",
                &[
                    "--redirect-uri",
                    CALLBACK,
                    "--grant",
                    "authorization_code",
                    "--grant",
                    "refresh_token",
                    "--scope",
                    "openid offline_access read:orders",
                ],
            )
            .await?,
            device: add("device", &["--grant", "device_code", "--scope", ORDERS]).await?,
            shop: add("shop", &machine("opaque")).await?,
        })
    }
}

async fn add(settings: &Settings, name: &str, more: &[&str]) -> anyhow::Result<Client> {
    let mut command = settings.command();
    command.args(["client", "add", "--json", "--name", name, "--id", name]).args(more);
    let made = command.output().await?;
    serde_json::from_slice(&made.stdout)
        .with_context(|| format!("client add {name}: {}", String::from_utf8_lossy(&made.stderr)))
}
