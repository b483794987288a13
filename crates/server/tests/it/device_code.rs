//! `/device/code`, and polling at `/token`: a device without a browser of its own.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::RequestBuilder;
use serde_json::Value;

use crate::answer::{header, refused};
use crate::app::{Tokens, userinfo};
use crate::both_engines;
use crate::house::{Engine, House, Registered, eventually};
use crate::person::{Page, Person};
use crate::token::succeeds;

pub const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
const SCOPE: &str = "openid profile read:orders";

/// An app on a device: a public client.
#[derive(Clone)]
pub struct Television {
    pub client: Registered,
}

/// What a device shows and keeps.
#[derive(Clone, Debug)]
pub struct Question {
    pub device_code: String,
    pub user_code: String,
    pub body: Value,
}

impl Television {
    /// Registers one, as an operator would.
    pub fn new(house: &House, id: &str) -> Self {
        let grants = ["--public", "--grant", "device_code", "--grant", "refresh_token", "--scope", SCOPE];
        let mut arguments = vec!["client", "add", "--name", "Harbour TV", "--id", id];
        arguments.extend(grants);
        house.json(&arguments);
        Self { client: Registered { id: id.to_owned(), secret: String::new() } }
    }

    /// Asks for codes.
    pub fn ask_with(&self, house: &House, more: &[(&str, &str)]) -> RequestBuilder {
        let mut form = vec![("client_id", self.client.id.as_str())];
        form.extend(more);
        house.bare("/device/code").header("user-agent", "HarbourTV/4.2").form(&form)
    }

    /// Asks, and reads the answer.
    pub async fn ask(&self, house: &House) -> Question {
        let body = succeeds(self.ask_with(house, &[("scope", SCOPE)])).await;
        let text = |name: &str| body[name].as_str().unwrap_or_else(|| panic!("no {name}: {body}")).to_owned();
        Question { device_code: text("device_code"), user_code: text("user_code"), body }
    }

    /// Asks whether someone has let it in.
    pub fn poll(&self, house: &House, question: &Question) -> RequestBuilder {
        let id = self.client.id.as_str();
        let form = [("grant_type", GRANT), ("client_id", id), ("device_code", &question.device_code)];
        house.bare("/token").form(&form)
    }
}

impl Person {
    /// Types a code, and sees what asks. Signs in first if that is needed.
    pub async fn type_code(&self, code: &str) -> Page {
        let mut page = self.open("/device").await;
        if page.shows("login-submit") {
            page = self.sign_in(&page).await;
        }
        let csrf = page.field("csrf").unwrap();
        self.send(self.post("/device", &[("csrf", &csrf), ("user_code", code)])).await
    }

    /// Presses a button of the page that asks about a device.
    pub async fn answer_device(&self, page: &Page, decision: &str) -> Page {
        let (csrf, code) = (page.field("csrf").unwrap(), page.field("user_code").unwrap());
        self.send(self.post("/device", &[("csrf", &csrf), ("user_code", &code), ("decision", decision)])).await
    }

    /// Lets a device in.
    pub async fn let_in(&self, question: &Question) {
        let page = self.type_code(&question.user_code).await;
        let done = self.answer_device(&page, "approve").await;
        assert!(done.status == 200 && done.text.contains("Your device is connected"), "{}", done.text);
    }
}

both_engines! {
    /// SPEC.md, device authorization polling: pending until the user has consented, then 200 with tokens.
    async fn a_device_waits_for_a_person_and_then_has_its_tokens(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));

        let question = tv.ask(&house).await;
        let waiting = tv.ask(&house).await;
        refused(tv.poll(&house, &waiting), 400, "authorization_pending").await;
        ada.let_in(&question).await;
        let tokens = Tokens::read(succeeds(tv.poll(&house, &question)).await);

        assert_eq!(tokens.body["scope"], SCOPE);
        assert_eq!(tokens.body["token_type"], "Bearer");
        assert!(tokens.body["id_token"].is_string());
        let (status, claims) = userinfo(&house, &tokens.access).await;
        assert_eq!((status, claims["preferred_username"].as_str()), (200, Some("ada")));
        let renew = [("grant_type", "refresh_token"), ("client_id", "tv"), ("refresh_token", &tokens.refresh)];
        succeeds(house.bare("/token").form(&renew)).await;
    }

    async fn of_twenty_polls_at_once_one_has_tokens_and_they_die_with_the_replay(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let question = tv.ask(&house).await;
        ada.let_in(&question).await;

        let answers = join_all((0..20).map(|_| tv.poll(&house, &question).send())).await;

        let mut won = Vec::new();
        for answer in answers {
            let answer = answer.unwrap();
            match answer.status().as_u16() {
                200 => won.push(Tokens::read(answer.json().await.unwrap())),
                400 => assert_eq!(answer.json::<Value>().await.unwrap()["error"], "invalid_grant"),
                other => panic!("{other}"),
            }
        }
        assert_eq!(won.len(), 1);
        assert_eq!(userinfo(&house, &won[0].access).await.0, 401, "a code that came twice is in two hands");
        let renew = [("grant_type", "refresh_token"), ("client_id", "tv"), ("refresh_token", &won[0].refresh)];
        refused(house.bare("/token").form(&renew), 400, "invalid_grant").await;
    }

    async fn a_replay_ends_the_session(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let question = tv.ask(&house).await;
        ada.let_in(&question).await;
        let tokens = Tokens::read(succeeds(tv.poll(&house, &question)).await);
        assert_eq!(userinfo(&house, &tokens.access).await.0, 200);

        refused(tv.poll(&house, &question), 400, "invalid_grant").await;

        assert_eq!(userinfo(&house, &tokens.access).await.0, 401);
        eventually(Duration::from_secs(5), async || house.log().contains("code_replayed")).await;
    }

    async fn whoever_polls_too_fast_is_told_so_and_gets_nothing_even_if_approved(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let question = tv.ask(&house).await;
        refused(tv.poll(&house, &question), 400, "authorization_pending").await;

        let second = refused(tv.poll(&house, &question), 400, "slow_down").await;
        ada.let_in(&question).await;
        let third = refused(tv.poll(&house, &question), 400, "slow_down").await;

        assert!(second["detail"].as_str().unwrap().contains("10 seconds"), "{second}");
        assert!(third["detail"].as_str().unwrap().contains("15 seconds"), "it grows, and is remembered: {third}");
    }

    async fn a_no_reaches_the_device(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let question = tv.ask(&house).await;

        let page = ada.type_code(&question.user_code).await;
        let done = ada.answer_device(&page, "deny").await;

        assert!(done.text.contains("not connected"), "{}", done.text);
        refused(tv.poll(&house, &question), 400, "access_denied").await;
        assert_eq!(ada.type_code(&question.user_code).await.status, 400, "a code is for one decision");
    }

    async fn another_client_gets_nothing_and_consumes_nothing(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let (thief, service) = (Television::new(&house, "thief"), house.client("service", &["--grant", "device_code"]));
        let question = tv.ask(&house).await;
        ada.let_in(&question).await;
        let form = [("grant_type", GRANT), ("device_code", &question.device_code)];

        refused(thief.poll(&house, &question), 400, "invalid_grant").await;
        refused(house.post("/token", &service, &form), 400, "invalid_grant").await;
        let wrong = Registered { secret: "wrong".to_owned(), ..service };
        refused(house.post("/token", &wrong, &form), 401, "invalid_client").await;
        refused(house.bare("/token").form(&form), 401, "invalid_client").await;

        succeeds(tv.poll(&house, &question)).await;
    }

    async fn a_device_that_was_let_in_survives_a_restart_of_the_server(house: House) {
        let mut house = house;
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let (question, hurried) = (tv.ask(&house).await, tv.ask(&house).await);
        ada.let_in(&question).await;
        refused(tv.poll(&house, &hurried), 400, "authorization_pending").await;

        house.kill();
        house.start().await;

        refused(tv.poll(&house, &hurried), 400, "slow_down").await;
        succeeds(tv.poll(&house, &question)).await;
    }
}

#[tokio::test]
async fn the_answer_has_what_a_device_needs_and_nobody_keeps_it() {
    let house = House::embedded().await;
    let tv = Television::new(&house, "tv");

    let answer = tv.ask_with(&house, &[]).send().await.unwrap();

    assert_eq!(header(&answer, "cache-control"), "no-store");
    assert_eq!(header(&answer, "content-type"), "application/json");
    assert_eq!(header(&answer, "set-cookie"), "");
    let body: Value = answer.json().await.unwrap();
    let code = body["user_code"].as_str().unwrap();
    assert!(body["device_code"].as_str().unwrap().starts_with("vk_dc_"));
    assert_eq!(code.len(), 9);
    assert!(code.chars().all(|c| "BCDFGHJKLMNPQRSTVWXZ-".contains(c)), "{code}");
    assert_eq!(body["verification_uri"], format!("{}/device", house.origin));
    assert_eq!(body["verification_uri_complete"], format!("{}/device?user_code={code}", house.origin));
    assert_eq!(body["verification_qr_uri"], format!("{}/device/qr?user_code={code}", house.origin));
    assert_eq!((body["expires_in"].as_u64(), body["interval"].as_u64()), (Some(600), Some(5)));
}

#[tokio::test]
async fn what_is_wrong_with_a_question_is_said_with_its_word() {
    let house = House::embedded().await;
    let tv = Television::new(&house, "tv");
    let (till, box_office) = (house.client("till", &[]), house.client("box-office", &["--grant", "device_code"]));

    refused(tv.ask_with(&house, &[("scope", "openid admin")]), 400, "invalid_scope").await;
    refused(tv.ask_with(&house, &[("scope", "a\"b")]), 400, "invalid_scope").await;
    refused(tv.ask_with(&house, &[("resource", "https://elsewhere.example")]), 400, "invalid_target").await;
    refused(tv.ask_with(&house, &[("client_id", "tv")]), 400, "invalid_request").await;
    refused(tv.ask_with(&house, &[("client_secret", "guess")]), 401, "invalid_client").await;
    refused(house.bare("/device/code").form(&[("client_id", "nobody")]), 401, "invalid_client").await;
    refused(house.bare("/device/code").form(&[("scope", "openid")]), 401, "invalid_client").await;
    refused(house.bare("/device/code").form(&[("client_id", "box-office")]), 401, "invalid_client").await;
    refused(house.post("/device/code", &till, &[]), 400, "unauthorized_client").await;
    succeeds(house.post("/device/code", &box_office, &[("resource", &format!("{}/api", house.origin))])).await;
    let get = house.get("/device/code").header("accept", "text/html").send().await.unwrap();
    assert_eq!((get.status().as_u16(), header(&get, "allow")), (405, "POST".to_owned()));
    assert_eq!(header(&get, "content-type"), "application/problem+json", "no page: programs come here");
}

#[tokio::test]
async fn a_poll_needs_a_device_code_of_ours() {
    let house = House::embedded().await;
    let tv = Television::new(&house, "tv");
    let question = tv.ask(&house).await;
    let poll =
        |code: &str| house.bare("/token").form(&[("grant_type", GRANT), ("client_id", "tv"), ("device_code", code)]);

    refused(poll(""), 400, "invalid_request").await;
    refused(poll("x"), 400, "invalid_grant").await;
    refused(poll(&question.user_code), 400, "invalid_grant").await;
    refused(poll(&question.device_code.replace("vk_dc_", "vk_ac_")), 400, "invalid_grant").await;
    let mut changed = question.device_code.clone().into_bytes();
    let last = changed.len() - 10;
    changed[last] = if changed[last] == b'A' { b'B' } else { b'A' };
    refused(poll(&String::from_utf8(changed).unwrap()), 400, "invalid_grant").await;
    let short = house.bare("/token").form(&[
        ("grant_type", "device_code"),
        ("client_id", "tv"),
        ("device_code", &question.device_code),
    ]);
    refused(short, 400, "unsupported_grant_type").await;
    refused(tv.poll(&house, &question), 400, "authorization_pending").await;
}

#[tokio::test]
async fn listed_origins_may_ask_from_a_browser_and_others_may_not() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_CORS_ORIGINS", "https://tv.example")]).await.unwrap();
    let tv = Television::new(&house, "tv");

    let listed = tv.ask_with(&house, &[]).header("origin", "https://tv.example").send().await.unwrap();
    let other = tv.ask_with(&house, &[]).header("origin", "https://evil.example").send().await.unwrap();

    assert_eq!(header(&listed, "access-control-allow-origin"), "https://tv.example");
    assert_eq!(header(&other, "access-control-allow-origin"), "");
}

#[tokio::test]
async fn neither_code_stands_in_the_log_or_the_database() {
    let house = House::embedded().await;
    let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
    let question = tv.ask(&house).await;
    ada.open(&format!("/device?user_code={}", question.user_code)).await;
    ada.let_in(&question).await;
    succeeds(tv.poll(&house, &question)).await;
    eventually(Duration::from_secs(5), async || house.log().contains("device decided")).await;

    let letters = question.user_code.replace('-', "");
    for secret in [question.device_code.as_str(), &question.user_code, &letters] {
        assert!(!house.log().contains(secret));
        for file in std::fs::read_dir(house.data()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
        }
    }
}

#[tokio::test]
async fn a_device_may_meet_another_server_at_every_step() {
    let Some((first, second)) = crate::revoke::pair("strict").await else { return };
    let (tv, mut ada) = (Television::new(&first, "tv"), Person::new(&first, "ada"));
    let question = tv.ask(&first).await;
    ada.move_to(&second);
    let page = ada.type_code(&question.user_code).await;
    ada.move_to(&first);
    ada.answer_device(&page, "approve").await;

    let polls = (0..10).flat_map(|_| [&first, &second]).map(|house| tv.poll(house, &question).send());
    let answers = join_all(polls).await;

    let won = answers.into_iter().filter(|answer| answer.as_ref().unwrap().status() == 200).count();
    assert_eq!(won, 1);
}
