//! Where a run takes place: the folder, the program, the database, and all of it gone at the end.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, bail};
use tempfile::TempDir;
use tokio::process::Command;
use tokio_postgres::NoTls;

use crate::house::{Settings, free_port};
use crate::options::{Common, Engine};
use crate::process::Process;

mod cluster;

/// What a run needs before anything is measured.
pub struct Site {
    pub folder: PathBuf,
    pub binary: PathBuf,
    /// Where PostgreSQL is, and its database for this run.
    pub database: Option<String>,
    /// PostgreSQL itself, if it is ours.
    pub cluster: Option<Process>,
    /// Where PostgreSQL is, whoever uses it.
    postgres: Option<String>,
    _temporary: Option<TempDir>,
}

impl Site {
    /// `peers`: will there be others, who need PostgreSQL?
    pub async fn prepare(options: &Common, peers: bool) -> anyhow::Result<Self> {
        let binary = match &options.binary {
            Some(binary) => std::path::absolute(binary)?,
            None => build().await?,
        };
        if !binary.is_file() {
            bail!("there is no program at {}", binary.display());
        }
        let (folder, temporary) = match &options.folder {
            Some(folder) => (std::path::absolute(folder)?, None),
            None => {
                let made = TempDir::with_prefix("valetkey-bench.")?;
                (made.path().to_owned(), Some(made))
            }
        };
        std::fs::create_dir_all(&folder)?;
        let wants_postgres = peers || options.engine == Engine::Postgres;
        let (postgres, cluster) = match &options.postgres {
            Some(url) => (Some(url.clone()), None),
            None if wants_postgres => {
                let (url, process) = cluster::start(&folder).await?;
                (Some(url), Some(process))
            }
            None => (None, None),
        };
        let mut site = Self { folder, binary, database: None, cluster, postgres, _temporary: temporary };
        if options.engine == Engine::Postgres {
            site.database = Some(site.another_database("valetkey_bench").await?);
        }
        Ok(site)
    }

    /// A database of its own, so that every run starts with empty tables. The one of the run before is dropped.
    pub async fn another_database(&self, name: &str) -> anyhow::Result<String> {
        let url = self.postgres.as_deref().context("there is no PostgreSQL")?;
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.context("PostgreSQL")?;
        let link = tokio::spawn(connection);
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
        client.batch_execute(&format!("CREATE DATABASE {name}")).await?;
        drop(client);
        link.await??;
        let mut url = url::Url::parse(url)?;
        url.set_path(name);
        Ok(url.into())
    }

    /// How the server is started here.
    pub fn settings(&self, more: Vec<(String, String)>) -> anyhow::Result<Settings> {
        self.settings_in("server", self.database.clone(), more)
    }

    /// How a second one is started beside it, with a store of its own.
    pub async fn settings_beside(&self, more: Vec<(String, String)>) -> anyhow::Result<Settings> {
        let database = match &self.database {
            None => None,
            Some(_) => Some(self.another_database("valetkey_bench_beside").await?),
        };
        self.settings_in("beside", database, more)
    }

    fn settings_in(
        &self,
        folder: &str,
        database: Option<String>,
        more: Vec<(String, String)>,
    ) -> anyhow::Result<Settings> {
        let folder = self.folder.join(folder);
        std::fs::create_dir_all(&folder)?;
        Ok(Settings { binary: self.binary.clone(), folder, port: free_port()?, database, more })
    }

    /// Ends what was started.
    pub async fn close(self) {
        if let Some(cluster) = self.cluster {
            cluster.end().await;
        }
    }
}

/// The server as it is shipped.
async fn build() -> anyhow::Result<PathBuf> {
    eprintln!("building the server; this takes minutes the first time");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("no workspace")?;
    let built = Command::new("cargo")
        .args(["build", "--release", "--package", "valetkey", "--message-format", "json-render-diagnostics"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .await?;
    if !built.status.success() {
        bail!("the server could not be built");
    }
    let lines = String::from_utf8_lossy(&built.stdout);
    let program = lines.lines().rev().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message.get("executable")?.as_str().map(PathBuf::from)
    });
    program.context("cargo did not say where the server is")
}
