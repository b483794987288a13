//! Who is measured: the server, the floor, and peers. Each has an address, a process and lanes for the works it knows.

mod floor;
mod kinto;
mod node;
mod registry;

pub use floor::Floor;

use std::net::SocketAddr;

use kinto::Kinto;
use node::Node;

use crate::drive::Lane;
use crate::house::House;
use crate::process::Process;
use crate::site::Site;
use crate::work::Work;

/// One of those that stand side by side.
pub enum Party {
    Server(Box<House>),
    /// The same server with an empty store.
    Empty(Box<House>),
    Floor(Box<Floor>),
    Node(Box<Node>),
    Kinto(Box<Kinto>),
}

impl Party {
    /// Those that others have made. One that cannot be had is left out, and said so.
    pub async fn peers(site: &Site, seconds: f64, rounds: usize, connections: usize) -> Vec<Self> {
        let mut peers = Vec::new();
        match Node::start(&site.folder, seconds, rounds).await {
            Ok(node) => peers.push(Self::Node(Box::new(node))),
            Err(error) => eprintln!("node-oidc-provider is left out: {error:#}"),
        }
        match Kinto::start(site, connections).await {
            Ok(kinto) => peers.push(Self::Kinto(Box::new(kinto))),
            Err(error) => eprintln!("Kinto is left out: {error:#}"),
        }
        peers
    }

    /// The word in tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Server(_) => "valetkey",
            Self::Empty(_) => "empty store",
            Self::Floor(_) => "floor",
            Self::Node(_) => "node-oidc-provider",
            Self::Kinto(_) => "Kinto",
        }
    }

    pub fn address(&self) -> SocketAddr {
        match self {
            Self::Server(house) | Self::Empty(house) => house.address,
            Self::Floor(floor) => floor.address,
            Self::Node(node) => node.address,
            Self::Kinto(kinto) => kinto.address,
        }
    }

    pub fn process(&mut self) -> &mut Process {
        match self {
            Self::Server(house) | Self::Empty(house) => &mut house.serving.process,
            Self::Floor(floor) => &mut floor.process,
            Self::Node(node) => &mut node.process,
            Self::Kinto(kinto) => &mut kinto.process,
        }
    }

    /// Everything that the lanes of a work need; none if this party does not know the work.
    pub async fn lanes(&self, work: Work, lanes: usize, most: usize) -> anyhow::Result<Option<Vec<Box<dyn Lane>>>> {
        match self {
            Self::Server(house) | Self::Empty(house) => work.lanes(house, lanes, most).await.map(Some),
            Self::Floor(floor) => Ok(Some(floor.lanes(lanes))),
            Self::Node(node) => Ok(node.lanes(work, lanes)),
            Self::Kinto(kinto) => Ok(kinto.lanes(work, lanes)),
        }
    }

    /// Ends it.
    pub async fn close(self) {
        match self {
            Self::Server(house) | Self::Empty(house) => house.serving.process.end().await,
            Self::Floor(floor) => floor.process.end().await,
            Self::Node(node) => node.process.end().await,
            Self::Kinto(kinto) => kinto.process.end().await,
        }
    }
}
