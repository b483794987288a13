//! `kill -9` in the middle of everything: what was answered holds, and what was issued still works.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::both_engines;
use crate::chance::Chance;
use crate::house::{House as AnyHouse, Registered};
use crate::load::{Load, Tally, active};

const ROUNDS: usize = 3;
const CLIENTS: usize = 16;
/// So much is done before a cut.
const TURNS: usize = 40;

both_engines! {
    async fn what_was_answered_outlives_a_power_cut(house: House) {
        let mut house = house;
        let mut chance = Chance::new(1);
        let till = house.client("till", &[]);
        let keys = house.get("/jwks").send().await.unwrap().text().await.unwrap();
        let mut all = Tally::default();
        let mut registered = Vec::new();

        for round in 0..ROUNDS {
            let load = Load::start(&house, &till, CLIENTS);
            let operator = Operator::start(&house, round);
            load.reaches(TURNS).await;
            // The moment of the cut is what is tested, so it comes unannounced.
            tokio::time::sleep(Duration::from_millis(chance.among(100..600).try_into().unwrap())).await;
            house.kill();
            let tally = load.end().await;
            registered.extend(operator.end());
            house.start().await;

            assert_eq!(tally.complaints, [""; 0]);
            assert_eq!(active(&house, &till, &tally.revoked).await, [""; 0], "a revocation was forgotten");
            assert_eq!(house.get("/jwks").send().await.unwrap().text().await.unwrap(), keys);
            all.add(tally);
        }

        eprintln!(
            "{:?}: {} revocations and {} registrations held, {} tokens still work, {} requests were cut",
            house.engine, all.revoked.len(), registered.len(), all.kept.len(), all.unanswered
        );
        assert!(all.revoked.len() > 50 && all.unanswered > 0, "the cuts came under load: {:?}", all.statuses);
        assert_eq!(active(&house, &till, &all.revoked).await, [""; 0]);
        assert_eq!(active(&house, &till, &all.kept).await.len(), all.kept.len());
        for client in &registered {
            house.token(client).await;
        }
    }
}

/// Someone who registers clients with the command all the while.
struct Operator {
    stop: Arc<AtomicBool>,
    work: thread::JoinHandle<Vec<Registered>>,
}

impl Operator {
    fn start(house: &AnyHouse, round: usize) -> Self {
        const MOST: usize = 40;
        let add = |number| {
            let id = format!("till-{round}-{number}");
            let mut command = house.command(&["client", "add", "--name", &id, "--id", &id]);
            command.args(["--grant", "client_credentials", "--scope", "read:orders", "--json"]).stderr(Stdio::null());
            command
        };
        let commands: Vec<_> = (0..MOST).map(add).collect();
        let stop = Arc::<AtomicBool>::default();
        let told = stop.clone();
        let work = thread::spawn(move || {
            let mut registered = Vec::new();
            for mut command in commands {
                if told.load(Ordering::Relaxed) {
                    break;
                }
                let output = command.output().unwrap();
                assert!(output.status.success(), "a command does not notice that the server was cut");
                let made: Value = serde_json::from_slice(&output.stdout).unwrap();
                let word = |name: &str| made[name].as_str().unwrap().to_owned();
                registered.push(Registered { id: word("client_id"), secret: word("client_secret") });
            }
            registered
        });
        Self { stop, work }
    }

    fn end(self) -> Vec<Registered> {
        self.stop.store(true, Ordering::Relaxed);
        self.work.join().unwrap()
    }
}
