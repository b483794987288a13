//! A process as the system sees it: memory, open files, time on the processor, signals.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Some process, by its id.
#[derive(Debug, Clone, Copy)]
pub struct Process(pub u32);

impl Process {
    /// Memory of its own in bytes, without mapped files.
    pub fn memory(self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0)).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// Handles that it holds: connections and files. The log of SQLite is left out, which each connection to the database
    /// opens when it first reads, whenever that is.
    pub fn open_files(self) -> usize {
        let handles = fs::read_dir(format!("/proc/{}/fd", self.0)).unwrap().flatten();
        let is_log = |to: &PathBuf| to.to_string_lossy().ends_with("-wal");
        handles.filter_map(|handle| fs::read_link(handle.path()).ok()).filter(|to| !is_log(to)).count()
    }

    /// Time that its threads have had on the processor; of those that ended, nothing.
    pub fn processor_time(self) -> Duration {
        let threads = fs::read_dir(format!("/proc/{}/task", self.0)).unwrap().flatten();
        let times = threads.filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok());
        Duration::from_nanos(times.map(|times| times.split(' ').next().unwrap().parse::<u64>().unwrap()).sum())
    }

    pub fn is_alive(self) -> bool {
        self.stat().is_some_and(|stat| stat[0] != "Z")
    }

    /// The processes it started and that still run.
    pub fn children(self) -> Vec<Process> {
        let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
        all.map(Process).filter(|other| other.stat().is_some_and(|stat| stat[1] == self.0.to_string())).collect()
    }

    /// Sends a signal by its short name.
    pub fn signal(self, name: &str) {
        // A process that is already gone needs no signal.
        let _ = Command::new("kill").args(["-s", name, &self.0.to_string()]).stderr(Stdio::null()).status().unwrap();
    }

    /// What stands behind the name in `stat`: state, parent and so on.
    fn stat(self) -> Option<Vec<String>> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0)).ok()?;
        let (_, behind) = stat.rsplit_once(')')?;
        Some(behind.split_whitespace().map(str::to_owned).collect())
    }
}
