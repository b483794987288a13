//! How many rows a list has, in SQLite: at once, or one by one, so that it is known how far it came.

use std::sync::Arc;

use rusqlite::params_from_iter;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{Counted, ListPlan, Place, Sight};

use super::{ATTEMPT, RARE, number, render, words_within};
use crate::sqlite::Sqlite;
use crate::sqlite::connection::{Budget, Steps};
use crate::statement::{Dialect, List};

/// What a count may cost.
const COUNT: Budget = Budget::micros(13_000);
/// How much of that goes into counting all rows at once, which says nothing until it is done.
const AT_ONCE: Budget = Budget::micros(9_000);
/// One by one, rows are counted no further than this.
const MANY: u64 = 50_000;

impl Sqlite {
    /// How many rows a list has.
    pub(in crate::sqlite) async fn count_rows(
        &self,
        of: &Resource,
        sight: &Sight,
        plan: &ListPlan,
        cap: u64,
    ) -> Result<Counted, StoreError> {
        let (brief, _) = self.readers.read_briefly(ATTEMPT, |steps| at_once(steps, of, sight, plan, cap))?;
        if let Some(counted) = brief {
            return Ok(capped(counted, cap));
        }
        let asked = Arc::new((of.clone(), sight.clone(), plan.clone()));
        if cap > MANY {
            let asked = asked.clone();
            let all = move |steps: &Steps<'_>| {
                let (of, sight, plan) = &*asked;
                at_once(steps, of, sight, plan, cap)
            };
            if let Some(counted) = self.readers.read_at_length(AT_ONCE, all).await?.0 {
                return Ok(capped(counted, cap));
            }
        }
        let left = if cap > MANY { Budget(COUNT.0.saturating_sub(AT_ONCE.0)) } else { COUNT };
        let by_row = move |steps: &Steps<'_>| {
            let (of, sight, plan) = &*asked;
            let list = List::new(Dialect::Sqlite, of, sight, plan, Place::After)?;
            one_by_one(steps, &list, plan, cap.min(MANY))
        };
        Ok(self.readers.read_at_length(left, by_row).await?.0)
    }
}

fn capped(counted: u64, cap: u64) -> Counted {
    if counted > cap { Counted::AtLeast(cap) } else { Counted::Exactly(counted) }
}

/// How many rows a list has, by one statement.
fn at_once(
    steps: &Steps<'_>,
    of: &Resource,
    sight: &Sight,
    plan: &ListPlan,
    cap: u64,
) -> Result<Option<u64>, StoreError> {
    let list = List::new(Dialect::Sqlite, of, sight, plan, Place::After)?;
    let along = words_to_follow(steps, &list, plan)?;
    number(steps, &list, &list.count(&along, cap.saturating_add(1))?, None)
}

/// How many rows a list has, counted one by one: by the index of each condition for a little while, then by any.
fn one_by_one(steps: &Steps<'_>, list: &List<'_>, plan: &ListPlan, cap: u64) -> Result<Counted, StoreError> {
    let along = words_to_follow(steps, list, plan)?;
    let each = list.marks(&[], cap + 1)?;
    let mut ways: Vec<_> =
        list.conditions().into_iter().map(|(index, _)| (each.clone(), Some(index), ATTEMPT)).collect();
    ways.push((list.marks(&along, cap + 1)?, None, steps.left()));
    let mut most = 0;
    for (select, index, budget) in ways {
        let (sql, values) = render(list, &select, index.as_deref())?;
        let mut seen = 0;
        let complete = steps.within(budget, |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params_from_iter(values))?;
            while rows.next()?.is_some() {
                seen += 1;
            }
            Ok(())
        })?;
        most = seen.max(most);
        if complete.is_some() && seen <= cap {
            return Ok(Counted::Exactly(seen));
        }
        if most > cap {
            break;
        }
    }
    Ok(Counted::AtLeast(most.min(cap)))
}

/// The words that a count goes along: one alone, or all if one of them is rare. Where common words do not meet, going along
/// all of them would not end when it should.
fn words_to_follow(steps: &Steps<'_>, list: &List<'_>, plan: &ListPlan) -> Result<Vec<String>, StoreError> {
    let is_safe = plan.search.len() <= 1 || !words_within(steps, list, &plan.search, RARE)?.is_empty();
    Ok(plan.search.iter().take(if is_safe { usize::MAX } else { 1 }).cloned().collect())
}
