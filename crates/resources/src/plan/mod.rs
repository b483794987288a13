//! From a query string to a plan that a store can carry out: every name checked against the declaration, every value typed.

mod binding;
mod cursor;
mod filter;
mod names;
mod order;
mod refused;

use uuid::Uuid;
use valetkey_rest::page::Paging;
use valetkey_rest::query::ListQuery;
use valetkey_rest::{FieldCode, Problem};

pub use binding::Binding;
pub use cursor::Mark;
pub use names::{check_fields, check_include};
pub use refused::Refused;

use crate::model::words;
use crate::ports::{By, Condition, InSight, ListPlan, Place, Test, Window};
use crate::service::{Served, Speaker};

/// A list that was asked for, and what its neighbours need.
#[derive(Debug)]
pub struct Planned {
    /// For the store.
    pub plan: ListPlan,
    /// Only these fields; none means all.
    pub fields: Option<Vec<String>>,
    /// The relations to bring along.
    pub include: Vec<String>,
    /// The kind of paging.
    pub paging: Paging,
    /// What its cursors are bound to.
    pub binding: Binding,
}

impl Planned {
    /// Checks a query against the declaration. `refused` is what could not be read of it, `under` the row above, by the path.
    pub fn of(
        speaker: &Speaker,
        served: &Served,
        query: ListQuery,
        mut refused: Refused,
        under: Option<(usize, Uuid)>,
    ) -> Result<Self, Problem> {
        let of = &served.resource;
        let mut conditions: Vec<Condition> =
            query.filters.iter().flat_map(|filter| filter::conditions(served, filter, &mut refused)).collect();
        let search = search(served, query.q.as_deref(), &mut conditions, &mut refused);
        let order = order::order(served, &query, &mut refused);
        check_fields(served, query.fields.as_deref(), &mut refused);
        check_include(served, &query.include, &mut refused);
        refused.into_result()?;
        let mut plan = ListPlan {
            conditions,
            in_sight: in_sight(served, &search),
            search,
            order,
            window: Window::Offset { offset: 0, limit: 0 },
        };
        let binding = Binding::of(speaker, of, &plan, under);
        plan.window = window(speaker, &query.paging, &binding, &plan)?;
        Ok(Self { plan, fields: query.fields, include: query.include, paging: query.paging, binding })
    }
}

fn search(served: &Served, q: Option<&str>, conditions: &mut Vec<Condition>, refused: &mut Refused) -> Vec<String> {
    let Some(q) = q.filter(|q| !q.trim().is_empty()) else { return Vec::new() };
    if !served.face.is_searchable() {
        refused.add("q", FieldCode::Unknown, format!("{} cannot be searched.", served.face.name));
        return Vec::new();
    }
    let mut search: Vec<String> = words(q).collect();
    search.sort_unstable();
    search.dedup();
    if search.is_empty() {
        // Signs alone are in no text that is searched by words.
        conditions.push(Condition { by: By::Id, test: Test::AnyOf(Vec::new()) });
    }
    search
}

/// Words are kept together for all searchable fields of a row. A version that hides some of them must not find by those.
fn in_sight(served: &Served, words: &[String]) -> Option<InSight> {
    let seen = served.face.fields.iter().filter(|field| field.search);
    let fields: Vec<String> = seen.filter_map(|field| Some(served.lens.column(&field.name)?.field.clone())).collect();
    let mut stored = served.resource.fields.iter().filter(|field| field.search);
    let sees_all = words.is_empty() || stored.all(|field| fields.contains(&field.name));
    (!sees_all).then(|| InSight { fields, words: words.to_vec() })
}

fn window(speaker: &Speaker, paging: &Paging, binding: &Binding, plan: &ListPlan) -> Result<Window, Problem> {
    Ok(match paging {
        Paging::Cursor { cursor: None, limit } => Window::Beside { position: None, place: Place::After, limit: *limit },
        Paging::Cursor { cursor: Some(text), limit } => {
            let mark = Mark::open(&speaker.service.cursors, binding, text, plan.order.len())?;
            Window::Beside { position: Some(mark.position), place: mark.place, limit: *limit }
        }
        Paging::Offset { offset, limit } => Window::Offset { offset: *offset, limit: *limit },
        Paging::Page { page, size } => {
            Window::Offset { offset: page.saturating_sub(1).saturating_mul(u64::from(*size)), limit: *size }
        }
    })
}
