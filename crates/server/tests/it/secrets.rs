//! What must stay secret stands neither in the log nor in the metrics, wherever it was sent, at any log level.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, REFERER, USER_AGENT};
use reqwest::{Client, RequestBuilder};

use crate::answer::refused;
use crate::app::{App, Tokens, VERIFIER, userinfo};
use crate::house::{Engine, House, Registered};
use crate::person::{PASSWORD, Person};
use crate::token::succeeds;

/// Parameters of all endpoints.
const NAMES: [&str; 14] = [
    "client_id",
    "client_secret",
    "grant_type",
    "scope",
    "resource",
    "token",
    "token_type_hint",
    "code",
    "code_verifier",
    "refresh_token",
    "password",
    "csrf",
    "request",
    "id_token_hint",
];

/// One secret in every place of a request, right and wrong.
fn everywhere(house: &House, http: &Client, client: &Registered, secret: &str) -> Vec<RequestBuilder> {
    let at = |path: &str| format!("{}{path}", house.origin);
    let raw = |path: &str, body: String| {
        let request = http.post(at(path)).basic_auth(&client.id, Some(&client.secret));
        request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body)
    };
    let mut requests = Vec::new();
    let paths =
        ["/token", "/introspect", "/revoke", "/userinfo", "/authorize", "/login", "/consent", "/logout", "/nope"];
    for path in paths {
        requests.push(http.post(at(path)).basic_auth(&client.id, Some(secret)).form(&[("grant_type", "x")]));
        requests.push(http.post(at(path)).basic_auth(secret, Some(secret)).form(&[("token", secret)]));
        requests.push(http.post(at(path)).bearer_auth(secret).form(&[("token", secret)]));
        requests.push(http.post(at(path)).header(AUTHORIZATION, secret).form(&[("token", secret)]));
        requests.push(http.post(at(path)).header(AUTHORIZATION, format!("{secret} x")));
        requests.push(http.post(at(path)).json(&serde_json::json!({ "client_secret": secret })));
        for name in NAMES {
            let body = format!("{name}={secret}");
            requests.push(raw(path, format!("grant_type=client_credentials&{body}")));
            requests.push(raw(path, format!("{body}&{body}")));
            requests.push(http.post(at(path)).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body));
            requests.push(http.get(at(&format!("{path}?{name}={secret}"))));
        }
        for body in ["{}={}", "{}=1&{}=2", "grant_type=client_credentials&{}", "a=%zz&b={}", "{}=%ff"] {
            requests.push(raw(path, body.replace("{}", secret)));
            requests.push(http.get(at(&format!("{path}?{}", body.replace("{}", secret)))));
        }
        requests.push(http.get(at(&format!("{path}/{secret}"))));
        requests.push(http.post(at(&format!("{path}?access_token={secret}"))));
        let request = http.get(at(path)).header(COOKIE, format!("vk_sign_in={secret}")).header(REFERER, at(secret));
        let request = request.header(USER_AGENT, secret).header("x-request-id", secret).header("origin", secret);
        let request = request.header("traceparent", secret).header("tracestate", secret).header("accept", secret);
        requests.push(request.header("forwarded", format!("for={secret}")).header("x-forwarded-for", secret));
        requests.push(http.get(at(path)).header(CONTENT_TYPE, secret).header("x-api-key", secret));
    }
    requests.push(http.get(at(&format!("/problems/{secret}"))).header("accept", "text/html"));
    requests.push(http.get(at(&format!("/authorize?state={secret}&client_id={}", client.id))));
    requests
}

/// A part of a secret is as bad as the whole.
fn assert_hidden(secrets: &[&str], text: &str) {
    for secret in secrets {
        let part = &secret[secret.len() / 4..secret.len() * 3 / 4];
        let line = text.lines().find(|line| line.contains(part));
        assert!(line.is_none(), "{line:?}");
    }
}

#[tokio::test]
async fn nothing_that_a_person_or_an_app_holds_is_logged_in_a_whole_flow() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::with(engine, &[("VALETKEY_LOG_LEVEL", "trace")]).await else { continue };
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let wrong = "a wrong password that nobody has";

        let login = ada.arrive(&app, &[("nonce", "nonce-of-this-request"), ("login_hint", "ada")]).await;
        ada.type_password(&login, wrong).await;
        let consent = ada.sign_in(&login).await;
        let answer = ada.decide(&consent, "approve").await.answer();
        let silent = ada.arrive(&app, &[("response_mode", "form_post")]).await.answer();
        let verifier = "x".repeat(43);
        let mistaken = app.redeem_with(&house, &[("code", answer.code()), ("code_verifier", &verifier)]);
        refused(mistaken, 400, "invalid_grant").await;
        let first = Tokens::read(succeeds(app.redeem(&house, answer.code())).await);
        let key = "key-of-this-attempt-and-its-retries";
        let second = succeeds(app.refresh(&house, &first.refresh).header("idempotency-key", key)).await;
        let second = Tokens::read(second);
        assert_eq!(userinfo(&house, &second.access).await.0, 200);
        assert!(app.is_active(&house, &second.refresh).await);
        refused(app.refresh(&house, &first.refresh), 400, "invalid_grant").await;
        refused(app.redeem(&house, answer.code()), 400, "invalid_grant").await;
        let logout = ada.open("/logout").await.field("csrf").unwrap();
        let cookies = ["vk_sign_in", "vk_browser"].map(|name| ada.cookie(name).unwrap());
        ada.send(ada.post("/logout", &[("csrf", &logout)])).await;
        let metrics = house.get("/metrics").send().await.unwrap().text().await.unwrap();
        house.stop().await;

        let sealed = [&login, &consent].map(|page| [page.field("csrf").unwrap(), page.field("request").unwrap()]);
        let mut secrets =
            vec![PASSWORD, wrong, VERIFIER, key, &logout, answer.code(), silent.code(), &app.client.secret];
        secrets.extend(sealed.iter().flatten().chain(&cookies).map(String::as_str));
        for tokens in [&first, &second] {
            secrets.extend([tokens.access.as_str(), &tokens.refresh, tokens.body["id_token"].as_str().unwrap()]);
        }
        let log = house.log();
        assert!(log.contains("\"level\":\"trace\""), "trace is on");
        assert_hidden(&secrets, &log);
        assert_hidden(&secrets, &metrics);
        assert!(!log.contains("ada@example.org"), "nor what is known of a person");
    }
}

#[tokio::test]
async fn no_secret_is_logged_or_counted_wherever_it_was_sent() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::with(engine, &[("VALETKEY_LOG_LEVEL", "trace")]).await else { continue };
        let client = house.client("till", &[]);
        let signer = house.client("signer", &["--access-token", "jwt"]);
        let (opaque, signed) = (house.token(&client).await, house.token(&signer).await);
        let secrets = [client.secret.as_str(), &opaque, &signed, "hunter2hunter2hunter2", "vk_rt_QUJDREVGR0hJSktMTU5P"];
        let multiplexed = Client::builder().http2_prior_knowledge().build().unwrap();

        let plain = secrets.map(|secret| (&house.http, secret));
        for (http, secret) in plain.into_iter().chain([(&multiplexed, secrets[0])]) {
            for request in everywhere(&house, http, &client, secret) {
                let answer = request.send().await.unwrap();
                assert!(answer.status().as_u16() < 500, "{}", answer.text().await.unwrap());
            }
        }
        let metrics = house.get("/metrics").send().await.unwrap().text().await.unwrap();
        house.stop().await;

        let log = house.log();
        assert!(log.lines().count() > 500, "trace is on");
        assert_hidden(&secrets, &log);
        assert_hidden(&secrets, &metrics);
        for hidden in house.hidden() {
            assert!(!log.contains(&hidden), "{engine:?}: the operator's own secret is logged");
        }
    }
}

#[tokio::test]
async fn no_answer_gives_back_a_secret_that_was_sent_in_a_wrong_place() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let secret = house.token(&client).await;

    for request in everywhere(&house, &house.http, &client, &secret) {
        let text = request.send().await.unwrap().text().await.unwrap();
        assert!(!text.contains(&secret), "{text}");
    }
}
