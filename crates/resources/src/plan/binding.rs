//! What a cursor is bound to: the query, the version and the caller it was made for.

use std::slice;

use aws_lc_rs::digest::{SHA256, digest};
use uuid::Uuid;

use crate::model::{Cell, Resource};
use crate::ports::{By, Condition, Direction, ListPlan, Order, Test};
use crate::service::Speaker;

/// What a cursor is bound to: a digest of all that must not change between two pages.
#[derive(Debug, Clone)]
pub struct Binding(pub(super) [u8; 32]);

impl Binding {
    /// Binds to this list, as this caller asks for it. The size of a page and its fields may change on the way.
    pub(super) fn of(speaker: &Speaker, of: &Resource, plan: &ListPlan, under: Option<(usize, Uuid)>) -> Self {
        let ListPlan { conditions, search, order, .. } = plan;
        let mut bound = Bound(Vec::with_capacity(256));
        bound.number(speaker.version().into());
        bound.texts([&of.name, &speaker.caller.client].into_iter().chain(&speaker.caller.subject));
        let (place, above) = under.map_or((0, Uuid::nil()), |(place, above)| (1 + place, above));
        bound.count(place);
        bound.0.extend_from_slice(above.as_bytes());
        bound.count(conditions.len());
        conditions.iter().for_each(|condition| bound.condition(condition));
        bound.texts(search.iter());
        bound.count(order.len());
        for Order { by, direction } in order {
            bound.by(*by);
            bound.0.push(u8::from(*direction == Direction::Down));
        }
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, &bound.0).as_ref());
        Self(bytes)
    }
}

/// All that must not change, one after the other. Each part tells how long it is, so that no two lists are written alike.
struct Bound(Vec<u8>);

impl Bound {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn texts<'t>(&mut self, texts: impl Iterator<Item = &'t String> + Clone) {
        self.count(texts.clone().count());
        texts.for_each(|text| self.text(text));
    }

    fn by(&mut self, by: By) {
        let (kind, column) = match by {
            By::Id => (1, 0),
            By::Column(column) => (2, column),
            By::Relevance => (3, 0),
        };
        self.0.push(kind);
        self.count(column);
    }

    fn condition(&mut self, Condition { by, test }: &Condition) {
        self.by(*by);
        let (kind, cells) = match test {
            Test::AnyOf(cells) => (1, &cells[..]),
            Test::NoneOf(cells) => (2, &cells[..]),
            Test::Above(cell) => (3, slice::from_ref(cell)),
            Test::AtLeast(cell) => (4, slice::from_ref(cell)),
            Test::Below(cell) => (5, slice::from_ref(cell)),
            Test::AtMost(cell) => (6, slice::from_ref(cell)),
        };
        self.0.push(kind);
        self.count(cells.len());
        cells.iter().for_each(|cell| self.cell(cell));
    }

    fn cell(&mut self, cell: &Cell) {
        let (kind, number) = match cell {
            Cell::Null => (0, 0),
            Cell::Integer(number) => (1, number.cast_unsigned()),
            Cell::Number(number) => (2, number.to_bits()),
            Cell::Boolean(is) => (3, u64::from(*is)),
            Cell::Moment(moment) => (4, moment.cast_unsigned()),
            Cell::Text(_) => (5, 0),
            Cell::Id(_) => (6, 0),
        };
        self.0.push(kind);
        self.number(number);
        match cell {
            Cell::Text(text) => self.text(text),
            Cell::Id(id) => self.0.extend_from_slice(id.as_bytes()),
            _ => {}
        }
    }
}
