//! Whatever a file holds, reading it ends, and nothing panics.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::read;
use crate::declaration::yaml::{DEEPEST, LARGEST};
use crate::shop::DECLARATION;

fn read_and_show(text: &str) {
    if let Err(faults) = read(text) {
        assert!(!faults.is_empty());
        for fault in faults {
            assert!(fault.line >= 1 && fault.column >= 1 && fault.width >= 1 && !fault.message.is_empty());
            fault.show("api.yaml", text);
        }
    }
}

/// Pieces that mean something in YAML or in a declaration.
fn piece() -> impl Strategy<Value = String> {
    let words: Vec<&'static str> = vec![
        "api",
        "name",
        "resources",
        "fields",
        "scopes",
        "actions",
        "type",
        "enum",
        "default",
        "string",
        "references",
        ": ",
        "\n",
        "\n  ",
        "\n    ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "'",
        "\"",
        "|\n",
        ">\n",
        "&a ",
        "*a ",
        "<<",
        "!!str ",
        "# ",
        "---\n",
        "...\n",
        "? ",
        "\t",
        "\r\n",
        "\u{feff}",
        "%YAML 1.2\n",
        "~",
        "1",
        "-0.5e3",
        ".inf",
        "true",
        "no",
        "é",
        "\u{2028}",
    ];
    prop_oneof![4 => proptest::sample::select(words).prop_map(str::to_owned), 1 => any::<String>()]
}

proptest! {
    #[test]
    fn arbitrary_text_is_read_or_refused(text in any::<String>()) {
        read_and_show(&text);
    }

    #[test]
    fn arbitrary_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_and_show(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn pieces_of_yaml_in_any_order_are_read_or_refused(pieces in proptest::collection::vec(piece(), 0..60)) {
        read_and_show(&pieces.concat());
    }

    #[test]
    fn a_shop_with_a_wound_is_read_or_refused(at in 0..DECLARATION.len(), length in 0..40_usize, instead in piece()) {
        let mut bytes = DECLARATION.as_bytes().to_vec();
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, instead.bytes());
        read_and_show(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn a_small_file_cannot_cost_much() {
    let laughs: String =
        (1..40).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(","))).collect();
    let patient = Instant::now();

    for text in [
        format!("a0: &a0 [lol]\n{laughs}"),
        "[".repeat(LARGEST),
        "{a: ".repeat(LARGEST / 4),
        "- ".repeat(LARGEST / 2),
        "? ".repeat(LARGEST / 2),
        "a:\n".repeat(LARGEST / 3),
        "&a ".repeat(LARGEST / 3),
        "'".repeat(LARGEST),
        "x".repeat(LARGEST),
        "x".repeat(LARGEST + 1),
        format!("{}: 1", "k".repeat(LARGEST - 10)),
        (0..DEEPEST * 2).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect(),
    ] {
        let faults = read(&text).unwrap_err();
        assert!(!faults.is_empty() && faults.iter().all(|fault| fault.message.len() < 1000));
        faults.iter().for_each(|fault| assert!(fault.show("api.yaml", &text).len() < 2000));
    }

    assert!(patient.elapsed() < Duration::from_secs(60), "{:?}", patient.elapsed());
}
