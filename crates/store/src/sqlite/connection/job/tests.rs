//! What is done at once, and what becomes of those who wait for it.

use std::sync::{Arc, Mutex};

use super::*;

/// How those that were done at once end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Well,
    OneByOne,
    OneShort,
    Fail,
    Panic,
}

/// Goes with those of its kind; notes what was done with what.
struct Note {
    number: u8,
    kind: char,
    end: End,
    done: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Work for Note {
    type Outcome = u8;

    fn alone(&self, _: &Connection) -> Result<Verdict<u8>, StoreError> {
        self.done.lock().unwrap().push(vec![self.number]);
        Ok(Verdict::Keep(self.number))
    }

    fn goes_with(&self, next: &Self) -> bool {
        self.kind == next.kind
    }

    fn at_once(all: &[&Self], _: &Connection) -> Result<Option<Vec<u8>>, StoreError> {
        let numbers: Vec<u8> = all.iter().map(|note| note.number).collect();
        all[0].done.lock().unwrap().push(numbers.clone());
        match all[0].end {
            End::Well => Ok(Some(numbers)),
            End::OneByOne => Ok(None),
            End::OneShort => Ok(Some(numbers[1..].to_vec())),
            End::Fail => Err(StoreError::Failed("no".to_owned())),
            End::Panic => panic!("no"),
        }
    }
}

struct Desk {
    connection: Connection,
    done: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Desk {
    fn new() -> Self {
        Self { connection: Connection::open_in_memory().unwrap(), done: Arc::default() }
    }

    fn jobs(&self, kinds: &str, end: End) -> (Vec<Box<dyn Job>>, Vec<Answer<u8>>) {
        let job = |(number, kind)| {
            let note = Note { number, kind, end, done: self.done.clone() };
            let (job, answer) = Transition::new(Touches::Nothing, note);
            (Box::new(job) as Box<dyn Job>, answer)
        };
        (0..).zip(kinds.chars()).map(job).unzip()
    }

    /// Begins with the first of these; what it says, and what was done.
    fn along(&self, kinds: &str, end: End) -> ((bool, usize), Vec<Vec<u8>>) {
        let (mut jobs, _answers) = self.jobs(kinds, end);
        let (first, next) = jobs.split_first_mut().unwrap();
        let said = first.work_along(next, &self.connection);
        (said, std::mem::take(&mut *self.done.lock().unwrap()))
    }
}

#[test]
fn those_that_come_next_and_go_with_one_are_done_at_once_with_it() {
    let desk = Desk::new();

    assert_eq!(desk.along("aaa", End::Well), ((true, 2), vec![vec![0, 1, 2]]));
    assert_eq!(desk.along("aaba", End::Well), ((true, 1), vec![vec![0, 1]]));
    assert_eq!(desk.along("abaa", End::Well), ((true, 0), vec![vec![0]]));
    assert_eq!(desk.along("a", End::Well), ((true, 0), vec![vec![0]]));
}

#[test]
fn nothing_is_kept_where_they_cannot_be_done_at_once() {
    let desk = Desk::new();

    for end in [End::OneByOne, End::OneShort, End::Fail, End::Panic] {
        assert_eq!(desk.along("aaa", end), ((false, 0), vec![vec![0, 1, 2]]), "{end:?}");
    }
}

#[test]
fn each_of_them_is_told_its_own_outcome_once_all_is_committed() {
    for committed in [Ok(()), Err(StoreError::Failed("disk".to_owned()))] {
        let desk = Desk::new();
        let (mut jobs, mut answers) = desk.jobs("aaa", End::Well);
        let (first, next) = jobs.split_first_mut().unwrap();
        first.work_along(next, &desk.connection);

        jobs.into_iter().for_each(|job| job.answer(committed.clone()));

        let told: Vec<_> = answers.iter_mut().map(|answer| answer.try_recv().unwrap().ok()).collect();
        let expected: Vec<_> = (0..3).map(|number| committed.is_ok().then_some(number)).collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn what_is_a_transition_of_another_type_is_left_to_itself() {
    let desk = Desk::new();
    let (mut jobs, _answers) = desk.jobs("aa", End::Well);
    let (other, _answer) = Transition::new(Touches::Nothing, |_: &Connection| Ok(Verdict::Keep(())));
    jobs.insert(1, Box::new(other));

    let (first, next) = jobs.split_first_mut().unwrap();

    assert_eq!(first.work_along(next, &desk.connection), (true, 0));
}
