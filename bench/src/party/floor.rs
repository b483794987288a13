//! The floor as a party: this program itself, started as the floor.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use tokio::process::Command;

use crate::drive::Lane;
use crate::process::Process;
use crate::wire::Request;
use crate::work::{SCOPE, lane};

/// A floor that listens.
pub struct Floor {
    pub address: SocketAddr,
    pub process: Process,
}

impl Floor {
    /// Starts it and waits until it says where.
    pub async fn start(folder: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("floor");
        let mut process = Process::start(command, &folder.join("floor.log"))?;
        let start = Instant::now();
        loop {
            if let Some(place) = process.said().split('"').nth(3) {
                return Ok(Self { address: place.parse()?, process });
            }
            process.check()?;
            if start.elapsed() > Duration::from_secs(10) {
                bail!("the floor did not start");
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// A form in, JSON out, whatever the work.
    pub fn lanes(&self, lanes: usize) -> Vec<Box<dyn Lane>> {
        let form = [("grant_type", "client_credentials"), ("scope", SCOPE)];
        let request = Request::new("POST", "/token", &self.address.to_string());
        let request = request.basic("opaque", "vk_cs_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG").form(&form);
        lane::repeat(vec![request], lanes, 200)
    }
}
