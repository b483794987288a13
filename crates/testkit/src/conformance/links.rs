//! Rules for links to people at other providers.

use serde_json::json;
use valetkey_oauth::model::{Link, NO_PASSWORD, Secret, User};
use valetkey_oauth::ports::{Admission, Keep, LinkAddition, Ports, Unlinking};

use super::race;
use crate::build::{self, link};
use crate::clock::moment;

const ONE: &str = "https://one.example";
const OTHER: &str = "https://other.example/realm";

pub async fn a_link_is_found_by_its_person_and_by_its_account(ports: Ports) {
    let user = add(&ports, 1, "alice").await;

    let outcomes = [ports.links.link(&link(1, OTHER)).await.unwrap(), ports.links.link(&link(1, ONE)).await.unwrap()];

    assert_eq!(outcomes, [LinkAddition::Linked; 2]);
    assert_eq!(ports.links.find_link(ONE, "sub-1").await.unwrap(), Some(link(1, ONE)));
    assert_eq!(ports.links.links_of(user.id).await.unwrap(), [link(1, ONE), link(1, OTHER)]);
    for (issuer, subject) in [(ONE, "SUB-1"), (ONE, "sub-2"), ("https://one.example/", "sub-1"), (ONE, "sub-1\0")] {
        assert!(ports.links.find_link(issuer, subject).await.unwrap().is_none(), "{issuer} {subject}");
    }
}

pub async fn one_person_there_has_one_account(ports: Ports) {
    add(&ports, 1, "alice").await;
    add(&ports, 2, "bob").await;
    ports.links.link(&link(1, ONE)).await.unwrap();

    let again = ports.links.link(&link(1, ONE)).await.unwrap();
    let other = ports.links.link(&Link { user: link(2, ONE).user, ..link(1, ONE) }).await.unwrap();

    assert_eq!([again, other], [LinkAddition::SubjectTaken; 2]);
    assert_eq!(ports.links.find_link(ONE, "sub-1").await.unwrap(), Some(link(1, ONE)));
}

pub async fn an_account_is_one_person_at_each_issuer(ports: Ports) {
    let user = add(&ports, 1, "alice").await;
    ports.links.link(&link(1, ONE)).await.unwrap();

    let second = ports.links.link(&Link { subject: "sub-9".to_owned(), ..link(1, ONE) }).await.unwrap();

    assert_eq!(second, LinkAddition::AccountLinked);
    assert_eq!(ports.links.links_of(user.id).await.unwrap(), [link(1, ONE)]);
}

pub async fn linking_has_one_winner(ports: Ports) {
    for number in 0..16 {
        add(&ports, number, &format!("user-{number}")).await;
    }

    let outcomes = race(16, |number| {
        let links = ports.links.clone();
        async move { links.link(&Link { subject: "sub".to_owned(), ..link(number as u128, ONE) }).await.unwrap() }
    })
    .await;

    let winner = outcomes.iter().position(|outcome| *outcome == LinkAddition::Linked).unwrap();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == LinkAddition::Linked).count(), 1);
    assert_eq!(ports.links.find_link(ONE, "sub").await.unwrap().unwrap().user, link(winner as u128, ONE).user);
}

pub async fn nothing_is_linked_to_nobody(ports: Ports) {
    assert_eq!(ports.links.link(&link(1, ONE)).await.unwrap(), LinkAddition::AccountGone);
    assert!(ports.links.find_link(ONE, "sub-1").await.unwrap().is_none());
}

pub async fn an_account_comes_with_its_link_or_not_at_all(ports: Ports) {
    let alice = build::user(1, "alice");

    let first = ports.links.admit(&alice, &link(1, ONE)).await.unwrap();
    let name_taken = ports.links.admit(&build::user(2, "Alice"), &link(2, ONE)).await.unwrap();
    let known = Link { user: link(3, ONE).user, ..link(1, ONE) };
    let subject_taken = ports.links.admit(&build::user(3, "carol"), &known).await.unwrap();

    assert_eq!(
        [first, name_taken, subject_taken],
        [Admission::Admitted, Admission::NameTaken, Admission::SubjectTaken]
    );
    assert_eq!(ports.users.find_by_username("alice").await.unwrap().unwrap().id, alice.id);
    assert!(ports.users.find_by_username("carol").await.unwrap().is_none());
    assert!(ports.links.find_link(ONE, "sub-2").await.unwrap().is_none());
    assert_eq!(ports.links.links_of(alice.id).await.unwrap(), [link(1, ONE)]);
}

pub async fn admission_has_one_winner(ports: Ports) {
    let outcomes = race(16, |number| {
        let links = ports.links.clone();
        async move {
            let number = number as u128;
            let name = if number.is_multiple_of(2) { "alice".to_owned() } else { format!("alice-{number}") };
            let link = Link { subject: "sub".to_owned(), ..link(number, ONE) };
            links.admit(&build::user(number, &name), &link).await.unwrap()
        }
    })
    .await;

    let winner = outcomes.iter().position(|outcome| *outcome == Admission::Admitted).unwrap() as u128;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Admission::Admitted).count(), 1);
    for number in 0..16 {
        let is_there = ports.users.find_user(build::user(number, "any").id).await.unwrap().is_some();
        assert_eq!(is_there, number == winner, "{number}");
    }
}

pub async fn a_link_remembers_its_last_use_and_brings_what_is_new(ports: Ports) {
    let mut user = add(&ports, 1, "alice").await;
    ports.links.link(&link(1, ONE)).await.unwrap();

    ports.links.note_link_used(&link(1, ONE), moment(20), None).await.unwrap();
    ports.links.note_link_used(&link(1, ONE), moment(10), None).await.unwrap();
    let unchanged = ports.users.find_user(user.id).await.unwrap().unwrap();
    (user.email, user.name) = (None, Some("Alice the Second".to_owned()));
    user.profile.insert("locale".to_owned(), "fr".into());
    user.admin = true;
    ports.links.note_link_used(&link(1, ONE), moment(30), Some(&user)).await.unwrap();

    assert_eq!((unchanged.name, unchanged.email.as_deref()), (None, Some("alice@example.org")));
    assert_eq!(ports.links.find_link(ONE, "sub-1").await.unwrap().unwrap().used_at, Some(moment(30)));
    let renewed = ports.users.find_user(user.id).await.unwrap().unwrap();
    assert_eq!((renewed.email, renewed.name, renewed.profile), (None, user.name, user.profile));
    assert!(!renewed.admin, "a provider makes nobody an administrator");
}

pub async fn the_last_way_in_stays(ports: Ports) {
    let alice = add(&ports, 1, "alice").await;
    let bob = User { password_hash: NO_PASSWORD.to_owned(), ..build::user(2, "bob") };
    ports.links.admit(&bob, &link(2, ONE)).await.unwrap();
    ports.links.link(&link(1, ONE)).await.unwrap();
    ports.links.link(&link(2, OTHER)).await.unwrap();
    let unlink = |user: &User, issuer: &'static str, subject: &'static str, keep: Keep| {
        let (links, id) = (ports.links.clone(), user.id);
        async move { links.unlink(id, issuer, subject, &keep).await.unwrap() }
    };

    assert_eq!(unlink(&bob, ONE, "sub-1", a_way()).await, Unlinking::Unknown, "another's");
    let forgotten = Keep::AWayIn { by_password: true, issuers: vec![ONE.to_owned()] };
    assert_eq!(unlink(&bob, ONE, "sub-2", forgotten).await, Unlinking::LastWay, "nobody asks the other issuer");
    assert_eq!(unlink(&bob, OTHER, "sub-2", a_way()).await, Unlinking::Unlinked);
    assert_eq!(unlink(&bob, ONE, "sub-2", a_way()).await, Unlinking::LastWay);
    assert_eq!(unlink(&bob, ONE, "sub-2", Keep::Nothing).await, Unlinking::Unlinked);
    let without = Keep::AWayIn { by_password: false, issuers: vec![ONE.to_owned()] };
    assert_eq!(unlink(&alice, ONE, "sub-1", without).await, Unlinking::LastWay, "passwords are not taken");
    assert_eq!(unlink(&alice, ONE, "sub-1", a_way()).await, Unlinking::Unlinked);
    assert!(ports.links.find_link(ONE, "sub-1").await.unwrap().is_none());
}

pub async fn of_the_last_two_ways_removed_at_once_one_stays(ports: Ports) {
    for number in 1..=8 {
        let user = User { password_hash: NO_PASSWORD.to_owned(), ..build::user(number, &format!("user-{number}")) };
        ports.links.admit(&user, &link(number, ONE)).await.unwrap();
        ports.links.link(&link(number, OTHER)).await.unwrap();

        let outcomes = race(2, |turn| {
            let (links, id, subject) = (ports.links.clone(), user.id, format!("sub-{number}"));
            async move { links.unlink(id, [ONE, OTHER][turn], &subject, &a_way()).await.unwrap() }
        })
        .await;

        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Unlinking::Unlinked).count(), 1, "{outcomes:?}");
        assert_eq!(ports.links.links_of(user.id).await.unwrap().len(), 1);
    }
}

pub async fn an_answer_is_used_once(ports: Ports) {
    let (one, other) = (Secret::new("one").digest(), Secret::new("other").digest());

    assert!(ports.links.spend(&one, moment(60), moment(0)).await.unwrap());
    assert!(!ports.links.spend(&one, moment(60), moment(59)).await.unwrap());
    assert!(ports.links.spend(&other, moment(90), moment(60)).await.unwrap());
    assert!(!ports.links.spend(&other, moment(90), moment(61)).await.unwrap());
}

pub async fn of_many_who_use_one_answer_one_does(ports: Ports) {
    let outcomes = race(32, |_| {
        let links = ports.links.clone();
        async move { links.spend(&Secret::new("one").digest(), moment(60), moment(0)).await.unwrap() }
    })
    .await;

    assert_eq!(outcomes.into_iter().filter(|won| *won).count(), 1);
}

pub async fn accounts_are_found_by_their_address(ports: Ports) {
    let alice = add(&ports, 1, "alice").await;
    for (number, address) in [(2, "shared@example.org"), (3, "Shared@Example.org"), (4, "SHARED@example.org")] {
        let user = User { email: Some(address.to_owned()), ..build::user(number, &format!("user-{number}")) };
        ports.users.add(&user).await.unwrap();
    }
    ports.users.add(&User { email: None, ..build::user(5, "nobody") }).await.unwrap();
    for (number, verified) in [(6, json!("true")), (7, json!("\u{0}")), (8, json!(true))] {
        let mut user =
            User { email: Some("late@example.org".to_owned()), ..build::user(number, &format!("user-{number}")) };
        user.profile.insert("email_verified".to_owned(), verified);
        ports.users.add(&user).await.unwrap();
    }

    let late = ports.users.find_by_email("late@example.org").await.unwrap();
    let found = ports.users.find_by_email("Alice@EXAMPLE.org").await.unwrap();
    let shared = ports.users.find_by_email("shared@example.org").await.unwrap();

    assert_eq!(found.iter().map(|user| user.id).collect::<Vec<_>>(), [alice.id]);
    assert_eq!(shared.len(), 2, "two are enough to know that it is not one");
    assert_eq!(
        late.iter().map(|user| user.id.0).collect::<Vec<_>>(),
        [8, 6].map(build::id),
        "who has proven it is not hidden"
    );
    for nobody in ["", "alice", "alice@example.org\0", "%@example.org"] {
        assert!(ports.users.find_by_email(nobody).await.unwrap().is_empty(), "{nobody}");
    }
}

pub async fn a_removed_account_takes_its_links_along(ports: Ports) {
    let user = add(&ports, 1, "alice").await;
    add(&ports, 2, "bob").await;
    ports.links.link(&link(1, ONE)).await.unwrap();
    ports.links.link(&link(2, ONE)).await.unwrap();

    ports.users.remove_user(user.id).await.unwrap();

    assert!(ports.links.find_link(ONE, "sub-1").await.unwrap().is_none());
    assert_eq!(ports.links.find_link(ONE, "sub-2").await.unwrap(), Some(link(2, ONE)));
}

fn a_way() -> Keep {
    Keep::AWayIn { by_password: true, issuers: vec![ONE.to_owned(), OTHER.to_owned()] }
}

async fn add(ports: &Ports, number: u128, name: &str) -> User {
    let user = build::user(number, name);
    ports.users.add(&user).await.unwrap();
    user
}
