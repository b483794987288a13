//! A PostgreSQL of a test's own, to be killed and frozen. Runs as an ordinary user even where the tests run as root.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use crate::chance::Chance;
use crate::house::eventually;
use crate::process::Process;

const PASSWORD: &str = "only-for-this-test";

/// A server with its folder. Dropping it ends the server and removes everything.
pub struct OwnPostgres {
    pub url: String,
    programs: PathBuf,
    port: u16,
    folder: TempDir,
    server: Option<Child>,
    /// The network it lives in, if it is not ours.
    network: Option<String>,
}

impl OwnPostgres {
    /// A running server with an empty database; `None` says why on standard error.
    pub async fn start() -> Option<Self> {
        Self::start_in(None, "127.0.0.1").await
    }

    /// The same with its folder on this disk.
    pub async fn start_on(disk: &Path) -> Option<Self> {
        Self::start_with(tempfile::tempdir_in(disk).unwrap(), None, "127.0.0.1").await
    }

    /// The same in a network of its own, where it has this address.
    pub async fn start_in(network: Option<&str>, address: &str) -> Option<Self> {
        Self::start_with(tempfile::tempdir().unwrap(), network, address).await
    }

    async fn start_with(folder: TempDir, network: Option<&str>, address: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            eprintln!("skipped: needs the programs of PostgreSQL (initdb, postgres)");
            return None;
        };
        let secret = folder.path().join("password");
        fs::write(&secret, PASSWORD).unwrap();
        if let Some(user) = service_user() {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).unwrap();
            fs::create_dir(folder.path().join("data")).unwrap();
            for path in [&secret, &folder.path().join("data")] {
                std::os::unix::fs::chown(path, Some(user.id), Some(user.group)).unwrap();
            }
        }
        let port = free_port();
        let url = format!("postgres://valetkey:{PASSWORD}@{address}:{port}/postgres");
        let network = network.map(str::to_owned);
        let mut own = Self { url, programs, port, folder, server: None, network };
        let made = own
            .program("initdb")
            .args(["-U", "valetkey", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"])
            .arg(format!("--pwfile={}", secret.display()))
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        if own.network.is_some() {
            let rules = own.folder.path().join("data/pg_hba.conf");
            let known = fs::read_to_string(&rules).unwrap();
            fs::write(rules, format!("{known}\nhost all all samenet scram-sha-256\n")).unwrap();
        }
        own.resume().await;
        Some(own)
    }

    /// Starts the server on what is in the folder and waits until it answers.
    pub async fn resume(&mut self) {
        let mut command = self.program("postgres");
        let listen = if self.network.is_some() { "listen_addresses=*" } else { "listen_addresses=127.0.0.1" };
        command.args(["-p", &self.port.to_string(), "-c", listen]);
        command.args(["-c", "unix_socket_directories=", "-c", "max_connections=60"]);
        self.server = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let url = self.url.clone();
        eventually(Duration::from_secs(20), async || {
            tokio_postgres::connect(&url, tokio_postgres::NoTls).await.is_ok()
        })
        .await;
    }

    /// Ends every process of the server at once; what was not on disk is lost, as after a crash.
    pub fn crash(&mut self) {
        if let Some(mut server) = self.server.take() {
            Process(server.id()).signal("QUIT");
            server.wait().unwrap();
        }
    }

    /// Ends every process with SIGKILL: nobody tidies up, and nobody says goodbye.
    pub fn kill(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let main = Process(server.id());
        // Stopped first, so that it starts no process while its children are counted.
        main.signal("STOP");
        let children = main.children();
        server.kill().unwrap();
        server.wait().unwrap();
        for child in &children {
            child.signal("KILL");
        }
        // The memory they share must be free before another server can start.
        while children.iter().any(|child| child.is_alive()) {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Ends one process with SIGKILL, whatever it is doing. The server notices, ends all others and recovers.
    pub fn kill_one(&self, chance: &mut Chance) {
        let children = self.process().children();
        if !children.is_empty() {
            children[chance.among(0..children.len())].signal("KILL");
        }
    }

    /// Stops every process of the server where it is. Connections stay open, and nobody answers.
    pub fn freeze(&self) {
        let main = self.process();
        main.signal("STOP");
        for child in main.children() {
            child.signal("STOP");
        }
    }

    /// Lets them go on.
    pub fn thaw(&self) {
        let main = self.process();
        for child in main.children() {
            child.signal("CONT");
        }
        main.signal("CONT");
    }

    fn process(&self) -> Process {
        Process(self.server.as_ref().unwrap().id())
    }

    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = match service_user() {
            None => Command::new(path),
            Some(user) => {
                let mut command = match self.network.as_deref().filter(|_| name == "postgres") {
                    None => Command::new("setpriv"),
                    Some(network) => {
                        let mut command = Command::new("ip");
                        command.args(["netns", "exec", network, "setpriv"]);
                        command
                    }
                };
                command.args(["--reuid", &user.id.to_string(), "--regid", &user.group.to_string(), "--clear-groups"]);
                command.arg(path);
                command
            }
        };
        let data = self.folder.path().join("data");
        command
            .arg("-D")
            .arg(data)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .current_dir("/")
            .stdin(Stdio::null());
        command
    }
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        if self.server.is_some() {
            self.thaw();
            self.crash();
        }
    }
}

/// The folder of the newest installation.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().filter_map(Result::ok);
    let mut folders: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    folders.sort();
    folders.extend(["/usr/local/bin", "/usr/bin"].map(PathBuf::from));
    folders.into_iter().rfind(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

struct ServiceUser {
    id: u32,
    group: u32,
}

/// Whom root lets the server run as, because PostgreSQL refuses to run as root. `None` for everyone else.
fn service_user() -> Option<ServiceUser> {
    let ask = |arguments: &[&str]| -> Option<u32> {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if ask(&["-u"])? != 0 {
        return None;
    }
    let name = if ask(&["-u", "postgres"]).is_some() { "postgres" } else { "nobody" };
    Some(ServiceUser { id: ask(&["-u", name])?, group: ask(&["-g", name])? })
}

/// Below the range that the system hands out by itself, so that nobody takes it while the server is down.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let step = std::process::id() * 7 + NEXT.fetch_add(1, Ordering::Relaxed) * 131;
        let port = u16::try_from(20_000 + step % 12_000).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
