//! A page by one statement.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sea_query::SelectStatement;
use tokio_postgres::Row;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::Shown;

use super::question::{LITTLE, Question, Written};
use crate::page::Page;
use crate::postgres::Postgres;
use crate::postgres::bound::shown;
use crate::postgres::connection::{Manner, PLANNED};
use crate::statement::List;

/// What has no more bytes than this is sent together with what was found.
pub(super) const LIGHT: usize = 256 << 10;
/// So many tables are remembered. Two of one number are taken for one.
const TABLES: usize = 256;

/// Which tables had documents that are not small when they were last looked at. It is a guess about cost, never about what is in
/// a list.
#[derive(Debug)]
pub(in crate::postgres) struct Bulk([AtomicBool; TABLES]);

impl Default for Bulk {
    fn default() -> Self {
        Self([const { AtomicBool::new(false) }; TABLES])
    }
}

impl Bulk {
    fn of(&self, list: &List<'_>) -> &AtomicBool {
        let mut hasher = DefaultHasher::new();
        list.table().hash(&mut hasher);
        &self.0[usize::try_from(hasher.finish() % TABLES as u64).unwrap_or_default()]
    }
}

impl Postgres {
    /// A question as it is sent now.
    pub(super) fn written<'q>(&self, list: &List<'_>, question: &'q Question, page: &Page) -> Written<'q> {
        question.written(page, self.bulk.of(list).load(Ordering::Relaxed))
    }

    /// A page by one question, planned for its own values; `None` if it took too long.
    pub(super) async fn planned(
        &self,
        list: &List<'_>,
        question: &Question,
        patience: Option<Duration>,
        page: Page,
    ) -> Result<Option<Page>, StoreError> {
        self.read(list, &self.written(list, question, &page), PLANNED, patience, page).await
    }

    /// A page by one statement; `None` if it took too long.
    pub(super) async fn part(
        &self,
        list: &List<'_>,
        statement: &SelectStatement,
        manner: Manner,
        patience: Option<Duration>,
        page: Page,
    ) -> Result<Option<Page>, StoreError> {
        let question = Question::new(statement, &page)?;
        self.read(list, &self.written(list, &question, &page), manner, patience, page).await
    }

    /// The same of a statement that is written already.
    pub(super) async fn read(
        &self,
        list: &List<'_>,
        text: &Written<'_>,
        manner: Manner,
        patience: Option<Duration>,
        mut page: Page,
    ) -> Result<Option<Page>, StoreError> {
        let question = text.question;
        let Some(rows) = self.ask(&text.sql, &question.values, manner, patience).await? else { return Ok(None) };
        if !text.is_light {
            let is_little = |row: &Row| document(row).is_some_and(|document| document.len() as u64 <= LITTLE);
            if !rows.is_empty() && rows.iter().all(is_little) {
                self.bulk.of(list).store(false, Ordering::Relaxed);
            }
            return self.filled(list, &rows, page).await;
        }
        if rows.iter().all(|row| document(row).is_some()) {
            for row in &rows {
                let row = shown(row);
                if !page.has_room(row.document.len()) {
                    break;
                }
                page.add(row);
            }
            return Ok(Some(page));
        }
        self.bulk.of(list).store(true, Ordering::Relaxed);
        // Whoever comes next begins here, and has as long for it.
        let manner = if manner.is_kept() { PLANNED } else { manner };
        let Some(rows) = self.ask(&question.measured(&page), &question.values, manner, patience).await? else {
            return Ok(None);
        };
        self.filled(list, &rows, page).await
    }

    /// The page with these rows, which were [`measured`].
    async fn filled(&self, list: &List<'_>, rows: &[Row], mut page: Page) -> Result<Option<Page>, StoreError> {
        let found = rows.first().map_or(0, |row| row.get::<_, i64>(4));
        let is_cut = i64::try_from(rows.len()).is_ok_and(|sent| sent < found);
        let is_heavy = rows.last().is_some_and(|row| document(row).is_none());
        let mut documents = if is_heavy { Some(self.documents(list, rows).await?) } else { None };
        for row in rows {
            if page.skips() {
                continue;
            }
            let row = match &mut documents {
                None => shown(row),
                Some(documents) => match documents.remove(&row.get(0)) {
                    Some((found, revision)) if revision == row.get::<_, i64>(3) => found,
                    // It changed or went between two looks: it may stand elsewhere now.
                    _ => return Ok(None),
                },
            };
            if !page.has_room(row.document.len()) {
                return Ok(Some(page));
            }
            page.add(row);
        }
        if is_cut {
            page.fill();
        }
        Ok(Some(page))
    }

    /// These rows with their documents. Sending much takes its time, which is not the time that finding it takes.
    async fn documents(&self, list: &List<'_>, rows: &[Row]) -> Result<HashMap<Uuid, (Shown, i64)>, StoreError> {
        let is_left_out = |row: &&Row| document(row).is_none();
        let ids: Vec<Uuid> = rows.iter().filter(is_left_out).map(|row| row.get(0)).collect();
        let select = format!("SELECT id, task, document, revision FROM \"{}\" WHERE id = ANY ($1)", list.table());
        let found = self.connections.read(&select, &[&ids]).await?;
        Ok(found.iter().map(|row| (row.get(0), (shown(row), row.get(3)))).collect())
    }
}

/// The document of a row, if it was sent.
fn document(row: &Row) -> Option<&str> {
    row.get(2)
}
