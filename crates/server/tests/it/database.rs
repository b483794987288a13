//! A PostgreSQL database for each test that needs one.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// A database of a test's own on the PostgreSQL that `./test` started.
pub struct Database {
    pub url: String,
    server: String,
    name: String,
}

impl Database {
    pub async fn make() -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let server = valetkey_testkit::services::postgres()?;
        let name = format!("it_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        execute(&server, &format!("CREATE DATABASE {name}")).await;
        let (address, _) = server.split_once('?').unwrap_or((&server, ""));
        let (address, _) = address.rsplit_once('/').unwrap();
        Some(Self { url: format!("{address}/{name}"), server: server.clone(), name })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // A runtime of its own: the test's may be going down.
        let dropped = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(execute(&server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")));
        });
        let _ = dropped.join();
    }
}

/// One statement on the server's own database.
async fn execute(server: &str, statement: &str) {
    let (client, connection) = tokio_postgres::connect(server, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(statement).await.unwrap();
    drop(client);
    let _ = connection.await;
}
