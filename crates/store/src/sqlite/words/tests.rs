//! Whatever waits, a search finds what was written before it began, and nothing else.

pub(in crate::sqlite) mod world;

use serde_json::json;
use uuid::Uuid;
use valetkey_resources::ports::Creating;
use valetkey_testkit::api::ORDERS;
use valetkey_testkit::build::id;

use self::world::World;
use super::*;

impl World {
    async fn note(&self, number: u128, note: &str) {
        self.shop.create(ORDERS, id(number), json!({"note": note})).await;
    }

    async fn change(&self, number: u128, note: &str) {
        self.shop.apply(self.shop.change(ORDERS, id(number), json!({"note": note}))).await;
    }

    /// So many rows have words.
    fn written(&self) -> u64 {
        let count: i64 = self.file().query_row("SELECT count(*) FROM s_orders_docsize", [], |row| row.get(0)).unwrap();
        u64::try_from(count).unwrap()
    }
}

fn ids(numbers: impl IntoIterator<Item = u128>) -> Vec<Uuid> {
    numbers.into_iter().map(id).collect()
}

#[tokio::test]
async fn words_of_new_rows_wait_until_somebody_searches() {
    let world = World::new();
    for number in 0..3 {
        world.note(number, "tea").await;
    }
    assert_eq!(world.written(), 0);

    assert_eq!(world.found("tea").await, ids(0..3));

    assert_eq!(world.written(), 3);
    world.note(3, "tea").await;
    assert_eq!((world.written(), world.found("tea").await), (3, ids(0..4)));
}

#[tokio::test]
async fn what_waits_when_a_server_is_killed_is_found_by_the_next() {
    let world = World::new();
    world.note(0, "tea").await;
    assert_eq!(world.found("tea").await, ids([0]));
    world.note(1, "tea").await;

    let world = world.again();

    assert_eq!((world.written(), world.found("tea").await), (1, ids(0..2)));
}

#[tokio::test]
async fn rows_change_and_go_while_they_wait() {
    let world = World::new();
    for number in 0..4 {
        world.note(number, "tea").await;
    }

    world.change(1, "coffee").await;
    world.shop.remove(ORDERS, id(2)).await;
    // The next row has the number that this one had.
    world.shop.remove(ORDERS, id(3)).await;
    world.note(4, "cocoa").await;
    assert_eq!(world.written(), 0);

    for (word, rows) in [("tea", ids([0])), ("coffee", ids([1])), ("cocoa", ids([4]))] {
        assert_eq!(world.found(word).await, rows, "{word}");
    }
}

#[tokio::test]
async fn rows_change_and_go_while_others_wait() {
    let world = World::new();
    for number in 0..3 {
        world.note(number, "tea").await;
    }
    assert_eq!(world.found("tea").await.len(), 3);
    world.note(3, "milk").await;

    world.change(0, "coffee").await;
    world.shop.remove(ORDERS, id(1)).await;
    world.shop.remove(ORDERS, id(3)).await;
    // The last row that has words goes, and its number is given to another.
    world.shop.remove(ORDERS, id(2)).await;
    world.note(4, "cocoa").await;

    for (word, rows) in [("tea", vec![]), ("milk", vec![]), ("coffee", ids([0])), ("cocoa", ids([4]))] {
        assert_eq!(world.found(word).await, rows, "{word}");
    }
}

#[tokio::test]
async fn no_more_waits_than_can_be_written_in_a_moment() {
    let world = World::new();

    for number in 0..700 {
        world.note(number, "tea").await;
    }

    let waiting = 700 - world.written();
    assert!((1..500).contains(&waiting), "{waiting} wait");
    assert_eq!(world.found("tea").await.len(), 100);
    assert_eq!(world.written(), 700);
}

#[tokio::test]
async fn the_words_of_a_large_row_do_not_wait_nor_do_those_before_it() {
    let world = World::new();
    world.note(0, "tea").await;
    let long = format!("{} coffee", "x".repeat(LARGE));

    world.note(1, &long).await;
    assert_eq!(world.written(), 2);
    world.note(2, "tea").await;
    world.change(2, &format!("{} coffee", "y".repeat(140_000))).await;
    assert_eq!(world.written(), 3);

    assert_eq!((world.found("tea").await, world.found("coffee").await), (ids([0]), ids([1, 2])));
}

#[tokio::test]
async fn what_is_more_than_one_turn_has_room_for_is_found_and_nothing_is_passed_over() {
    let world = World::new();
    world.note(0, "tea").await;
    let more = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO r_orders \
         (id, revision, created_at, updated_at, document) \
         SELECT randomblob(16), 1, 0, 0, '{{\"note\":\"tea {}' || i || '\"}}' FROM n",
        "x".repeat(2000)
    );
    world.file().execute(&more, []).unwrap();
    let row = world.shop.resource(ORDERS);
    let statements = world.engine.statements.of(&row);
    let turns = |before| {
        let (statements, row) = (statements.clone(), row.clone());
        world.engine.writer.run(move |connection| settle(connection, &statements, &row, before))
    };

    let first = turns(END).await.unwrap();
    let some = world.written();
    // A large row has to wait, too: otherwise those before it would be taken for written.
    world.note(500, &format!("{} coffee", "x".repeat(LARGE))).await;

    assert!(!first && (1..400).contains(&some), "{some} at first");
    assert_eq!(world.found("coffee").await, ids([500]));
    assert_eq!(world.written(), 402);
}

#[tokio::test]
async fn where_nothing_waits_whoever_searches_does_not_wait_for_others_who_write() {
    let world = World::new();
    world.note(0, "tea").await;
    assert_eq!(world.found("tea").await, ids([0]));
    let world = world.again();
    let other = world.file();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    assert_eq!(world.found("tea").await, ids([0]));
}

#[tokio::test]
async fn what_is_written_in_vain_is_written_again() {
    let world = World::new();
    let large = "x".repeat(LARGE - 100);
    for number in 0..7 {
        world.note(number, &large).await;
    }
    assert_eq!(world.written(), 0);
    let due = world.note(8, &large);
    // Shares a transaction with that one, which is undone then: both have come before the writer has time for them.
    let dangling = world.shop.try_create(ORDERS, id(9), json!({"user_id": id(77)}));
    let (come, wait) = std::sync::mpsc::channel();
    let busy = world.engine.writer.alone(move |_| {
        let _ = wait.recv();
        Ok(())
    });

    let (_, (), refused, _) = tokio::join!(busy, due, dangling, async { come.send(()) });

    assert!(matches!(refused, Creating::Dangling(_)), "{refused:?}");
    assert_eq!(world.written(), 8);
}

#[tokio::test]
async fn numbers_of_rows_that_somebody_removed_by_hand_are_those_of_others_afterwards() {
    let world = World::new();
    for number in 0..4 {
        world.note(number, "tea").await;
    }
    assert_eq!(world.found("tea").await, ids(0..4));
    world.file().execute("DELETE FROM r_orders WHERE seq > 2", []).unwrap();

    world.note(4, "coffee").await;
    world.note(5, &format!("{} coffee", "x".repeat(LARGE))).await;

    assert_eq!(world.found("coffee").await, ids([4, 5]));
    assert_eq!(world.found("tea").await, ids([0, 1]));
}

#[tokio::test]
async fn a_row_that_somebody_spoilt_keeps_nobody_from_finding_others() {
    let world = World::new();
    for number in 0..2 {
        world.note(number, "tea").await;
    }
    world.file().execute("UPDATE r_orders SET document = 'x' WHERE seq = 1", []).unwrap();

    assert_eq!(world.found("tea").await, ids([1]));
}

#[test]
fn rows_that_wait_are_found_by_their_numbers() {
    let world = World::new();
    let statements = world.engine.statements.of(&world.shop.resource(ORDERS));
    let plan = |sql: &str| -> String {
        let file = world.file();
        let sql = sql.replace("?1", "1").replace("?2", "2");
        let mut plan = file.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = plan.query_map([], |row| row.get::<_, String>(3)).unwrap();
        steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
    };

    assert_eq!(plan(&statements.between), "SEARCH r_orders USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
    assert_eq!(plan(&statements.last_words), "SEARCH s_orders_docsize");
}
