//! Programs of others, from their registries, kept in the target folder for the next run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use tokio::process::Command;

/// What peers are made of.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers");

/// The folder of a peer, with its packages installed: those that its list of packages names.
pub async fn installed(peer: &str, list: &str, install: &[&[&str]]) -> anyhow::Result<PathBuf> {
    let source = Path::new(SOURCES).join(peer);
    let folder = shelf()?.join(peer);
    let wanted = fs::read_to_string(source.join(list))?;
    let stamp = folder.join("stamp");
    let is_there = fs::read_to_string(&stamp).is_ok_and(|found| found == wanted);
    if !is_there {
        eprintln!("installing {peer}");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
    }
    for entry in fs::read_dir(&source)? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    if !is_there {
        for words in install {
            run(&folder, words).await?;
        }
        fs::write(stamp, wanted)?;
    }
    Ok(folder)
}

async fn run(folder: &Path, words: &[&str]) -> anyhow::Result<()> {
    let [program, arguments @ ..] = words else { return Ok(()) };
    let done = Command::new(program).args(arguments).current_dir(folder).output().await;
    let done = done.with_context(|| format!("{program} could not be started"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        bail!("{}: {}", words.join(" "), said.lines().last().unwrap_or_default());
    }
    Ok(())
}

/// Beside the program that runs, in the target folder.
fn shelf() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?;
    Ok(program.parent().and_then(Path::parent).context("no target folder")?.join("peers"))
}
