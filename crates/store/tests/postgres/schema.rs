//! A schema of its own for each test, dropped at its end. A database of its own would take
//! far longer: the server writes out everything when it drops one.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio_postgres::{Client, NoTls};
use valetkey_store::postgres::Settings;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// An empty schema.
pub struct Schema {
    server: String,
    name: String,
}

impl Schema {
    /// Makes one, if there is a server.
    pub async fn make() -> Option<Self> {
        let server = valetkey_testkit::services::postgres()?;
        let name = format!("valetkey_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        connect(&server).await.batch_execute(&format!("CREATE SCHEMA {name}")).await.unwrap();
        Some(Self { server, name })
    }

    /// How the engine reaches it.
    pub fn settings(&self) -> Settings {
        Settings { url: self.url(), pool_size: 8, extra_ca: None }
    }

    /// How another user reaches it.
    pub fn settings_of(&self, user: &str, password: &str) -> Settings {
        let url = self.url();
        let (_, host) = url.rsplit_once('@').unwrap();
        Settings { url: format!("postgres://{user}:{password}@{host}"), ..self.settings() }
    }

    /// Its name, unlike any other's.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A connection beside the engine's.
    pub async fn client(&self) -> Client {
        connect(&self.url()).await
    }

    /// The server's URL, with this schema before all others. Connections carry its name. They wait longer than those of a node
    /// do: a machine that builds beside this may stand still for a while, and what is tested is not how long.
    fn url(&self) -> String {
        let (address, query) = self.server.split_once('?').unwrap_or((&self.server, ""));
        let name = &self.name;
        let options = format!("-csearch_path%3D{name}%20-cstatement_timeout%3D60s");
        format!("{address}?application_name={name}&options={options}&connect_timeout=30&{query}")
            .trim_end_matches('&')
            .to_owned()
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // A runtime cannot wait inside another one, so another thread does.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let drop = format!("DROP SCHEMA {name} CASCADE");
                connect(&server).await.batch_execute(&drop).await.unwrap();
            });
        });
        let _ = dropping.join();
    }
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
