//! `valetkey init`: files to begin with. Replaces nothing unless it is told to.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use serde_json::json;

use super::Failure;
use super::api;
use super::output::Output;
use crate::config::to_toml_commented;

/// A declaration with a comment beside each thing that can be declared.
const DECLARATION: &str = include_str!("init/api.yaml");

pub(super) fn run(folder: &Path, force: bool, output: Output) -> Result<ExitCode, Failure> {
    let files = [
        ("api.yaml", DECLARATION.to_owned()),
        ("api.schema.json", api::schema() + "\n"),
        ("valetkey.toml", settings()),
    ];
    let there: Vec<&str> = files.iter().map(|(name, _)| *name).filter(|name| folder.join(name).exists()).collect();
    if !force && !there.is_empty() {
        let message = format!(
            "{} already has {}. Name another folder, or replace them with --force.",
            folder.display(),
            there.join(", ")
        );
        return Err(anyhow!(message).into());
    }
    std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    for (name, text) in &files {
        write(&folder.join(name), text, force)?;
    }
    let next = next_steps(folder);
    output.print(
        &json!({ "written": files.iter().map(|(name, _)| folder.join(name)).collect::<Vec<_>>(), "next": next }),
        || {
            let names = files.iter().map(|(name, _)| format!("  {}", folder.join(name).display())).collect::<Vec<_>>();
            let steps = next.iter().map(|step| format!("  {step}")).collect::<Vec<_>>();
            format!(
                "Wrote\n{}\n\nDeclare your API in api.yaml; each key is explained there. Then:\n{}",
                names.join("\n"),
                steps.join("\n")
            )
        },
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The usual settings, with the declaration named.
fn settings() -> String {
    to_toml_commented().replacen("#api = \"\"", "api = \"api.yaml\"", 1)
}

/// What else it takes until a client can call the API.
fn next_steps(folder: &Path) -> Vec<String> {
    let mut steps = vec![
        "valetkey api check".to_owned(),
        "valetkey user add ada".to_owned(),
        "valetkey client add --name \"My app\" --grant client_credentials --scope \"read:tasks write:tasks\""
            .to_owned(),
        "valetkey serve".to_owned(),
    ];
    if folder != Path::new(".") {
        steps.insert(0, format!("cd {}", folder.display()));
    }
    steps
}

fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true);
    // Without force, a file that has come in the meantime stays as it is.
    let options = if force { options.create(true).truncate(true) } else { options.create_new(true) };
    let written = options.open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    Ok(written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!("{} is already there", path.display()),
        _ => anyhow!("{} cannot be written: {error}", path.display()),
    })?)
}

#[cfg(test)]
mod tests;
