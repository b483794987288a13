//! A copy that is killed, and goes on.

use std::time::Duration;

use async_trait::async_trait;
use valetkey_oauth::ports::StoreError;
use valetkey_store::transfer::{Copied, Inventory, Row, Source, Table, TransferError, copy};

use crate::place::{Place, full};

/// A source that breaks after so many rows, and counts what was asked of it before anything was compared.
struct Fragile {
    source: Box<dyn Source>,
    left: usize,
    given: usize,
    tables: usize,
    begun: usize,
}

impl Fragile {
    async fn of(place: &Place, left: usize) -> Self {
        let mut source = place.export(true).await;
        let tables = source.inventory().await.unwrap().tables.len();
        Self { source, left, given: 0, tables, begun: 0 }
    }
}

#[async_trait]
impl Source for Fragile {
    async fn inventory(&mut self) -> Result<Inventory, TransferError> {
        self.source.inventory().await
    }

    async fn begin(&mut self, table: &Table, after: Option<Row>) -> Result<(), TransferError> {
        self.begun += 1;
        self.source.begin(table, after).await
    }

    async fn next(&mut self) -> Result<Vec<Row>, TransferError> {
        let rows = self.source.next().await?;
        if self.begun <= self.tables {
            self.given += rows.len();
            if self.given > self.left {
                return Err(StoreError::Unavailable("killed".to_owned()).into());
            }
        }
        Ok(rows)
    }
}

async fn attempt(source: &mut Fragile, to: &Place, from: &str, restart: bool) -> Result<Copied, TransferError> {
    let mut target = to.import().await?;
    copy(source, &mut *target, from, restart, &mut |_, _, _| {}).await
}

/// Rows in all tables together.
async fn rows(place: &Place) -> usize {
    usize::try_from(place.tallies().await.iter().map(|(_, tally)| tally.rows).sum::<u64>()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_copy_goes_on_where_it_was() {
    let origin = full(4_500).await;
    let all = rows(&origin).await;
    for place in Place::each().await {
        for part in [2_600, all / 3, all / 3] {
            attempt(&mut Fragile::of(&origin, part).await, &place, "here", false).await.unwrap_err();
        }
        let mut last = Fragile::of(&origin, usize::MAX).await;

        let copied = attempt(&mut last, &place, "here", false).await.unwrap();

        assert!(copied.resumed > 0 && copied.again.is_empty());
        assert_eq!(last.given + usize::try_from(copied.resumed).unwrap(), all, "no row is read twice");
        assert!(last.given < all / 2, "{} of {all}", last.given);
        assert_eq!(place.tallies().await, origin.tallies().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_comes_while_another_is_just_leaving_waits_for_it() {
    let Some(place) = Place::schema().await else { return };
    let earlier = place.import().await.unwrap();
    let leaving = async {
        // A few looks of the other one.
        tokio::time::sleep(Duration::from_millis(350)).await;
        drop(earlier);
    };

    let (later, ()) = tokio::join!(place.import(), leaving);

    assert!(later.is_ok(), "{}", later.err().unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_between_two_attempts_is_noticed_and_copied_again() {
    for place in Place::each().await {
        let origin = full(2_500).await;
        let all = rows(&origin).await;
        attempt(&mut Fragile::of(&origin, all - 2_600).await, &place, "here", false).await.unwrap_err();
        origin
            .execute(
                "UPDATE clients SET document = 'other' WHERE id = 'x7'; DELETE FROM users WHERE username = 'x9'; \
                 DELETE FROM upstream_links WHERE subject = 'x9'",
            )
            .await;

        let copied = attempt(&mut Fragile::of(&origin, usize::MAX).await, &place, "here", false).await.unwrap();

        assert!(copied.again.contains(&"clients".to_owned()) && copied.again.contains(&"users".to_owned()));
        assert!(!copied.again.contains(&"sessions".to_owned()), "{:?}", copied.again);
        assert_eq!(place.tallies().await, origin.tallies().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_from_elsewhere_does_not_go_on_with_the_work_of_another() {
    let (origin, other) = (full(10).await, full(3).await);
    for place in Place::each().await {
        attempt(&mut Fragile::of(&origin, 60).await, &place, "here", false).await.unwrap_err();

        let refused = attempt(&mut Fragile::of(&other, usize::MAX).await, &place, "there", false).await.unwrap_err();
        let restarted = attempt(&mut Fragile::of(&other, usize::MAX).await, &place, "there", true).await.unwrap();

        assert!(matches!(&refused, TransferError::Unfinished { begun, .. } if begun == "here"), "{refused}");
        assert_eq!(restarted.resumed, 0);
        assert_eq!(place.tallies().await, other.tallies().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_with_other_tables_by_now_is_copied_from_the_beginning() {
    for place in Place::each().await {
        let origin = full(10).await;
        attempt(&mut Fragile::of(&origin, 60).await, &place, "here", false).await.unwrap_err();
        origin.execute("DELETE FROM api_tables WHERE resource = 'reviews'").await;

        let copied = attempt(&mut Fragile::of(&origin, usize::MAX).await, &place, "here", false).await.unwrap();

        assert_eq!(copied.resumed, 0);
        assert_eq!(place.tallies().await, origin.tallies().await);
    }
}
