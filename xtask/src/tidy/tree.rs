//! The files tidy looks at, read once: Rust sources and member manifests. Knows what is a test, and no rule.

mod mask;

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Folders that hold nothing we wrote.
const SKIPPED: [&str; 3] = ["target", "node_modules", "valetkey-data"];

/// Every file the rules may ask about, in path order.
pub struct Tree {
    /// All `.rs` files.
    pub sources: Vec<Source>,
    /// The manifest of each member.
    pub manifests: Vec<Manifest>,
    /// The manifest at the root, empty if there is none.
    pub root_manifest: String,
    /// The page that maps the specification to tests, empty if there is none.
    pub specification: String,
}

/// One Rust file.
pub struct Source {
    /// Path from the root, with `/`.
    pub path: String,
    /// As it stands on disk.
    pub text: String,
    /// `text` with comments and the insides of literals blanked; lines keep their numbers.
    pub code: String,
    /// `code` with `#[cfg(test)]` items blanked too; empty for a test file.
    pub product_code: String,
}

/// One member's `Cargo.toml`.
pub struct Manifest {
    /// Path from the root, with `/`.
    pub path: String,
    /// As it stands on disk.
    pub text: String,
}

impl Tree {
    /// Reads everything under `root` that could have been written by us.
    pub fn read(root: &Path) -> anyhow::Result<Self> {
        let root_manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
        let specification = fs::read_to_string(root.join("docs/specification.md")).unwrap_or_default();
        let mut tree = Self { sources: Vec::new(), manifests: Vec::new(), root_manifest, specification };
        tree.read_folder(root, "")?;
        tree.sources.sort_by(|a, b| a.path.cmp(&b.path));
        tree.manifests.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> anyhow::Result<()> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = format!("{prefix}{name}");
            // Links are not followed, so a loop of them cannot trap us.
            let kind = entry.file_type()?;
            if kind.is_dir() {
                if !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                    self.read_folder(&entry.path(), &format!("{path}/"))?;
                }
                continue;
            }
            let read = || fs::read_to_string(entry.path()).with_context(|| format!("cannot read {path}"));
            if kind.is_file() && name.ends_with(".rs") {
                let text = read()?;
                self.sources.push(Source::new(path, text));
            } else if kind.is_file() && name == "Cargo.toml" && !prefix.is_empty() {
                let text = read()?;
                self.manifests.push(Manifest { path, text });
            }
        }
        Ok(())
    }
}

impl Source {
    fn new(path: String, text: String) -> Self {
        let code = mask::without_comments_and_literals(&text);
        let product_code = if is_test(&path) { String::new() } else { mask::without_tests(&code) };
        Self { path, text, code, product_code }
    }

    /// Whether the whole file is a test.
    pub fn is_test(&self) -> bool {
        is_test(&self.path)
    }

    /// How many lines the file has.
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
}

/// The room a path belongs to: the folder under `crates/`, or `xtask`.
pub fn room_of(path: &str) -> Option<&str> {
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["crates", room, _, ..] => Some(room),
        ["xtask", ..] => Some("xtask"),
        _ => None,
    }
}

/// The line, counted from one, on which `offset` stands.
pub fn line_at(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Every identifier of masked code, with its offset.
pub fn identifiers(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + code[rest..].find(in_word)?;
        let end = code[start..].find(|c| !in_word(c)).map_or(code.len(), |length| start + length);
        rest = end;
        Some((start, &code[start..end]))
    })
}
