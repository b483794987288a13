//! Rows of declared resources, in SQLite.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use rusqlite::{Connection, params};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError as Trouble;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{
    Change, Changing, Counted, Creating, Creation, Edit, ListPlan, Listing, PAGE_BYTES, Place, Position, Removal,
    Removing, Rows, Several, Shown, Sight, StoreError, Stored,
};

use super::bound::find;
use super::connection::Touches;
use super::together::Create;
use super::{Sqlite, cascade, store_error, writing};
use crate::backlog::Turn;
use crate::edit::{Done, LARGE, Seat, done};
use crate::outage::told;
use crate::row::{holds, is_in_sight};
use crate::shape::complete_all;
use crate::statement::{Dialect, List, Seal, Statements, table};

/// So often a change is tried beside the writer, among others who change the same row.
const TRIES: usize = 8;

#[async_trait]
impl Rows for Sqlite {
    async fn find(&self, of: &Resource, id: Uuid, sight: &Sight) -> Result<Option<Stored>, StoreError> {
        let found = self.seen(of, &self.statements.of(of), id, sight);
        self.judged(of, found)
    }

    async fn find_all(&self, of: &Resource, ids: &[Uuid], sight: &Sight) -> Result<Several, StoreError> {
        let statements = self.statements.of(of);
        let (mut rows, mut bytes) = (Vec::with_capacity(ids.len()), 0);
        for id in ids {
            if let Some(row) = self.judged(of, self.seen(of, &statements, *id, sight))? {
                bytes += row.document.len();
                if bytes > PAGE_BYTES && !rows.is_empty() {
                    return Ok(Several { rows, is_all: false });
                }
                rows.push(row);
            }
        }
        Ok(Several { rows, is_all: true })
    }

    async fn owned(&self, of: &Resource, ids: &[Uuid], owner: &str) -> Result<Vec<Uuid>, StoreError> {
        let select =
            format!("SELECT \"{1}\" FROM \"{0}\" WHERE id = ?1 AND owner = ?2", table(&of.name), Seal::of(of).read);
        let found = self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(&select).map_err(store_error)?;
            let mut own = Vec::with_capacity(ids.len());
            for id in ids {
                if statement.exists(params![id, owner]).map_err(store_error)? {
                    own.push(*id);
                }
            }
            Ok(own)
        });
        self.judged(of, found)
    }

    fn position(&self, of: &Resource, plan: &ListPlan, row: &Shown) -> Result<Position, StoreError> {
        let sight = Sight::default();
        List::new(Dialect::Sqlite, of, &sight, plan, Place::After).and_then(|list| list.position(row)).map_err(told)
    }

    async fn list(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        self.preparations.allow_list(of, sight, plan)?;
        self.settle_for(of, plan).await?;
        // Asked before: afterwards all may be done, and these rows have been read as they were.
        let changes_rows = self.preparations.changes_rows(of);
        let listing = self.judged(of, self.page(of, sight, plan).await)?;
        if changes_rows { complete_all(self, of, sight, listing).await } else { Ok(listing) }
    }

    async fn count(&self, of: &Resource, sight: &Sight, plan: &ListPlan, cap: u64) -> Result<Counted, StoreError> {
        self.preparations.allow_list(of, sight, plan)?;
        self.settle_for(of, plan).await?;
        self.judged(of, self.count_rows(of, sight, plan, cap).await)
    }

    async fn create(&self, creation: Creation) -> Result<Creating, StoreError> {
        let (of, touches) = (creation.resource.clone(), Touches::Row(creation.id));
        self.judged(&of, self.writer.judge(touches, Create::new(&self.statements, creation)).await)
    }

    async fn change(&self, change: Change) -> Result<Changing, StoreError> {
        let of = change.resource.clone();
        let (mut turn, mut tries) = (None, 1);
        loop {
            let Rehearsed { edit, row, seat } = self.judged(&of, self.rehearsed(&change).await)?;
            let row = row.filter(|_| tries < TRIES);
            let rehearsed = Change { edit, ..change.clone() };
            let (book, preparations, waiting) = (self.statements.clone(), self.preparations.clone(), Turn::default());
            let work = move |connection: &Connection| {
                writing::change(connection, &book, &preparations, &rehearsed, row.as_ref(), &waiting)
            };
            if let Some(changed) = self.judged(&of, self.writer.judge(Touches::Row(change.id), work).await)? {
                return Ok(changed);
            }
            // Whoever has the turn of a row may wait for a seat.
            drop(seat);
            // From here on, those who change this row do it one after the other.
            if turn.is_none() {
                turn = Some(self.turns.of(change.id).await);
            }
            tries += 1;
        }
    }

    async fn remove(&self, removal: Removal) -> Result<Removing, StoreError> {
        self.preparations.allow_removal(&removal.api, &removal.resource)?;
        let (book, preparations) = (self.statements.clone(), self.preparations.clone());
        let of = removal.resource.clone();
        let touches = cascade::touches(&removal);
        let work = move |connection: &Connection| cascade::remove(connection, &book, &preparations, &removal);
        self.judged(&of, self.writer.judge(touches, work).await)
    }

    fn generation(&self) -> Option<u64> {
        self.writer.generation()
    }
}

/// An edit that is done already.
struct Rehearsed {
    edit: Edit,
    /// On this row, where it took long. On any other it is not worth while.
    row: Option<Stored>,
    /// Where it was done apart: kept until all is written, so that few large rows wait for that.
    seat: Option<Seat>,
}

impl Sqlite {
    /// A search finds all that was written before it began.
    async fn settle_for(&self, of: &Resource, plan: &ListPlan) -> Result<(), StoreError> {
        if plan.search.is_empty() {
            return Ok(());
        }
        let settled = self.settle_words(of).await;
        self.judged(of, settled)
    }

    /// The row with this id, if it is in sight, as it is or as it will be when it has had its turn.
    fn seen(
        &self,
        of: &Resource,
        statements: &Arc<Statements>,
        id: Uuid,
        sight: &Sight,
    ) -> Result<Option<Stored>, Trouble> {
        let Some(row) = self.row(statements, id)? else { return Ok(None) };
        let is_seen = is_in_sight(of, &row, sight)?;
        is_seen.then(|| self.preparations.complete(of, row)).transpose()
    }

    /// The row with this id: from memory, if it was read lately and has not changed since.
    fn row(&self, statements: &Arc<Statements>, id: Uuid) -> Result<Option<Stored>, Trouble> {
        // Asked before: what changes while it is read is not taken for what was read.
        let generation = self.writer.generation_of(id);
        if let Some(row) = generation.and_then(|generation| self.lately.find(id, generation, statements)) {
            return Ok(Some(row));
        }
        let found = self.readers.read(|connection| find(connection, &statements.find, id))?;
        if let (Some(generation), Some(row)) = (generation, &found) {
            self.lately.keep(row, generation, statements);
        }
        Ok(found)
    }

    /// Does an edit on the row as it is now. Reading and checking a large document takes longer than all others should wait
    /// for the writer; so that is only done there if the row has changed meanwhile, and does not take long.
    async fn rehearsed(&self, change: &Change) -> Result<Rehearsed, Trouble> {
        let edit = change.edit.clone();
        let not_at_all = Rehearsed { edit: edit.clone(), row: None, seat: None };
        let Some(row) = self.editable(change)? else { return Ok(not_at_all) };
        let (Done { row, outcome, is_long }, seat) = if row.document.len() > LARGE {
            // Whoever waits for a seat does not keep the row meanwhile.
            drop(row);
            let seat = self.apart.seat().await?;
            let Some(row) = self.editable(change)? else { return Ok(not_at_all) };
            let edit = edit.clone();
            (seat.done(move || done(&edit, row)).await?, Some(seat))
        } else {
            (done(&edit, row), None)
        };
        let (outcome, known) = (Mutex::new(Some(outcome)), is_long.then(|| row.clone()));
        let edit: Edit = Arc::new(move |stored: &Stored| {
            let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
            // Kept where it took long: what is written together with others may be written again without them.
            let rehearsed = if is_long { outcome.clone() } else { outcome.take() };
            rehearsed.filter(|_| *stored == row).unwrap_or_else(|| edit(stored))
        });
        Ok(Rehearsed { edit, row: known, seat })
    }

    /// The row as it is now, if this change could change it.
    fn editable(&self, change: &Change) -> Result<Option<Stored>, Trouble> {
        let statements = self.statements.of(&change.resource);
        let found = self.readers.read_before_write(|connection| find(connection, &statements.find, change.id))?;
        let Some(row) = found else { return Ok(None) };
        let row = self.preparations.complete(&change.resource, row)?;
        let is_editable = is_in_sight(&change.resource, &row, &change.sight)? && holds(&change.condition, &row);
        Ok(is_editable.then_some(row))
    }
}
