//! What is killed, and how it comes back.

use std::time::Duration;

use crate::chance::Chance;
use crate::house::House;
use crate::own_postgres::OwnPostgres;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blow {
    /// The server, with SIGKILL.
    Server,
    /// PostgreSQL as a whole, by its own emergency stop.
    Stop,
    /// PostgreSQL as a whole, with SIGKILL for every process.
    Kill,
    /// One of its processes, with SIGKILL: PostgreSQL then ends all others and recovers by itself.
    Backend,
    /// PostgreSQL and the server, shortly after each other.
    Both,
}

impl Blow {
    /// Another one each round, so that a few rounds see most of them.
    pub fn choose(seed: u64, round: usize, has_postgres: bool) -> Self {
        const ALL: [Blow; 5] = [Blow::Stop, Blow::Server, Blow::Kill, Blow::Backend, Blow::Both];
        let turn = usize::try_from(seed % 5).unwrap() + round;
        if has_postgres { ALL[turn % ALL.len()] } else { Self::Server }
    }

    /// Does the server itself live on?
    pub fn spares_server(self) -> bool {
        !matches!(self, Self::Server | Self::Both)
    }

    pub async fn strike(self, house: &mut House, postgres: Option<&mut OwnPostgres>, chance: &mut Chance) {
        match (self, postgres) {
            (Self::Server, _) | (_, None) => house.kill(),
            (Self::Stop, Some(postgres)) => postgres.crash(),
            (Self::Kill, Some(postgres)) => postgres.kill(),
            (Self::Backend, Some(postgres)) => postgres.kill_one(chance),
            (Self::Both, Some(postgres)) => {
                let pause = Duration::from_millis(u64::try_from(chance.among(0..30)).unwrap());
                if chance.percent(50) {
                    postgres.kill();
                    tokio::time::sleep(pause).await;
                    house.kill();
                } else {
                    house.kill();
                    tokio::time::sleep(pause).await;
                    postgres.kill();
                }
            }
        }
    }

    pub async fn mend(self, house: &mut House, postgres: Option<&mut OwnPostgres>) {
        if let Some(postgres) = postgres
            && matches!(self, Self::Stop | Self::Kill | Self::Both)
        {
            postgres.resume().await;
        }
        if !self.spares_server() {
            house.start().await;
        }
    }
}
