//! Rows that are made at once are what they would be one after the other.

use futures_util::future::join_all;
use serde_json::json;
use valetkey_resources::ports::{Kept, Pointer, Rows};
use valetkey_testkit::api::{ORDERS, USERS};
use valetkey_testkit::build::id;
use valetkey_testkit::conformance::resources::{answer, keyed};

use super::*;
use crate::sqlite::connection::Touches;
use crate::sqlite::words::tests::world::World;

impl World {
    /// People with these addresses, whose ids count from this number.
    fn people(&self, first: u128, emails: &[&str]) -> Vec<Creation> {
        let person = |(number, email)| self.shop.creation(USERS, id(number), json!({"name": "A", "email": email}));
        (first..).zip(emails).map(person).collect()
    }

    fn notes(&self, first: u128, notes: &[&str]) -> Vec<Creation> {
        let note = |(number, note)| self.shop.creation(ORDERS, id(number), json!({"note": note}));
        (first..).zip(notes).map(note).collect()
    }

    /// Makes these with nothing between them; none if they have to be made one at a time.
    async fn at_once(&self, creations: Vec<Creation>) -> Option<Vec<Creating>> {
        let book = self.engine.statements.clone();
        let all: Vec<_> = creations.into_iter().map(|creation| Create::new(&book, creation)).collect();
        let work = move |connection: &Connection| {
            let all: Vec<_> = all.iter().collect();
            assert!(all.windows(2).all(|pair| pair[0].goes_with(pair[1])));
            Ok(match Create::at_once(&all, connection)? {
                Some(outcomes) => Verdict::Keep(Some(outcomes)),
                None => Verdict::Undo(None),
            })
        };
        self.engine.writer.judge(Touches::Any, work).await.unwrap()
    }

    /// Asks for these before the writer has time for the first one.
    async fn while_busy(&self, creations: Vec<Creation>) -> Vec<Creating> {
        let (come, wait) = std::sync::mpsc::channel();
        let busy = self.engine.writer.alone(move |_| {
            let _ = wait.recv();
            Ok(())
        });
        let all = join_all(creations.into_iter().map(|creation| self.engine.create(creation)));
        let (_, outcomes, _) = tokio::join!(busy, all, async { come.send(()) });
        outcomes.into_iter().map(Result::unwrap).collect()
    }

    async fn emails(&self, ids: std::ops::Range<u128>) -> Vec<String> {
        let mut emails = Vec::new();
        for number in ids {
            emails.push(self.shop.document(USERS, id(number)).await["email"].as_str().unwrap().to_owned());
        }
        emails
    }

    /// How many answers are kept.
    fn kept(&self) -> i64 {
        self.file().query_row("SELECT count(*) FROM kept_answers", [], |row| row.get(0)).unwrap()
    }
}

fn under(word: &str, creation: Creation) -> Creation {
    Creation { keyed: Some((keyed(word, 1, 0), answer(word))), ..creation }
}

fn is_not_unique(outcome: &Creating) -> bool {
    *outcome == Creating::NotUnique("email".into())
}

#[tokio::test]
async fn rows_that_are_made_at_once_are_what_each_of_them_is() {
    let world = World::new();
    let emails: Vec<_> = (0..71).map(|number| format!("{number}@example.org")).collect();
    let emails: Vec<_> = emails.iter().map(String::as_str).collect();

    let outcomes = world.at_once(world.people(0, &emails)).await.unwrap();

    assert_eq!(outcomes, vec![Creating::Created; 71]);
    assert_eq!(world.emails(0..71).await, emails);
    let first = world.shop.find(USERS, id(0)).await.unwrap();
    let alone = World::new();
    alone.shop.ports.rows.create(alone.people(0, &emails[..1]).remove(0)).await.unwrap();
    assert_eq!(alone.shop.find(USERS, id(0)).await.unwrap(), first);
}

#[tokio::test]
async fn a_value_that_is_taken_keeps_only_those_rows_out_that_have_it() {
    let world = World::new();
    world.at_once(world.people(100, &["c"])).await.unwrap();

    let emails = ["a", "b", "c", "d", "b", "e", "f", "g", "h", "c"];
    let outcomes = world.at_once(world.people(0, &emails)).await.unwrap();

    let refused: Vec<_> = (0..10).filter(|place| is_not_unique(&outcomes[*place])).collect();
    let made = outcomes.iter().filter(|outcome| **outcome == Creating::Created).count();
    assert_eq!((refused, made), (vec![2, 4, 9], 7), "{outcomes:?}");
    for (number, email) in (0..10).zip(emails) {
        let there = world.shop.find(USERS, id(number)).await;
        assert_eq!(there.is_some(), ![2, 4, 9].contains(&number), "{email}");
    }
}

#[tokio::test]
async fn an_id_that_is_taken_is_told() {
    let world = World::new();
    world.at_once(world.people(3, &["x"])).await.unwrap();

    let outcomes = world.at_once(world.people(0, &["a", "b", "c", "d"])).await.unwrap();

    let created = Creating::Created;
    assert_eq!(outcomes, [created.clone(), created.clone(), created, Creating::IdTaken]);
    assert_eq!(world.emails(0..4).await, ["a", "b", "c", "x"]);
}

#[tokio::test]
async fn one_key_makes_one_row_among_those_that_are_made_at_once() {
    let world = World::new();
    let words = ["k0", "k1", "k1", "k2", "k3", "k0"];
    let people = world.people(0, &["a", "b", "c", "d", "e", "f"]);

    let keyed = words.iter().zip(people).map(|(word, person)| under(word, person)).collect();
    let outcomes = world.at_once(keyed).await.unwrap();

    let kept = |word| Creating::Kept(Kept::Answer(answer(word)));
    assert_eq!((&outcomes[2], &outcomes[5]), (&kept("k1"), &kept("k0")));
    for number in [0, 1, 3, 4] {
        assert_eq!(outcomes[number], Creating::Created, "{number}");
    }
    assert_eq!((world.kept(), world.shop.find(USERS, id(2)).await), (4, None));
}

#[tokio::test]
async fn the_key_of_a_row_that_could_not_be_made_is_free() {
    let world = World::new();
    let people = |first, emails| {
        let people: Vec<Creation> = world.people(first, emails);
        (first..).zip(people).map(|(number, person)| under(&number.to_string(), person)).collect::<Vec<_>>()
    };

    let outcomes = world.at_once(people(0, &["a", "b", "a", "d"])).await.unwrap();
    assert!(is_not_unique(&outcomes[2]), "{outcomes:?}");
    assert_eq!((world.kept(), world.emails(3..4).await), (3, vec!["d".to_owned()]));

    // The same key, and another address.
    let again = world.at_once(people(2, &["c", "e"])).await.unwrap();

    assert_eq!(again, [Creating::Created, Creating::Kept(Kept::Answer(answer("3")))]);
    assert_eq!(world.kept(), 4);
}

#[tokio::test]
async fn a_key_whose_time_is_over_is_taken_among_those_that_are_free() {
    let world = World::new();
    let mut people = world.people(0, &["a", "b", "c", "d", "e"]);
    world.at_once(vec![under("k", people.remove(4))]).await.unwrap();

    let late = |word: &str, person: Creation| Creation { keyed: Some((keyed(word, 1, 101), answer("late"))), ..person };
    let people = ["k0", "k1", "k", "k2"].into_iter().zip(people).map(|(word, person)| late(word, person)).collect();
    let outcomes = world.at_once(people).await.unwrap();

    assert_eq!((outcomes, world.kept()), (vec![Creating::Created; 4], 4));
    let found = world.shop.ports.answers.kept(&keyed("k", 1, 102)).await.unwrap();
    assert_eq!(found, Some(Kept::Answer(answer("late"))));
}

#[tokio::test]
async fn rows_of_which_one_points_at_nothing_are_made_one_at_a_time() {
    // In the midst of those that share a statement, and the one that is left.
    for place in [2, 4] {
        let world = World::new();
        let mut orders = world.notes(0, &["tea"; 5]);
        orders[place] = world.shop.creation(ORDERS, id(70), json!({"user_id": id(77)}));

        assert_eq!(world.at_once(orders.clone()).await, None);
        assert_eq!(world.shop.find(ORDERS, id(0)).await, None);
        let outcomes = world.while_busy(orders).await;

        let dangling = |place: &usize| outcomes[*place] == Creating::Dangling("user_id".into());
        assert_eq!((0..5).filter(dangling).collect::<Vec<_>>(), [place], "{outcomes:?}");
        assert!(world.shop.find(ORDERS, id(1)).await.is_some() && world.shop.find(ORDERS, id(70)).await.is_none());
    }
}

#[tokio::test]
async fn rows_that_come_while_the_writer_is_busy_share_a_statement() {
    let world = World::new();
    // A trigger is told how many rows the statement before has changed.
    let noting = "CREATE TABLE noted (changes INTEGER); \
                  CREATE TRIGGER noting AFTER INSERT ON r_users BEGIN INSERT INTO noted SELECT changes(); END";
    world.file().execute_batch(noting).unwrap();

    let outcomes = world.while_busy(world.people(0, &["a", "b", "c", "d", "e"])).await;

    assert_eq!(outcomes, vec![Creating::Created; 5]);
    let before_last = "SELECT changes FROM noted ORDER BY rowid DESC LIMIT 1";
    let before_last: i64 = world.file().query_row(before_last, [], |row| row.get(0)).unwrap();
    assert_eq!(before_last, 4);
}

#[tokio::test]
async fn the_words_of_rows_that_were_made_at_once_are_found() {
    let world = World::new();
    // The first ones come where nobody knows the last number; the others follow them.
    world.at_once(world.notes(0, &["tea"; 5])).await.unwrap();
    assert_eq!(world.found("tea").await.len(), 5);
    // More than may wait: words are written in the midst of them.
    let long = format!("coffee {}", "x".repeat(LARGE - 1_000));

    world.at_once(world.notes(10, &[long.as_str(); 20])).await.unwrap();
    world.at_once(world.notes(40, &["cocoa"; 7])).await.unwrap();

    assert_eq!(world.found("coffee").await, (10..30).map(id).collect::<Vec<_>>());
    assert_eq!(world.found("cocoa").await, (40..47).map(id).collect::<Vec<_>>());
}

#[tokio::test]
async fn rows_whose_numbers_do_not_follow_each_other_are_found_by_their_words() {
    let world = World::new();
    // There is no larger number than the second one's. The first one's words are there; whatever is numbered below is new to them.
    let last = "INSERT INTO r_orders (seq, id, revision, created_at, updated_at, document) \
                VALUES (9223372036854775806, randomblob(16), 1, 0, 0, '{\"note\":\"milk\"}'), \
                (9223372036854775807, randomblob(16), 1, 0, 0, '{}')";
    world.file().execute(last, []).unwrap();
    assert_eq!(world.found("milk").await.len(), 1);

    let outcomes = world.at_once(world.notes(10, &["ale", "beer", "cider", "gin"])).await.unwrap();

    assert_eq!(outcomes, vec![Creating::Created; 4]);
    for (number, word) in (10..).zip(["ale", "beer", "cider", "gin"]) {
        assert_eq!(world.found(word).await, [id(number)], "{word}");
    }
}

#[tokio::test]
async fn what_is_not_alike_is_not_made_at_once() {
    let world = World::new();
    let create = |creation| Create::new(&world.engine.statements, creation);
    let one = |creations: Vec<Creation>| create(creations.into_iter().next().unwrap());
    let order = one(world.notes(0, &["tea"]));

    let other = one(world.people(1, &["a"]));
    let keyed = create(under("k", world.notes(2, &["tea"]).remove(0)));
    let large = one(world.notes(3, &[&"x".repeat(LARGE)]));
    let mut pointing = one(world.notes(5, &["tea"]));
    let (field, resource) = ("after_id".to_owned(), ORDERS.to_owned());
    pointing.creation.draft.pointers.push(Pointer { field, resource, id: id(4), owner: None });

    assert!(order.goes_with(&one(world.notes(4, &["tea"]))));
    for (what, next) in [("resource", other), ("key", keyed), ("size", large), ("pointer", pointing)] {
        assert!(!order.goes_with(&next) && !next.goes_with(&order), "{what}");
    }
}
