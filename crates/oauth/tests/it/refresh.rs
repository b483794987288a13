//! Refresh tokens: one use each, and a second one ends everything.

use std::time::Duration;

use valetkey_oauth::Refusal;
use valetkey_oauth::model::{AlertKind, SessionEnd, SessionState};
use valetkey_oauth::ports::AlertQuery;
use valetkey_oauth::protocol::GrantType;
use valetkey_oauth::tokens::{Introspection, introspect, revoke};

use crate::person::{Person, refresh_token};

const DAY: i64 = 86_400;

#[tokio::test]
async fn each_use_brings_a_new_token_and_voids_the_old_one() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);

    let second = person.refresh(&first).await.unwrap();
    let third = person.refresh(&refresh_token(&second)).await.unwrap();

    assert!(person.world.look("app", third.access_token.expose()).await.is_some());
    assert_ne!(first, refresh_token(&second));
}

#[tokio::test]
async fn a_second_use_of_a_refresh_token_ends_the_session() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);
    let second = person.refresh(&first).await.unwrap();

    let replay = person.refresh(&first).await.unwrap_err();

    assert!(matches!(replay, Refusal::RefreshReused(_)));
    assert!(matches!(person.refresh(&refresh_token(&second)).await, Err(Refusal::SessionOver)));
    assert!(person.world.look("app", second.access_token.expose()).await.is_none());
    assert!(person.world.ear.heard().iter().any(|event| event.contains("refresh_reused")));
}

#[tokio::test]
async fn a_retry_under_the_same_key_gets_the_same_tokens() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);

    let once = person.refresh_as("app", &first, None, Some("try-1")).await.unwrap();
    let again = person.refresh_as("app", &first, None, Some("try-1")).await.unwrap();
    let other = person.refresh_as("app", &first, None, Some("try-2")).await.unwrap_err();

    assert_eq!(once.access_token.expose(), again.access_token.expose());
    assert_eq!(refresh_token(&once), refresh_token(&again));
    assert_eq!(once.id_token.unwrap().expose(), again.id_token.unwrap().expose());
    assert!(matches!(other, Refusal::RefreshReused(_)));
}

#[tokio::test]
async fn a_key_helps_for_a_minute() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);
    person.refresh_as("app", &first, None, Some("key")).await.unwrap();

    person.world.clock.advance(60);

    assert!(matches!(person.refresh_as("app", &first, None, Some("key")).await, Err(Refusal::RefreshReused(_))));
}

#[tokio::test]
async fn the_retry_window_is_off_until_a_client_asks_for_it() {
    let person = Person::signed_in().await;
    person.world.change("app", |client| client.refresh_retry_window = Duration::from_secs(30)).await;
    let first = refresh_token(&person.tokens().await);
    let second = person.refresh(&first).await.unwrap();

    person.world.clock.advance(30);
    let retry = person.refresh(&first).await.unwrap();
    let used = person.refresh(&refresh_token(&retry)).await;
    let late = person.refresh(&first).await;

    assert!(used.is_ok(), "the successor of a retry is the successor");
    assert!(matches!(late, Err(Refusal::RefreshReused(_))));
    assert!(person.refresh(&refresh_token(&second)).await.is_err());
}

#[tokio::test]
async fn a_narrower_scope_is_given_and_a_wider_one_costs_nothing() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);

    let wider = person.refresh_as("app", &first, Some("openid write:orders"), None).await.unwrap_err();
    let narrower = person.refresh_as("app", &first, Some("read:orders"), None).await.unwrap();
    let full = person.refresh(&refresh_token(&narrower)).await.unwrap();

    assert!(matches!(wider, Refusal::ScopeNotGranted));
    assert_eq!(narrower.scope.as_str(), "read:orders");
    assert!(narrower.id_token.is_none());
    assert_eq!(full.scope.as_str(), "openid read:orders");
}

#[tokio::test]
async fn a_used_token_with_a_scope_that_is_refused_is_a_reuse_all_the_same() {
    for (scope, key) in
        [("openid write:orders", None), ("a\"b", None), ("openid write:orders", Some("new")), ("a\"b", Some("new"))]
    {
        let person = Person::signed_in().await;
        let first = refresh_token(&person.tokens().await);
        let second = person.refresh(&first).await.unwrap();

        let replay = person.refresh_as("app", &first, Some(scope), key).await.unwrap_err();
        let successor = person.refresh_as("app", &refresh_token(&second), Some(scope), key).await.unwrap_err();

        assert!(matches!(replay, Refusal::RefreshReused(_)), "{scope} {key:?}: {replay}");
        assert!(matches!(successor, Refusal::SessionOver), "{scope} {key:?}: {successor}");
        assert!(person.world.look("app", second.access_token.expose()).await.is_none());
        assert!(person.world.ear.heard().iter().any(|event| event.contains("Alerted")));
    }
}

#[tokio::test]
async fn a_scope_that_is_refused_ends_nothing_where_the_token_is_good_or_a_retry() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);
    let asked = async |scope, key| person.refresh_as("app", &first, Some(scope), key).await;

    assert!(matches!(asked("a\"b", None).await, Err(Refusal::ScopeMalformed(_))));
    assert!(matches!(asked("write:orders", Some("key")).await, Err(Refusal::ScopeNotGranted)));
    let second = asked("openid", Some("key")).await.unwrap();
    assert!(matches!(asked("write:orders", Some("key")).await, Err(Refusal::ScopeNotGranted)));
    let again = asked("openid", Some("key")).await.unwrap();

    assert_eq!(refresh_token(&again), refresh_token(&second));
    assert!(person.refresh(&refresh_token(&second)).await.is_ok());
}

#[tokio::test]
async fn another_client_cannot_use_it_and_does_not_spoil_it() {
    let person = Person::signed_in().await;
    person.world.change("other", |client| client.grants = vec![GrantType::RefreshToken]).await;
    let first = refresh_token(&person.tokens().await);

    let stolen = person.refresh_as("other", &first, None, None).await.unwrap_err();

    assert!(matches!(stolen, Refusal::RefreshOfAnotherClient));
    assert!(person.refresh(&first).await.is_ok());
}

#[tokio::test]
async fn idle_and_absolute_lifetimes_both_count() {
    let idle = Person::signed_in().await;
    let token = refresh_token(&idle.tokens().await);
    idle.world.clock.advance(14 * DAY + 1);
    assert!(matches!(idle.refresh(&token).await, Err(Refusal::RefreshReused(_))));

    let busy = Person::signed_in().await;
    let mut token = refresh_token(&busy.tokens().await);
    for _ in 0..2 {
        busy.world.clock.advance(13 * DAY);
        token = refresh_token(&busy.refresh(&token).await.unwrap());
    }
    busy.world.clock.advance(4 * DAY);
    assert!(matches!(busy.refresh(&token).await, Err(Refusal::RefreshReused(_))));
}

#[tokio::test]
async fn a_token_that_comes_too_late_ends_its_session_and_is_told_of_once() {
    for scope in [None, Some("write:orders")] {
        let person = Person::signed_in().await;
        let token = refresh_token(&person.tokens().await);
        person.world.clock.advance(14 * DAY + 1);

        let Err(Refusal::RefreshReused(id)) = person.refresh_as("app", &token, scope, None).await else { panic!() };
        let again = person.refresh(&token).await;

        let ports = &person.world.authority.ports;
        let found = ports.sessions.find_session(id).await.unwrap().unwrap();
        assert_eq!(found.state, SessionState::Ended(SessionEnd::RefreshReused));
        assert!(matches!(again, Err(Refusal::SessionOver)));
        let query = AlertQuery { limit: 10, ..AlertQuery::default() };
        let [alert] = ports.alerts.list_alerts(&query).await.unwrap().try_into().unwrap();
        assert_eq!((alert.kind, alert.session), (AlertKind::RefreshReused, Some(id)));
        assert_eq!((alert.generation, alert.current_generation), (Some(1), Some(1)));
    }
}

#[tokio::test]
async fn where_rotation_is_off_a_token_works_again_and_again() {
    let person = Person::signed_in().await;
    person.world.change("app", |client| client.rotates_refresh_tokens = false).await;
    let token = refresh_token(&person.tokens().await);

    for _ in 0..3 {
        assert!(person.refresh(&token).await.is_ok());
    }
}

#[tokio::test]
async fn revoking_it_ends_the_session_and_looking_does_not_use_it() {
    let person = Person::signed_in().await;
    let tokens = person.tokens().await;
    let token = refresh_token(&tokens);
    let client = person.world.client("app").await;
    let look = async |text: &str| introspect(&person.world.authority, &client, text).await.unwrap();

    assert!(matches!(look(&token).await, Introspection::ActiveRefresh(_)));
    assert!(matches!(look(&token).await, Introspection::ActiveRefresh(_)));
    revoke(&person.world.authority, &client, &token).await.unwrap();

    assert!(matches!(look(&token).await, Introspection::Inactive));
    assert!(person.world.look("app", tokens.access_token.expose()).await.is_none());
    assert!(matches!(person.refresh(&token).await, Err(Refusal::SessionOver)));
}
