//! Who is measured: the server, the floor, and peers. Each has an address, a process and lanes for the works it knows.

mod floor;

pub use floor::Floor;

use std::net::SocketAddr;

use crate::drive::Lane;
use crate::house::House;
use crate::process::Process;
use crate::site::Site;
use crate::work::Work;

/// One of those that stand side by side.
pub enum Party {
    Server(Box<House>),
    Floor(Floor),
}

impl Party {
    /// Those that others have made, if they are wanted and can be had.
    pub async fn peers(_wanted: bool, _site: &Site) -> Vec<Self> {
        Vec::new()
    }

    /// The word in tables and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Server(_) => "valetkey",
            Self::Floor(_) => "floor",
        }
    }

    pub fn address(&self) -> SocketAddr {
        match self {
            Self::Server(house) => house.address,
            Self::Floor(floor) => floor.address,
        }
    }

    pub fn process(&mut self) -> &mut Process {
        match self {
            Self::Server(house) => &mut house.serving.process,
            Self::Floor(floor) => &mut floor.process,
        }
    }

    /// Everything that the lanes of a work need; none if this party does not know the work.
    pub async fn lanes(&self, work: Work, lanes: usize, most: usize) -> anyhow::Result<Option<Vec<Box<dyn Lane>>>> {
        match self {
            Self::Server(house) => work.lanes(house, lanes, most).await.map(Some),
            Self::Floor(floor) => Ok(Some(floor.lanes(lanes))),
        }
    }

    /// Ends it.
    pub async fn close(self) {
        match self {
            Self::Server(house) => house.serving.process.end().await,
            Self::Floor(floor) => floor.process.end().await,
        }
    }
}
