//! `/` and `/problems`: what a person sees in a browser.

use std::collections::BTreeSet;

use reqwest::Response;

use crate::answer::{header, problem};
use crate::house::{Engine, House};
use crate::person::Person;

async fn page(house: &House, path: &str) -> String {
    let answer = house.get(path).header("accept", "text/html").send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    assert_is_strict(&answer);
    answer.text().await.unwrap()
}

fn assert_is_strict(answer: &Response) {
    assert_eq!(header(answer, "content-type"), "text/html; charset=utf-8");
    let policy = header(answer, "content-security-policy");
    for rule in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("script-src") && !policy.contains('*'), "{policy}");
    assert_eq!(header(answer, "x-content-type-options"), "nosniff");
    assert_eq!(header(answer, "referrer-policy"), "no-referrer");
}

/// Every address on a page of this server: links, styles, pictures.
fn addresses(text: &str) -> BTreeSet<String> {
    let found = ["href=\"", "src=\""].into_iter().flat_map(|attribute| text.split(attribute).skip(1));
    let found = found.map(|rest| rest.split('"').next().unwrap().to_owned());
    found.filter(|address| address.starts_with('/')).collect()
}

#[tokio::test]
async fn every_link_of_the_landing_page_leads_somewhere() {
    for demo in ["0", "1"] {
        let house = House::with(Engine::Sqlite, &[("VALETKEY_DEMO", demo)]).await.unwrap();

        let text = page(&house, "/").await;

        assert!(text.contains(&house.origin), "it names its issuer");
        let addresses = addresses(&text);
        assert!(addresses.len() > 6, "{addresses:?}");
        for address in addresses {
            assert_eq!(Person::at(&house, "nobody").open(&address).await.status, 200, "{address}");
        }
    }
}

#[tokio::test]
async fn a_page_needs_no_script_and_no_inline_style() {
    let house = House::embedded().await;

    for path in ["/", "/problems", "/problems/not-found"] {
        let text = page(&house, path).await;
        for forbidden in ["<script", "<style", " style=", " onclick=", "javascript:"] {
            assert!(!text.contains(forbidden), "{forbidden} in {path}");
        }
    }
}

#[tokio::test]
async fn every_problem_of_the_index_is_explained() {
    let house = House::embedded().await;

    let index = page(&house, "/problems").await;

    let problems: Vec<_> = addresses(&index).into_iter().filter(|a| a.starts_with("/problems/")).collect();
    assert!(problems.len() > 20, "{problems:?}");
    for address in problems {
        let text = page(&house, &address).await;
        assert!(text.contains(&format!("{}{address}", house.origin)), "{address} shows its type");
    }
    let unknown = house.get("/problems/no-such-thing").send().await.unwrap();
    assert_eq!(unknown.status(), 404);
    problem(unknown).await;
}

#[tokio::test]
async fn the_landing_page_answers_head_and_refuses_to_be_written() {
    let house = House::embedded().await;

    let head = house.http.head(&house.origin).send().await.unwrap();
    let post = house.bare("/").send().await.unwrap();

    assert_eq!(head.status(), 200);
    assert_is_strict(&head);
    assert_eq!(post.status(), 405);
    problem(post).await;
}
