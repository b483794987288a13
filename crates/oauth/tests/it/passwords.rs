//! Passwords and accounts.

use valetkey_oauth::accounts::{self, AccountError, NewUser, PasswordError, PasswordHasher};
use valetkey_oauth::model::Secret;

use crate::world::World;

fn new(username: &str) -> NewUser {
    let password = Secret::new("correct horse battery staple");
    NewUser {
        username: username.to_owned(),
        password,
        email: Some("a@example.org".to_owned()),
        name: None,
        profile: serde_json::Map::new(),
        admin: false,
        scope: None,
    }
}

async fn add(world: &World, new: NewUser) -> Result<valetkey_oauth::model::User, AccountError> {
    let authority = &world.authority;
    accounts::add(&*authority.ports.users, &PasswordHasher::new(2), &*authority.clock, &*authority.random, new).await
}

#[tokio::test]
async fn a_password_opens_its_own_hash_and_no_other() {
    let hasher = PasswordHasher::new(2);
    let phc = hasher.hash(Secret::new("correct"), [7; 16]).await.unwrap();

    assert!(phc.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    assert!(hasher.verify(Secret::new("correct"), &phc).await.unwrap());
    assert!(!hasher.verify(Secret::new("wrong"), &phc).await.unwrap());
}

#[tokio::test]
async fn a_hash_made_by_another_library_is_understood() {
    use argon2::PasswordHasher as _;
    let theirs = argon2::Argon2::default().hash_password_with_salt(b"pw", b"somesaltsomesalt").unwrap().to_string();

    assert!(PasswordHasher::new(1).verify(Secret::new("pw"), &theirs).await.unwrap());
}

#[tokio::test]
async fn an_empty_or_endless_password_is_refused() {
    let hasher = PasswordHasher::new(1);

    assert!(matches!(hasher.hash(Secret::new(""), [0; 16]).await, Err(PasswordError::Empty)));
    assert!(matches!(hasher.hash(Secret::new("x".repeat(2000)), [0; 16]).await, Err(PasswordError::TooLong)));
}

#[tokio::test]
async fn an_account_keeps_the_hash_and_not_the_password() {
    let world = World::new().await;

    let user = add(&world, new("alice")).await.unwrap();

    assert!(!format!("{user:?}").contains("battery"));
    assert!(matches!(add(&world, new("ALICE")).await, Err(AccountError::NameTaken(_))));
}

#[tokio::test]
async fn odd_names_and_addresses_are_refused() {
    let world = World::new().await;
    let mut odd_address = new("bob");
    odd_address.email = Some("not an address".to_owned());

    for name in ["", "two words", "tab\there", &"x".repeat(101)] {
        assert!(matches!(add(&world, new(name)).await, Err(AccountError::BadName)), "{name:?}");
    }
    assert!(matches!(add(&world, odd_address).await, Err(AccountError::BadEmail(_))));
}
