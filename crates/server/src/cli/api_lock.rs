//! `valetkey api lock`: writes down what clients of each released version see.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use serde_json::json;
use valetkey_resources::diff::lock::{self, Renewal};
use valetkey_resources::diff::{Finding, editions, report};

use super::output::Output;
use super::paint::Paint;
use super::{Failure, api_diff};
use crate::app::declared;

/// Writes the lock beside the declaration, or with `check` only says whether it is up to date.
pub(super) fn run(path: &Path, check: bool, accept_breaking: bool, output: Output) -> Result<ExitCode, Failure> {
    let (declared, _) = declared::read(path).map_err(|error| Failure::Usage(error.explain()))?;
    let today = declared::today();
    let held = declared::lock_text(path).map_err(|error| Failure::Usage(error.explain()))?;
    let before = held.as_deref().map(lock::read).transpose();
    let before = before.map_err(|why| Failure::Usage(declared::garbage(path, &why).explain()))?;
    let renewal = lock::renew(before.as_ref(), &editions(&declared.api), today);
    let is_same = held.as_deref().is_some_and(|held| held.replace("\r\n", "\n") == renewal.text);
    let is_broken = renewal.findings.iter().any(Finding::is_breaking) && !accept_breaking;
    let writes = !check && !is_broken && !is_same;
    let file = declared::lock_path(path);
    if writes {
        // A lock is never half written.
        let fresh = file.with_extension("lock.new");
        fs::write(&fresh, &renewal.text).and_then(|()| fs::rename(&fresh, &file))?;
    }
    let value = json!({
        "file": file.display().to_string(),
        "written": writes,
        "current": is_same || writes,
        "locked": renewal.locked,
        "drafts": renewal.drafts,
        "findings": renewal.findings.iter().map(report::finding).collect::<Vec<_>>(),
    });
    output.print(&value, || words(&renewal, &file, is_same, is_broken, check))?;
    let fails = is_broken || check && !is_same;
    Ok(ExitCode::from(u8::from(fails)))
}

fn words(renewal: &Renewal, file: &Path, is_same: bool, is_broken: bool, check: bool) -> String {
    let file = file.display();
    let mut parts = Vec::new();
    if !renewal.findings.is_empty() {
        parts.push(api_diff::text(&renewal.findings, Paint::of_output()));
        parts.push(String::new());
    }
    for draft in &renewal.drafts {
        parts.push(format!("Version {draft} is not out yet, and is left out until then."));
    }
    let versions = match renewal.locked.as_slice() {
        [] => "no version".to_owned(),
        [one] => format!("version {one}"),
        several => format!("versions {}", several.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    };
    parts.push(match (is_same, is_broken, check) {
        (true, ..) => format!("{file} is up to date: it holds {versions}."),
        (_, true, _) => format!(
            "{file} is left as it is: clients of a released version would break. Declare a new version, or run `valetkey \
             api lock --accept-breaking` if no client is left that could."
        ),
        (.., true) => format!("{file} is not up to date. Run `valetkey api lock`, and keep the file with the declaration."),
        _ => format!("{file} holds {versions}. Keep it with the declaration."),
    });
    parts.join("\n")
}
