//! Rules for stored accounts.

use valetkey_oauth::model::{Secret, SecretDigest, SignInId, User, UserId};
use valetkey_oauth::ports::{PasswordChange, Ports, SignInRenewal, SignInStart, UserAddition};
use valetkey_oauth::protocol::Scope;

use super::race;
use crate::build::{self, sign_in};
use crate::clock::moment;

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
    let user = alice_with_sign_ins(&ports, 1).await;
    ports.users.add(&build::user(2, "bob")).await.unwrap();

    let outcomes = race(16, |number| {
        let (users, user) = (ports.users.clone(), user.clone());
        async move {
            let after = format!("hash-{number}");
            let change = users.change_password(user.id, &user.password_hash, &after, sign_in(1).id, fresh());
            change.await.unwrap()
        }
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

pub async fn a_new_password_ends_the_other_sign_ins_and_gives_this_one_a_new_cookie(ports: Ports) {
    let user = alice_with_sign_ins(&ports, 3).await;
    let bob = build::user(2, "bob");
    let mut of_bob = sign_in(4);
    of_bob.user = bob.id;
    ports.users.add(&bob).await.unwrap();
    ports.sign_ins.begin(&of_bob, &bob.password_hash).await.unwrap();

    let change =
        ports.users.change_password(user.id, &user.password_hash, "new", sign_in(2).id, fresh()).await.unwrap();

    assert_eq!(change, PasswordChange::Changed);
    assert_eq!(ports.users.find_user(user.id).await.unwrap().unwrap().password_hash, "new");
    assert_eq!(left(&ports, user.id).await, [sign_in(2).id]);
    assert_eq!(left(&ports, bob.id).await, [of_bob.id]);
    assert_eq!(ports.sign_ins.find_sign_in(&fresh(), moment(1)).await.unwrap().unwrap().id, sign_in(2).id);
    for number in 1..=3 {
        assert!(ports.sign_ins.find_sign_in(&sign_in(number).cookie, moment(1)).await.unwrap().is_none());
    }
}

pub async fn a_password_from_an_operator_ends_every_sign_in_of_that_person(ports: Ports) {
    let user = alice_with_sign_ins(&ports, 3).await;
    let bob = build::user(2, "bob");
    let mut of_bob = sign_in(4);
    of_bob.user = bob.id;
    ports.users.add(&bob).await.unwrap();
    ports.sign_ins.begin(&of_bob, &bob.password_hash).await.unwrap();

    let is_changed = ports.users.reset_password(user.id, "new").await.unwrap();
    let of_nobody = ports.users.reset_password(build::user(9, "nobody").id, "new").await.unwrap();

    assert!(is_changed && !of_nobody);
    assert_eq!(ports.users.find_user(user.id).await.unwrap().unwrap().password_hash, "new");
    assert_eq!(ports.users.find_user(bob.id).await.unwrap().unwrap().password_hash, bob.password_hash);
    assert_eq!(left(&ports, user.id).await, []);
    assert_eq!(left(&ports, bob.id).await, [of_bob.id]);
}

pub async fn a_password_change_that_is_overtaken_changes_nothing(ports: Ports) {
    let user = alice_with_sign_ins(&ports, 2).await;
    let (bob, hash) = (build::user(2, "bob"), user.password_hash.as_str());
    ports.users.add(&bob).await.unwrap();

    let older = ports.users.change_password(user.id, "an older hash", "new", sign_in(1).id, fresh()).await.unwrap();
    let left_before = ports.users.change_password(user.id, hash, "new", sign_in(9).id, fresh()).await.unwrap();
    let of_another = ports.users.change_password(bob.id, hash, "new", sign_in(1).id, fresh()).await.unwrap();

    assert_eq!([older, left_before, of_another], [PasswordChange::Overtaken; 3]);
    for id in [user.id, bob.id] {
        assert_eq!(ports.users.find_user(id).await.unwrap().unwrap().password_hash, hash);
    }
    assert_eq!(left(&ports, user.id).await, [sign_in(2).id, sign_in(1).id]);
    assert!(ports.sign_ins.find_sign_in(&fresh(), moment(1)).await.unwrap().is_none());
}

pub async fn no_sign_in_with_the_old_password_outlives_it(ports: Ports) {
    let mut user = alice_with_sign_ins(&ports, 2).await;

    for round in 1..=8 {
        let outcomes = race(16, |number| {
            let (ports, user) = (ports.clone(), user.clone());
            async move {
                let hash = &user.password_hash;
                match number {
                    5 => {
                        let (after, keep) = (format!("hash-{round}"), sign_in(1).id);
                        let change = ports.users.change_password(user.id, hash, &after, keep, cookie(round)).await;
                        change.unwrap() == PasswordChange::Changed
                    }
                    3 | 7 => {
                        let mut thief = sign_in(1);
                        thief.cookie = cookie(1_000 * round + number as u128);
                        ports.sign_ins.renew(&thief, hash).await.unwrap() != SignInRenewal::Gone
                    }
                    _ => {
                        let number = 1_000 * round + number as u128;
                        let begun = ports.sign_ins.begin(&sign_in(number), hash).await.unwrap();
                        matches!(begun, SignInStart::Begun | SignInStart::PasswordChanged)
                    }
                }
            }
        })
        .await;

        assert!(outcomes.into_iter().all(|as_expected| as_expected));
        assert_eq!(left(&ports, user.id).await, [sign_in(1).id], "round {round}");
        assert!(ports.sign_ins.find_sign_in(&cookie(round), moment(1)).await.unwrap().is_some(), "round {round}");
        user.password_hash = format!("hash-{round}");
    }
}

/// Alice, signed in in so many browsers.
async fn alice_with_sign_ins(ports: &Ports, count: u128) -> User {
    let user = build::user(1, "alice");
    ports.users.add(&user).await.unwrap();
    for number in 1..=count {
        ports.sign_ins.begin(&sign_in(number), &user.password_hash).await.unwrap();
    }
    user
}

async fn left(ports: &Ports, user: UserId) -> Vec<SignInId> {
    ports.sign_ins.sign_ins_of(user, moment(1), 99).await.unwrap().into_iter().map(|known| known.id).collect()
}

fn fresh() -> SecretDigest {
    Secret::new("fresh").digest()
}

fn cookie(number: u128) -> SecretDigest {
    Secret::new(format!("cookie of round {number}")).digest()
}

pub async fn people_are_listed_by_name_a_few_at_a_time(ports: Ports) {
    for (number, name) in [(1, "carol"), (2, "Alice"), (3, "bob")] {
        ports.users.add(&build::user(number, name)).await.unwrap();
    }
    let names = async |after, limit| -> Vec<String> {
        let found = ports.users.list_users(after, limit).await.unwrap();
        found.into_iter().map(|user| user.username).collect()
    };

    assert_eq!(names(None, 100).await, ["Alice", "bob", "carol"]);
    assert_eq!(names(None, 2).await, ["Alice", "bob"]);
    assert_eq!(names(Some("BOB"), 2).await, ["carol"]);
    assert!(names(Some("carol"), 2).await.is_empty());
}

pub async fn a_change_keeps_the_name_and_the_password(ports: Ports) {
    let user = build::user(1, "alice");
    ports.users.add(&user).await.unwrap();
    assert_eq!(ports.users.find_user(user.id).await.unwrap().unwrap().scope, None);

    for scope in [Some("read:orders write:orders"), Some(""), None] {
        let scope = scope.map(|names| Scope::parse(names).unwrap());
        let (username, password_hash) = ("mallory".to_owned(), "another".to_owned());
        let email = Some("new@example.org".to_owned());
        let changed = User { username, password_hash, email, admin: true, scope: scope.clone(), ..user.clone() };
        assert!(ports.users.update_user(&changed).await.unwrap());

        let found = ports.users.find_user(user.id).await.unwrap().unwrap();
        assert_eq!((found.email.as_deref(), found.admin, found.scope), (Some("new@example.org"), true, scope));
        assert_eq!((found.username, found.password_hash), (user.username.clone(), user.password_hash.clone()));
    }
    assert!(!ports.users.update_user(&build::user(2, "bob")).await.unwrap());
    assert!(ports.users.find_by_username("bob").await.unwrap().is_none());
}

pub async fn a_removed_user_is_gone(ports: Ports) {
    let user = build::user(1, "alice");
    ports.users.add(&user).await.unwrap();

    assert!(ports.users.remove_user(user.id).await.unwrap());
    assert!(!ports.users.remove_user(user.id).await.unwrap());

    assert!(ports.users.find_user(user.id).await.unwrap().is_none());
    assert_eq!(ports.users.add(&build::user(2, "alice")).await.unwrap(), UserAddition::Added, "the name is free");
}
