//! The server under test as shipped, with what a busy one has: clients, a person, sessions, orders. Only through its
//! command line, its wire and, to fill it, its tables.

mod clients;
mod person;
mod serving;
mod stock;

use std::cell::{Cell, RefCell};
use std::net::{Ipv4Addr, SocketAddr};

pub use clients::{Client, Clients};
pub use person::{CALLBACK, NAME, SignInForm, VERIFIER};
pub use serving::{Serving, Settings, await_answer, free_port};
pub use stock::{Session, Stock};

use uuid::Uuid;

use crate::wire::Request;

/// A server that is up, and what is known about its content.
pub struct House {
    pub address: SocketAddr,
    pub serving: Serving,
    pub clients: Clients,
    /// Memory of its own right after the first start, in bytes.
    pub idle: u64,
    /// The token that calls the API.
    pub bearer: String,
    /// The cookies of the person's browser.
    pub cookie: String,
    /// Sessions that were opened over the wire, spread over all that there are.
    pub sessions: RefCell<Vec<Session>>,
    /// Ids of orders, spread over all that there are.
    pub orders: Vec<String>,
    /// Those of all others.
    pub others: Vec<Uuid>,
    addresses: Cell<u32>,
}

impl House {
    /// Starts it on an empty store and opens it for all works.
    pub async fn open(settings: Settings) -> anyhow::Result<Self> {
        let clients = Clients::register(&settings).await?;
        person::add(&settings).await?;
        let serving = Serving::start(settings).await?;
        let mut house = Self {
            address: serving.address,
            idle: serving.process.memory(),
            serving,
            clients,
            bearer: String::new(),
            cookie: String::new(),
            sessions: RefCell::default(),
            orders: Vec::new(),
            others: Vec::new(),
            addresses: Cell::new(0),
        };
        house.cookie = person::sign_in(&house).await?;
        house.bearer = house.api_token().await?;
        Ok(house)
    }

    /// A GET for anyone.
    pub fn get(&self, path: &str) -> Request {
        Request::new("GET", path, &self.address.to_string())
    }

    /// A POST for anyone.
    pub fn post(&self, path: &str) -> Request {
        Request::new("POST", path, &self.address.to_string())
    }

    /// A request to the declared API.
    pub fn api(&self, method: &str, path: &str) -> Request {
        Request::new(method, &format!("/api{path}"), &self.address.to_string()).bearer(&self.bearer)
    }

    /// An address of this machine that nobody has called from.
    pub fn fresh_address(&self) -> Ipv4Addr {
        let number = self.addresses.replace(self.addresses.get() + 1);
        Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 1, 0, 1)) + number)
    }
}
