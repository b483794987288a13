//! Lists: a part of the rows, and the way to the parts beside it.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use uuid::Uuid;
use valetkey_rest::Problem;
use valetkey_rest::page::{Paging, with_parameter};
use valetkey_rest::prefer::{CountPreference, Prefer};
use valetkey_rest::query::ListQuery;

use super::recent::Asking;
use super::store_problem::too_expensive;
use super::{Served, Speaker};
use crate::plan::{Mark, Planned};
use crate::ports::{Counted, Ends, Listing, Place, Position, Shown, Sight, Window};
use crate::view::{Included, ListView, Meta, Row};

/// Where a capped count ends.
const CAP: u64 = 10_000;

/// A list, ready to be sent.
#[derive(Debug)]
pub struct Listed {
    /// The body.
    pub body: Bytes,
    /// The next page.
    pub next: Option<String>,
    /// The page before.
    pub previous: Option<String>,
    /// Which preference about counting was followed.
    pub counted: Option<CountPreference>,
}

/// How many rows there are, and whether a wish was followed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Total {
    counted: Option<Counted>,
    wish: Option<CountPreference>,
}

impl Speaker {
    /// A part of a list. `target` is the path and query of the request.
    pub async fn list(
        &self,
        served: &Served,
        under: Option<(usize, Uuid)>,
        target: &str,
        prefer: &Prefer,
    ) -> Result<Arc<Listed>, Problem> {
        let make = || self.list_now(served, under, target, prefer);
        match self.service.ports.rows.generation() {
            Some(generation) => {
                self.service.recent.or_made(Asking::new(self, target, prefer.count), generation, make).await
            }
            None => Box::pin(make()).await.map(Arc::new),
        }
    }

    async fn list_now(
        &self,
        served: &Served,
        under: Option<(usize, Uuid)>,
        target: &str,
        prefer: &Prefer,
    ) -> Result<Listed, Problem> {
        let of = &served.resource;
        let (query, errors) = ListQuery::read(target.split_once('?').map(|(_, query)| query));
        let planned = Planned::of(self, served, query, errors.into(), under)?;
        let target = &*linkable(target);
        let sight = Sight { under, ..self.sight(of) };
        let listing = self.service.ports.rows.list(of, &sight, &planned.plan).await?;
        let Listing::Rows { mut rows, mut more, mut ends } = listing else { return Err(too_expensive()) };
        let included = self.include_in_page(served, &planned, &mut rows, &mut more, &mut ends).await?;
        let total = self.total(served, &sight, &planned, prefer, rows.len(), more).await?;
        let (next, previous) = self.neighbours(&planned, target, &rows, more, ends);
        let page = match planned.paging {
            Paging::Page { page, .. } => Some(page),
            Paging::Cursor { .. } | Paging::Offset { .. } => None,
        };
        let per_page = planned.paging.per_page();
        let meta = Meta { total: None, total_is_capped: false, page, per_page }.counted(total.counted);
        let row = Row::new(self, served).only(planned.fields.as_deref()).including(&included);
        let (next, previous) = (next.as_deref(), previous.as_deref());
        let body = ListView { row, rows: &rows, meta: &meta, here: target, next, previous }.text();
        let body = body.into();
        Ok(Listed { body, next: next.map(str::to_owned), previous: previous.map(str::to_owned), counted: total.wish })
    }

    /// What the rows of a page point at. Where that is more than an answer holds, the page ends earlier.
    async fn include_in_page(
        &self,
        served: &Served,
        planned: &Planned,
        rows: &mut Vec<Shown>,
        more: &mut bool,
        ends: &mut Ends,
    ) -> Result<Included, Problem> {
        if planned.include.is_empty() {
            let seen = self.seen(served, &rows.iter().collect::<Vec<_>>()).await?;
            return Ok(Included { seen, ..Included::default() });
        }
        // Backwards, the last row is the nearest one.
        let is_back = matches!(planned.plan.window, Window::Beside { place: Place::Before, .. });
        let nearest: Vec<&Shown> = if is_back { rows.iter().rev().collect() } else { rows.iter().collect() };
        let (included, room) = self.include_in_order(served, &nearest, &planned.include).await?;
        let beyond = rows.len() - room;
        if beyond > 0 {
            *more = true;
            if is_back {
                rows.drain(..beyond);
            } else {
                rows.truncate(room);
            }
            let (of, plan) = (&served.resource, &planned.plan);
            let position = |row: &Shown| self.service.ports.rows.position(of, plan, row);
            let (before, after) = plan.window.goes_on(*more);
            ends.first = rows.first().filter(|_| before).map(position).transpose()?;
            ends.last = rows.last().filter(|_| after).map(position).transpose()?;
        }
        Ok(included)
    }

    /// Pages and offsets have a total; cursors only for those who ask, since it costs.
    async fn total(
        &self,
        served: &Served,
        sight: &Sight,
        planned: &Planned,
        prefer: &Prefer,
        shown: usize,
        more: bool,
    ) -> Result<Total, Problem> {
        let is_cursor = matches!(planned.paging, Paging::Cursor { .. });
        if is_cursor && prefer.count.is_none() {
            return Ok(Total::default());
        }
        if let Window::Offset { offset, .. } = planned.plan.window
            && !more
            && (shown > 0 || offset == 0)
        {
            // The end is in sight: nothing is left to count.
            let total = offset + u64::try_from(shown).unwrap_or(u64::MAX);
            return Ok(Total { counted: Some(Counted::Exactly(total)), wish: prefer.count });
        }
        let cap = match prefer.count {
            Some(CountPreference::Capped) => CAP,
            Some(CountPreference::Exact) | None => u64::from(u32::MAX),
        };
        let counted = self.service.ports.rows.count(&served.resource, sight, &planned.plan, cap).await?;
        // A count that was ended early knows less than what is shown.
        let seen = match planned.plan.window {
            Window::Offset { offset, .. } => offset.saturating_add(u64::try_from(shown).unwrap_or(0)),
            Window::Beside { .. } => u64::try_from(shown).unwrap_or(0),
        };
        let counted = match counted {
            Counted::AtLeast(total) if shown > 0 => Counted::AtLeast(total.max(seen + u64::from(more))),
            other => other,
        };
        let wish = match (prefer.count, counted) {
            (Some(CountPreference::Exact), Counted::AtLeast(_)) => Some(CountPreference::Capped),
            (wish, _) => wish,
        };
        Ok(Total { counted: Some(counted), wish })
    }

    fn neighbours(
        &self,
        planned: &Planned,
        target: &str,
        rows: &[Shown],
        more: bool,
        ends: Ends,
    ) -> (Option<String>, Option<String>) {
        let shown = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        match planned.paging {
            Paging::Cursor { .. } => {
                let cursor = |position: Position, place: Place| {
                    let text = Mark { position, place }.seal(&self.service.cursors, &planned.binding);
                    with_parameter(target, &[("cursor", Some(&text))])
                };
                let next = ends.last.map(|last| cursor(last, Place::After));
                (next, ends.first.map(|first| cursor(first, Place::Before)))
            }
            Paging::Offset { offset, limit } => {
                let at = |offset: u64| with_parameter(target, &[("offset", Some(&offset.to_string()))]);
                // A page may have ended early: the next one begins after what was shown.
                let next = (more && !rows.is_empty()).then(|| at(offset.saturating_add(shown)));
                let previous = (offset > 0).then(|| at(offset.saturating_sub(u64::from(limit))));
                (next, previous)
            }
            Paging::Page { page, size } => {
                let at = |page: u64| with_parameter(target, &[("page", Some(&page.to_string()))]);
                let rest = || {
                    // No number names the rest of a page: from there on, it goes by offset.
                    let offset = planned.paging.offset().unwrap_or(0).saturating_add(shown).to_string();
                    let limit = size.to_string();
                    let other = [("page", None), ("size", None), ("offset", Some(&*offset)), ("limit", Some(&*limit))];
                    with_parameter(target, &other)
                };
                let next = (more && shown > 0).then(|| if shown < u64::from(size) { rest() } else { at(page + 1) });
                (next, (page > 1).then(|| at(page - 1)))
            }
        }
    }
}

/// The same address as links have it: brackets are often sent as they are, and stand in no address (RFC 3986 §3.4).
fn linkable(target: &str) -> Cow<'_, str> {
    if target.contains(['[', ']']) { target.replace('[', "%5B").replace(']', "%5D").into() } else { target.into() }
}
