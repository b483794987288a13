//! A network that is cut between the server and PostgreSQL: nothing comes back, and nobody says that the other end is gone.
//!
//! PostgreSQL lives in a network namespace of its own, behind a pair of virtual interfaces. In a cut, what it sends is
//! dropped without a word; what it is sent still arrives, so that it may even commit what nobody hears of.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::house::eventually;
use crate::load::Load;
use crate::outage::{CLIENTS, PATIENCE, all_is_well, ask_in_vain, house_on, status};
use crate::own_postgres::OwnPostgres;
use crate::plan::Plan;
use crate::process::Process;

/// A network with one other machine in it. Dropping it removes it.
struct Network {
    name: String,
    here: String,
    there: String,
}

impl Network {
    /// Only root may do so; `None` says so on standard error.
    fn make() -> Option<Self> {
        let id = std::process::id();
        let (name, subnet) = (format!("vkcut{id}"), format!("10.213.{}", id % 250));
        let network = Self { name, here: format!("{subnet}.1"), there: format!("{subnet}.2") };
        let (ours, theirs) = (format!("vka{id}"), format!("vkb{id}"));
        let made = network.ip(&["netns", "add", &network.name])
            && network.ip(&["link", "add", &ours, "type", "veth", "peer", "name", &theirs, "netns", &network.name])
            && network.ip(&["address", "add", &format!("{}/30", network.here), "dev", &ours])
            && network.ip(&["link", "set", &ours, "up"])
            && network.inside(&["address", "add", &format!("{}/30", network.there), "dev", &theirs])
            && network.inside(&["link", "set", &theirs, "up"])
            && network.inside(&["link", "set", "lo", "up"]);
        if !made {
            eprintln!("skipped: needs the right to make a network namespace (ip netns, as root)");
        }
        made.then_some(network)
    }

    fn ip(&self, arguments: &[&str]) -> bool {
        Command::new("ip").args(arguments).output().is_ok_and(|output| output.status.success())
    }

    fn inside(&self, arguments: &[&str]) -> bool {
        self.ip(&[&["-n", &self.name], arguments].concat())
    }

    /// Nothing comes back from now on.
    fn cut(&self) {
        assert!(self.inside(&["route", "add", "blackhole", &format!("{}/32", self.here)]));
    }

    fn mend(&self) {
        assert!(self.inside(&["route", "del", "blackhole", &format!("{}/32", self.here)]));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.ip(&["netns", "del", &self.name]);
    }
}

#[tokio::test]
async fn a_network_that_is_cut_under_load_keeps_nobody_waiting_and_is_used_again_once_mended() {
    let Some(network) = Network::make() else { return };
    let Some(postgres) = OwnPostgres::start_in(Some(&network.name), &network.there).await else { return };
    let plan = Plan::read(1, Duration::from_millis(600));
    let house = house_on(&postgres).await;
    let server = Process(house.pid());
    let client = house.client("till", &[]);
    let (token, doubtful) = (house.token(&client).await, house.token(&client).await);
    let files = server.open_files();

    for round in 0..plan.rounds {
        let mut chance = plan.chance(round);
        let load = Load::start(&house, &client, CLIENTS);
        load.reaches(CLIENTS).await;
        tokio::time::sleep(plan.moment(&mut chance)).await;
        network.cut();
        ask_in_vain(&house, &client, &token, &doubtful).await;
        // Long enough for every connection of the pool to be in doubt.
        tokio::time::sleep(plan.moment(&mut chance)).await;
        network.mend();
        let mended = Instant::now();
        eventually(PATIENCE, async || status(&house, "/readyz").await == 200).await;
        eprintln!("ready {:?} after the network was mended", mended.elapsed());
        load.reaches(CLIENTS * 2).await;
        let tally = load.end().await;
        all_is_well(&house, &client, &tally).await;
    }
    assert_eq!(house.introspect(&client, &token).await["active"], true);
    assert!(server.open_files() < files + 3 * CLIENTS, "connections were left behind");
}
