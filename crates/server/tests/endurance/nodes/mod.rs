//! Three nodes on one PostgreSQL and one Redis, behind nginx.

mod nginx;
mod races;
mod restarts;
mod traffic;

use std::time::Duration;

use crate::app::App;
use crate::house::{Engine, House, Registered, eventually};
use crate::own_postgres::free_port;
use crate::person::Person;

/// Three nodes, and who may call them.
pub struct Nodes {
    pub houses: [House; 3],
    pub till: Registered,
    pub app: App,
    pub ada: Person,
}

impl Nodes {
    /// Started and ready. `public` is the port that clients call, if it is not that of a node.
    pub async fn start(public: Option<u16>) -> Option<Self> {
        let redis = valetkey_testkit::services::redis();
        let ports = [free_port(), free_port(), free_port()];
        let origin = format!("http://127.0.0.1:{}", public.unwrap_or(ports[0]));
        let mut settings = vec![
            ("VALETKEY_PUBLIC_URL", origin.as_str()),
            ("VALETKEY_TRUSTED_PROXIES", "127.0.0.1"),
            ("VALETKEY_LIMITS_NOTICE", "2s"),
            ("VALETKEY_DATABASE_POOL", "8"),
        ];
        if let Some(redis) = &redis {
            settings.push(("VALETKEY_REDIS", redis));
        }
        let mut first = House::unstarted(Engine::Postgres, &settings).await?;
        let mut houses = [first.neighbour(), first.neighbour()];
        first.listen = format!("127.0.0.1:{}", ports[0]);
        first.start().await;
        for (house, port) in houses.iter_mut().zip(&ports[1..]) {
            house.listen = format!("127.0.0.1:{port}");
            house.start().await;
        }
        let (till, app, ada) = (first.client("till", &[]), App::new(&first, "app"), Person::new(&first, "ada"));
        let [second, third] = houses;
        let nodes = Self { houses: [first, second, third], till, app, ada };
        for house in &nodes.houses {
            ready(house).await;
        }
        Some(nodes)
    }

    pub fn ports(&self) -> [u16; 3] {
        [0, 1, 2].map(|at| self.houses[at].listen.rsplit_once(':').unwrap().1.parse().unwrap())
    }
}

/// Waits until a node says that it can do its work.
pub async fn ready(house: &House) {
    let ask = async || house.get("/readyz").send().await.is_ok_and(|answer| answer.status() == 200);
    eventually(Duration::from_secs(20), ask).await;
}
