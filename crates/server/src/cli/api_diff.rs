//! `valetkey api diff`: what clients would notice between two declarations or OpenAPI documents.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read, stdin};
use std::path::Path;
use std::process::ExitCode;

use clap::ValueEnum;
use valetkey_resources::diff::report::{self, Names, Spots};
use valetkey_resources::diff::{Finding, Input, InputError, Severity, compare};

use super::Failure;
use super::output::{Output, write};
use super::paint::{Paint, Tone};
use crate::app::declared::today;

/// The largest document that is read.
const LARGEST: u64 = 64 << 20;

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// One JSON value
    Json,
    /// SARIF 2.1.0, for code hosts
    Sarif,
    /// For a pull request
    Markdown,
}

/// What makes the exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A breaking change
    Breaking,
    /// Any change
    Any,
    /// Nothing
    Never,
}

/// Compares, and tells.
pub(super) fn run(
    old: &Path,
    new: &Path,
    format: Option<Format>,
    fail_on: FailOn,
    output: Output,
) -> Result<ExitCode, Failure> {
    let format = match (format, output.is_json()) {
        (None, true) => Format::Json,
        (None, false) => Format::Text,
        (Some(format @ (Format::Text | Format::Markdown)), true) => {
            let name = format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            return Err(Failure::Usage(format!(
                "--json and --format {name} cannot both be had. Leave one of them out."
            )));
        }
        (Some(format), _) => format,
    };
    if old == new && old == Path::new("-") {
        return Err(Failure::Usage("Only one of the two can come from standard input. Name a file.".to_owned()));
    }
    let ((before, _), (after, written)) = (input(old)?, input(new)?);
    let findings = compare(&before, &after, today());
    let shown = [old, new].map(|path| path.display().to_string());
    let names = Names { old: &shown[0], new: &shown[1] };
    let text = match format {
        Format::Text => text(&findings, Paint::of_output()),
        Format::Json => report::json(&findings, names).to_string(),
        Format::Sarif => {
            format!("{:#}", report::sarif(&findings, names, &Spots::read(&written), env!("CARGO_PKG_VERSION")))
        }
        Format::Markdown => report::markdown(&findings, names).trim_end().to_owned(),
    };
    // That nobody could be told does not change what was found.
    write(format!("{text}\n").as_bytes())?;
    let fails = match fail_on {
        FailOn::Breaking => findings.iter().any(Finding::is_breaking),
        FailOn::Any => !findings.is_empty(),
        FailOn::Never => false,
    };
    Ok(ExitCode::from(u8::from(fails)))
}

/// Findings for a terminal, grouped, and what to do at the end.
pub(super) fn text(findings: &[Finding], paint: Paint) -> String {
    let mut lines = Vec::new();
    for severity in Severity::ALL {
        let (tone, title) = match severity {
            Severity::Breaking => (Tone::Bad, "Breaking"),
            Severity::Compatible => (Tone::Good, "Compatible"),
            Severity::Informational => (Tone::Strong, "To know of"),
        };
        let these: Vec<&Finding> = findings.iter().filter(|finding| finding.severity() == severity).collect();
        if these.is_empty() {
            continue;
        }
        lines.push(paint.paint(tone, &format!("{title} ({})", these.len())));
        for finding in these {
            let place = paint.paint(Tone::Strong, &printable(&finding.place));
            lines.push(format!("  {place}  {}", paint.paint(Tone::Faint, finding.rule.name)));
            lines.push(format!("    {}", printable(&finding.told)));
            if let Some(lens) = &finding.lens {
                lines.push(format!("    lens: {}", paint.paint(Tone::Good, &printable(lens))));
            }
        }
        lines.push(String::new());
    }
    lines.push(report::summary(findings));
    lines.push(report::advice(findings).to_owned());
    lines.join("\n")
}

/// A document is a stranger's: nothing in it may steer the terminal.
fn printable(words: &str) -> String {
    words.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

/// What a file holds, and its text.
fn input(path: &Path) -> Result<(Input, String), Failure> {
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let unreadable = |why: String| Failure::Usage(format!("{name} cannot be read: {why}."));
    let bytes = bytes(path).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not text in UTF-8".to_owned()))?;
    let beside = |name: &str| {
        let file = path.parent().unwrap_or(Path::new("")).join(name);
        let told = |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", file.display());
        let bytes = self::bytes(&file).map_err(|error| told(&error))?;
        String::from_utf8(bytes).map_err(|_| told(&"it is not text in UTF-8"))
    };
    let read = Input::read_beside(&text, beside).map_err(|error| match error {
        InputError::Wrong(faults) => {
            let shown: Vec<String> = faults.iter().map(|fault| fault.show(&name, &text)).collect();
            Failure::Usage(format!("{name} is no sound declaration.\n\n{}", shown.join("\n\n")))
        }
        error => unreadable(error.to_string()),
    })?;
    Ok((read, text))
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)?;
    } else {
        if std::fs::metadata(path)?.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        // A pipe is welcome here: `diff <(git show main:api.yaml) api.yaml`.
        File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 64 MiB"));
    }
    Ok(bytes)
}
