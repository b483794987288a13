//! Kinto on PostgreSQL: the peer of the declared API.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use tokio::process::Command;

use super::registry::installed;
use crate::drive::Lane;
use crate::house::{await_answer, free_port};
use crate::process::Process;
use crate::site::Site;
use crate::wire::{Line, Request};
use crate::work::Work;
use crate::work::lane::{Made, repeat};

const BUCKET: &str = "/v1/buckets/shop";
/// In batches of so many; it takes no more.
const BATCH: u64 = 25;
const BATCHES: u64 = 40;

/// A Kinto that listens.
pub struct Kinto {
    pub address: SocketAddr,
    pub process: Process,
    orders: Vec<String>,
    /// Ids for each lane that writes, in a collection of its own: writers of one collection are answered with 409.
    own: Vec<Vec<String>>,
}

impl Kinto {
    /// Starts it, in a database of its own.
    pub async fn start(site: &Site, lanes: usize) -> anyhow::Result<Self> {
        let install: &[&[&str]] = &[
            &["python3", "-m", "venv", "venv"],
            &["venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", "requirements.txt"],
        ];
        let home = installed("kinto", "requirements.txt", install).await?;
        let database = site.another_database("kinto_bench").await?;
        let port = free_port()?;
        let settings = site.folder.join("kinto.ini");
        fs::write(&settings, configuration(&database.replacen("postgres://", "postgresql://", 1)))?;
        let program = home.join("venv/bin/kinto");
        let made = Command::new(&program).args(["migrate", "--ini"]).arg(&settings).output().await?;
        if !made.status.success() {
            bail!("kinto migrate: {}", String::from_utf8_lossy(&made.stderr));
        }
        let mut command = Command::new(&program);
        command.args(["start", "--ini"]).arg(&settings).args(["--port", &port.to_string()]);
        let mut process = Process::start(command, &site.folder.join("kinto.log"))?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let hello = Request::new("GET", "/v1/", &address.to_string()).bare();
        await_answer(&mut process, address, &hello, Instant::now()).await?;
        let mut kinto = Self { address, process, orders: Vec::new(), own: Vec::new() };
        kinto.fill(lanes).await?;
        Ok(kinto)
    }

    fn ask(&self, method: &str, path: &str) -> Request {
        Request::new(method, path, &self.address.to_string()).basic("bench", "bench")
    }

    async fn fill(&mut self, lanes: usize) -> anyhow::Result<()> {
        let mut line = Line::open(self.address, None).await?;
        self.put(&mut line, BUCKET).await?;
        self.orders = self.collection(&mut line, "orders", BATCHES).await?;
        for lane in 0..lanes {
            let own = self.collection(&mut line, &format!("lane-{lane}"), 1).await?;
            self.own.push(own);
        }
        Ok(())
    }

    async fn put(&self, line: &mut Line, place: &str) -> anyhow::Result<()> {
        let answer = line.ask(&self.ask("PUT", place).json(&json!({}))).await?;
        if answer.status != 201 {
            bail!("{place}: {}", answer.text());
        }
        Ok(())
    }

    /// A collection with orders in it; their ids.
    async fn collection(&self, line: &mut Line, name: &str, batches: u64) -> anyhow::Result<Vec<String>> {
        self.put(line, &format!("{BUCKET}/collections/{name}")).await?;
        let mut made = Vec::new();
        for batch in 0..batches {
            let requests: Vec<Value> = (0..BATCH).map(|at| json!({"body": order(batch * BATCH + at)})).collect();
            let all = json!({"defaults": {"method": "POST", "path": records(name)}, "requests": requests});
            let answer = line.ask(&self.ask("POST", "/v1/batch").json(&all)).await?;
            let answered: Value = serde_json::from_slice(answer.body).with_context(|| answer.text())?;
            let ids = answered["responses"].as_array().into_iter().flatten();
            made.extend(ids.filter_map(|one| one["body"]["data"]["id"].as_str().map(str::to_owned)));
        }
        if made.len() as u64 != BATCH * batches {
            bail!("only {} records could be made", made.len());
        }
        Ok(made)
    }

    /// What it is asked, where it knows the work.
    pub fn lanes(&self, work: Work, lanes: usize) -> Option<Vec<Box<dyn Lane>>> {
        let one = |id: &String| self.ask("GET", &format!("{}/{id}", records("orders"))).bare();
        let list = |number: u32| {
            let query = format!("?currency=EUR&max_amount={}&_sort=-amount&_limit=20", number * 1000);
            self.ask("GET", &format!("{}{query}", records("orders"))).bare()
        };
        match work {
            // It keeps nothing in memory: to it they are all the same.
            Work::GetOne | Work::GetNew => Some(repeat(self.orders.iter().map(one).collect(), lanes, 200)),
            Work::List | Work::ListNew => Some(repeat((1..=500).map(list).collect(), lanes, 200)),
            Work::Create => Some((0..lanes).map(|lane| self.create(lane)).collect()),
            Work::Patch => Some((0..lanes).map(|lane| self.patch(lane)).collect()),
            _ => None,
        }
    }

    fn create(&self, lane: usize) -> Box<dyn Lane> {
        let request = self.ask("POST", &records(&format!("lane-{lane}"))).json(&order(lane as u64));
        let make = move |_: u64, out: &mut Vec<u8>| out.extend_from_slice(&request);
        Box::new(Made { make, count: 0, status: 201 })
    }

    fn patch(&self, lane: usize) -> Box<dyn Lane> {
        let place = records(&format!("lane-{lane}"));
        let (ids, host) = (self.own[lane].clone(), self.address.to_string());
        let make = move |count: u64, out: &mut Vec<u8>| {
            let id = &ids[usize::try_from(count).unwrap_or_default() % ids.len()];
            let request = Request::new("PATCH", &format!("{place}/{id}"), &host).basic("bench", "bench");
            out.extend_from_slice(&request.json(&json!({"data": {"amount": 1_000_000 + count}})));
        };
        Box::new(Made { make, count: 0, status: 200 })
    }
}

fn records(collection: &str) -> String {
    format!("{BUCKET}/collections/{collection}/records")
}

fn order(number: u64) -> Value {
    let currency = ["EUR", "USD", "GBP"][usize::try_from(number % 3).unwrap_or_default()];
    json!({"data": {"amount": number * 7919 % 500_000, "currency": currency, "note": "left at the door"}})
}

fn configuration(database: &str) -> String {
    format!(
        "[app:main]\nuse = egg:kinto\nkinto.userid_hmac_secret = bench\n\
         kinto.storage_backend = kinto.core.storage.postgresql\nkinto.storage_url = {database}\n\
         kinto.permission_backend = kinto.core.permission.postgresql\nkinto.permission_url = {database}\n\
         kinto.cache_backend = kinto.core.cache.memory\n\
         kinto.bucket_create_principals = system.Authenticated\n\
         multiauth.policies = basicauth\n\
         multiauth.policy.basicauth.use = kinto.core.authentication.BasicAuthAuthenticationPolicy\n\
         [server:main]\nuse = egg:waitress#main\nhost = 127.0.0.1\nport = %(http_port)s\nthreads = 8\n\
         connection_limit = 500\n\
         [loggers]\nkeys = root\n[handlers]\nkeys = console\n[formatters]\nkeys = plain\n\
         [logger_root]\nlevel = WARNING\nhandlers = console\n\
         [handler_console]\nclass = StreamHandler\nargs = (sys.stderr,)\nlevel = NOTSET\nformatter = plain\n\
         [formatter_plain]\nformat = %(message)s\n"
    )
}
