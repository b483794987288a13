//! `valetkey config`

use std::process::ExitCode;

use serde_json::{Value, json};

use super::arguments::ConfigCommand;
use super::output::{Output, write};
use super::{Failure, load};
use crate::app::brand::{self, BrandError};
use crate::app::declared::{self, LoadError};
use crate::app::edge;
use crate::config::{self as settings, Finding, Flags, Level};

/// What to do about what is only doubtful.
const DOUBT: &str = "`valetkey api check` shows the place.";

pub(super) fn run(command: &ConfigCommand, flags: &Flags, output: Output) -> Result<ExitCode, Failure> {
    match command {
        ConfigCommand::Example => text(output, settings::to_toml_commented()),
        ConfigCommand::Reference => text(output, settings::reference()),
        ConfigCommand::Check => check(flags, output),
    }
}

fn text(output: Output, text: String) -> Result<ExitCode, Failure> {
    if output.is_json() {
        output.print(&Value::String(text), String::new)?;
    } else {
        write(text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn check(flags: &Flags, output: Output) -> Result<ExitCode, Failure> {
    let loaded = load(flags)?;
    let mut findings = loaded.config.check();
    findings.extend(loaded.config.check_files());
    if let Err(error) = edge::check_tls(&loaded.config) {
        let remedy = "Mend the file, or name another.".to_owned();
        findings.push(Finding { level: Level::Error, key: "tls.certificate", message: error.to_string(), remedy });
    }
    if let Err(error) = brand::open(&loaded.config) {
        let (key, remedy) = (BrandError::KEY, BrandError::REMEDY.to_owned());
        findings.push(Finding { level: Level::Error, key, message: error.to_string(), remedy });
    }
    let about_api = |level, remedy: &str, messages: Vec<String>| {
        let finding = |message| Finding { level, key: LoadError::KEY, message, remedy: remedy.to_owned() };
        messages.into_iter().map(finding).collect::<Vec<_>>()
    };
    findings.extend(match declared::load(&loaded.config) {
        Ok(declared) => about_api(Level::Warning, DOUBT, declared::doubts(&loaded.config, &declared)),
        Err(error) => about_api(Level::Error, error.remedy(), error.lines()),
    });
    let is_sound = !findings.iter().any(|finding| finding.level == Level::Error);
    let value = json!({
        "ok": is_sound,
        "file": loaded.file.as_ref().map(|file| file.display().to_string()),
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
        "warnings": loaded.warnings,
    });
    output.print(&value, || {
        let mut lines: Vec<String> = findings.iter().map(Finding::to_string).collect();
        lines.extend(loaded.warnings.iter().map(|warning| format!("warning: {warning}")));
        let place = loaded.file.as_ref().map_or_else(|| "no file".to_owned(), |file| file.display().to_string());
        lines.push(if is_sound {
            format!("The settings are sound ({place}).")
        } else {
            "The server would not start.".into()
        });
        lines.join("\n")
    })?;
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// One finding, for programs.
pub(super) fn finding(finding: &Finding) -> Value {
    json!({
        "level": if finding.level == Level::Error { "error" } else { "warning" },
        "key": finding.key,
        "message": finding.message,
        "remedy": finding.remedy,
    })
}
