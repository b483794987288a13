//! The page and its script against each other: neither waits for what the other does not have.

use std::{collections::BTreeSet, fs, path::Path};

use askama::Template;
use http::header;

use super::{PlaygroundPage, page};
use crate::View;

fn html() -> String {
    PlaygroundPage::samples().remove(0).render().unwrap()
}

/// Each module with its text.
fn modules() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/playground");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap()))
        .collect()
}

fn script() -> String {
    modules().into_iter().map(|(_, text)| text).collect()
}

/// What stands between `before` and the next quote, wherever `before` stands.
fn quoted(text: &str, before: &str) -> BTreeSet<String> {
    text.split(before).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn only_our_script_runs_and_it_asks_only_this_server() {
    let response = page(&PlaygroundPage::samples().remove(0));

    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    for rule in
        ["default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'", "frame-ancestors 'none'"]
    {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    assert_eq!(response.headers()[header::REFERRER_POLICY], "no-referrer");
    assert_eq!(response.headers()["cross-origin-opener-policy"], "same-origin");
}

#[test]
fn the_script_makes_no_markup_from_text_and_names_no_other_server() {
    for (name, text) in modules() {
        for forbidden in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "://"] {
            assert!(!text.contains(forbidden), "{forbidden} in {name}");
        }
        for imported in quoted(&text, " from \"./") {
            assert!(modules().iter().any(|(known, _)| *known == imported), "{name} imports {imported}");
        }
    }
}

#[test]
fn every_word_of_the_script_stands_in_the_page() {
    let (html, script) = (html(), script());
    let words = quoted(&html, "data-word=\"");

    let mut asked = quoted(&script, "say(\"");
    asked.extend(quoted(&script, "\"why-").into_iter().map(|rest| format!("why-{rest}")));
    assert_eq!(asked.difference(&words).collect::<Vec<_>>(), Vec::<&String>::new());
    for word in &words {
        let name = word.trim_end_matches("-ok").trim_end_matches("-bad");
        assert!(script.contains(&format!("\"{name}\"")), "{word} is said nowhere");
    }
}

#[test]
fn every_button_does_something_and_everything_the_script_looks_for_is_there() {
    let (html, script) = (html(), script());
    let ids = quoted(&html, " id=\"");

    for wanted in ["byId(\"", "press(\"", "enable(\"", "done(\""].iter().flat_map(|call| quoted(&script, call)) {
        assert!(ids.contains(&wanted), "{wanted} is not in the page");
    }
    for button in html.split("<button ").skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let id = quoted(button, "id=\"").pop_first().unwrap();
        assert!(script.contains(&format!("press(\"{id}\"")), "{id} does nothing");
    }
    for (attribute, call) in [("data-slot=\"", "exchange("), ("data-show=\"", "showOnly("), ("data-value=\"", "fill(")]
    {
        for name in quoted(&html, attribute) {
            assert!(script.contains(&format!("\"{name}\"")), "nothing calls {call}{name}");
        }
    }
}

#[test]
fn no_secret_of_the_service_is_written_down() {
    let html = html();

    assert!(html.contains("client_secret=&#34;$CLIENT_SECRET&#34;"), "{html}");
    assert!(!script().contains("localStorage"));
}

#[test]
fn who_runs_no_script_is_told_so_and_gets_the_commands() {
    let html = html();

    let without = html.split("<noscript>").nth(1).and_then(|rest| rest.split("</noscript>").next()).unwrap();
    for part in
        ["JavaScript", "openssl dgst -sha256", "/authorize?response_type=code", "code_verifier=", "/device/code"]
    {
        assert!(without.contains(part), "{part}");
    }
}
