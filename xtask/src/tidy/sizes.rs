//! How long files are: the longest ones and the totals. 400 lines are the most a room of the house may have.

use super::report::{Counts, Finding, Length};
use super::tree::{Tree, room_of};

/// The longest a file may be; a test file longer than this is only mentioned.
const LONG: usize = 400;
/// How many files the list of the longest names.
const LISTED: usize = 10;

/// What measuring found.
pub struct Sizes {
    pub findings: Vec<Finding>,
    pub warnings: Vec<Finding>,
    pub longest: Vec<Length>,
    pub counts: Counts,
}

/// Measures every source.
pub fn measure(tree: &Tree) -> Sizes {
    let mut lengths: Vec<Length> = tree
        .sources
        .iter()
        .map(|source| Length { path: source.path.clone(), lines: source.lines(), is_test: source.is_test() })
        .collect();
    lengths.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.path.cmp(&b.path)));

    let (warnings, findings) =
        lengths.iter().filter(|length| length.lines > LONG).partition::<Vec<_>, _>(|length| length.is_test);
    let (findings, warnings) =
        (findings.into_iter().map(too_long).collect(), warnings.into_iter().map(too_long).collect());

    let counts = count(tree, &lengths);
    lengths.truncate(LISTED);
    Sizes { findings, warnings, longest: lengths, counts }
}

fn too_long(length: &Length) -> Finding {
    Finding {
        path: length.path.clone(),
        line: LONG + 1,
        rule: "size",
        message: format!("{} lines, {LONG} is long: split it by what it owns", length.lines),
    }
}

fn count(tree: &Tree, lengths: &[Length]) -> Counts {
    let mut counts = Counts {
        crates: tree.manifests.iter().filter(|manifest| room_of(&manifest.path).is_some()).count(),
        ..Counts::default()
    };
    for length in lengths {
        let (files, lines) = if length.is_test {
            (&mut counts.test_files, &mut counts.test_lines)
        } else {
            (&mut counts.files, &mut counts.lines)
        };
        *files += 1;
        *lines += length.lines;
    }
    counts
}
