//! What is kept is what was asked for twice, in its generation, and has bounds.

use jiff::Timestamp;
use valetkey_resources::ports::Shown;
use valetkey_testkit::api::{USERS, shop};
use valetkey_testkit::build::id;

use super::*;
use crate::statement::{Book, Dialect};

/// The generation of all rows.
const NOW: u8 = 1;

/// Rows, and what they are kept under.
struct Desk {
    lately: Lately<u8>,
    statements: Arc<Statements>,
}

impl Desk {
    fn new() -> Self {
        let statements = Book::new(Dialect::Sqlite).of(shop().resource(USERS).unwrap());
        Self { lately: Lately::default(), statements }
    }

    fn find(&self, id: Uuid) -> Option<Stored> {
        self.lately.find(id, NOW, &self.statements)
    }

    /// As whoever reads a row once.
    fn keep(&self, row: &Stored) {
        self.lately.keep(row, NOW, &self.statements);
    }

    fn bytes(&self) -> usize {
        self.lately.0.iter().map(|shelf| shelf.lock().unwrap().bytes).sum()
    }

    /// What the rows that are kept take, counted anew.
    fn weight(&self) -> usize {
        let of_shelf = |shelf: &Mutex<Shelf<u8>>| -> usize {
            let shelf = shelf.lock().unwrap();
            shelf
                .drawers
                .iter()
                .flat_map(|drawer| &drawer.places)
                .filter_map(|place| place.kept.as_ref())
                .map(|kept| weight::<u8>(&kept.row))
                .sum()
        };
        self.lately.0.iter().map(of_shelf).sum()
    }
}

fn row(id: Uuid, size: usize) -> Stored {
    let (document, at) = ("x".repeat(size), Timestamp::UNIX_EPOCH);
    let shown = Shown { id, task: None, document };
    Stored { shown, revision: 1, owner: Some("ada".to_owned()), created_at: at, updated_at: at }
}

#[test]
fn a_row_is_kept_from_the_second_time_on() {
    let desk = Desk::new();
    let row = row(id(1), 10);

    desk.keep(&row);
    assert_eq!(desk.find(id(1)), None);
    desk.keep(&row);

    assert_eq!(desk.find(id(1)), Some(row));
    assert_eq!(desk.find(id(2)), None);
}

#[test]
fn a_row_is_found_in_its_generation_and_with_its_statements_alone() {
    let desk = Desk::new();
    let anew = Book::new(Dialect::Sqlite).of(shop().resource(USERS).unwrap());
    for _ in 0..2 {
        desk.keep(&row(id(1), 10));
    }

    assert!(desk.lately.find(id(1), NOW, &anew).is_none());
    assert!(desk.lately.find(id(1), NOW + 1, &desk.statements).is_none());
    assert!(desk.find(id(1)).is_some());
    desk.lately.keep(&row(id(1), 10), NOW + 1, &desk.statements);
    assert!(desk.find(id(1)).is_none());
    assert!(desk.lately.find(id(1), NOW + 1, &desk.statements).is_some());
}

#[test]
fn rows_that_are_read_once_take_no_room() {
    let desk = Desk::new();

    (0..10_000).for_each(|number| desk.keep(&row(id(number), 100)));

    assert_eq!(desk.bytes(), 0);
}

#[test]
fn rows_that_are_read_once_do_not_drive_out_one_that_is_wanted() {
    let desk = Desk::new();
    let wanted = row(id(1), 10);
    (0..2).for_each(|_| desk.keep(&wanted));

    for number in 2..100_000 {
        desk.keep(&row(id(number), 10));
        assert!(desk.find(id(1)).is_some(), "{number}");
    }
}

#[test]
fn one_that_is_wanted_by_nobody_any_more_makes_room() {
    let desk = Desk::new();
    (0..2).for_each(|_| desk.keep(&row(id(1), 10)));

    for number in 2..1_000_000 {
        desk.keep(&row(id(number), 10));
    }

    assert_eq!((desk.find(id(1)), desk.bytes()), (None, 0));
}

#[test]
fn as_many_rows_as_there_are_drawers_are_all_kept() {
    let desk = Desk::new();
    let rows: Vec<_> = (0..u128::try_from(SHELVES * DRAWERS).unwrap()).map(|number| row(id(number), 100)).collect();

    for _ in 0..3 {
        rows.iter().filter(|row| desk.find(row.id).is_none()).for_each(|row| desk.keep(row));
    }

    let kept = rows.iter().filter(|row| desk.find(row.id).is_some()).count();
    assert!(kept * 100 >= rows.len() * 98, "{kept} of {}", rows.len());
}

#[test]
fn what_is_kept_has_bounds() {
    let desk = Desk::new();
    for number in 0..6_000 {
        for _ in 0..2 {
            desk.keep(&row(id(number), 5_000 + usize::try_from(number).unwrap() % 10_000));
        }
    }

    assert_eq!(desk.bytes(), desk.weight());
    assert!((ROOM * SHELVES / 2..=ROOM * SHELVES).contains(&desk.bytes()), "{}", desk.bytes());
    // One that came is there, whoever had to go for it.
    assert!(desk.find(id(5_999)).is_some());
}

#[test]
fn a_large_row_is_read_each_time() {
    let desk = Desk::new();
    for _ in 0..3 {
        desk.keep(&row(id(1), 10));
    }

    for _ in 0..3 {
        desk.keep(&row(id(1), LARGEST));
    }

    assert_eq!(desk.find(id(1)), None);
    assert_eq!(desk.bytes(), 0);
}
