//! Words that may not stand in code: what was left for later, and questions about the engine outside the one place that chooses it.

use super::report::Finding;
use super::tree::{Source, Tree, identifiers, line_at};

/// Macros that mean "not finished".
const UNFINISHED: [&str; 3] = ["todo", "unimplemented", "dbg"];

/// The one place that knows which engine runs.
const ENGINE_CHOICE: &str = "crates/server/src/app";

/// Who measures engines must name them. The product never links it.
const MEASURING: &str = "bench/";

/// Functions that ask which engine runs.
const ENGINE_QUESTIONS: [&str; 4] = ["is_sqlite", "is_postgres", "is_postgresql", "is_pg"];

/// Names of engines, as a variable in a condition or as a variant of a type called `Engine`.
const ENGINES: [&str; 3] = ["sqlite", "postgres", "postgresql"];

/// Reports unfinished code anywhere, and engine questions in code that is not a test.
pub fn check(tree: &Tree) -> Vec<Finding> {
    tree.sources.iter().flat_map(|source| unfinished(source).chain(engine_questions(source))).collect()
}

fn unfinished(source: &Source) -> impl Iterator<Item = Finding> {
    identifiers(&source.code)
        .filter(|(offset, word)| UNFINISHED.contains(word) && calls_a_macro(&source.code[offset + word.len()..]))
        .map(|(offset, word)| Finding {
            path: source.path.clone(),
            line: line_at(&source.code, offset),
            rule: "unfinished",
            message: format!("`{word}!` is not finished work: finish it, or leave the feature out"),
        })
}

fn calls_a_macro(after: &str) -> bool {
    after.trim_start().strip_prefix('!').is_some_and(|rest| !rest.starts_with('='))
}

fn engine_questions(source: &Source) -> impl Iterator<Item = Finding> {
    let words: Vec<(usize, &str)> = identifiers(&source.product_code).collect();
    let outside = !source.path.starts_with(ENGINE_CHOICE) && !source.path.starts_with(MEASURING);
    (0..words.len()).filter(move |_| outside).filter_map(move |at| {
        let (offset, word) = words[at];
        let (before, previous) = at.checked_sub(1).map_or((0, ""), |index| words[index]);
        let between = source.product_code[before + previous.len()..offset].trim();
        is_engine_question(previous, between, word).then(|| Finding {
            path: source.path.clone(),
            line: line_at(&source.product_code, offset),
            rule: "engine",
            message: format!("`{word}` asks which engine runs: only {ENGINE_CHOICE} may, elsewhere add it to a port"),
        })
    })
}

/// `is_sqlite`, `if sqlite`, `if !sqlite`, `Engine::Sqlite`. A definition asks just as much as a call.
fn is_engine_question(previous: &str, between: &str, word: &str) -> bool {
    let names_an_engine = ENGINES.iter().any(|engine| word.eq_ignore_ascii_case(engine));
    ENGINE_QUESTIONS.contains(&word)
        || (names_an_engine && previous == "if" && matches!(between, "" | "!"))
        || (names_an_engine && previous == "Engine" && between == "::")
}
