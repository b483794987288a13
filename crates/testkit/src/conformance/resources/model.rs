//! The same lists by hand: all rows in memory, filtered and sorted without any database.

use std::cmp::Ordering;

use serde_json::{Map, Value, json};
use uuid::Uuid;
use valetkey_oauth::ports::Random;
use valetkey_resources::model::{Cell, Resource};
use valetkey_resources::ports::{By, Condition, Direction, ListPlan, Order, Test, Window};

use crate::random::SeededRandom;

/// The rows of a resource.
#[derive(Clone, Default)]
pub struct Model(pub Vec<(Uuid, Map<String, Value>)>);

impl Model {
    /// The ids that a plan leaves, in its order.
    pub fn list(&self, of: &Resource, plan: &ListPlan) -> Vec<Uuid> {
        let mut rows: Vec<_> = self.0.iter().filter(|row| fulfils(of, row, plan)).collect();
        rows.sort_by(|one, other| {
            let by = plan.order.iter().map(|order| {
                let ordering = compare(&cell(of, one, order.by), &cell(of, other, order.by));
                if order.direction == Direction::Up { ordering } else { ordering.reverse() }
            });
            by.fold(Ordering::Equal, Ordering::then)
        });
        rows.into_iter().map(|(id, _)| *id).collect()
    }
}

fn cell(of: &Resource, (id, document): &(Uuid, Map<String, Value>), by: By) -> Cell {
    match by {
        By::Column(place) => of.columns()[place].cell(document),
        By::Id | By::Relevance => Cell::Id(*id),
    }
}

fn fulfils(of: &Resource, row: &(Uuid, Map<String, Value>), plan: &ListPlan) -> bool {
    let tests = plan.conditions.iter().all(|Condition { by, test }| {
        let cell = cell(of, row, *by);
        let than = |other: &Cell| (cell != Cell::Null && *other != Cell::Null).then(|| compare(&cell, other));
        match test {
            Test::AnyOf(cells) => cells.contains(&cell),
            Test::NoneOf(cells) => !cells.contains(&cell),
            Test::Above(other) => than(other) == Some(Ordering::Greater),
            Test::AtLeast(other) => than(other).is_some_and(Ordering::is_ge),
            Test::Below(other) => than(other) == Some(Ordering::Less),
            Test::AtMost(other) => than(other).is_some_and(Ordering::is_le),
        }
    });
    let note = row.1.get("note").and_then(Value::as_str).unwrap_or_default();
    let words: Vec<_> = valetkey_resources::model::words(note).collect();
    tests && plan.search.iter().all(|word| words.contains(word))
}

/// Nothing is less than anything; text is compared byte by byte.
fn compare(one: &Cell, other: &Cell) -> Ordering {
    match (one, other) {
        (Cell::Null, Cell::Null) => Ordering::Equal,
        (Cell::Null, _) => Ordering::Less,
        (_, Cell::Null) => Ordering::Greater,
        (Cell::Integer(one), Cell::Integer(other)) | (Cell::Moment(one), Cell::Moment(other)) => one.cmp(other),
        (Cell::Number(one), Cell::Number(other)) => one.total_cmp(other),
        (Cell::Text(one), Cell::Text(other)) => one.as_bytes().cmp(other.as_bytes()),
        (Cell::Boolean(one), Cell::Boolean(other)) => one.cmp(other),
        (Cell::Id(one), Cell::Id(other)) => one.cmp(other),
        _ => panic!("{one:?} and {other:?} have two types"),
    }
}

/// Draws numbers, rows and plans that repeat with their seed.
pub struct Dice(SeededRandom);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(SeededRandom::new(seed))
    }

    /// A number below `sides`.
    pub fn roll(&self, sides: u64) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        u64::from_le_bytes(bytes) % sides
    }

    pub fn pick<T: Clone>(&self, from: &[T]) -> T {
        from[usize::try_from(self.roll(from.len() as u64)).unwrap()].clone()
    }

    /// An order of the shop: few values for each field, so that many rows are equal, and some have none.
    pub fn order(&self) -> Value {
        let long = "z".repeat(3_000);
        let texts = ["EUR", "USD", "GBP", "eur", "", "é", "z", "\u{10000}", "\u{ffff}", "a\0b", "a\u{1}", "a b", &long];
        let words = ["red", "green", "blue", "Straße", "ÉTÉ", "don't", "x1"];
        let maybe = |value: Value| if self.roll(4) == 0 { Value::Null } else { value };
        json!({
            "amount": maybe(json!(self.pick(&[0_i64, 1, 2, 3, -7, 9_007_199_254_740_991, -9_007_199_254_740_991]))),
            "currency": maybe(json!(self.pick(&texts))),
            "weight": maybe(json!(self.pick(&[0.0, 0.5, -1.25, 1e300, 5e-324, 2.0]))),
            "gift": maybe(json!(self.roll(2) == 0)),
            "sent_at": maybe(json!(self.pick(&["2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", "1969-12-31T23:59:59.5Z"]))),
            "note": maybe(json!(format!("{} {}, {}", self.pick(&words), self.pick(&words), self.pick(&words)))),
        })
    }

    /// Conditions, a search perhaps, and an order, over the columns of a resource.
    pub fn plan(&self, of: &Resource, model: &Model) -> ListPlan {
        let columns: Vec<_> = (1..of.columns().len()).collect();
        let value = |place: usize| {
            let (_, document) = self.pick(&model.0);
            of.columns()[place].cell(&document)
        };
        let condition = || {
            let place = self.pick(&columns);
            let several = (0..=self.roll(3)).map(|_| value(place)).collect();
            let test = match self.roll(7) {
                0 | 1 => Test::AnyOf(several),
                2 => Test::NoneOf(several),
                3 => Test::Above(value(place)),
                4 => Test::AtLeast(value(place)),
                5 => Test::Below(value(place)),
                _ => Test::AtMost(value(place)),
            };
            Condition { by: By::Column(place), test }
        };
        let way = || if self.roll(2) == 0 { Direction::Up } else { Direction::Down };
        let keys = (0..self.roll(4)).map(|_| Order { by: By::Column(self.pick(&columns)), direction: way() });
        let order: Vec<_> = keys.chain([Order { by: By::Id, direction: way() }]).collect();
        let search = if self.roll(4) == 0 {
            vec![self.pick(&["red", "blue", "straße", "été", "don"]).into()]
        } else {
            vec![]
        };
        ListPlan {
            conditions: (0..self.roll(3)).map(|_| condition()).collect(),
            search,
            in_sight: None,
            order,
            window: Window::Offset { offset: 0, limit: 1000 },
        }
    }
}
