//! A private PostgreSQL with the settings it comes with, for as long as the run takes.

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::process::Command;
use tokio_postgres::NoTls;

use crate::house::free_port;
use crate::process::Process;

const PASSWORD: &str = "bench";

/// Starts it; answers with its address.
pub async fn start(folder: &Path) -> anyhow::Result<(String, Process)> {
    let programs = programs().context("PostgreSQL is not installed. Install it, or name one with --postgres URL")?;
    let place = folder.join("postgres");
    let data = place.join("data");
    std::fs::create_dir_all(&place)?;
    let word = place.join("password");
    std::fs::write(&word, PASSWORD)?;
    let user = unprivileged(folder, &[&place, &word]).await?;
    let command = |program: &str| {
        let mut command = match user {
            Some((user, group)) => {
                let mut command = Command::new("setpriv");
                command.arg(format!("--reuid={user}")).arg(format!("--regid={group}")).arg("--clear-groups");
                command.arg(programs.join(program));
                command
            }
            None => Command::new(programs.join(program)),
        };
        command.current_dir(&place);
        command
    };
    let mut init = command("initdb");
    init.arg("-D").arg(&data).args(["-U", "bench", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"]);
    init.arg(format!("--pwfile={}", word.display()));
    let made = init.output().await?;
    if !made.status.success() {
        bail!("initdb: {}", String::from_utf8_lossy(&made.stderr));
    }
    let port = free_port()?;
    let mut serve = command("postgres");
    serve.arg("-D").arg(&data).args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"]);
    serve.arg("-c").arg("unix_socket_directories=");
    let mut process = Process::start(serve, &folder.join("postgres.log"))?;
    let url = format!("postgres://bench:{PASSWORD}@127.0.0.1:{port}/postgres");
    let start = Instant::now();
    while tokio_postgres::connect(&url, NoTls).await.is_err() {
        process.check()?;
        if start.elapsed() > Duration::from_secs(30) {
            bail!("PostgreSQL did not start: {}", process.said());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok((url, process))
}

/// The folder with the newest programs.
fn programs() -> Option<PathBuf> {
    let newest = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = newest.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()).max();
    let beside = |folder: PathBuf| folder.join("initdb").is_file().then_some(folder);
    newest
        .and_then(|version| beside(PathBuf::from(format!("/usr/lib/postgresql/{version}/bin"))))
        .or_else(|| std::env::split_paths(&std::env::var_os("PATH")?).find_map(beside))
}

/// PostgreSQL refuses to run as root: then it runs as its own user, who gets these files.
async fn unprivileged(folder: &Path, files: &[&Path]) -> anyhow::Result<Option<(u32, u32)>> {
    let number = async |what: &str, of: &[&str]| {
        let told = Command::new("id").arg(what).args(of).output().await.ok()?;
        String::from_utf8_lossy(&told.stdout).trim().parse::<u32>().ok()
    };
    if number("-u", &[]).await != Some(0) {
        return Ok(None);
    }
    let mut user = None;
    for name in ["postgres", "nobody"] {
        if user.is_none() {
            user = number("-u", &[name]).await.zip(number("-g", &[name]).await);
        }
    }
    let (user, group) = user.context("there is no user whom PostgreSQL could run as")?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o711))?;
    for file in files {
        chown(file, Some(user), Some(group))?;
    }
    Ok(Some((user, group)))
}
