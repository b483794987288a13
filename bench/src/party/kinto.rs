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

const RECORDS: &str = "/v1/buckets/shop/collections/orders/records";
/// In batches of so many; it takes no more.
const BATCH: u64 = 25;
const BATCHES: u64 = 40;

/// A Kinto that listens.
pub struct Kinto {
    pub address: SocketAddr,
    pub process: Process,
    orders: Vec<String>,
}

impl Kinto {
    /// Starts it, in a database of its own.
    pub async fn start(site: &Site) -> anyhow::Result<Self> {
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
        let mut kinto = Self { address, process, orders: Vec::new() };
        kinto.fill().await?;
        Ok(kinto)
    }

    fn ask(&self, method: &str, path: &str) -> Request {
        Request::new(method, path, &self.address.to_string()).basic("bench", "bench")
    }

    async fn fill(&mut self) -> anyhow::Result<()> {
        let mut line = Line::open(self.address, None).await?;
        for place in ["/v1/buckets/shop", "/v1/buckets/shop/collections/orders"] {
            let answer = line.ask(&self.ask("PUT", place).json(&json!({}))).await?;
            if answer.status != 201 {
                bail!("{place}: {}", answer.text());
            }
        }
        let order = |number: u64| {
            let amount = number * 7919 % 500_000;
            json!({"data": {"amount": amount, "currency": (["EUR", "USD", "GBP"][usize::try_from(number % 3).unwrap_or_default()]), "note": "left at the door"}})
        };
        let mut orders = Vec::new();
        for batch in 0..BATCHES {
            let requests: Vec<Value> = (0..BATCH).map(|at| json!({"body": order(batch * BATCH + at)})).collect();
            let all = json!({"defaults": {"method": "POST", "path": RECORDS}, "requests": requests});
            let answer = line.ask(&self.ask("POST", "/v1/batch").json(&all)).await?;
            let made: Value = serde_json::from_slice(answer.body).with_context(|| answer.text())?;
            let ids = made["responses"].as_array().into_iter().flatten();
            orders.extend(ids.filter_map(|one| one["body"]["data"]["id"].as_str().map(str::to_owned)));
        }
        if orders.len() as u64 != BATCH * BATCHES {
            bail!("only {} records could be made", orders.len());
        }
        self.orders = orders;
        Ok(())
    }

    /// What it is asked, where it knows the work.
    pub fn lanes(&self, work: Work, lanes: usize) -> Option<Vec<Box<dyn Lane>>> {
        let one = |id: &String| self.ask("GET", &format!("{RECORDS}/{id}")).bare();
        let list = |number: u32| {
            let query = format!("{RECORDS}?currency=EUR&max_amount={}&_sort=-amount&_limit=20", number * 1000);
            self.ask("GET", &query).bare()
        };
        match work {
            Work::GetOne => Some(repeat(self.orders.iter().map(one).collect(), lanes, 200)),
            Work::List => Some(repeat((1..=500).map(list).collect(), lanes, 200)),
            Work::Create => {
                let make = |lane: usize| {
                    let head = self.ask("POST", RECORDS);
                    let body = json!({"data": {"amount": lane, "currency": "EUR", "note": "left at the door"}});
                    let request = head.json(&body);
                    let make = move |_: u64, out: &mut Vec<u8>| out.extend_from_slice(&request);
                    Box::new(Made { make, count: 0, status: 201 }) as Box<dyn Lane>
                };
                Some((0..lanes).map(make).collect())
            }
            Work::Patch => {
                let lane = |lane: usize| {
                    let ids: Vec<String> = self.orders.iter().skip(lane).step_by(lanes).cloned().collect();
                    let host = self.address.to_string();
                    let make = move |count: u64, out: &mut Vec<u8>| {
                        let id = &ids[usize::try_from(count).unwrap_or_default() % ids.len()];
                        let request = Request::new("PATCH", &format!("{RECORDS}/{id}"), &host).basic("bench", "bench");
                        out.extend_from_slice(&request.json(&json!({"data": {"amount": 1_000_000 + count}})));
                    };
                    Box::new(Made { make, count: 0, status: 200 }) as Box<dyn Lane>
                };
                Some((0..lanes).map(lane).collect())
            }
            _ => None,
        }
    }
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
