//! Errors of every address: one shape, one id, never plain text, and nothing of what was sent.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::Value;

use crate::answer::{header, problem, refused};
use crate::house::{House, eventually};
use crate::person::Person;

fn any(house: &House, method: &str, path: &str) -> RequestBuilder {
    house.http.request(method.parse().unwrap(), format!("{}{path}", house.origin))
}

/// Requests that go wrong in as many ways as there are layers.
fn odd(house: &House) -> Vec<RequestBuilder> {
    let form = |path: &str, body: &'static str| {
        house.bare(path).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body)
    };
    let paths = ["/nope", "/%00", "/%ff", "//", "/token/", "/api/none", "/problems/none", "/static/none.css"];
    let methods = ["DELETE", "PUT", "PATCH", "TRACE", "BREW"];
    let mut requests: Vec<_> = paths.into_iter().map(|path| any(house, "GET", path)).collect();
    for path in ["/", "/token", "/authorize", "/introspect", "/revoke", "/jwks", "/healthz", "/metrics", "/problems"] {
        requests.extend(methods.map(|method| any(house, method, path)));
        requests.push(any(house, "GET", &format!("{path}?access_token=x")));
    }
    for path in ["/token", "/introspect", "/revoke"] {
        requests.push(any(house, "GET", path));
        requests.push(form(path, ""));
        requests.push(form(path, "a=%zz"));
        requests.push(form(path, "a=1&a=2"));
        requests.push(house.bare(path).json(&[1]));
        requests.push(house.bare(path).body("plain"));
    }
    requests.push(form("/authorize", "client_id=%ff"));
    requests.push(any(house, "GET", "/authorize?client_id=%"));
    requests.push((0..110).fold(house.get("/"), |request, n| request.header(format!("x-{n}"), "y")));
    requests
}

#[tokio::test]
async fn no_error_is_plain_text_and_each_type_is_a_page() {
    let house = House::embedded().await;
    let mut types = BTreeSet::new();

    for request in odd(&house) {
        let shown = format!("{request:?}");
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_client_error(), "{} for {shown}", answer.status());
        types.insert(problem(answer).await["type"].as_str().unwrap().to_owned());
    }

    assert!(types.len() >= 7, "{types:?}");
    for kind in types {
        let page = house.http.get(&kind).send().await.unwrap();
        assert_eq!(page.status(), 200, "{kind}");
        assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
    }
}

#[tokio::test]
async fn an_oauth_endpoint_says_the_oauth_word_also_for_a_wrong_method_or_a_token_in_the_url() {
    let house = House::embedded().await;
    let methods = [("/token", "POST"), ("/introspect", "POST"), ("/revoke", "POST"), ("/device/code", "POST")];

    for (path, allowed) in methods.into_iter().chain([("/userinfo", "GET,HEAD,POST")]) {
        let answer = any(&house, "DELETE", path).send().await.unwrap();
        assert_eq!(header(&answer, "allow"), allowed, "{path}");
        refused(any(&house, "DELETE", path), 405, "invalid_request").await;
        refused(any(&house, "POST", &format!("{path}?access_token=x")), 400, "invalid_request").await;
    }
}

#[tokio::test]
async fn what_is_no_http_gets_a_status_and_no_plain_text() {
    let house = House::embedded().await;
    let long = format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "y".repeat(20_000));
    let garbage = ["GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nbad header\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", &long];

    for bytes in garbage {
        let mut stream = TcpStream::connect(house.origin.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // A reset after the answer is no concern here.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).to_lowercase();
        assert!(answer.starts_with("http/1.1 4") || answer.is_empty(), "{bytes:.40}: {answer}");
        assert!(!answer.contains("text/plain"), "{bytes:.40}: {answer}");
    }
    assert_eq!(house.get("/healthz").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn an_error_to_head_is_the_head_of_the_error() {
    let house = House::embedded().await;

    let answer = any(&house, "HEAD", "/nope").send().await.unwrap();

    assert_eq!(answer.status(), 404);
    assert_eq!(header(&answer, "content-type"), "application/problem+json");
    assert!(header(&answer, "content-length").parse::<usize>().unwrap() > 100);
    assert!(answer.bytes().await.unwrap().is_empty());
}

#[tokio::test]
async fn who_accepts_only_json_gets_the_same_bytes_under_that_name() {
    let house = House::embedded().await;
    let ask = async |accept: Option<&str>| {
        let request = house.bare("/token").form(&[("grant_type", "password")]);
        let request = accept.into_iter().fold(request, |request, accept| request.header(ACCEPT, accept));
        let answer = request.send().await.unwrap();
        let kind = header(&answer, "content-type");
        assert!(header(&answer, "vary").to_lowercase().contains("accept"));
        let text = answer.text().await.unwrap();
        let instance = serde_json::from_str::<Value>(&text).unwrap()["instance"].as_str().unwrap().to_owned();
        (kind, text.replace(&instance, "(instance)"))
    };

    let (kind, bytes) = ask(None).await;

    assert_eq!(kind, "application/problem+json");
    for (accept, expected) in [
        ("application/json", "application/json"),
        ("application/json; charset=utf-8", "application/json"),
        ("application/json, */*;q=0.1", "application/json"),
        ("application/json, application/problem+json", "application/problem+json"),
        ("application/json;q=0", "application/problem+json"),
        ("*/*", "application/problem+json"),
        ("text/html", "application/problem+json"),
        ("image/png", "application/problem+json"),
    ] {
        assert_eq!(ask(Some(accept)).await, (expected.to_owned(), bytes.clone()), "{accept}");
    }
}

#[tokio::test]
async fn a_person_gets_a_page_and_a_program_a_problem() {
    let house = House::embedded().await;
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    let page = house.get("/nope").header(ACCEPT, browser).send().await.unwrap();
    let machine = house.get("/jwks/nope").header(ACCEPT, browser).send().await.unwrap();

    assert_eq!(page.status(), 404);
    assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
    assert!(header(&page, "vary").to_lowercase().contains("accept"));
    assert!(page.text().await.unwrap().contains("id=\"error-page\""));
    assert_eq!(machine.status(), 404);
    problem(machine).await;
}

#[tokio::test]
async fn an_error_page_speaks_the_language_of_its_reader() {
    let house = House::embedded().await;
    let ada = Person::at(&house, "ada");
    let with = async |path: &str, language: &str| ada.send(ada.get(path).header("accept-language", language)).await;

    for (accepted, tag, word) in [
        ("de-AT,de;q=0.9,en;q=0.5", "de", "Diese Seite gibt es nicht"),
        ("fr", "fr", "Cette page n’existe pas"),
        ("es-MX", "es", "Esta página no existe"),
        ("tlh", "en", "This page does not exist"),
    ] {
        let page = with("/nope", accepted).await;

        assert_eq!(page.status, 404, "{accepted}");
        assert!(page.text.contains(&format!("<html lang=\"{tag}\"")) && page.text.contains(word), "{}", page.text);
        let vary: Vec<_> = page.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
        assert!(vary.join(",").to_lowercase().contains("accept-language"), "{vary:?}");
    }
    for (path, tag) in [
        ("/authorize?client_id=nobody&redirect_uri=x&ui_locales=tlh+de-CH%20en", "de"),
        ("/authorize?ui_locales=es", "es"),
        ("/logout?client_id=nobody&post_logout_redirect_uri=x&ui_locales=de", "de"),
        ("/authorize?ui_locales=%ff", "fr"),
        ("/authorize?ui_locales=es&ui_locales=de", "fr"),
        ("/authorize?ui_locales=%22%3E%3Cscript%3E", "fr"),
    ] {
        let page = with(path, "fr").await;

        assert_eq!(page.status, 400, "{path}");
        assert!(page.text.contains(&format!("<html lang=\"{tag}\"")) && page.shows("error-page"), "{}", page.text);
        assert!(!page.text.contains("<script"), "{path}");
    }
}

#[tokio::test]
async fn an_error_page_tells_people_what_to_do_and_developers_what_is_wrong() {
    let house = House::embedded().await;
    let ada = Person::at(&house, "ada");
    let sealed = "x".repeat(40);

    for (path, heading, detail) in [
        ("/authorize?client_id=nobody&redirect_uri=x".to_owned(), "The app sent you here in a wrong way", "client_id"),
        (format!("/consent?request={sealed}"), "This page is too old", "open for too long"),
        (format!("/login?request={sealed}"), "This page is too old", "open for too long"),
        ("/logout?post_logout_redirect_uri=x".to_owned(), "The sign-out did not work", ""),
        ("/?token=x".to_owned(), "This request cannot be read", "token"),
    ] {
        let page = ada.open(&path).await;

        assert_eq!(page.status, 400, "{path}");
        assert!(page.text.contains(&format!("<h1>{heading}</h1>")), "{}", page.text);
        let (_, developer) = page.text.split_once("id=\"error-detail\" lang=\"en\"").unwrap();
        assert!(developer.split("</").next().unwrap().contains(detail), "{}", page.text);
    }
    let plain = ada.open("/nope").await;
    assert!(
        plain.shows("error-page") && !plain.shows("error-detail"),
        "nobody has to mend an address that is not there"
    );
}

#[tokio::test]
async fn the_id_of_an_answer_stands_in_its_log_line_and_cannot_be_chosen() {
    let house = House::embedded().await;
    let chosen = "11111111-2222-3333-4444-555555555555";
    let many = (0..110).fold(house.get("/"), |request, n| request.header(format!("x-{n}"), "y"));

    for request in [house.get("/nope"), house.get("/jwks"), house.bare("/token").form(&[("a", "b")]), many] {
        let answer = request.header("x-request-id", chosen).send().await.unwrap();
        let id = header(&answer, "x-request-id");
        assert_ne!(id, chosen);
        eventually(Duration::from_secs(5), async || {
            house.log().lines().any(|line| line.contains(&format!("\"request_id\":\"{id}\"")))
        })
        .await;
    }
    assert!(!house.log().contains(chosen));
}

#[tokio::test]
async fn a_token_in_a_url_is_refused_everywhere_and_never_logged() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let token = house.token(&client).await;
    let queries = ["token=", "access_token=", "a=b&token=", "%74oken=", "acc%65ss_token=", "access%5Ftoken="];

    for path in ["/", "/nope", "/token", "/introspect", "/authorize", "/jwks", "/healthz", "/api/orders"] {
        for query in queries {
            let path = format!("{path}?{query}{token}");
            for request in [any(&house, "GET", &path), house.post(&path, &client, &[("token", &token)])] {
                let answer = request.send().await.unwrap();
                assert_eq!(answer.status(), 400, "{path}");
                let body = problem(answer).await;
                assert!(body["type"].as_str().unwrap().ends_with("/problems/token-in-url"), "{body}");
                assert!(!body.to_string().contains(&token));
            }
        }
    }

    let last = house.get("/last-of-all").send().await.unwrap();
    let id = header(&last, "x-request-id");
    eventually(Duration::from_secs(5), async || house.log().contains(&id)).await;
    assert!(!house.log().contains(&token[10..40]));
}

/// What is no HTTP at all gets the same shape, though no router ever sees it.
#[tokio::test]
async fn what_is_not_http_gets_a_problem_too() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let house = House::embedded().await;
    let address = house.origin.trim_start_matches("http://").to_owned();
    let long = format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "a".repeat(40_000));
    let broken = [
        ("garbage\r\n\r\n".to_owned(), 400),
        ("POST /token HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n".to_owned(), 400),
        ("GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n".to_owned(), 400),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), 400),
        ("GET / HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n".to_owned(), 400),
        (long, 431),
    ];

    for (request, status) in broken {
        let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        // A server that hangs up on unread bytes may reset the connection behind its answer.
        let _ = stream.read_to_string(&mut answer).await;

        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{request:.40}: {answer:?}"));
        let problem: serde_json::Value = serde_json::from_str(body).unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{head}");
        assert!(head.contains("application/problem+json") && head.contains("x-request-id"), "{head}");
        assert_eq!(problem["status"], status);
    }
}
