//! The page and its script against each other, and what a reader without script gets.

use std::{collections::BTreeSet, fs, path::Path};

use askama::Template;
use http::header;

use super::{ApiDocsPage, page};
use crate::View;

const HOSTILE: &str = "\"><script>alert(1)</script>";

fn html() -> String {
    ApiDocsPage::samples().remove(0).render().unwrap()
}

/// Each module with its text.
fn modules() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/docs");
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
fn only_our_script_runs_and_a_browser_asks_whether_the_page_has_changed() {
    let response = page(&ApiDocsPage::samples().remove(0));

    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-cache");
    assert_eq!(response.headers()[header::VARY], "Accept-Language");
    assert_eq!(response.headers()[header::REFERRER_POLICY], "no-referrer");
}

#[test]
fn the_script_makes_no_markup_from_text_names_no_other_server_and_keeps_no_token() {
    for (name, text) in modules() {
        for forbidden in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", "://"] {
            assert!(!text.contains(forbidden), "{forbidden} in {name}");
        }
        assert!(!text.contains("localStorage"), "{name}");
        assert!(name == "memory.js" || !text.contains("sessionStorage"), "{name}");
        for imported in quoted(&text, " from \"./") {
            assert!(modules().iter().any(|(known, _)| *known == imported), "{name} imports {imported}");
        }
        for imported in quoted(&text, " from \"../") {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("static").join(&imported);
            assert!(file.exists(), "{name} imports {imported}");
        }
    }
    for remembered in script().split("remember({").skip(1).map(|rest| rest.split("})").next().unwrap().to_owned()) {
        assert!(!remembered.contains("token"), "{remembered}");
    }
}

#[test]
fn every_word_of_the_script_stands_in_the_page() {
    let (html, script) = (html(), script());
    let words = quoted(&html, "data-word=\"");

    let mut asked = quoted(&script, "say(\"");
    asked.extend(["path", "query", "header"].map(|group| format!("in-{group}")));
    asked.extend(quoted(&script, "folded(\""));
    asked.extend(["who", "who-none"].map(str::to_owned));

    assert_eq!(asked, words);
}

#[test]
fn everything_that_the_script_looks_for_is_there() {
    let (html, script) = (html(), script());
    let ids = quoted(&html, " id=\"");

    for wanted in ["byId(\"", "press(\""].iter().flat_map(|call| quoted(&script, call)) {
        assert!(ids.contains(&wanted), "{wanted} is not in the page");
    }
    assert_eq!(ids.len(), html.matches(" id=\"").count(), "an id stands twice");
}

#[test]
fn a_reader_without_script_has_every_operation_with_a_command() {
    let html = html();

    for part in [
        "id=\"listBooks\"",
        "id=\"listShelfBooks\"",
        "id=\"createBook\"",
        "id=\"updateBook\"",
        "curl -X PATCH &#34;http://127.0.0.1:8080/api/books/$ID&#34;",
        "Idempotency-Key: $IDEMPOTENCY_KEY",
        "The Dubliner&#39;\\&#39;&#39;s",
        "<code>[gte]</code>",
        "href=\"/api/openapi.json\"",
        "grant_type=client_credentials",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let waiting = html.matches("data-needs-script").count();
    assert_eq!(waiting, html.matches("data-needs-script hidden").count());
}

#[test]
fn whoever_has_no_client_is_told_how_to_register_one_and_a_demonstration_brings_its_own() {
    let [demonstration, ours, bare, ..] = &ApiDocsPage::samples()[..] else { panic!("three samples") };

    assert!(demonstration.render().unwrap().contains("data-client=\"demo-app\""));
    let html = ours.render().unwrap();
    assert!(html.contains("data-client=\"\""));
    assert!(html.contains("--redirect-uri http://127.0.0.1:8080/api/docs") && html.contains("--public"), "{html}");
    assert!(!bare.render().unwrap().contains("name=\"scope\""));
}

#[test]
fn what_a_declaration_says_is_escaped() {
    let mut page = ApiDocsPage::samples().remove(0);
    page.title = HOSTILE.into();
    page.description = HOSTILE.into();
    page.scopes[0].description = HOSTILE.into();
    let resource = &mut page.resources[0];
    resource.description = format!("`{HOSTILE}`");
    resource.fields[0].kind = HOSTILE.into();
    resource.fields[0].description = HOSTILE.into();
    resource.fields[0].default = Some(HOSTILE.into());
    let operation = &mut resource.groups[0].operations[1];
    operation.description = HOSTILE.into();
    operation.bodies[0].example = HOSTILE.into();
    operation.parameters[0].choices = vec![HOSTILE.into()];

    let html = page.render().unwrap();

    assert!(!html.contains("<script>"), "{html}");
}
