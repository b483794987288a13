//! nginx before three nodes, with the configuration that stands among the examples.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::house::eventually;
use crate::own_postgres::free_port;
use crate::process::Process;

/// A running nginx. Dropping it ends it.
pub struct Nginx {
    pub origin: String,
    folder: TempDir,
    server: Child,
}

impl Nginx {
    /// Where it will be, before the nodes that must know it are started.
    pub fn reserve() -> Option<u16> {
        let found = Command::new("nginx").arg("-v").stderr(Stdio::null()).status().is_ok();
        if !found {
            eprintln!("skipped: needs nginx");
        }
        found.then(free_port)
    }

    /// Starts it on this port, before nodes on these.
    pub fn start(port: u16, nodes: [u16; 3]) -> Self {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nodes/nginx.conf");
        let mut text = fs::read_to_string(example).unwrap();
        text = text.replace("127.0.0.1:8000", &format!("127.0.0.1:{port}"));
        for (known, node) in [8081, 8082, 8083].into_iter().zip(nodes) {
            text = text.replace(&format!("127.0.0.1:{known}"), &format!("127.0.0.1:{node}"));
        }
        let folder = tempfile::tempdir().unwrap();
        // What only a test needs: everything in its own folder, and as whoever runs it.
        let bodies =
            ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|name| format!("{name}_temp_path {name};"));
        let log = "log_format asked $upstream_addr;\n access_log asked.log asked;";
        text = text.replace("http {", &format!("http {{\n {log}\n {}", bodies.join("\n ")));
        let root = Command::new("id").arg("-u").output().unwrap().stdout.starts_with(b"0\n");
        let user = if root { "user root;\n" } else { "" };
        fs::write(folder.path().join("nginx.conf"), format!("{user}pid nginx.pid;\nerror_log error.log info;\n{text}"))
            .unwrap();
        let mut command = Command::new("nginx");
        command.arg("-p").arg(folder.path()).args(["-c", "nginx.conf", "-e", "error.log", "-g", "daemon off;"]);
        let server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        Self { origin: format!("http://127.0.0.1:{port}"), folder, server }
    }

    /// Waits until it asks this node again, which it left alone for a second after it had failed. Whoever kills the next
    /// one earlier may leave nginx with no node to ask.
    pub async fn asks_again(&self, node: u16) {
        let (log, address) = (self.folder.path().join("asked.log"), format!("127.0.0.1:{node}"));
        let before = fs::read_to_string(&log).unwrap().lines().count();
        let asked = async || {
            let text = fs::read_to_string(&log).unwrap();
            // A request that went to several nodes names them all; the last is the one that answered.
            text.lines().skip(before).any(|line| line.ends_with(&address))
        };
        eventually(Duration::from_secs(20), asked).await;
    }

    /// What went wrong, in its own words.
    pub fn complaints(&self) -> String {
        let log = fs::read_to_string(self.folder.path().join("error.log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("[error]") || line.contains("[warn]")).collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        Process(self.server.id()).signal("TERM");
        let _ = self.server.wait();
    }
}
