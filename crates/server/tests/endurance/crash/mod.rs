//! Servers and databases that are killed at any moment under load: each answered write is there afterwards, what was used
//! up stays used up, a key is good for one row, and what was ended stays ended.

mod blow;
mod orders;
mod sessions;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;

use crate::app::App;
use crate::chance::Chance;
use crate::device_code;
use crate::house::{Engine, House, Registered, eventually};
use crate::own_postgres::OwnPostgres;
use crate::person::Person;
use crate::plan::Plan;
use crate::told::Counts;
use blow::Blow;
use orders::{Clerk, Counter};
use sessions::{Desk, Opener, Visitor};

const CLERKS: usize = 8;
const VISITORS: usize = 8;
/// Codes and devices for each visitor in a round.
const CODES: usize = 4;
/// Back on its feet by then.
const PATIENCE: Duration = Duration::from_secs(30);

/// The two who call, in a house.
struct Shop {
    till: Registered,
    app: App,
    ada: Person,
}

impl Shop {
    fn open(house: &House) -> Self {
        let till = house.client("till", &[]);
        let grants = ["--grant", "authorization_code", "--grant", "refresh_token", "--grant", "device_code"];
        let mut add = vec!["client", "add", "--name", "app", "--id", "app", "--redirect-uri", crate::app::CALLBACK];
        add.extend(grants);
        add.extend(["--scope", crate::app::SCOPE]);
        let made = house.json(&add);
        let secret = made["client_secret"].as_str().unwrap().to_owned();
        let app = App { client: Registered { id: "app".to_owned(), secret } };
        Self { till, app, ada: Person::new(house, "ada") }
    }

    async fn counter(&self, house: &House) -> Counter {
        let token = house.token(&self.till).await;
        Counter { http: house.http.clone(), origin: house.origin.clone(), token }
    }

    fn desk(&self, house: &House) -> Desk {
        Desk { http: house.http.clone(), origin: house.origin.clone(), client: self.app.client.clone() }
    }

    /// What visitors use up in a round, made while all is calm.
    async fn openers(&mut self, house: &House) -> Vec<Opener> {
        self.ada.move_to(house);
        let mut openers = Vec::new();
        let question = device_code::ask(house, &self.app.client).await;
        device_code::let_in(&self.ada, &question).await;
        openers.push(Opener::Device(question.device_code));
        for _ in 1..CODES {
            openers.push(Opener::Code(self.ada.allow(&self.app, &[]).await.code().to_owned()));
        }
        openers
    }
}

/// Everyone at work until told to stop.
struct Crowd {
    stop: Arc<AtomicBool>,
    clerks: JoinSet<Clerk>,
    visitors: JoinSet<Visitor>,
}

impl Crowd {
    async fn start(house: &House, shop: &mut Shop, name: &str, chance: &mut Chance) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let (mut clerks, mut visitors) = (JoinSet::new(), JoinSet::new());
        let (counter, desk) = (shop.counter(house).await, shop.desk(house));
        let mut openers = Vec::new();
        for _ in 0..VISITORS {
            openers.push(shop.openers(house).await);
        }
        for number in 0..CLERKS {
            let (stop, counter) = (stop.clone(), counter.clone());
            let mut clerk = Clerk::new(format!("{name}c{number}"), Chance::new(chance.next()));
            clerks.spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    breathe(clerk.work(&counter).await).await;
                }
                clerk
            });
        }
        for (number, openers) in openers.into_iter().enumerate() {
            let (stop, desk) = (stop.clone(), desk.clone());
            let mut visitor = Visitor::new(format!("{name}v{number}"), Chance::new(chance.next()), openers);
            visitors.spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    breathe(visitor.work(&desk).await).await;
                }
                visitor
            });
        }
        Self { stop, clerks, visitors }
    }

    async fn end(self) -> (Vec<Clerk>, Vec<Visitor>) {
        self.stop.store(true, Ordering::Relaxed);
        (self.clerks.join_all().await, self.visitors.join_all().await)
    }
}

/// Who was not answered waits a little, so that an outage does not become a flood.
async fn breathe(answered: bool) {
    if !answered {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Proves all that they know; answers what happened to them, and how many orders and sessions were looked at.
async fn prove(house: &House, shop: &Shop, clerks: Vec<Clerk>, visitors: Vec<Visitor>) -> (Counts, usize, usize) {
    let (counter, desk) = (shop.counter(house).await, shop.desk(house));
    let (mut writing, mut visiting) = (JoinSet::new(), JoinSet::new());
    for mut clerk in clerks {
        let counter = counter.clone();
        writing.spawn(async move { (clerk.prove(&counter).await, clerk.counts) });
    }
    for mut visitor in visitors {
        let desk = desk.clone();
        visiting.spawn(async move { (visitor.prove(&desk).await, visitor.counts) });
    }
    let (mut counts, mut orders, mut sessions) = (Counts::default(), 0, 0);
    for (proven, other) in writing.join_all().await {
        orders += proven;
        counts.add(other);
    }
    for (proven, other) in visiting.join_all().await {
        sessions += proven;
        counts.add(other);
    }
    (counts, orders, sessions)
}

async fn survive(mut house: House, mut postgres: Option<OwnPostgres>, plan: Plan) {
    let mut shop = Shop::open(&house);
    let (mut all, mut orders, mut sessions) = (Counts::default(), 0, 0);
    for round in 0..plan.rounds {
        let mut chance = plan.chance(round);
        let blow = Blow::choose(plan.seed, round, postgres.is_some());
        let name = format!("s{}r{round}", plan.seed);
        let crowd = Crowd::start(&house, &mut shop, &name, &mut chance).await;
        // The moment is what is tested, so it comes unannounced.
        tokio::time::sleep(plan.moment(&mut chance)).await;
        blow.strike(&mut house, postgres.as_mut(), &mut chance).await;
        if blow.spares_server() {
            tokio::time::sleep(Duration::from_millis(u64::try_from(chance.among(0..200)).unwrap())).await;
        }
        let (clerks, visitors) = crowd.end().await;
        blow.mend(&mut house, postgres.as_mut()).await;
        eventually(PATIENCE, async || house.get("/readyz").send().await.is_ok_and(|answer| answer.status() == 200))
            .await;
        eprintln!("round {round}: {blow:?}");
        let (counts, made, opened) = prove(&house, &shop, clerks, visitors).await;
        all.add(counts);
        (orders, sessions) = (orders + made, sessions + opened);
        assert_eq!(all.complaints, [""; 0]);
    }
    eprintln!(
        "{orders} orders and {sessions} sessions are as answered; {:?}, {} unanswered, longest wait {:?}",
        all.statuses, all.unanswered, all.longest
    );
    assert!(all.unanswered + all.statuses.get(&503).copied().unwrap_or_default() > 0, "nothing was hit");
}

/// Tokens name their issuer, and a server that starts again has another port.
const ORIGIN: (&str, &str) = ("VALETKEY_PUBLIC_URL", "http://127.0.0.1:8080");

#[tokio::test]
async fn what_was_answered_outlives_a_killed_server_on_sqlite() {
    let plan = Plan::read(3, Duration::from_millis(900));
    let house = House::with(Engine::Sqlite, &[ORIGIN]).await.unwrap();
    survive(house, None, plan).await;
}

#[tokio::test]
async fn what_was_answered_outlives_killed_servers_and_databases_on_postgresql() {
    let Some(postgres) = OwnPostgres::start().await else { return };
    let plan = Plan::read(3, Duration::from_millis(900));
    let root = ("VALETKEY_ROOT_KEY", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=");
    let settings = [ORIGIN, root, ("VALETKEY_DATABASE", postgres.url.as_str())];
    let house = House::with(Engine::Sqlite, &settings).await.unwrap();
    survive(house, Some(postgres), plan).await;
}
