//! Redeeming codes.

use valetkey_oauth::Refusal;
use valetkey_oauth::grants::TokenSet;
use valetkey_oauth::model::SessionEnd;
use valetkey_oauth::protocol::GrantType;

use crate::person::{CALLBACK, Person, VERIFIER, refresh_token};

#[tokio::test]
async fn a_code_brings_tokens_for_the_user() {
    let person = Person::signed_in().await;

    let tokens = person.tokens().await;

    let token = person.world.look("app", tokens.access_token.expose()).await.unwrap();
    assert_eq!(token.subject, person.browser.sign_in.as_ref().unwrap().user.to_string());
    assert_eq!(tokens.scope.as_str(), "openid read:orders");
    assert!(token.session.is_some() && tokens.refresh_token.is_some() && tokens.id_token.is_some());
}

#[tokio::test]
async fn a_second_redemption_ends_the_session_of_the_first() {
    let person = Person::signed_in().await;
    let code = person.code().await;
    let first = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();

    let second = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap_err();

    assert!(matches!(second, Refusal::CodeReplayed(_)));
    assert!(person.world.look("app", first.access_token.expose()).await.is_none());
    assert!(matches!(person.refresh(&refresh_token(&first)).await, Err(Refusal::SessionOver)));
    let why = SessionEnd::CodeReplayed.as_str();
    assert!(person.world.ear.heard().iter().any(|event| event.contains("SessionEnded") && event.contains(why)));
}

#[tokio::test]
async fn mistakes_do_not_burn_a_code() {
    let person = Person::signed_in().await;
    person.world.change("other", |client| client.grants = vec![GrantType::AuthorizationCode]).await;
    let code = person.code().await;
    let wrong = VERIFIER.replace('d', "e");

    let refusals = [
        person.redeem("other", &code, VERIFIER, CALLBACK).await.unwrap_err(),
        person.redeem("app", &code, &wrong, CALLBACK).await.unwrap_err(),
        person.redeem("app", &code, "short", CALLBACK).await.unwrap_err(),
        person.redeem("app", &code, VERIFIER, "https://app.example/other").await.unwrap_err(),
        person.redeem("app", "vk_ac_AAAA", VERIFIER, CALLBACK).await.unwrap_err(),
    ];

    assert!(matches!(refusals[0], Refusal::CodeOfAnotherClient));
    assert!(matches!(refusals[1], Refusal::VerifierWrong));
    assert!(matches!(refusals[2], Refusal::VerifierMalformed));
    assert!(matches!(refusals[3], Refusal::RedirectUriDiffers));
    assert!(matches!(refusals[4], Refusal::CodeUnknown));
    assert!(person.redeem("app", &code, VERIFIER, CALLBACK).await.is_ok());
}

#[tokio::test]
async fn a_code_lives_for_a_minute() {
    let person = Person::signed_in().await;
    let (early, late) = (person.code().await, person.code().await);

    person.world.clock.advance(59);
    let in_time = person.redeem("app", &early, VERIFIER, CALLBACK).await;
    person.world.clock.advance(1);
    let too_late = person.redeem("app", &late, VERIFIER, CALLBACK).await;

    assert!(in_time.is_ok());
    assert!(matches!(too_late, Err(Refusal::CodeExpired)));
}

#[tokio::test]
async fn without_the_refresh_grant_there_is_no_refresh_token() {
    let person = Person::signed_in().await;
    person.world.change("app", |client| client.grants = vec![GrantType::AuthorizationCode]).await;

    assert!(person.tokens().await.refresh_token.is_none());
}

#[tokio::test]
async fn a_retry_finds_its_answer_for_a_minute_also_when_the_code_has_expired_meanwhile() {
    let person = Person::signed_in().await;
    let code = person.code().await;
    let access = |tokens: Result<TokenSet, Refusal>| tokens.unwrap().access_token.expose().to_owned();

    person.world.clock.advance(59);
    let first = access(person.redeem_under("k", &code).await);
    person.world.clock.advance(59);
    let again = access(person.redeem_under("k", &code).await);

    assert_eq!(again, first);
    assert!(person.world.look("app", &first).await.is_some());
    person.world.clock.advance(1);
    assert!(matches!(person.redeem_under("k", &code).await, Err(Refusal::CodeReplayed(_))));
    assert!(person.world.look("app", &first).await.is_none());
}

#[tokio::test]
async fn a_replay_is_noticed_after_the_minute_too() {
    let person = Person::signed_in().await;
    let (code, unused) = (person.code().await, person.code().await);
    let first = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();

    person.world.clock.advance(3_600);
    let late = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap_err();
    let expired = person.redeem("app", &unused, VERIFIER, CALLBACK).await.unwrap_err();

    assert!(matches!(late, Refusal::CodeReplayed(_)) && matches!(expired, Refusal::CodeExpired));
    assert!(matches!(person.refresh(&refresh_token(&first)).await, Err(Refusal::SessionOver)));
}

#[tokio::test]
async fn an_app_that_wants_to_be_told_is_remembered_as_long_as_its_user_can_leave() {
    let person = Person::signed_in().await;
    person
        .world
        .change("app", |client| {
            client.grants = vec![GrantType::AuthorizationCode];
            client.backchannel_logout_uri = Some("https://app.example/out".to_owned());
        })
        .await;

    let tokens = person.tokens().await;

    let token = person.world.look("app", tokens.access_token.expose()).await.unwrap();
    let sessions = &person.world.authority.ports.sessions;
    let session = sessions.find_session(token.session.unwrap()).await.unwrap().unwrap();
    let lasts = session.expires_at.duration_since(session.created_at).as_secs();
    assert_eq!(u64::try_from(lasts).unwrap(), person.world.authority.policy.sign_in_lifetime.as_secs());
}
