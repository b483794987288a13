//! Lists and counts, in PostgreSQL. Its planner knows that a list ends after a few rows; what takes too long all the same is
//! tried along other ways, and then given up. All attempts at one list share its time.

mod counts;
mod question;
mod reading;

use std::time::{Duration, Instant};

use sea_query::SelectStatement;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{By, ListPlan, Listing, Place, Sight, Window};

use super::Postgres;
use super::bound::{Bound, cell, parameters};
use super::connection::{BY_HEART, Fault, Manner, PLANNED, Typed, UNSORTED, Visit};
use crate::page::Page;
use crate::statement::{Access, Detour, Dialect, List, Span, Step, Tour, Way, detours};

pub(super) use question::Asked;
use question::Question;
pub(super) use reading::Bulk;

/// How long all attempts at one list may take, where nobody else reads one; but for a walk, which is bounded by rows.
const LIST: Duration = Duration::from_millis(24);
/// How much of it the first attempt may take: enough for what the planner is right about.
const FIRST: Duration = Duration::from_millis(8);
/// So many bytes are looked through in the time that a list has, whatever is asked.
const SMALL: i64 = 16 << 20;
/// How long a statement may take that costs little, on a server that is busy with other things.
const BUSY: Duration = Duration::from_secs(3);
/// How long one may take of which is known that it costs little, where nobody else reads a list.
const HURRIED: Duration = Duration::from_millis(150);
/// As PostgreSQL counts: about ten milliseconds.
const CHEAP: f64 = 4_000.0;
/// What is not even tried, as PostgreSQL counts: a tenth of a second.
const HOPELESS: f64 = 30_000.0;
/// What is worth another try, as PostgreSQL counts, even if the time of the list is used up.
const FAIR: f64 = 10_000.0;
/// How long that may take.
const SHORT: Duration = Duration::from_millis(10);

/// Rows that are left out are sent without their documents; but no more of them than this.
const NEAR: u64 = 1_000;

impl Postgres {
    /// A part of a list.
    pub(super) async fn page(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        let place = match &plan.window {
            Window::Beside { place, .. } => *place,
            Window::Offset { .. } => Place::After,
        };
        let list = List::new(Dialect::Postgres, of, sight, plan, place)?;
        let mut visit = self.crowd.enter(LIST);
        let (page, empty) = (Page::of(&plan.window), || Page::of(&plan.window).skipped());
        let by_relevance = plan.order.first().is_some_and(|order| order.by == By::Relevance);
        let (question, spans) = match &plan.window {
            Window::Beside { position, .. } => {
                let spans = list.beyond(position.as_ref())?;
                (Question::beside(&self.asked, &list, &spans, &page)?, spans)
            }
            Window::Offset { offset, .. } => {
                let wanted = page.wanted() - offset;
                let found = if by_relevance {
                    list.relevant(&plan.search, *offset, wanted)?
                } else {
                    list.skipping(Access::Free, *offset, wanted)?
                };
                (Question::new(&found, &empty())?, vec![Span::default()])
            }
        };
        let mut found = self.first(&list, &question, &mut visit, empty).await?;
        if found.is_none() && self.is_small(&list).await? {
            found = self.planned(&list, &question, Some(BUSY), empty()).await?;
        }
        if found.is_none() && !by_relevance {
            found = Box::pin(self.otherwise(&list, spans, page, &visit)).await?;
        }
        found.map_or(Ok(Listing::TooExpensive), |page| page.listing(&list, plan))
    }

    /// The other ways, where the planner's own took too long.
    async fn otherwise(
        &self,
        list: &List<'_>,
        spans: Vec<Span>,
        page: Page,
        visit: &Visit<'_>,
    ) -> Result<Option<Page>, StoreError> {
        let plan = list.plan();
        let empty = || Page::of(&plan.window).skipped();
        let statement = match &plan.window {
            Window::Beside { .. } => list.joined(&spans, page.wanted())?,
            Window::Offset { offset, .. } => list.skipping(Access::Free, *offset, page.wanted() - offset)?,
        };
        let is_tour = list.is_grouped() && page.measures().0 <= NEAR;
        let mut found = None;
        let (mut doubtful, mut walk) = (Vec::new(), None);
        for detour in detours(list, &spans, &plan.window, statement.clone())? {
            if detour.way == Way::Walked {
                walk = Some(detour.statement);
                continue;
            }
            let opinion = self.opinion(&detour, visit).await?;
            if opinion.is_cheap && !(is_tour && detour.way == Way::Planned) {
                let patience = visit.at_any_rate(HURRIED);
                found = self.part(list, &detour.statement, PLANNED, Some(patience), empty()).await?;
            } else {
                doubtful.push((detour, opinion));
            }
            if found.is_some() {
                break;
            }
        }
        if found.is_none() && is_tour {
            found = self.tour(list, spans, page, visit).await?;
        }
        // Whichever of the two the planner has tried, it may be wrong only about how far the walk is, or about the other one.
        let has_walked = doubtful.iter().any(|(detour, said)| detour.way == Way::Planned && !said.sorts);
        if found.is_none() && has_walked {
            found = self.walk(list, walk.take(), visit, empty()).await?;
        }
        for (detour, said) in &doubtful {
            let is_worth_it = match detour.way {
                Way::Along => true,
                Way::Gathered => (has_walked || is_tour) && said.cost <= HOPELESS,
                Way::Planned | Way::Walked => false,
            };
            if found.is_none() && is_worth_it {
                let left = visit.left(LIST).max((said.cost <= FAIR).then_some(SHORT));
                found = self.part(list, &detour.statement, PLANNED, left, empty()).await?;
            }
        }
        if found.is_none() && walk.is_some() {
            found = self.walk(list, walk, visit, empty()).await?;
        } else if found.is_none() && !has_walked {
            found = self.part(list, &statement, UNSORTED, visit.left(LIST), empty()).await?;
        }
        Ok(found)
    }

    /// The first attempts: by heart if such a list is known, then planned for its own values. That is done once more if PostgreSQL
    /// gave up much later than it was to, because the machine was held up; and in a crowd, which a list may have come before,
    /// and which may find nothing but connections that are new.
    async fn first(
        &self,
        list: &List<'_>,
        question: &Question,
        visit: &mut Visit<'_>,
        empty: impl Fn() -> Page,
    ) -> Result<Option<Page>, StoreError> {
        let text = self.written(list, question, &empty());
        if let Some(left) = visit.left(FIRST)
            && self.heart.knows(text.number)
        {
            let begun = Instant::now();
            let found = self.read(list, &text, BY_HEART, Some(left), empty()).await?;
            if found.is_some() {
                return Ok(found);
            }
            self.heart.doubt(text.number);
            // The way to PostgreSQL and back is no time of the list.
            visit.was_held_up(left, begun.elapsed());
        }
        let Some(left) = visit.left(FIRST) else { return Ok(None) };
        // By now it may be known that documents are large.
        let text = self.written(list, question, &empty());
        let begun = Instant::now();
        let found = self.read(list, &text, PLANNED, Some(left), empty()).await?;
        if found.is_some() {
            // Each offset is a statement of its own.
            if !matches!(list.plan().window, Window::Offset { offset: 1.., .. }) {
                let kinds = question.values.iter().map(|(_, kind)| kind.clone());
                let forgotten = self.heart.note(text.number, &text.sql, kinds);
                forgotten.iter().for_each(|statement| self.connections.forget(statement));
            }
            return Ok(found);
        }
        let again = if visit.was_held_up(left, begun.elapsed()) { visit.left(FIRST) } else { visit.in_a_crowd() };
        self.planned(list, question, again, empty()).await
    }

    /// A page from so many rows of the order and no more; `None` if they do not fill it. However busy the server is, they are
    /// the same.
    async fn walk(
        &self,
        list: &List<'_>,
        walk: Option<SelectStatement>,
        visit: &Visit<'_>,
        empty: Page,
    ) -> Result<Option<Page>, StoreError> {
        let Some(walk) = walk else { return Ok(None) };
        let patience = visit.at_any_rate(HURRIED);
        Ok(self.part(list, &walk, UNSORTED, Some(patience), empty).await?.filter(Page::is_full))
    }

    /// A page, group by group; `None` if that takes too long.
    async fn tour(
        &self,
        list: &List<'_>,
        spans: Vec<Span>,
        mut page: Page,
        visit: &Visit<'_>,
    ) -> Result<Option<Page>, StoreError> {
        let mut tour = Tour::new(list, spans, page.wanted(), true);
        let mut asked = None;
        loop {
            let step = match asked.take() {
                Some(step) => Some(step),
                None => tour.next()?,
            };
            let left = visit.rest();
            match step {
                None => return Ok(Some(page)),
                Some(Step::Value(select, kind, _)) => {
                    let Some(rows) = self.within(&select, PLANNED, left).await? else { return Ok(None) };
                    asked = tour.value(rows.first().map(|row| cell(row, kind)))?;
                }
                Some(Step::Size(select, _)) => {
                    let Some(rows) = self.within(&select, PLANNED, left).await? else { return Ok(None) };
                    asked = tour.size(first_number(&rows))?;
                }
                Some(Step::Rows(select, _)) => {
                    let Some(rest) = self.part(list, &select, PLANNED, left, page.rest()).await? else {
                        return Ok(None);
                    };
                    page.append(rest);
                    if page.is_full() {
                        return Ok(Some(page));
                    }
                }
            }
        }
    }

    /// Is the table so small that nothing that is asked of it costs much? What took too long then had to wait for a busy
    /// server, and is worth waiting for.
    async fn is_small(&self, list: &List<'_>) -> Result<bool, StoreError> {
        let size = "SELECT pg_relation_size(quote_ident($1)::regclass)";
        let rows = self.connections.read(size, &[&list.table()]).await?;
        Ok(rows.first().is_some_and(|row| row.get::<_, i64>(0) <= SMALL))
    }

    /// What PostgreSQL thinks of a way. What is cheap for sure is worth waiting for on a busy server. But where rows are
    /// left out on the way, that is a guess: where they lie, it does not know.
    async fn opinion(&self, detour: &Detour, visit: &Visit<'_>) -> Result<Opinion, StoreError> {
        let (sql, values) = Dialect::Postgres.render(&detour.statement);
        let patience = visit.at_any_rate(HURRIED);
        let told = self.ask(&format!("EXPLAIN {sql}"), &parameters(values)?, PLANNED, Some(patience)).await?;
        let told = told.unwrap_or_default();
        let lines: Vec<&str> = told.iter().map(|row| row.get(0)).collect();
        let says = |word: &str| lines.iter().any(|line| line.contains(word));
        let cost =
            lines.first().and_then(|first| first.split("..").nth(1)?.split_whitespace().next()?.parse::<f64>().ok());
        let is_guess = detour.way != Way::Gathered && says(" Filter: ");
        let cost = cost.unwrap_or(f64::INFINITY);
        Ok(Opinion { is_cheap: !is_guess && cost <= CHEAP, cost, sorts: says("Sort Key:") })
    }

    /// The rows of a statement; `None` if it took too long.
    async fn within(
        &self,
        statement: &SelectStatement,
        manner: Manner,
        patience: Option<Duration>,
    ) -> Result<Option<Vec<Row>>, StoreError> {
        let (sql, values) = Dialect::Postgres.render(statement);
        self.ask(&sql, &parameters(values)?, manner, patience).await
    }

    async fn ask(
        &self,
        sql: &str,
        values: &[(Bound, Type)],
        manner: Manner,
        patience: Option<Duration>,
    ) -> Result<Option<Vec<Row>>, StoreError> {
        let Some(patience) = patience else { return Ok(None) };
        let values: Vec<_> = values.iter().map(|(value, kind)| (value as &(dyn ToSql + Sync), kind.clone())).collect();
        let again = |fault: &Fault| fault.undone || fault.lost;
        self.connections.attempt(again, || self.glance(sql, &values, manner, patience)).await
    }

    async fn glance(
        &self,
        sql: &str,
        values: Typed<'_>,
        manner: Manner,
        patience: Duration,
    ) -> Result<Option<Vec<Row>>, Fault> {
        match self.connections.glance(sql, values, patience, manner).await {
            Err(fault) if fault.expired => Ok(None),
            // What was kept is out of date, perhaps on all connections.
            Err(fault) if manner.is_kept() && fault.undone && !fault.lost => Ok(None),
            outcome => outcome.map(Some),
        }
    }
}

/// What the planner says of it.
struct Opinion {
    /// For sure.
    is_cheap: bool,
    cost: f64,
    sorts: bool,
}

/// The number that a statement asked for.
fn first_number(rows: &[Row]) -> u64 {
    rows.first().map_or(0, |row| u64::try_from(row.get::<_, i64>(0)).unwrap_or(0))
}

#[cfg(test)]
mod tests;
