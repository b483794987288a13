//! `valetkey api`: what a declaration says, or what is wrong with it.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use valetkey_resources::declaration::{Declared, Fault, editor_schema};
use valetkey_resources::model::{Api, Resource};
use valetkey_resources::shop;
use valetkey_resources::{diff, lens};

use super::arguments::ApiCommand;
use super::output::{Output, Unwritten, table};
use super::serve::declare;
use super::{Failure, api_diff, api_lock, load_aloud};
use crate::app::api;
use crate::app::declared::{self, LoadError};
use crate::config::Flags;

pub(super) fn run(command: &ApiCommand, flags: &Flags, output: Output) -> Result<ExitCode, Failure> {
    match command {
        ApiCommand::Check { file: Some(file) } => Ok(check(file, output)?),
        ApiCommand::Check { file: None } => match load_aloud(flags)?.config.api {
            Some(file) => Ok(check(&file, output)?),
            None => {
                let shop = Declared { api: shop::api(), warnings: Vec::new() };
                report(&shop, None, "", None, output)?;
                Ok(ExitCode::SUCCESS)
            }
        },
        ApiCommand::Openapi { version } => {
            let config = load_aloud(flags)?.config;
            let described = describe(&declare(&config)?.api, *version, config.origin().as_str())?;
            output.print(&described, || format!("{described:#}"))?;
            Ok(ExitCode::SUCCESS)
        }
        ApiCommand::Diff { old, new, format, fail_on } => api_diff::run(old, new, *format, *fail_on, output),
        ApiCommand::Lock { file, check, accept_breaking } => {
            let named = if file.is_some() { file.clone() } else { load_aloud(flags)?.config.api };
            let none = "No declaration is named: the demonstration is served, and needs no lock. Name a file.";
            let path = named.ok_or_else(|| Failure::Usage(none.to_owned()))?;
            api_lock::run(&path, *check, *accept_breaking, output)
        }
        ApiCommand::Apply { .. } | ApiCommand::Reindex | ApiCommand::Usage { .. } => Ok(ExitCode::SUCCESS),
        ApiCommand::Schema => {
            output.print(&editor_schema(), schema)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The description of one version; the newest, if none is named.
fn describe(declared: &Api, version: Option<u32>, issuer: &str) -> Result<Value, Failure> {
    let faces = lens::faces(declared).unwrap_or_default();
    let wanted = faces.iter().find(|face| version.is_none_or(|version| face.version.number == version));
    let Some(face) = wanted else {
        let known: Vec<String> = faces.iter().map(|face| face.version.number.to_string()).collect();
        let told = format!("There is no such version. Those that are declared: {}.", known.join(", "));
        return Err(Failure::Usage(told));
    };
    let prefix = match version {
        Some(version) => format!("{}/v{version}", api::PREFIX),
        None => api::PREFIX.to_owned(),
    };
    Ok(api::openapi(&face.api, face.version.number, issuer, &prefix))
}

/// The schema as it is kept in a file.
pub(super) fn schema() -> String {
    format!("{:#}", editor_schema())
}

fn check(path: &Path, output: Output) -> Result<ExitCode, Unwritten> {
    let file = path.display().to_string();
    let read = declared::read(path).and_then(|(declared, text)| {
        declared::keep(path, &declared)?;
        Ok((declared, text))
    });
    match read {
        Ok((declared, text)) => {
            report(&declared, Some(&file), &text, declared::dated_lock(path), output)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            refuse(&error, &file, output)?;
            Ok(ExitCode::from(1))
        }
    }
}

/// Says what is declared, and what is doubtful about it.
fn report(
    declared: &Declared,
    file: Option<&str>,
    text: &str,
    hint: Option<String>,
    output: Output,
) -> Result<(), Unwritten> {
    let name = file.unwrap_or("the demonstration");
    let Declared { api, warnings } = declared;
    let value = json!({
        "ok": true,
        "file": file,
        "name": api.name,
        "title": api.title,
        "resources": api.resources.iter().map(|resource| described(resource)).collect::<Vec<_>>(),
        "scopes": api.scopes.iter().map(|scope| &scope.name).collect::<Vec<_>>(),
        "faults": [],
        "warnings": warnings.iter().map(fault).collect::<Vec<_>>(),
        "hint": hint,
    });
    output.print(&value, || {
        let mut parts: Vec<String> =
            warnings.iter().map(|doubt| format!("warning: {}\n", doubt.show(name, text))).collect();
        parts.push(summary(api));
        parts.extend(hint.clone());
        let doubts = match warnings.len() {
            0 => String::new(),
            1 => " One thing is doubtful.".to_owned(),
            many => format!(" {many} things are doubtful."),
        };
        parts.push(format!("`{}` is sound ({name}).{doubts}", api.name));
        parts.join("\n")
    })
}

/// Says everything that is wrong.
fn refuse(error: &LoadError, file: &str, output: Output) -> Result<(), Unwritten> {
    let faults: &[Fault] = if let LoadError::Wrong { faults, .. } = error { faults } else { &[] };
    let sentence = match faults.len() {
        0 => error.lines().join(" "),
        1 => "One thing is wrong with the declaration.".to_owned(),
        many => format!("{many} things are wrong with the declaration."),
    };
    let value = json!({
        "ok": false,
        "file": file,
        "error": sentence,
        "faults": faults.iter().map(fault).collect::<Vec<_>>(),
        "findings": error.findings().iter().map(diff::report::finding).collect::<Vec<_>>(),
        "warnings": [],
    });
    output.print(&value, || match faults {
        [] => error.explain(),
        _ => format!("{error}\n\n{sentence} The server would not start."),
    })
}

fn summary(api: &Api) -> String {
    let rows = api.resources.iter().map(|resource| {
        let operations = resource.operations.iter().map(|operation| operation.as_str());
        let actions = resource.actions.iter().map(|action| action.name.as_str());
        let path = match &resource.parent {
            Some(parent) => format!("/{0}\n/{1}/<id>/{0}", resource.name, parent.resource),
            None => format!("/{}", resource.name),
        };
        vec![
            path,
            joined(resource.fields.iter().map(|field| field.name.as_str())),
            joined(operations),
            joined(actions),
            joined(scopes(resource)),
        ]
    });
    table(&["path", "fields", "operations", "actions", "scopes"], rows.collect())
}

fn joined<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().collect::<Vec<_>>().join(" ")
}

/// The scopes that a resource asks for, each once.
fn scopes(resource: &Resource) -> Vec<&str> {
    let needed = resource.operations.iter().filter_map(|operation| resource.scopes.of(*operation));
    let mut scopes = Vec::new();
    for scope in needed.chain(resource.actions.iter().filter_map(|action| action.scope.as_deref())) {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    scopes
}

/// One resource, for programs.
fn described(resource: &Resource) -> Value {
    json!({
        "name": resource.name,
        "singular": resource.singular,
        "parent": resource.parent.as_ref().map(|parent| &parent.resource),
        "fields": resource.fields.iter().map(|field| &field.name).collect::<Vec<_>>(),
        "operations": resource.operations.iter().map(|operation| operation.as_str()).collect::<Vec<_>>(),
        "actions": resource.actions.iter().map(|action| &action.name).collect::<Vec<_>>(),
        "scopes": scopes(resource),
    })
}

/// One fault, for programs.
fn fault(fault: &Fault) -> Value {
    json!({
        "line": fault.line,
        "column": fault.column,
        "path": fault.path,
        "message": fault.message,
        "suggestion": fault.suggestion,
    })
}
