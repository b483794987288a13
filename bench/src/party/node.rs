//! node-oidc-provider, with everything in memory.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::bail;
use serde::Deserialize;
use tokio::process::Command;

use super::registry::installed;
use crate::drive::Lane;
use crate::house::{CALLBACK, VERIFIER};
use crate::process::Process;
use crate::wire::Request;
use crate::work::lane::{Chain, Once, repeat};
use crate::work::{SCOPE, Work};

const SECRET: &str = "0123456789abcdef0123456789abcdef0123456789abcdef";
/// Sessions that are asked about and renewed.
const SESSIONS: u32 = 2_000;
/// So many codes it redeems in a second at best.
const EACH_SECOND: f64 = 4_000.0;
/// Making all of them takes a while.
const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Deserialize)]
struct Tokens {
    access: Vec<String>,
    refresh: Vec<String>,
    codes: Vec<String>,
}

/// A provider that listens.
pub struct Node {
    pub address: SocketAddr,
    pub process: Process,
    tokens: RefCell<Tokens>,
    /// Codes for one round.
    share: usize,
}

impl Node {
    /// Starts it, with codes for so many rounds of so many seconds.
    pub async fn start(folder: &Path, seconds: f64, rounds: usize) -> anyhow::Result<Self> {
        let install: &[&[&str]] = &[&[
            "npm",
            "install",
            "--no-package-lock",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--loglevel",
            "error",
        ]];
        let home = installed("node", "package.json", install).await?;
        let file = folder.join("node.json");
        let mut command = Command::new("node");
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let share = (seconds * EACH_SECOND) as usize;
        command.arg("server.js").arg(SESSIONS.to_string()).arg((share * rounds).to_string()).arg(&file);
        command.env("NODE_ENV", "production").current_dir(home);
        let mut process = Process::start(command, &folder.join("node.log"))?;
        let start = Instant::now();
        loop {
            let said = process.said();
            let place = said.lines().find_map(|line| line.strip_prefix("{\"listen\":\"")?.strip_suffix("\"}"));
            if let Some(place) = place {
                let tokens = RefCell::new(serde_json::from_slice(&std::fs::read(&file)?)?);
                return Ok(Self { address: place.parse()?, process, tokens, share });
            }
            process.check()?;
            if start.elapsed() > PATIENCE {
                bail!("it did not start: {said}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn ask(&self, method: &str, path: &str) -> Request {
        Request::new(method, path, &self.address.to_string())
    }

    /// What it is asked, where it knows the work.
    pub fn lanes(&self, work: Work, lanes: usize) -> Option<Vec<Box<dyn Lane>>> {
        let credentials = |id: &str| {
            let form = [("grant_type", "client_credentials"), ("scope", SCOPE)];
            repeat(vec![self.ask("POST", "/token").basic(id, SECRET).form(&form)], lanes, 200)
        };
        match work {
            Work::Discovery => {
                Some(repeat(vec![self.ask("GET", "/.well-known/openid-configuration").bare()], lanes, 200))
            }
            Work::Jwks => Some(repeat(vec![self.ask("GET", "/jwks").bare()], lanes, 200)),
            Work::Opaque => Some(credentials("opaque")),
            Work::Es256 => Some(credentials("es256")),
            Work::Rs256 => Some(credentials("rs256")),
            Work::Introspection => {
                let tokens = self.tokens.borrow();
                let ask = |token: &String| {
                    self.ask("POST", "/token/introspection").basic("guard", SECRET).form(&[("token", token)])
                };
                Some(repeat(tokens.access.iter().map(ask).collect(), lanes, 200))
            }
            Work::Code => Some(self.codes(lanes)),
            Work::Refresh => Some(self.refresh(lanes)),
            _ => None,
        }
    }

    fn codes(&self, lanes: usize) -> Vec<Box<dyn Lane>> {
        let mut tokens = self.tokens.borrow_mut();
        let share = self.share.div_ceil(lanes);
        let redeem = |code: String| {
            let form = [
                ("grant_type", "authorization_code"),
                ("code", code.as_str()),
                ("redirect_uri", CALLBACK),
                ("code_verifier", VERIFIER),
            ];
            self.ask("POST", "/token").basic("web", SECRET).form(&form)
        };
        let mut lane = || {
            let rest = tokens.codes.len().saturating_sub(share);
            let requests: Vec<_> = tokens.codes.split_off(rest).into_iter().map(redeem).collect();
            Box::new(Once { requests: requests.into_iter(), status: 200, says: "refresh_token", from: None })
                as Box<dyn Lane>
        };
        (0..lanes).map(|_| lane()).collect()
    }

    fn refresh(&self, lanes: usize) -> Vec<Box<dyn Lane>> {
        let head = self.ask("POST", "/token").basic("web", SECRET);
        let head = head.header("content-type", "application/x-www-form-urlencoded").bare();
        let head = Rc::new([&head[..head.len() - 2], b"content-length: "].concat());
        let form = Rc::new("grant_type=refresh_token&refresh_token=".to_owned());
        let tokens = std::mem::take(&mut self.tokens.borrow_mut().refresh);
        let lane = |lane: usize| {
            let tokens = tokens.iter().skip(lane).step_by(lanes).cloned().collect();
            Box::new(Chain { tokens, at: 0, head: Rc::clone(&head), form: Rc::clone(&form) }) as Box<dyn Lane>
        };
        (0..lanes).map(lane).collect()
    }
}
