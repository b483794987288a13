//! A process as the system sees it: memory, open files, time on the processor, signals.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

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

    /// Time on the processor so far, in ticks of the system (most often 10 ms).
    pub fn ticks(self) -> u64 {
        let stat = self.stat().unwrap();
        stat[11].parse::<u64>().unwrap() + stat[12].parse::<u64>().unwrap()
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
