//! Renders every sample of every view and checks what all pages have in common.

use std::sync::Arc;

use crate::{Brand, Door, ErrorPage, Landing, Language, ProblemIndex, ProblemPage, View};

mod spoken;

fn check<V: View>() {
    let samples = V::samples();
    assert!(!samples.is_empty());
    for sample in samples {
        check_html(&sample.render().unwrap(), Language::English);
    }
}

fn check_html(html: &str, language: Language) {
    assert!(html.starts_with(&format!("<!doctype html>\n<html lang=\"{}\">", language.tag())), "{html}");
    assert_eq!(html.matches("<h1").count(), 1, "{html}");
    assert_eq!(html.matches("<main").count(), 1, "{html}");
    assert!(html.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"));
    let title = html.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or_default();
    assert!(!title.trim().is_empty(), "{html}");
    assert!(
        !html.contains("<script")
            || ["form-post", "playground", "api-docs"].iter().any(|id| html.contains(&format!("id=\"{id}\""))),
        "{html}"
    );
    assert!(!html.contains("<script>"), "{html}");
    for forbidden in ["<style", " style=", " onclick=", " onload=", "javascript:", "http-equiv"] {
        assert!(!html.contains(forbidden), "{forbidden} in {html}");
    }
    for element in
        ["html", "head", "body", "main", "div", "section", "ul", "ol", "li", "p", "a", "pre", "code", "dl", "h2"]
    {
        let opened = html.matches(&format!("<{element}>")).count() + html.matches(&format!("<{element} ")).count();
        assert_eq!(opened, html.matches(&format!("</{element}>")).count(), "{element} is not closed in {html}");
    }
}

#[test]
fn every_sample_renders_as_a_sound_page() {
    check::<Landing>();
    check::<ProblemIndex>();
    check::<ProblemPage>();
}

#[test]
fn what_operators_and_strangers_write_is_escaped() {
    let hostile = "\"><script>alert(1)</script>";
    let brand =
        Arc::new(Brand { name: hostile.into(), links: vec![(hostile.into(), hostile.into())], ..Brand::default() });
    let mut landing = Landing::samples().remove(0);
    landing.brand = brand.clone();
    landing.doors = vec![Door::new(hostile, hostile, hostile)];
    let mut problem = ProblemPage::samples().remove(0);
    problem.problem.meaning = format!("`{hostile}` {hostile}");
    let error = ErrorPage { brand, ..ErrorPage::samples().remove(0) }.detail(hostile).request_id(hostile);

    check_html(&askama::Template::render(&landing).unwrap(), Language::English);
    check_html(&askama::Template::render(&problem).unwrap(), Language::English);
    check_html(&askama::Template::render(&error).unwrap(), Language::English);
}

#[test]
fn the_landing_page_shows_only_the_doors_that_exist() {
    let mut landing = Landing::samples().remove(1);
    landing.doors.truncate(1);

    let html = askama::Template::render(&landing).unwrap();

    assert!(html.contains("href=\"/api/docs\""));
    assert!(!html.contains("/account") && !html.contains("curl") && !html.contains("demonstration"));
}

#[test]
fn the_example_of_a_problem_is_json() {
    for sample in ProblemPage::samples() {
        let body: serde_json::Value = serde_json::from_str(&sample.example()).unwrap();

        assert_eq!(body["type"], format!("https://id.example/problems/{}", sample.problem.slug));
    }
}

#[test]
fn scripts_find_the_error_page_by_its_id() {
    let html = askama::Template::render(&ErrorPage::samples().remove(0)).unwrap();

    assert!(html.contains("id=\"error-page\""));
}
