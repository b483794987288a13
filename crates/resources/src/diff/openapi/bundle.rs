//! A document that is spread over several files, as one. Each file is brought in once, under a key of its own, and all
//! references lead there. Knows names of files, and not how they are read.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

/// Where the other files stand in the bundle.
const FILES: &str = "x-valetkey-files";
/// So many files a document can have.
const MOST: usize = 1_000;

/// A reference that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`$ref: {reference}`{} cannot be followed: {why}", .within.as_ref().map(|file| format!(" in {file}")).unwrap_or_default())]
pub struct Dangling {
    /// As it is written.
    pub reference: String,
    /// The file it stands in, if that is not the document itself.
    pub within: Option<String>,
    /// Why.
    pub why: String,
}

/// Brings in every file that the document refers to. `load` reads one, by its path beside the document.
pub fn bundle(document: &mut Value, load: &mut dyn FnMut(&str) -> Result<Value, String>) -> Result<(), Dangling> {
    let mut files: BTreeMap<String, Value> = BTreeMap::new();
    let mut pending: VecDeque<String> = VecDeque::new();
    let mut wanted = Vec::new();
    relink(document, None, &mut wanted);
    admit(wanted, None, &files, &mut pending, load).map(|found| files.extend(found))?;
    while let Some(name) = pending.pop_front() {
        let Some(mut file) = files.remove(&name) else { continue };
        let mut wanted = Vec::new();
        relink(&mut file, Some(&name), &mut wanted);
        files.insert(name.clone(), file);
        let found = admit(wanted, Some(&name), &files, &mut pending, load)?;
        files.extend(found);
    }
    if let Value::Object(members) = document
        && !files.is_empty()
    {
        members.insert(FILES.to_owned(), Value::Object(files.into_iter().collect::<Map<_, _>>()));
    }
    Ok(())
}

/// Reads those of the wanted files that are not there yet.
fn admit(
    wanted: Vec<(String, String)>,
    within: Option<&str>,
    known: &BTreeMap<String, Value>,
    pending: &mut VecDeque<String>,
    load: &mut dyn FnMut(&str) -> Result<Value, String>,
) -> Result<BTreeMap<String, Value>, Dangling> {
    let mut found = BTreeMap::new();
    for (reference, name) in wanted {
        if known.contains_key(&name) || found.contains_key(&name) {
            continue;
        }
        let dangling = |why: String| Dangling { reference: reference.clone(), within: within.map(str::to_owned), why };
        if name.contains("://") {
            let why = "nothing is fetched from the network. Put the file beside the document, or bundle both into one";
            return Err(dangling(why.to_owned()));
        }
        if known.len() + found.len() >= MOST {
            return Err(dangling(format!("the document has more than {MOST} files")));
        }
        found.insert(name.clone(), load(&name).map_err(dangling)?);
        pending.push_back(name);
    }
    Ok(found)
}

/// Turns references to files into references within the bundle, and notes the files: the reference, and the path.
fn relink(value: &mut Value, within: Option<&str>, wanted: &mut Vec<(String, String)>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| relink(item, within, wanted)),
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref") {
                let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
                let name = if file.is_empty() { within.map(str::to_owned) } else { Some(beside(within, file)) };
                if let Some(name) = name {
                    let inside = format!("#/{FILES}/{}{pointer}", escape(&name));
                    if !file.is_empty() {
                        wanted.push((reference.clone(), name));
                    }
                    *reference = inside;
                }
            }
            for (name, member) in members.iter_mut() {
                // Examples are values, whatever they look like.
                if !matches!(name.as_str(), "example" | "examples" | "default" | "enum" | "const") {
                    relink(member, within, wanted);
                }
            }
        }
        _ => {}
    }
}

/// A path beside a file, without detours: `a/b.yaml` and `../c.yaml` is `c.yaml`.
fn beside(within: Option<&str>, file: &str) -> String {
    if file.contains("://") || file.starts_with('/') {
        return file.to_owned();
    }
    let folder = within.and_then(|within| within.rsplit_once('/')).map_or("", |(folder, _)| folder);
    let mut steps: Vec<&str> = Vec::new();
    if folder.starts_with('/') {
        steps.push("");
    }
    for step in folder.split('/').chain(file.split('/')) {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != ".." && !last.is_empty()) => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

fn escape(name: &str) -> String {
    // A percent sign begins an escape in references; in names of files it is only itself.
    name.replace('~', "~0").replace('/', "~1").replace('%', "%25")
}

#[cfg(test)]
mod tests;
