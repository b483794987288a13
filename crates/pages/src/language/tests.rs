//! The languages against each other and against the templates, and which one a request gets.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use fluent_bundle::FluentResource;

use super::{Language, bundle};

/// The ids of a language, each with the names of its arguments.
fn messages(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let source = bundle::source(language);
    FluentResource::try_new(source.to_owned()).expect("every line parses");
    let mut messages = BTreeMap::<String, BTreeSet<String>>::new();
    let mut current = String::new();
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        if let Some((id, _)) = line.split_once(" = ").filter(|_| !line.starts_with([' ', '}'])) {
            id.clone_into(&mut current);
            assert!(!messages.contains_key(id), "{id} stands twice in {language:?}");
        }
        if current.is_empty() {
            continue;
        }
        let arguments = line.split("{ $").skip(1).filter_map(|rest| rest.split(' ').next()).map(str::to_owned);
        messages.entry(current.clone()).or_default().extend(arguments);
    }
    messages
}

/// The ids that templates and views ask for.
fn used() -> BTreeSet<String> {
    let mut used: BTreeSet<String> = (1..=12).map(|month| format!("month-{month}")).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("templates"), root.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_stem().is_none_or(|stem| stem != "tests") {
                collect(&fs::read_to_string(path).unwrap(), &mut used);
            }
        }
    }
    used
}

fn collect(text: &str, used: &mut BTreeSet<String>) {
    for call in [".say(", ".fill(", ".rich(", ".prose(", ".count("] {
        for rest in text.split(call).skip(1) {
            // A `match` inside the brackets names one id in each arm.
            let is_match = rest.trim_start().starts_with("match");
            let rest = if is_match { rest.trim_start() } else { rest };
            let call = rest.split(if is_match { ";\n" } else { ")" }).next().unwrap_or_default();
            let words = call.split('"').skip(1).step_by(2).filter(|word| !call.starts_with('&') && word.contains('-'));
            let first = call.starts_with('"').then(|| call.split('"').nth(1)).flatten();
            used.extend(words.chain(first).map(str::to_owned));
        }
    }
}

#[test]
fn every_language_has_the_same_messages_with_the_same_arguments() {
    let english = messages(Language::English);

    for language in Language::ALL {
        assert_eq!(messages(language), english, "{language:?}");
    }
}

#[test]
fn every_message_that_a_page_asks_for_exists_and_every_message_is_asked_for() {
    let known: BTreeSet<String> = messages(Language::English).into_keys().collect();
    let used = used();

    assert_eq!(used.difference(&known).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(known.difference(&used).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn no_message_carries_markup() {
    for language in Language::ALL {
        assert!(!bundle::source(language).replace("->", "").contains(['<', '>', '&']), "{language:?}");
    }
}

#[test]
fn ui_locales_go_before_the_browser() {
    assert_eq!(Language::choose(Some("fr de"), Some("es")), Language::French);
    assert_eq!(Language::choose(Some("xx de-CH"), Some("es")), Language::German);
    assert_eq!(Language::choose(Some("xx"), Some("es")), Language::Spanish);
    assert_eq!(Language::choose(None, None), Language::English);
}

#[test]
fn the_heaviest_weight_wins_and_the_first_of_equals() {
    for (header, language) in [
        ("en;q=0.5, de-AT;q=0.9, fr;q=0.7", Language::German),
        ("it, fr-CA;q=0.8, en;q=0.7", Language::French),
        ("ES", Language::Spanish),
        ("fr, de", Language::French),
        ("de;q=0, fr;q=0.001", Language::French),
        ("it, *;q=0.5", Language::English),
        ("de ; q=0.2 , es ; Q=0.3", Language::Spanish),
    ] {
        assert_eq!(Language::choose(None, Some(header)), language, "{header}");
    }
}

#[test]
fn what_cannot_be_read_is_passed_over() {
    for header in ["", ";;;", "de;q=2", "de;q=-1", "de;q=0.1234", "de;q", "dé", "germ", "de\u{0}", "-de", "q=1"] {
        assert_eq!(Language::choose(Some(header), Some(header)), Language::English, "{header:?}");
    }
    assert_eq!(Language::choose(None, Some("de;q=x, fr;q=0.2")), Language::French);
}

#[test]
fn names_cannot_bring_markup_or_turn_the_sentence_around() {
    let html = Language::English.rich("sign-in-to-client", &[("client", "<b>\u{202e}")]).0;

    assert_eq!(html, "to continue to <bdi class=\"name\">&lt;b&gt;\u{202e}</bdi>");
}

#[test]
fn numbers_and_dates_follow_the_language() {
    let at = "2026-03-01T09:05:00Z".parse().unwrap();

    assert_eq!(Language::English.wait(1), "1 second");
    assert_eq!(Language::German.wait(119), "119 Sekunden");
    assert_eq!(Language::French.wait(121), "3 minutes");
    assert_eq!(Language::Spanish.day(at), "1 de marzo de 2026");
    assert_eq!(Language::German.moment(at), "1. März 2026, 09:05 UTC");
}
