//! Programs that are measured: started, watched through `/proc`, and ended. Knows nothing of what they serve.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::process::{Child, Command};

/// Linux tells times to programs in hundredths of a second, whatever its own clock does.
const TICKS: f64 = 100.0;

/// How long a program may take to end once it is asked.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running program and all that it starts.
pub struct Process {
    child: Child,
    pid: u32,
    log: PathBuf,
}

impl Process {
    /// Starts it, with both of its outputs in one file.
    pub fn start(mut command: Command, log: &Path) -> anyhow::Result<Self> {
        let file = fs::File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).kill_on_drop(true);
        let child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let pid = child.id().context("it ended at once")?;
        Ok(Self { child, pid, log: log.to_owned() })
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.pid
    }

    /// What it wrote so far.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Fails, with its last words, if it has ended.
    pub fn check(&mut self) -> anyhow::Result<()> {
        if let Some(status) = self.child.try_wait()? {
            let said = self.said();
            let last: Vec<&str> = said.lines().rev().take(10).collect();
            bail!("it ended with {status}:\n{}", last.into_iter().rev().collect::<Vec<_>>().join("\n"));
        }
        Ok(())
    }

    /// Seconds of processor time that it and its descendants have used.
    pub fn cpu(&self) -> f64 {
        self.family().into_iter().filter_map(ticks).sum::<f64>() / TICKS
    }

    /// The same to the microsecond, for what takes no longer than a few ticks of that clock. Threads that have ended are not in
    /// it.
    pub fn exact_cpu(&self) -> f64 {
        self.family().into_iter().map(nanoseconds).sum::<f64>() / 1e9
    }

    /// Memory of its own, in bytes, descendants included.
    pub fn memory(&self) -> u64 {
        self.family().into_iter().filter_map(anonymous).sum()
    }

    /// File handles that it holds: connections and files. The log of SQLite is left out, which each connection to the database
    /// opens when it first reads, whenever that is.
    pub fn handles(&self) -> usize {
        let held = fs::read_dir(format!("/proc/{}/fd", self.pid)).into_iter().flatten().flatten();
        let is_log = |to: &PathBuf| to.to_string_lossy().ends_with("-wal");
        held.filter_map(|handle| fs::read_link(handle.path()).ok()).filter(|to| !is_log(to)).count()
    }

    fn family(&self) -> Vec<u32> {
        let mut family = vec![self.pid];
        let mut known = HashSet::from([self.pid]);
        let parents: Vec<(u32, u32)> = fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(|pid| Some((pid, stat(pid)?.get(1)?.parse().ok()?)))
            .collect();
        loop {
            let found: Vec<u32> = parents
                .iter()
                .filter(|(pid, parent)| known.contains(parent) && !known.contains(pid))
                .map(|(pid, _)| *pid)
                .collect();
            if found.is_empty() {
                return family;
            }
            known.extend(&found);
            family.extend(found);
        }
    }

    /// Asks it to end, and insists after a while.
    pub async fn end(mut self) {
        let _ = Command::new("kill").args(["-s", "INT", &self.pid.to_string()]).status().await;
        if tokio::time::timeout(PATIENCE, self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

/// The fields of `/proc/PID/stat` behind the name, which may hold anything: state, parent, …
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text.rsplit_once(") ")?.1.split(' ').map(str::to_owned).collect())
}

/// Its own time in programs and in the system, and that of children it has waited for.
fn ticks(pid: u32) -> Option<f64> {
    let fields = stat(pid)?;
    Some(fields.get(11..15)?.iter().filter_map(|field| field.parse::<f64>().ok()).sum())
}

/// How long all of its threads were on a processor.
fn nanoseconds(pid: u32) -> f64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let times = threads.filter_map(|thread| {
        let told = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        told.split_whitespace().next()?.parse::<f64>().ok()
    });
    times.sum()
}

fn anonymous(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
