//! Lists and counts, in SQLite.
//!
//! Its planner chooses an index without knowing that a list ends after a few rows. So each stretch of a list is first tried
//! in several ways, for a moment each: sorting what a condition finds is good if that is little, going along the order of
//! the list is good if much is wanted. If none of them is cheap, it is found out how much there is to sort: little of it is
//! sorted, and otherwise the order is followed first. All attempts share one budget. Then there is an end.
//!
//! What was cheap for such a list is remembered and tried first.

mod counts;
mod question;
mod reading;

use rusqlite::params_from_iter;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{By, ListPlan, Listing, Place, Sight, Window};

use self::question::{render, written};
use self::reading::{attempt, number, read};
use super::Sqlite;
use super::bound::cell;
use super::connection::{Budget, Steps};
use crate::page::Page;
use crate::statement::{Access, Dialect, Familiar, Habit, Habits, List, Path, SORTABLE, Span, Step, Tour, Ways};

/// What all attempts at one list may cost.
const LIST: Budget = Budget::micros(31_000);
/// What is tried at once, on a thread that others wait for, costs no more than this.
const BRIEF: Budget = Budget::micros(4_000);
/// One attempt to get by cheaply.
const ATTEMPT: Budget = Budget::micros(700);

/// How long the order is followed where there is something to sort or groups instead.
const WALK: Budget = Budget::micros(8_000);
/// So few rows are sorted at once.
const FEW: u64 = 2_500;

/// A word that finds no more rows than this is rare enough to be looked for first.
const RARE: u64 = 2_000;

/// A page; `None` if it would have cost too much.
type Found = Result<Option<Page>, StoreError>;

/// How much effort is made.
#[derive(Clone, Copy)]
enum Effort<'a> {
    /// Each way is tried for a moment, the one that was good before as the first.
    Brief(&'a Habits, &'a Familiar<Ways>),
    Whole,
}

impl Effort<'_> {
    /// So many rows of a word are few enough.
    fn most_rows(self) -> u64 {
        match self {
            Self::Brief(..) => RARE,
            Self::Whole => SORTABLE,
        }
    }
}

impl Sqlite {
    /// A part of a list.
    pub(super) async fn page(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        let place = match &plan.window {
            Window::Beside { place, .. } => *place,
            Window::Offset { .. } => Place::After,
        };
        let list = List::new(Dialect::Sqlite, of, sight, plan, place)?;
        let brief = Effort::Brief(&self.habits, &self.familiar);
        let (mut found, left) = self.readers.read_briefly(BRIEF, |steps| part(steps, &list, plan, brief))?;
        if found.is_none() {
            let rest = Budget(LIST.0.saturating_sub(BRIEF.0.saturating_sub(left)));
            let (of, sight, plan) = (of.clone(), sight.clone(), plan.clone());
            let whole = move |steps: &Steps<'_>| {
                let list = List::new(Dialect::Sqlite, &of, &sight, &plan, place)?;
                part(steps, &list, &plan, Effort::Whole)
            };
            found = self.readers.find_at_length(rest, whole).await?;
        }
        found.map_or(Ok(Listing::TooExpensive), |page| page.listing(&list, plan))
    }
}

/// The part of a list that was asked for.
fn part(steps: &Steps<'_>, list: &List<'_>, plan: &ListPlan, effort: Effort<'_>) -> Found {
    let page = Page::of(&plan.window);
    match &plan.window {
        Window::Beside { position, .. } => beside(steps, list, &list.beyond(position.as_ref())?, page, effort),
        Window::Offset { offset, .. } if plan.order.first().is_some_and(|order| order.by == By::Relevance) => {
            // How good a row is depends on how many have each word: common ones would all have to be counted.
            let telling = words_within(steps, list, &plan.search, effort.most_rows())?;
            let telling: Vec<String> = telling.into_iter().map(|(_, word)| word).collect();
            if telling.is_empty() {
                return Ok(None);
            }
            let select = list.relevant(&telling, *offset, page.wanted() - offset)?;
            attempt(steps, steps.left(), list, &select, None, page.skipped())
        }
        Window::Offset { .. } if list.is_grouped() => beside(steps, list, &[Span::default()], page, effort),
        Window::Offset { offset, .. } => {
            let wanted = page.wanted() - offset;
            let page = page.skipped();
            let read = |path: &Path, budget: Budget| {
                let select = list.skipping(path.access, *offset, wanted)?;
                attempt(steps, budget, list, &select, path.along(), page.rest())
            };
            by_any(steps, list, plan, &Span::default(), effort, read)
        }
    }
}

/// A page of these stretches.
fn beside(steps: &Steps<'_>, list: &List<'_>, spans: &[Span], mut page: Page, effort: Effort<'_>) -> Found {
    for (done, span) in spans.iter().enumerate() {
        let read = |path: &Path, budget: Budget| {
            let (part, mut rest) = (written(list, span, path, page.wanted())?, page.rest());
            Ok(steps.within(budget, |connection| read(connection, &part, &mut rest))?.map(|()| rest))
        };
        let Some(rest) = by_any(steps, list, list.plan(), span, effort, read)? else {
            // Groups that are too large to be sorted are read one by one, from here on.
            let rest = if list.is_grouped() { tour(steps, list, &spans[done..], page.rest())? } else { None };
            return Ok(rest.map(|rest| {
                page.append(rest);
                page
            }));
        };
        page.append(rest);
        if page.is_full() {
            break;
        }
    }
    Ok(Some(page))
}

/// What one of the ways to read a stretch gives.
fn by_any(
    steps: &Steps<'_>,
    list: &List<'_>,
    plan: &ListPlan,
    span: &Span,
    effort: Effort<'_>,
    read: impl Fn(&Path, Budget) -> Found,
) -> Found {
    if let (Effort::Brief(habits, familiar), true) = (effort, plan.search.is_empty()) {
        return in_moments(steps, habits, list, span, &familiar.paths(list, span), read);
    }
    let mut paths = list.paths(span);
    let rarest = words_within(steps, list, &plan.search, effort.most_rows())?.into_iter().map(|(rows, _)| rows).min();
    if rarest.is_some() {
        paths.push(List::by_words());
    }
    if let Effort::Brief(habits, _) = effort {
        return in_moments(steps, habits, list, span, &paths, read);
    }
    // What the planner likes may be done in a moment on a connection that knows the statement by now.
    if let Some(path) = paths.iter().find(|path| path.access == Access::Free)
        && let Some(page) = read(path, ATTEMPT)?
    {
        return Ok(Some(page));
    }
    // A look for words in a document takes as long as looking up a few.
    let cost = if plan.search.is_empty() { 1 } else { 4 };
    let mut sorted: Option<(u64, &Path)> = None;
    for path in &paths {
        let size = match path.found {
            Some(found) => {
                number(steps, list, &list.size(span, found)?, path.index.as_deref())?.map(|rows| rows * cost)
            }
            None => rarest.filter(|_| path.access == Access::Words),
        };
        if let Some(size) = size.filter(|size| *size <= SORTABLE)
            && sorted.is_none_or(|(least, _)| size < least)
        {
            sorted = Some((size, path));
        }
    }
    let walk = paths.iter().find(|path| path.access == Access::Walk);
    let last = sorted.map(|(_, path)| path).or_else(|| paths.iter().find(|path| path.is_covered));
    let share = match (sorted, last) {
        (Some((..=FEW, path)), _) => return read(path, steps.left()),
        (None, None) if !list.is_grouped() => steps.left(),
        _ => WALK,
    };
    if let Some(page) = walk.map_or(Ok(None), |path| read(path, share))? {
        return Ok(Some(page));
    }
    // Without anything to sort, what is left is for groups.
    last.map_or(Ok(None), |path| read(path, steps.left()))
}

/// What one of the ways gives if each is tried for a moment: the one that was good for such a list, then the others.
fn in_moments(
    steps: &Steps<'_>,
    habits: &Habits,
    list: &List<'_>,
    span: &Span,
    paths: &[Path],
    read: impl Fn(&Path, Budget) -> Found,
) -> Found {
    let look = list.look(span);
    let mut turns = Vec::with_capacity(paths.len());
    let habit = habits.recall(look).filter(|habit| habit.path < paths.len());
    if let Some(Habit { path, rivals }) = habit {
        let others = (0..paths.len()).filter(|other| *other != path);
        turns.extend(rivals.into_iter().flat_map(|moment| others.clone().map(move |other| (other, Budget(moment)))));
        turns.push((path, ATTEMPT));
    }
    let untried = (0..paths.len()).filter(|path| habit.is_none_or(|habit| habit.path != *path));
    turns.extend(untried.map(|path| (path, ATTEMPT)));
    for (path, budget) in turns {
        let before = steps.left();
        if let Some(page) = read(&paths[path], budget)? {
            habits.note(look, path, before.0.saturating_sub(steps.left().0));
            return Ok(Some(page));
        }
    }
    Ok(None)
}

/// The words of a search that find no more rows than this, and how many.
fn words_within(
    steps: &Steps<'_>,
    list: &List<'_>,
    search: &[String],
    most: u64,
) -> Result<Vec<(u64, String)>, StoreError> {
    let mut found = Vec::new();
    for word in search {
        if let Some(rows) = number(steps, list, &list.word(word, most + 1), None)?.filter(|rows| *rows <= most) {
            found.push((rows, word.clone()));
        }
    }
    Ok(found)
}

/// A page, group by group.
fn tour(steps: &Steps<'_>, list: &List<'_>, spans: &[Span], mut page: Page) -> Found {
    let mut tour = Tour::new(list, spans.to_vec(), page.wanted(), false);
    let done = steps.within(steps.left(), |connection| {
        let mut asked = tour.next()?;
        while let Some(step) = asked {
            asked = match step {
                Step::Value(select, kind, index) => {
                    let (sql, values) = render(list, &select, index.as_deref())?;
                    let mut statement = connection.prepare_cached(&sql)?;
                    let mut rows = statement.query(params_from_iter(values))?;
                    let value = rows.next()?.map(|row| cell(row, kind)).transpose()?;
                    tour.value(value)?
                }
                Step::Size(select, index) => {
                    let (sql, values) = render(list, &select, index.as_deref())?;
                    let mut statement = connection.prepare_cached(&sql)?;
                    let members: i64 = statement.query_row(params_from_iter(values), |row| row.get(0))?;
                    tour.size(members.cast_unsigned())?
                }
                Step::Rows(select, index) => {
                    read(connection, &render(list, &select, index.as_deref())?, &mut page)?;
                    None
                }
            };
            if page.is_full() {
                break;
            }
            if asked.is_none() {
                asked = tour.next()?;
            }
        }
        Ok(())
    })?;
    Ok(done.map(|()| page))
}

#[cfg(test)]
mod tests;
