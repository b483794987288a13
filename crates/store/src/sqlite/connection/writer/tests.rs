//! Those who share a commit share nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// What a transition does after it wrote its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Keep,
    Undo,
    Fail,
    Panic,
    /// Something ends the transaction, and goes unnoticed.
    Lose,
}

/// A table, and how often transitions were run.
struct Desk {
    connection: Connection,
    runs: Arc<AtomicU32>,
    wary: u32,
}

impl Desk {
    fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE notes (number INTEGER PRIMARY KEY)").unwrap();
        Self { connection, runs: Arc::default(), wary: 0 }
    }

    /// Commits these together; what each was answered.
    fn commit(&mut self, wanted: &[(i64, After)]) -> Vec<Result<i64, StoreError>> {
        let mut answers = Vec::new();
        let mut batch = Vec::new();
        for &(number, after) in wanted {
            let runs = self.runs.clone();
            let work = move |connection: &Connection| {
                runs.fetch_add(1, Ordering::Relaxed);
                connection.execute("INSERT INTO notes VALUES (?1)", [number]).map_err(store_error)?;
                match after {
                    After::Keep => Ok(Verdict::Keep(number)),
                    After::Undo => Ok(Verdict::Undo(number)),
                    After::Fail => Err(StoreError::Failed("no".to_owned())),
                    After::Panic => panic!("no"),
                    After::Lose => {
                        connection.execute_batch("ROLLBACK").map_err(store_error)?;
                        Ok(Verdict::Keep(number))
                    }
                }
            };
            let (job, answer) = Transition::new(Touches::Any, work);
            batch.push(Box::new(job) as Box<dyn Job>);
            answers.push(answer);
        }
        let committed = commit(&self.connection, &Anchor::default(), &mut batch, &mut self.wary).map_err(store_error);
        batch.into_iter().for_each(|job| job.answer(committed.clone()));
        assert!(self.connection.is_autocommit());
        answers.into_iter().map(|mut answer| answer.try_recv().unwrap()).collect()
    }

    fn notes(&self) -> Vec<i64> {
        let mut statement = self.connection.prepare("SELECT number FROM notes ORDER BY number").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    fn runs(&self) -> u32 {
        self.runs.swap(0, Ordering::Relaxed)
    }
}

#[test]
fn transitions_that_are_kept_run_once() {
    let mut desk = Desk::new();

    let answers = desk.commit(&[(1, After::Keep), (2, After::Keep), (3, After::Keep)]);

    assert_eq!(answers.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((desk.notes(), desk.runs()), (vec![1, 2, 3], 3));
}

#[test]
fn one_that_is_not_kept_leaves_no_trace_and_harms_no_other() {
    for after in [After::Undo, After::Fail, After::Panic] {
        for wary in [0, 1] {
            let mut desk = Desk { wary, ..Desk::new() };

            let answers = desk.commit(&[(1, After::Keep), (2, after), (3, After::Keep)]);

            let answered: Vec<_> = answers.iter().map(Result::is_ok).collect();
            assert_eq!(answered, [true, after == After::Undo, true], "{after:?}");
            assert_eq!(desk.notes(), [1, 3], "{after:?}");
        }
    }
}

#[test]
fn one_that_is_alone_runs_once_even_if_it_is_not_kept() {
    for after in [After::Undo, After::Fail, After::Panic] {
        let mut desk = Desk::new();

        let answers = desk.commit(&[(1, after)]);

        assert_eq!(answers[0].is_ok(), after == After::Undo, "{after:?}");
        assert_eq!((desk.notes(), desk.runs()), (vec![], 1), "{after:?}");
    }
}

#[test]
fn after_one_that_was_undone_the_next_ones_run_once_whatever_happens() {
    let mut desk = Desk::new();
    desk.commit(&[(1, After::Keep), (2, After::Undo)]);
    assert_eq!(desk.runs(), 4);

    for _ in 0..WARY {
        desk.commit(&[(3, After::Undo), (4, After::Undo)]);
        assert_eq!(desk.runs(), 2);
    }
    desk.commit(&[(5, After::Keep), (6, After::Undo)]);

    assert_eq!((desk.notes(), desk.runs()), (vec![1, 5], 4));
}

#[test]
fn nothing_is_promised_where_the_transaction_got_lost() {
    for wanted in [&[(1, After::Lose)][..], &[(1, After::Keep), (2, After::Lose), (3, After::Keep)]] {
        let mut desk = Desk::new();

        let answers = desk.commit(wanted);

        assert!(answers.iter().all(Result::is_err), "{answers:?}");
        assert_eq!(desk.notes(), [0; 0]);
        assert_eq!(desk.commit(&[(9, After::Keep)]).len(), 1);
        assert_eq!(desk.notes(), [9]);
    }
}

/// Two of them are done at once, but for those of which one must not be there.
struct Pair(i64, Arc<AtomicU32>);

impl Work for Pair {
    type Outcome = i64;

    fn alone(&self, connection: &Connection) -> Result<Verdict<i64>, StoreError> {
        connection.execute("INSERT INTO notes VALUES (?1)", [self.0]).map_err(store_error)?;
        Ok(if self.0 < 0 { Verdict::Undo(self.0) } else { Verdict::Keep(self.0) })
    }

    fn goes_with(&self, _: &Self) -> bool {
        true
    }

    fn at_once(all: &[&Self], connection: &Connection) -> Result<Option<Vec<i64>>, StoreError> {
        all[0].1.fetch_add(1, Ordering::Relaxed);
        for pair in all {
            connection.execute("INSERT INTO notes VALUES (?1)", [pair.0]).map_err(store_error)?;
        }
        let numbers: Vec<_> = all.iter().map(|pair| pair.0).collect();
        Ok(Some(numbers).filter(|numbers| numbers.iter().all(|number| *number >= 0)))
    }
}

#[test]
fn what_was_done_at_once_in_vain_is_done_again_one_by_one() {
    for (numbers, left) in [(&[1, 2, 3][..], &[1, 2, 3][..]), (&[1, -2, 3], &[1, 3])] {
        let mut desk = Desk::new();
        let job = |number: &i64| Transition::new(Touches::Any, Pair(*number, desk.runs.clone()));
        let (jobs, answers): (Vec<_>, Vec<_>) = numbers.iter().map(job).unzip();
        let mut batch: Vec<_> = jobs.into_iter().map(|job| Box::new(job) as Box<dyn Job>).collect();

        commit(&desk.connection, &Anchor::default(), &mut batch, &mut desk.wary).unwrap();
        batch.into_iter().for_each(|job| job.answer(Ok(())));

        let told: Vec<_> = answers.into_iter().map(|mut answer| answer.try_recv().unwrap().unwrap()).collect();
        assert_eq!((told.as_slice(), desk.notes().as_slice(), desk.runs()), (numbers, left, 1));
    }
}

#[test]
fn the_log_starts_over_although_an_anchor_rests_between_commits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.db");
    let connection = open_writer(&path).unwrap();
    connection.execute_batch("CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT)").unwrap();
    connection.pragma_update(None, "wal_autocheckpoint", 20).unwrap();
    let anchor = Anchor::open(&path, Log::open(&path).unwrap()).unwrap();

    for number in 0..200 {
        anchor.drop_here();
        let work = move |connection: &Connection| {
            let insert = "INSERT INTO notes VALUES (?1, hex(randomblob(2000)))";
            connection.execute(insert, [number]).map(Verdict::Keep).map_err(store_error)
        };
        let (job, _answer) = Transition::new(Touches::Any, work);
        let mut batch = vec![Box::new(job) as Box<dyn Job>];
        commit(&connection, &anchor, &mut batch, &mut (number % 2)).unwrap();
    }

    let log = std::fs::metadata(folder.path().join("notes.db-wal")).unwrap().len();
    assert!(log < 60 * 4096, "the log has {log} bytes");
}

const AFTER_A_SLOW_ONE: Last = Last { shared: 20, came: 12, took: Duration::from_millis(4) };

#[test]
fn after_a_slow_commit_all_who_were_there_are_waited_for() {
    assert!(AFTER_A_SLOW_ONE.is_missed(31, Duration::from_micros(900)));
    assert!(!AFTER_A_SLOW_ONE.is_missed(32, Duration::from_micros(900)));
}

#[test]
fn nobody_is_waited_for_longer_than_a_quarter_of_the_last_commit() {
    assert!(!AFTER_A_SLOW_ONE.is_missed(1, Duration::from_millis(1)));
}

#[test]
fn nobody_is_waited_for_longer_because_somebody_else_held_the_file() {
    let held = Last { took: Duration::from_secs(4), ..AFTER_A_SLOW_ONE };

    assert!(held.is_missed(1, Duration::from_micros(4_999)));
    assert!(!held.is_missed(1, Duration::from_millis(5)));
}

#[test]
fn after_a_quick_commit_nobody_is_missed() {
    let quick = Last { took: Duration::from_micros(1_999), ..AFTER_A_SLOW_ONE };

    assert!(!quick.is_missed(1, Duration::ZERO));
}

#[test]
fn no_more_are_waited_for_than_a_commit_carries() {
    let many = Last { shared: BATCH, ..AFTER_A_SLOW_ONE };

    assert!(!many.is_missed(BATCH, Duration::ZERO));
}
