//! A way to the database that a test can cut and mend.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use url::Url;

/// Passes bytes on between the server and its database.
pub struct Relay {
    /// The database, by way of this relay.
    pub url: String,
    address: SocketAddr,
    database: String,
    passing: JoinHandle<()>,
}

impl Relay {
    /// A way to the database of this address.
    pub async fn to(database: &str) -> Self {
        let mut url = Url::parse(database).unwrap();
        let database = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(address.port())).unwrap();
        let passing = tokio::spawn(pass(listener, database.clone()));
        Self { url: url.to_string(), address, database, passing }
    }

    /// Ends all connections and takes no new ones.
    pub async fn cut(&mut self) {
        self.passing.abort();
        let _ = (&mut self.passing).await;
    }

    /// Takes connections again.
    pub async fn mend(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.passing = tokio::spawn(pass(listener, self.database.clone()));
    }
}

/// Dropped together with its connections.
async fn pass(listener: TcpListener, database: String) {
    let mut connections = JoinSet::new();
    loop {
        let (mut near, _) = listener.accept().await.unwrap();
        let mut far = TcpStream::connect(&database).await.unwrap();
        connections.spawn(async move { tokio::io::copy_bidirectional(&mut near, &mut far).await });
    }
}
