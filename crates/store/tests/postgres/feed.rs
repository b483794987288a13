//! The feed under what only many writers can do to it.

use valetkey_oauth::model::{Revocation, RevocationTarget, TokenId};
use valetkey_oauth::ports::RevocationCursor;
use valetkey_testkit::build;
use valetkey_testkit::clock::moment;

use crate::fresh;

fn token(number: u128) -> Revocation {
    build::revocation(RevocationTarget::Token(TokenId(build::id(number))))
}

#[tokio::test]
async fn a_transaction_that_was_open_at_the_last_read_is_not_missed() {
    let Some((ports, schema)) = fresh().await else { return };
    let slow = schema.client().await;
    let (id, until) = (build::id(1).to_string(), moment(86_400).as_millisecond());
    let insert = "INSERT INTO revocations (kind, target, expires_at) VALUES ('token', $1, $2)";
    slow.batch_execute("BEGIN").await.unwrap();
    slow.execute(insert, &[&id, &until]).await.unwrap();
    ports.revocations.record(&token(2)).await.unwrap();

    let first = ports.revocations.feed(RevocationCursor::default(), moment(1)).await.unwrap();
    let second = ports.revocations.feed(first.cursor, moment(1)).await.unwrap();
    slow.batch_execute("COMMIT").await.unwrap();
    let third = ports.revocations.feed(second.cursor, moment(1)).await.unwrap();
    let fourth = ports.revocations.feed(third.cursor, moment(1)).await.unwrap();

    assert_eq!(first.entries, [token(2)]);
    assert_eq!(second.entries, [], "an open transaction does not repeat the others");
    assert_eq!(third.entries, [token(1)]);
    assert_eq!(fourth.entries, []);
}

#[tokio::test]
async fn two_readers_do_not_disturb_each_other() {
    let Some((ports, _schema)) = fresh().await else { return };
    let early = ports.revocations.feed(RevocationCursor::default(), moment(1)).await.unwrap();
    ports.revocations.record(&token(1)).await.unwrap();

    let late = ports.revocations.feed(RevocationCursor::default(), moment(1)).await.unwrap();
    let early = ports.revocations.feed(early.cursor, moment(1)).await.unwrap();

    assert_eq!((early.entries, late.entries), (vec![token(1)], vec![token(1)]));
}

#[tokio::test]
async fn a_cursor_from_elsewhere_reads_from_the_beginning() {
    let Some((ports, _schema)) = fresh().await else { return };
    ports.revocations.record(&token(1)).await.unwrap();

    let feed = ports.revocations.feed(RevocationCursor(4_711), moment(1)).await.unwrap();

    assert_eq!(feed.entries, [token(1)]);
}
