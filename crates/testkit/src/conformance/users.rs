//! Rules for stored accounts.

use valetkey_oauth::ports::{PasswordChange, Ports, UserAddition};

use super::race;
use crate::build;

pub async fn an_added_user_is_found_again(ports: Ports) {
    let user = build::user(1, "Alice");

    let outcome = ports.users.add(&user).await.unwrap();
    let by_name = ports.users.find_by_username("aLICE").await.unwrap().unwrap();
    let by_id = ports.users.find_user(user.id).await.unwrap().unwrap();

    assert_eq!(outcome, UserAddition::Added);
    assert_eq!((by_name.id, by_name.username.as_str()), (user.id, "Alice"));
    assert_eq!((by_id.email, by_id.password_hash), (user.email, user.password_hash));
    assert!(ports.users.find_by_username("bob").await.unwrap().is_none());
    assert!(ports.users.find_user(build::user(2, "bob").id).await.unwrap().is_none());
}

pub async fn a_name_is_taken_without_regard_to_case(ports: Ports) {
    ports.users.add(&build::user(1, "alice")).await.unwrap();

    let outcome = ports.users.add(&build::user(2, "ALICE")).await.unwrap();

    assert_eq!(outcome, UserAddition::NameTaken);
    assert_eq!(ports.users.find_by_username("alice").await.unwrap().unwrap().id, build::user(1, "alice").id);
}

pub async fn addition_has_one_winner(ports: Ports) {
    let outcomes = race(32, |number| {
        let users = ports.users.clone();
        async move { users.add(&build::user(number as u128, "alice")).await.unwrap() }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| **outcome == UserAddition::Added).count(), 1);
}

pub async fn a_name_that_nobody_can_have_is_unknown(ports: Ports) {
    for name in ["", "alice\0", "' OR ''='", &"x".repeat(10_000)] {
        assert!(ports.users.find_by_username(name).await.unwrap().is_none());
    }
}

pub async fn of_new_passwords_at_once_one_stays(ports: Ports) {
    let user = build::user(1, "alice");
    ports.users.add(&user).await.unwrap();
    ports.users.add(&build::user(2, "bob")).await.unwrap();

    let outcomes = race(16, |number| {
        let (users, user) = (ports.users.clone(), user.clone());
        async move { users.change_password(user.id, &user.password_hash, &format!("hash-{number}")).await.unwrap() }
    })
    .await;

    let winner = outcomes.iter().position(|outcome| *outcome == PasswordChange::Changed).unwrap();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == PasswordChange::Changed).count(), 1);
    assert_eq!(ports.users.find_user(user.id).await.unwrap().unwrap().password_hash, format!("hash-{winner}"));
    assert_eq!(
        ports.users.find_by_username("bob").await.unwrap().unwrap().password_hash,
        build::user(2, "bob").password_hash
    );
}
