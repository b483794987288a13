//! A database of its own for each test, dropped at its end.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio_postgres::{Client, NoTls};
use valetkey_store::postgres::Settings;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// An empty database.
pub struct Database {
    server: String,
    name: String,
}

impl Database {
    /// Makes one, if there is a server.
    pub async fn make() -> Option<Self> {
        let server = valetkey_testkit::services::postgres()?;
        let name = format!("valetkey_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let client = connect(&server).await;
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).await.unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
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

    /// The server's URL, with this database in the place of the first one.
    pub fn url(&self) -> String {
        let (address, query) = self.server.split_once('?').unwrap_or((&self.server, ""));
        let (address, _) = address.rsplit_once('/').unwrap();
        format!("{address}/{}?{query}", self.name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // A runtime cannot wait inside another one, so another thread does.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
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
