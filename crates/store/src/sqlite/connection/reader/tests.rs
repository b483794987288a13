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
