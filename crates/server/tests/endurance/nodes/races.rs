//! The same thing asked of three nodes at the same moment: one wins, wherever it asks.

use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::time::Duration;

use super::Nodes;
use crate::app::Tokens;
use crate::device_code::{self, GRANT};
use crate::house::House;
use crate::plan::Plan;
use crate::told::{Answer, calm};

/// At each node.
const EACH: usize = 4;

impl Nodes {
    /// Asks all nodes at once, several times each; the order is that of chance.
    async fn all_at_once(&self, first: usize, ask: impl Fn(&House) -> RequestBuilder) -> Vec<Answer> {
        let turns = (0..EACH * 3).map(|at| &self.houses[(at + first) % 3]);
        join_all(turns.map(|house| calm(ask(house)))).await
    }

    fn order(&self, house: &House, token: &str, method: Method, path: &str, body: &Value) -> RequestBuilder {
        house.http.request(method, format!("{}/api/orders{path}", house.origin)).bearer_auth(token).json(body)
    }

    async fn are_dead(&self, tokens: &Tokens) {
        for house in &self.houses {
            assert!(!self.app.is_active(house, &tokens.access).await);
            calm(self.app.refresh(house, &tokens.refresh)).await.expect(&[400]);
        }
    }
}

/// The tokens of the one who won; all others are refused.
fn winner(answers: Vec<Answer>) -> Tokens {
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    for answer in lost {
        assert_eq!(answer.clone().expect(&[400]).word("error"), "invalid_grant", "{answer:?}");
    }
    assert_eq!(won.len(), 1, "{won:?}");
    Tokens::read(won[0].json())
}

async fn a_code(nodes: &Nodes, first: usize) {
    let code = nodes.ada.allow(&nodes.app, &[]).await.code().to_owned();
    let answers = nodes.all_at_once(first, |house| nodes.app.redeem(house, &code)).await;
    nodes.are_dead(&winner(answers)).await;
}

async fn a_refresh_token(nodes: &Nodes, first: usize) {
    let tokens = nodes.app.tokens(&nodes.houses[first], &nodes.ada, &[]).await;
    let answers = nodes.all_at_once(first, |house| nodes.app.refresh(house, &tokens.refresh)).await;
    nodes.are_dead(&winner(answers)).await;
}

/// A retry is not a theft, at whichever node.
async fn a_refresh_token_with_a_key(nodes: &Nodes, first: usize) {
    let tokens = nodes.app.tokens(&nodes.houses[first], &nodes.ada, &[]).await;
    let ask = |house: &House| nodes.app.refresh(house, &tokens.refresh).header("idempotency-key", "k");
    let answers = nodes.all_at_once(first, ask).await;
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.text == answers[0].text), "{answers:?}");
    let next = Tokens::read(answers[0].json());
    calm(nodes.app.refresh(&nodes.houses[first], &next.refresh)).await.expect(&[200]);
}

async fn a_device(nodes: &Nodes, first: usize) {
    let tv = nodes.houses[0].json(&[
        "client",
        "add",
        "--name",
        "tv",
        "--grant",
        "device_code",
        "--grant",
        "refresh_token",
        "--scope",
        "openid read:orders",
    ]);
    let word = |name: &str| tv[name].as_str().unwrap().to_owned();
    let tv = crate::house::Registered { id: word("client_id"), secret: word("client_secret") };
    let question = device_code::ask(&nodes.houses[first], &tv).await;
    device_code::let_in(&nodes.ada, &question).await;
    let form = [("grant_type", GRANT), ("device_code", &question.device_code)];
    let answers = nodes.all_at_once(first, |house| house.post("/token", &tv, &form)).await;
    let won = winner(answers);
    for house in &nodes.houses {
        assert_eq!(house.introspect(&tv, &won.access).await["active"], false);
    }
}

async fn an_idempotency_key(nodes: &Nodes, first: usize, mark: &str, token: &str) {
    let body = json!({ "amount": 5, "note": mark });
    let ask = |house: &House| nodes.order(house, token, Method::POST, "", &body).header("idempotency-key", mark);
    let answers = nodes.all_at_once(first, ask).await;
    let made: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(made.len(), 1, "{answers:?}");
    for answer in &answers {
        // Still running at another node, or done and answered again.
        let answer = answer.clone().expect(&[200, 201, 409]);
        assert!(answer.status == 409 || answer.text == made[0].text, "{answer:?}");
    }
    let found = calm(nodes.houses[first].get(&format!("/api/orders?q={mark}")).bearer_auth(token)).await.expect(&[200]);
    assert_eq!(found.json()["data"].as_array().unwrap().len(), 1);
}

async fn a_condition(nodes: &Nodes, first: usize, token: &str) {
    let house = &nodes.houses[first];
    let made = calm(nodes.order(house, token, Method::POST, "", &json!({ "amount": 1 }))).await.expect(&[201]);
    let (id, etag) = (made.word("id"), made.header("etag").to_owned());
    let path = format!("/{id}");
    let number = std::sync::atomic::AtomicU64::new(100);
    let ask = |house: &House| {
        let amount = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        nodes.order(house, token, Method::PATCH, &path, &json!({ "amount": amount })).header("if-match", &etag)
    };
    let answers = nodes.all_at_once(first, ask).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(won.len(), 1, "{won:?}");
    assert!(lost.iter().all(|answer| answer.status == 412), "{lost:?}");
    for house in &nodes.houses {
        let seen = calm(house.get(&format!("/api/orders/{id}")).bearer_auth(token)).await.expect(&[200]);
        assert_eq!((seen.json(), seen.header("etag")), (won[0].json(), won[0].header("etag")));
    }
}

/// Two actions that exclude each other.
async fn an_action(nodes: &Nodes, first: usize, token: &str) {
    let house = &nodes.houses[first];
    let made = calm(nodes.order(house, token, Method::POST, "", &json!({ "amount": 1 }))).await.expect(&[201]);
    let id = made.word("id");
    let turn = std::sync::atomic::AtomicUsize::new(first);
    let ask = |house: &House| {
        let action = ["pay", "cancel"][turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 2];
        nodes.order(house, token, Method::POST, &format!("/{id}/{action}"), &json!({}))
    };
    let answers = nodes.all_at_once(first, ask).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| [200, 409].contains(&answer.status)), "{answers:?}");
}

#[tokio::test]
async fn of_all_who_ask_three_nodes_at_once_one_wins() {
    let plan = Plan::read(6, Duration::from_millis(300));
    let Some(nodes) = Nodes::start(None).await else { return };
    let token = nodes.houses[0].token(&nodes.till).await;

    for round in 0..plan.rounds {
        let mut chance = plan.chance(round);
        let mut first = || chance.among(0..3);
        a_code(&nodes, first()).await;
        a_refresh_token(&nodes, first()).await;
        a_refresh_token_with_a_key(&nodes, first()).await;
        a_device(&nodes, first()).await;
        an_idempotency_key(&nodes, first(), &format!("s{}r{round}", plan.seed), &token).await;
        a_condition(&nodes, first(), &token).await;
        an_action(&nodes, first(), &token).await;
    }
    eprintln!("{} rounds of 7 races, {} at once, one winner each", plan.rounds, EACH * 3);
}
