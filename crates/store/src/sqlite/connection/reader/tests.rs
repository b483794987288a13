//! Who reads with which connection, and for how long.

use std::sync::{Barrier, mpsc};

use tempfile::TempDir;

use super::*;

fn readers() -> (Arc<Readers>, TempDir) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("some.db");
    Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = wal; CREATE TABLE things (id)").unwrap();
    (Arc::new(Readers::open(&path).unwrap()), folder)
}

/// SQLite grants as much as it was compiled for: see `.cargo/config.toml`.
#[test]
fn whoever_reads_maps_a_file_of_any_size() {
    let (readers, _folder) = readers();

    let granted = |reader: &Mutex<Reader>| -> i64 {
        let reader = reader.lock().unwrap();
        reader.connection.pragma_query_value(None, "mmap_size", |row| row.get(0)).unwrap()
    };

    assert!(readers.quick.iter().all(|reader| granted(reader) == 1 << 40));
    assert!(readers.unmapped.iter().all(|reader| granted(reader) == 0));
}

#[tokio::test]
async fn a_long_read_whose_caller_went_away_keeps_its_turn_until_it_is_done() {
    let (readers, _folder) = readers();
    let all = readers.turns.available_permits();
    let (entered, inside) = tokio::sync::oneshot::channel();
    let (open, gate) = mpsc::channel::<()>();
    let caller = tokio::spawn({
        let readers = readers.clone();
        let wait = move |_: &Steps<'_>| {
            entered.send(()).unwrap();
            assert!(gate.recv().is_err(), "it is opened by nobody but the end of the test");
            Ok(())
        };
        async move { readers.read_at_length(Budget::micros(1_000), wait).await.map(drop) }
    });
    inside.await.unwrap();

    caller.abort();

    assert!(caller.await.unwrap_err().is_cancelled());
    assert_eq!(readers.turns.available_permits(), all - 1);
    drop(open);
    let _turns = readers.turns.acquire_many(u32::try_from(all).unwrap()).await.unwrap();
}

#[test]
fn threads_that_read_at_once_part_and_keep_what_they_found() {
    let (readers, _folder) = readers();
    let (readers, both) = (&*readers, &Barrier::new(2));
    let own = |_| {
        let first = {
            let _reading = super::own(&readers.quick, &QUICK);
            both.wait();
            QUICK.get()
        };
        both.wait();
        // Alone now, and at home: whoever reads before a write has another home for that.
        drop(super::own(&readers.unmapped, &UNMAPPED));
        drop(super::own(&readers.quick, &QUICK));
        (first, QUICK.get())
    };

    let homes = std::thread::scope(|scope| {
        [0, 1].map(|number| scope.spawn(move || own(number))).map(|thread| thread.join().unwrap())
    });

    assert_ne!(homes[0].0, homes[1].0);
    assert_eq!(homes[0].0, homes[0].1);
    assert_eq!(homes[1].0, homes[1].1);
}

/// What is read in this budget and this time on the clock, and what held it up.
fn read_within(
    budget: Budget,
    longest: Duration,
    work: impl FnOnce(&Connection) -> Result<i64, Halt>,
) -> (Option<i64>, Option<Delay>) {
    let (readers, _folder) = readers();
    let reader = readers.quick[0].lock().unwrap();
    let work = |steps: &Steps<'_>| Ok((steps.within(budget, work)?, steps.delay()));
    in_steps(&reader, budget, longest, work).unwrap().0
}

/// It counts, and does not end before anyone ends it.
fn count_on(connection: &Connection) -> Result<i64, Halt> {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    Ok(connection.query_row(endless, [], |row| row.get(0))?)
}

/// The clock shows that the thread was on a processor for longer than any read.
fn stand_still() {
    let begun = used_here();
    while used_here() - begun <= nanos(STANDSTILL + Duration::from_millis(10)) {}
}

#[test]
fn what_costs_too_much_was_not_held_up() {
    // Unless the machine stands still at this very moment, which it does not five times in a row.
    let ended = || read_within(Budget::micros(2_000), Duration::from_secs(60), count_on);

    assert!((0..5).any(|_| ended() == (None, None)));
}

#[test]
fn what_the_clock_ends_before_it_was_paid_for_has_waited() {
    let ample = Budget::micros(60_000_000);

    assert_eq!(read_within(ample, Duration::ZERO, count_on), (None, Some(Delay::Waited)));
    assert_eq!(read_within(ample, Duration::from_millis(2), count_on), (None, Some(Delay::Waited)));
    assert_eq!(read_within(Budget::micros(0), Duration::ZERO, count_on), (None, None));
}

#[test]
fn what_goes_on_long_after_its_budget_stood_still_whether_it_came_to_its_end_or_not() {
    let ended = |connection: &Connection| {
        stand_still();
        count_on(connection)
    };
    let done = |_: &Connection| {
        stand_still();
        Ok(7)
    };
    let (budget, longest) = (Budget::micros(8_000), Duration::from_secs(60));

    assert_eq!(read_within(budget, longest, ended), (None, Some(Delay::StoodStill)));
    assert_eq!(read_within(budget, longest, done), (Some(7), Some(Delay::StoodStill)));
}

/// What comes of a read that is held up like this the first times it is begun, and how often it was begun.
async fn find_after(delays: &'static [Delay]) -> (Result<Option<usize>, StoreError>, usize) {
    let (readers, _folder) = readers();
    let begun = Arc::new(Mutex::new(0));
    let counted = begun.clone();
    let work = move |steps: &Steps<'_>| {
        let mut begun = counted.lock().unwrap();
        let delay = delays.get(*begun);
        steps.delay.set(delay.copied());
        *begun += 1;
        Ok(delay.is_none().then_some(*begun))
    };
    let found = readers.find_at_length(Budget::micros(1_000), work).await;
    (found, *begun.lock().unwrap())
}

#[tokio::test]
async fn a_read_that_was_held_up_is_begun_once_more() {
    use Delay::{StoodStill, Waited};

    assert!(matches!(find_after(&[]).await, (Ok(Some(1)), 1)));
    assert!(matches!(find_after(&[Waited]).await, (Ok(Some(2)), 2)));
    assert!(matches!(find_after(&[StoodStill]).await, (Ok(Some(2)), 2)));
    // If it only waits, it may be later. What seems to stand still each time is too expensive.
    assert!(matches!(find_after(&[Waited, Waited]).await, (Err(StoreError::Unavailable(_)), 2)));
    assert!(matches!(find_after(&[StoodStill, Waited]).await, (Err(StoreError::Unavailable(_)), 2)));
    assert!(matches!(find_after(&[StoodStill, StoodStill]).await, (Ok(None), 2)));
}

#[tokio::test]
async fn a_read_that_costs_too_much_is_not_begun_again() {
    let (readers, _folder) = readers();
    let begun = Arc::new(AtomicU64::new(0));
    let counted = begun.clone();
    let work = move |_: &Steps<'_>| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(None::<()>)
    };

    assert_eq!(readers.find_at_length(Budget::micros(1_000), work).await.unwrap(), None);
    assert_eq!(begun.load(Ordering::Relaxed), 1);
}
