//! YAML 1.2 as a tree that remembers its places. Knows nothing of APIs. What it reads is bounded: size, depth, and no
//! aliases, so that a small file cannot grow.

mod builder;
mod scalar;
#[cfg(test)]
mod tests;

use saphyr_parser::{Parser, ScanError, Span};
use serde_json::{Map, Number, Value};

use super::{Fault, report::Report};
use builder::Builder;

/// The largest file that is read, in bytes.
pub const LARGEST: usize = 1 << 20;
/// How deep lists and maps may stand in each other.
pub(super) const DEEPEST: usize = 64;

/// A value and its place.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) tree: Tree,
    pub(super) mark: Mark,
}

/// What a value is, by the core schema of YAML 1.2: `no` and `on` are text.
#[derive(Debug)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
    /// Was told to be wrong already; nothing more is said of it.
    Unreadable,
}

/// One line of a map.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) mark: Mark,
    pub(super) value: Node,
}

/// A place. Lines and columns are counted from one; nothing has the width 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Mark {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) width: usize,
}

/// Reads a text as one document. Nothing comes back from what is no YAML.
pub(super) fn parse(text: &str, report: &mut Report) -> Option<Node> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > LARGEST {
        report.fault(fault(Mark { line: 1, column: 1, width: 1 }, "The file is larger than 1 MiB.".to_owned()));
        return None;
    }
    let mut parser = Parser::new_from_str(text);
    let mut builder = Builder::default();
    while let Some(next) = parser.next_event() {
        match next {
            Ok((event, span)) => builder.take(event, Mark::from(span), report)?,
            Err(error) => {
                report.fault(not_yaml(text, &error));
                return None;
            }
        }
    }
    let root = builder.finish();
    if root.is_none() {
        let message = "The file is empty. `valetkey init` writes one to begin with.".to_owned();
        report.fault(fault(Mark { line: 1, column: 1, width: 1 }, message));
    }
    root
}

fn fault(mark: Mark, message: String) -> Fault {
    let Mark { line, column, width } = mark;
    Fault { line, column, width: width.max(1), path: String::new(), message, suggestion: None }
}

/// What the parser stumbled over, with the usual reason if it is one.
fn not_yaml(text: &str, error: &ScanError) -> Fault {
    let mut mark = Mark { line: error.marker().line().max(1), column: error.marker().col() + 1, width: 1 };
    let line = text.lines().nth(mark.line - 1).unwrap_or_default();
    if line.trim().is_empty()
        && let Some((last, line)) =
            text.lines().take(mark.line).enumerate().filter(|(_, line)| !line.trim().is_empty()).last()
    {
        // What is missing at the end is missing after the last word.
        mark = Mark { line: last + 1, column: line.trim_end().chars().count() + 1, width: 1 };
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    let info = error.info();
    let hint = if indent.contains('\t') {
        " YAML is indented with spaces, not with tabs."
    } else if info.contains("mapping values are not allowed") {
        " Put a text that has a colon and a space in it into quotes."
    } else if line.trim_start().starts_with(['@', '`', '%']) || line.contains(": @") || line.contains(": `") {
        " Put a text that begins with such a sign into quotes."
    } else {
        " Look at the indentation, and at quotes and brackets that are not closed."
    };
    fault(mark, format!("This is not YAML: {}.{hint}", info.trim_end_matches('.')))
}

impl From<Span> for Mark {
    fn from(span: Span) -> Self {
        let is_one_line = span.start.line() == span.end.line();
        let width =
            if is_one_line { span.end.col().saturating_sub(span.start.col()) } else { usize::from(!span.is_empty()) };
        Self { line: span.start.line().max(1), column: span.start.col() + 1, width }
    }
}

impl Node {
    /// Where it begins; none if nothing of it is written. A map in block style begins with its first key.
    pub(super) fn first_mark(&self) -> Option<Mark> {
        if self.mark.width > 0 {
            return Some(self.mark);
        }
        match &self.tree {
            Tree::Map(entries) => entries.first().map(|entry| entry.mark),
            Tree::List(nodes) => nodes.first().and_then(Self::first_mark),
            _ => None,
        }
    }

    /// The same as JSON.
    pub(super) fn to_json(&self) -> Value {
        match &self.tree {
            Tree::Null | Tree::Unreadable => Value::Null,
            Tree::Bool(flag) => Value::Bool(*flag),
            Tree::Number(number) => Value::Number(number.clone()),
            Tree::Text(text) => Value::String(text.clone()),
            Tree::List(nodes) => nodes.iter().map(Self::to_json).collect(),
            Tree::Map(entries) => {
                let pairs = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }

    /// What it is, for people.
    pub(super) fn described(&self) -> String {
        match &self.tree {
            Tree::Null => "nothing".to_owned(),
            Tree::Bool(flag) => format!("`{flag}`"),
            Tree::Number(number) => format!("the number `{number}`"),
            // `"0"` looks like a number to whoever wrote it.
            Tree::Text(text) if !matches!(scalar::plain(text), Ok(Tree::Text(_))) => {
                format!("the text `\"{}\"`", short(text))
            }
            Tree::Text(text) => format!("`{}`", short(text)),
            Tree::List(_) => "a list".to_owned(),
            Tree::Map(_) => "a map".to_owned(),
            Tree::Unreadable => "something unreadable".to_owned(),
        }
    }
}

/// A word that stands without quotes, as JSON. None: no JSON can tell it.
pub(super) fn plain(text: &str) -> Option<Value> {
    let tree = scalar::plain(text).ok()?;
    Some(Node { tree, mark: Mark::default() }.to_json())
}

/// A text as it is quoted in a sentence: its first line, and not endless.
pub(super) fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(50).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
