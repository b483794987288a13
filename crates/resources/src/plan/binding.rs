//! What a cursor is bound to: the query, the version and the caller it was made for.

use std::slice;

use aws_lc_rs::digest::{SHA256, digest};
use uuid::Uuid;
use valetkey_rest::bearer::Caller;

use crate::model::{Cell, Resource};
use crate::ports::{By, Condition, Direction, ListPlan, Order, Test};
use crate::service::Speaker;

/// What a cursor is bound to: a digest of all that must not change between two pages.
#[derive(Debug, Clone)]
pub struct Binding(pub(super) [u8; 32]);

impl Binding {
    /// Binds to this list, as this caller asks for it. The size of a page and its fields may change on the way.
    pub(super) fn of(speaker: &Speaker, of: &Resource, plan: &ListPlan, under: Option<(usize, Uuid)>) -> Self {
        Self::to(speaker.version(), &speaker.caller, &of.name, plan, under)
    }

    fn to(version: u32, caller: &Caller, of: &String, plan: &ListPlan, under: Option<(usize, Uuid)>) -> Self {
        let ListPlan { conditions, search, order, .. } = plan;
        let mut bound = Bound(Vec::with_capacity(256));
        bound.number(version.into());
        bound.texts([of, &caller.client].into_iter().chain(&caller.subject));
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::ports::Window;

    type Change = Box<dyn FnOnce(&mut List)>;
    type List = (u32, Caller, String, ListPlan, Option<(usize, Uuid)>);

    fn list() -> List {
        let test = |by, test| Condition { by, test };
        let order = vec![Order { by: By::Column(1), direction: Direction::Up }];
        let plan = ListPlan {
            conditions: vec![
                test(By::Column(0), Test::AnyOf(vec![Cell::Text("EUR".to_owned())])),
                test(By::Column(1), Test::AtMost(Cell::Integer(5))),
            ],
            search: vec!["door".to_owned()],
            in_sight: None,
            order,
            window: Window::Offset { offset: 0, limit: 20 },
        };
        let caller = Caller { client: "app".to_owned(), subject: Some("ada".to_owned()), ..Caller::default() };
        (2, caller, "orders".to_owned(), plan, Some((3, Uuid::from_u128(7))))
    }

    fn bound((version, caller, of, plan, under): &List) -> [u8; 32] {
        Binding::to(*version, caller, of, plan, *under).0
    }

    #[test]
    fn whatever_changes_a_list_changes_what_its_cursors_are_bound_to() {
        let cells = [
            Cell::Null,
            Cell::Integer(6),
            Cell::Number(6.0),
            Cell::Text("6".to_owned()),
            Cell::Boolean(true),
            Cell::Boolean(false),
            Cell::Moment(6),
            Cell::Id(Uuid::from_u128(6)),
            Cell::Id(Uuid::from_u128(5)),
        ];
        let by_cell = cells
            .into_iter()
            .map(|cell| Box::new(move |list: &mut List| list.3.conditions[1].test = Test::AtMost(cell)) as Change);
        let changes: Vec<Change> = vec![
            Box::new(|_| {}),
            Box::new(|list| list.0 = 1),
            Box::new(|list| list.1.client = "other".to_owned()),
            Box::new(|list| list.1.subject = Some("bob".to_owned())),
            Box::new(|list| list.1.subject = None),
            Box::new(|list| list.2 = "payments".to_owned()),
            Box::new(|list| list.4 = Some((4, Uuid::from_u128(7)))),
            Box::new(|list| list.4 = Some((3, Uuid::from_u128(8)))),
            Box::new(|list| list.4 = None),
            Box::new(|list| list.3.search = vec!["window".to_owned()]),
            Box::new(|list| list.3.search = vec!["do".to_owned(), "or".to_owned()]),
            Box::new(|list| list.3.search.clear()),
            Box::new(|list| list.3.conditions.truncate(1)),
            Box::new(|list| list.3.conditions.swap(0, 1)),
            Box::new(|list| list.3.conditions[0].by = By::Column(4)),
            Box::new(|list| list.3.conditions[0].by = By::Id),
            Box::new(|list| list.3.conditions[0].test = Test::AnyOf(vec![Cell::Text("USD".to_owned())])),
            Box::new(|list| list.3.conditions[0].test = Test::NoneOf(vec![Cell::Text("EUR".to_owned())])),
            Box::new(|list| list.3.conditions[0].test = Test::AnyOf(Vec::new())),
            Box::new(|list| list.3.conditions[1].test = Test::Above(Cell::Integer(5))),
            Box::new(|list| list.3.conditions[1].test = Test::AtLeast(Cell::Integer(5))),
            Box::new(|list| list.3.conditions[1].test = Test::Below(Cell::Integer(5))),
            Box::new(|list| list.3.order[0].direction = Direction::Down),
            Box::new(|list| list.3.order[0].by = By::Id),
            Box::new(|list| list.3.order[0].by = By::Relevance),
            Box::new(|list| list.3.order[0].by = By::Column(2)),
            Box::new(|list| list.3.order.clear()),
        ];
        let all: Vec<[u8; 32]> = changes
            .into_iter()
            .chain(by_cell)
            .map(|change| {
                let mut other = list();
                change(&mut other);
                bound(&other)
            })
            .collect();

        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }

    #[test]
    fn the_size_of_a_page_may_change_on_the_way() {
        let mut other = list();
        other.3.window = Window::Offset { offset: 40, limit: 5 };

        assert_eq!(bound(&other), bound(&list()));
    }
}
