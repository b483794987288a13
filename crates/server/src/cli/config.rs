//! `valetkey config`

use std::process::ExitCode;

use serde_json::{Value, json};

use super::arguments::ConfigCommand;
use super::output::{Output, write};
use super::{Failure, load};
use crate::app::brand::{self, BrandError};
use crate::app::declared::{self, LoadError};
use crate::app::{edge, root_key};
use crate::config::{self as settings, Config, Finding, Flags, Level};
use crate::outbound::Outbound;

const EXTRA_CA: &str = "outbound.extra_ca";
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
    let mut findings = examine(&loaded.config);
    if let (None, Err(error)) = (about(&findings, "root_key"), root_key::check(&loaded.config)) {
        findings.push(unusable("root_key_file", error.to_string()));
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

/// The settings, and the files that they name, as a start looks at them.
pub(super) fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = config.check();
    findings.extend(config.check_files());
    if let Err(error) = edge::check_tls(config) {
        findings.push(unusable("tls.certificate", error.to_string()));
    }
    let outbound = Outbound::new(&config.outbound.allow, config.outbound.extra_ca.as_deref());
    if let (None, Err(error)) = (about(&findings, EXTRA_CA), outbound) {
        let message = error.to_string();
        let words = message.trim_start_matches(EXTRA_CA).trim_start_matches(": ");
        findings.push(unusable(EXTRA_CA, words.to_owned()));
    }
    if let Err(error) = brand::open(config) {
        let (key, remedy) = (BrandError::KEY, BrandError::REMEDY.to_owned());
        findings.push(Finding { level: Level::Error, key, message: error.to_string(), remedy });
    }
    findings
}

/// What was found already of one setting, or of those whose names begin alike.
fn about<'a>(findings: &'a [Finding], key: &str) -> Option<&'a Finding> {
    findings.iter().find(|finding| finding.key.starts_with(key))
}

fn unusable(key: &'static str, message: String) -> Finding {
    Finding {
        level: Level::Error,
        key,
        message: format!("{message}."),
        remedy: "Mend the file, or name another.".into(),
    }
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
