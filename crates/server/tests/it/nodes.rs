//! Two servers on one database: a person and an app may meet either of them at every step.

use futures_util::future::join_all;
use reqwest::Response;

use crate::answer::refused;
use crate::app::{App, Tokens, userinfo};
use crate::person::Person;
use crate::refresh::{KEY, assert_dead, renewed};
use crate::revoke::pair;
use crate::token::succeeds;

/// The tokens of those who won.
async fn winners(answers: Vec<reqwest::Result<Response>>) -> Vec<Tokens> {
    let mut winners = Vec::new();
    for answer in answers {
        let answer = answer.unwrap();
        match answer.status().as_u16() {
            200 => winners.push(Tokens::read(answer.json().await.unwrap())),
            400 => assert_eq!(answer.json::<serde_json::Value>().await.unwrap()["error"], "invalid_grant"),
            other => panic!("{other}"),
        }
    }
    winners
}

#[tokio::test]
async fn a_flow_may_change_the_server_at_every_step() {
    let Some((first, second)) = pair("strict").await else { return };
    let (app, mut ada) = (App::new(&first, "app"), Person::new(&first, "ada"));

    let login = ada.arrive(&app, &[]).await;
    ada.move_to(&second);
    let consent = ada.sign_in(&login).await;
    ada.move_to(&first);
    let answer = ada.decide(&consent, "approve").await.answer();
    let tokens = Tokens::read(succeeds(app.redeem(&second, answer.code())).await);
    let next = renewed(app.refresh(&first, &tokens.refresh)).await;

    assert_eq!(userinfo(&second, &next.access).await.0, 200);
    refused(app.redeem(&first, answer.code()), 400, "invalid_grant").await;
    assert_dead(&second, &app, &[&next, &tokens]).await;
}

#[tokio::test]
async fn a_code_is_redeemed_once_by_both_servers_together() {
    let Some((first, second)) = pair("strict").await else { return };
    let (app, ada) = (App::new(&first, "app"), Person::new(&first, "ada"));
    let answer = ada.allow(&app, &[]).await;

    let attempts = (0..10).flat_map(|_| [&first, &second]).map(|house| app.redeem(house, answer.code()).send());
    let winners = winners(join_all(attempts).await).await;

    assert_eq!(winners.len(), 1);
    for house in [&first, &second] {
        assert_dead(house, &app, &[&winners[0]]).await;
    }
}

#[tokio::test]
async fn a_refresh_token_is_used_once_by_both_servers_together() {
    let Some((first, second)) = pair("strict").await else { return };
    let (app, ada) = (App::new(&first, "app"), Person::new(&first, "ada"));
    let tokens = app.tokens(&first, &ada, &[]).await;

    let attempts = (0..16).flat_map(|_| [&first, &second]).map(|house| app.refresh(house, &tokens.refresh).send());
    let winners = winners(join_all(attempts).await).await;

    assert_eq!(winners.len(), 1);
    for house in [&first, &second] {
        assert_dead(house, &app, &[&winners[0], &tokens]).await;
    }
}

#[tokio::test]
async fn a_retry_at_the_other_server_gets_the_same_answer() {
    let Some((first, second)) = pair("strict").await else { return };
    let (app, ada) = (App::new(&first, "app"), Person::new(&first, "ada"));
    let tokens = app.tokens(&first, &ada, &[]).await;

    let retry = |house| app.refresh(house, &tokens.refresh).header(KEY, "k").send();
    let attempts = (0..8).flat_map(|_| [&first, &second]).map(retry);
    let winners = winners(join_all(attempts).await).await;

    assert_eq!(winners.len(), 16);
    assert!(winners.iter().all(|tokens| tokens.body == winners[0].body));
    renewed(app.refresh(&second, &winners[0].refresh)).await;
}
