//! `cargo xtask load`: fills a store, and tells what sessions and orders take on disk.

use std::time::Instant;

use crate::bench;
use crate::house::{House, Stock};
use crate::options::Load;
use crate::site::Site;

/// Sessions and orders that are made over the wire; the others are written into the tables.
const USED: u64 = 1_000;

pub async fn run(options: &Load) -> anyhow::Result<()> {
    let site = Site::prepare(&options.common, false).await?;
    let mut house = House::open(site.settings(Vec::new())?).await?;
    let stock = Stock { sessions: options.sessions, resources: options.resources, used: USED.min(options.sessions) };
    let start = Instant::now();
    let (sessions, orders) = bench::fill(&mut house, stock).await?;
    println!("{} in {:.1} s", bench::engine_name(options.common.engine), start.elapsed().as_secs_f64());
    for (what, footprint) in [("sessions", sessions), ("orders", orders)] {
        let (rows, bytes, each) = (footprint.rows, footprint.bytes, footprint.each());
        println!("{what}: {rows} rows, {bytes} bytes on disk, {each:.0} bytes each, indexes included");
    }
    println!("memory of the server: {:.1} MB", house.serving.process.memory() as f64 / 1e6);
    house.serving.process.end().await;
    site.close().await;
    Ok(())
}
