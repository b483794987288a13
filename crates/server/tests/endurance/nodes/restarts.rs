//! Nodes that are restarted, and nodes that are killed, one after the other under load.

use std::time::Duration;

use super::nginx::Nginx;
use super::traffic::Traffic;
use super::{Nodes, ready};
use crate::house::eventually;
use crate::plan::Plan;

const CALLERS: usize = 12;
/// Before, between and after restarts, so much is asked.
const TURNS: usize = 60;

async fn answers(nginx: &Nginx) {
    let ask =
        async || reqwest::get(format!("{}/readyz", nginx.origin)).await.is_ok_and(|answer| answer.status() == 200);
    eventually(Duration::from_secs(20), ask).await;
}

#[tokio::test]
async fn a_rolling_restart_under_load_fails_no_request() {
    let Some(port) = Nginx::reserve() else { return };
    let plan = Plan::read(1, Duration::from_millis(300));
    let Some(mut nodes) = Nodes::start(Some(port)).await else { return };
    let nginx = Nginx::start(port, nodes.ports());
    answers(&nginx).await;

    let mut answered = 0;
    for round in 0..plan.rounds {
        let mut chance = plan.chance(round);
        let traffic = Traffic::start(&nodes, &nginx.origin, CALLERS, &mut chance).await;
        traffic.goes_on(TURNS).await;
        for house in &mut nodes.houses {
            tokio::time::sleep(plan.moment(&mut chance)).await;
            assert_eq!(house.stop().await, Some(0));
            house.start().await;
            ready(house).await;
        }
        traffic.goes_on(TURNS).await;
        let outcome = traffic.end().await;
        answered += outcome.answered;
        assert_eq!(outcome.wrong, [""; 0]);
        assert_eq!(outcome.failed, [""; 0], "of {answered}; nginx says:\n{}", nginx.complaints());
    }
    eprintln!("{answered} requests were answered, none failed");
}

#[tokio::test]
async fn a_killed_node_costs_no_more_than_what_it_had_in_hand() {
    let Some(port) = Nginx::reserve() else { return };
    let plan = Plan::read(1, Duration::from_millis(300));
    let Some(mut nodes) = Nodes::start(Some(port)).await else { return };
    let nginx = Nginx::start(port, nodes.ports());
    answers(&nginx).await;

    let (mut answered, mut failed) = (0, 0);
    for round in 0..plan.rounds {
        let mut chance = plan.chance(round);
        let traffic = Traffic::start(&nodes, &nginx.origin, CALLERS, &mut chance).await;
        for at in 0..nodes.houses.len() {
            traffic.goes_on(TURNS).await;
            tokio::time::sleep(plan.moment(&mut chance)).await;
            nodes.houses[at].kill();
            traffic.goes_on(TURNS).await;
            nodes.houses[at].start().await;
            ready(&nodes.houses[at]).await;
            nginx.asks_again(nodes.ports()[at]).await;
        }
        traffic.goes_on(TURNS).await;
        let outcome = traffic.end().await;
        assert_eq!(outcome.wrong, [""; 0]);
        // Each caller has one request on its way when a node is killed.
        let most = CALLERS * nodes.houses.len();
        assert!(outcome.failed.len() <= most, "{:?}\n{}", outcome.failed, nginx.complaints());
        (answered, failed) = (answered + outcome.answered, failed + outcome.failed.len());
    }
    eprintln!("{answered} requests were answered, {failed} were cut");
}
