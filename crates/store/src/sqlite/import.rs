//! Filling a SQLite file. It has another name until all rows are there and were compared; then it takes the place of the
//! one that was there, in one step. What is killed leaves the old one as it was.

mod rows;

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};
use valetkey_oauth::ports::StoreError;

use super::api_shape::immediate;
use super::connection::{self, FileLock};
use super::export::{Walk, columns, count};
use super::filling::begin_words;
use super::{api_shape, migrations, store_error};
use crate::migration::HISTORY;
use crate::statement::{self, Dialect, search_table, table as table_of};
use crate::transfer::{
    Inventory, Progress, Row, Source, TABLES, Table, Target, TransferError, Unfinished, encode, is_seal, sync_folder,
};

/// Where a copy writes down how far it is.
const NOTES: &str = "CREATE TABLE valetkey_copy (item TEXT PRIMARY KEY, rows INTEGER NOT NULL, last BLOB) STRICT";

/// What SQLite keeps beside a file.
const SUFFIXES: [&str; 3] = ["", "-wal", "-shm"];

/// A file that is filled.
pub struct Import {
    path: PathBuf,
    working: PathBuf,
    file: Option<Connection>,
    is_begun: bool,
    is_noted: bool,
    /// Is what stands in its place beyond reading?
    is_damaged: bool,
    walk: Walk,
    _lock: FileLock,
}

impl Import {
    /// Prepares to fill a file that no server uses. `suffix` is what it is called until it is done.
    pub fn open(path: &Path, suffix: &str) -> Result<Self, TransferError> {
        let lock = FileLock::acquire(path)?;
        // Where a link leads: the link itself would be replaced, and the file behind it stay.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut working = path.as_os_str().to_os_string();
        working.push(suffix);
        let (path, working) = (path.to_owned(), PathBuf::from(working));
        let (is_begun, is_noted, is_damaged) = (false, false, false);
        Ok(Self { path, working, file: None, is_begun, is_noted, is_damaged, walk: Walk::default(), _lock: lock })
    }

    /// The rows of each table that has some.
    fn counted(&self) -> Result<Vec<(String, u64)>, TransferError> {
        let connection = connection::open(&self.path)?;
        // Of whatever version: who restores an old backup with an old binary replaces what a newer one has left.
        let foreign = |table| Err(TransferError::Foreign { place: self.place(), table });
        match migrations::is_ours(&connection)? {
            Some(true) => {}
            Some(false) => return foreign(HISTORY.to_owned()),
            None => {
                let any = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> ?1 LIMIT 1";
                let stranger = connection.query_row(any, [HISTORY], |row| row.get(0)).optional();
                return stranger.map_err(store_error)?.map_or(Ok(Vec::new()), foreign);
            }
        }
        let fixed = TABLES.iter().map(|fixed| fixed.name.to_owned());
        let declared = api_shape::catalogue(&connection)?.into_keys().map(|name| table_of(&name));
        let mut found = Vec::new();
        for table in fixed.chain(declared) {
            if !columns(&connection, &table)?.is_empty() {
                found.push((table.clone(), count(&connection, &table)?));
            }
        }
        found.retain(|(_, rows)| *rows > 0);
        Ok(found)
    }

    fn file(&self) -> Result<&Connection, StoreError> {
        self.file.as_ref().ok_or_else(|| StoreError::Failed("nothing was prepared".to_owned()))
    }

    fn work_on(&mut self) -> Result<(), TransferError> {
        let connection = connection::open(&self.working)?;
        // Parents come before children, but a table that is copied again loses its rows for a while.
        connection.pragma_update(None, "foreign_keys", false).map_err(store_error)?;
        // A power cut takes the last steps, and no more: the file is brought to the disk before it gets its name.
        connection.pragma_update(None, "synchronous", "normal").map_err(store_error)?;
        self.file = Some(connection);
        self.is_begun = true;
        Ok(())
    }
}

impl Drop for Import {
    /// A backup that did not arrive cannot be continued; a copy can.
    fn drop(&mut self) {
        self.file = None;
        if self.is_begun && !self.is_noted {
            for suffix in SUFFIXES {
                let _ = remove(&beside(&self.working, suffix));
            }
        }
    }
}

#[async_trait]
impl Source for Import {
    async fn inventory(&mut self) -> Result<Inventory, TransferError> {
        Err(StoreError::Failed("a store that is being filled has no inventory".to_owned()).into())
    }

    async fn begin(&mut self, table: &Table, after: Option<Row>) -> Result<(), TransferError> {
        self.walk.begin(table, after);
        Ok(())
    }

    async fn next(&mut self) -> Result<Vec<Row>, TransferError> {
        let Some(file) = &self.file else { return Ok(Vec::new()) };
        Ok(self.walk.next(file)?)
    }
}

#[async_trait]
impl Target for Import {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    async fn occupants(&mut self) -> Result<Vec<(String, u64)>, TransferError> {
        // An empty file is what an open that was killed leaves.
        if fs::metadata(&self.path).map_or(true, |file| file.len() == 0) {
            return Ok(Vec::new());
        }
        match self.counted() {
            // Nobody can tell what was in it, and a backup is the way out.
            Err(TransferError::Store(StoreError::Failed(_)) | TransferError::Migration(_)) => {
                self.is_damaged = true;
                Ok(vec![("what cannot be read: the file is damaged".to_owned(), 1)])
            }
            counted => counted,
        }
    }

    async fn unfinished(&mut self) -> Result<Option<Unfinished>, TransferError> {
        if !self.working.exists() {
            return Ok(None);
        }
        let connection = connection::open(&self.working)?;
        if columns(&connection, "valetkey_copy")?.is_empty() {
            return Ok(None);
        }
        let note = |item: &str| -> Result<Option<String>, StoreError> {
            let select = "SELECT CAST(last AS TEXT) FROM valetkey_copy WHERE item = ?1";
            connection.query_row(select, [item], |row| row.get(0)).optional().map_err(store_error)
        };
        let (Some(begun), Some(inventory)) = (note("from")?, note("inventory")?) else { return Ok(None) };
        let Ok(inventory) = serde_json::from_str(&inventory) else { return Ok(None) };
        let select = "SELECT substr(item, 3), rows, last FROM valetkey_copy WHERE item GLOB 't:*' AND rows > 0";
        let mut statement = connection.prepare(select).map_err(store_error)?;
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs(), row.get(2)?)))
            .map_err(store_error)?;
        let reached = rows.collect::<Result<_, _>>().map_err(store_error)?;
        Ok(Some(Unfinished { begun, inventory, reached }))
    }

    async fn prepare(&mut self, inventory: &Inventory, begun: Option<&str>) -> Result<(), TransferError> {
        self.file = None;
        for suffix in SUFFIXES {
            remove(&beside(&self.working, suffix))?;
        }
        self.work_on()?;
        migrations::reach(self.file.as_mut(), inventory.schema)?;
        let connection = self.file()?;
        for table in &inventory.tables {
            let Some(of) = &table.resource else { continue };
            let layout = of.layout();
            let mut changes = vec![statement::create_laid_out(Dialect::Sqlite, &layout)];
            let seals = table.columns.iter().filter(|name| is_seal(name));
            changes.extend(seals.map(|name| format!("ALTER TABLE \"{}\" ADD COLUMN \"{name}\" INTEGER", table.name)));
            if layout.is_searchable {
                changes.push(statement::create_search(&search_table(&of.name)));
            }
            connection.execute_batch(&changes.join("; ")).map_err(store_error)?;
        }
        for table in &inventory.tables {
            let known = columns(connection, &table.name)?;
            if let Some(name) = table.columns.iter().find(|name| !known.contains(name)) {
                return Err(TransferError::Damaged(format!("`{}` has no column `{name}`", table.name)));
            }
        }
        if let Some(begun) = begun {
            let inventory = serde_json::to_string(inventory).map_err(|error| StoreError::Failed(error.to_string()))?;
            connection.execute_batch(NOTES).map_err(store_error)?;
            let insert = "INSERT INTO valetkey_copy (item, rows, last) VALUES ('from', 0, ?1), ('inventory', 0, ?2)";
            connection.execute(insert, params![begun.as_bytes(), inventory.as_bytes()]).map_err(store_error)?;
        }
        self.is_noted = begun.is_some();
        Ok(())
    }

    async fn resume(&mut self, _: &Inventory) -> Result<(), TransferError> {
        self.is_noted = true;
        self.work_on()
    }

    async fn write(&mut self, table: &Table, found: &[Row]) -> Result<(), TransferError> {
        let transaction = immediate(self.file()?)?;
        rows::put(&transaction, table, found)?;
        if let (true, Some(last)) = (self.is_noted, found.last()) {
            let mut key = Vec::new();
            encode(&table.key_of(last), &mut key);
            let note = "INSERT INTO valetkey_copy (item, rows, last) VALUES ('t:' || ?1, ?2, ?3) \
                        ON CONFLICT (item) DO UPDATE SET rows = rows + excluded.rows, last = excluded.last";
            let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
            transaction.execute(note, params![table.name, count, key]).map_err(store_error)?;
        }
        transaction.commit().map_err(store_error)?;
        Ok(())
    }

    async fn clear(&mut self, table: &Table) -> Result<(), TransferError> {
        let transaction = immediate(self.file()?)?;
        let below = TABLES.iter().filter(|fixed| fixed.parent == Some(table.name.as_str())).map(|fixed| fixed.name);
        for name in below.chain([table.name.as_str()]) {
            if columns(&transaction, name)?.is_empty() {
                continue;
            }
            transaction.execute(&format!("DELETE FROM \"{name}\""), []).map_err(store_error)?;
            if self.is_noted {
                transaction
                    .execute("DELETE FROM valetkey_copy WHERE item = 't:' || ?1", [name])
                    .map_err(store_error)?;
            }
        }
        if let Some(of) = table.resource.as_ref().filter(|of| of.layout().is_searchable) {
            let words = search_table(&of.name);
            let anew = format!("DROP TABLE \"{words}\"; {}", statement::create_search(&words));
            transaction.execute_batch(&anew).map_err(store_error)?;
        }
        transaction.commit().map_err(store_error)?;
        Ok(())
    }

    async fn complete(&mut self, inventory: &Inventory, progress: Progress<'_>) -> Result<(), TransferError> {
        let connection = self.file()?;
        connection.pragma_update(None, "temp_store", "file").map_err(store_error)?;
        let declared: Vec<_> = inventory.tables.iter().filter_map(|table| table.resource.as_ref()).collect();
        for (place, of) in declared.iter().enumerate() {
            progress(place as u64, declared.len() as u64, &format!("indexes of {}", of.name));
            for index in statement::indexes_laid_out(Dialect::Sqlite, &of.layout()) {
                // Values that are not unique yet: whoever starts with this store sees to them first.
                if index.unique.is_none() || !of.is_strict() {
                    connection.execute_batch(&index.create(&of.name, false)).map_err(store_error)?;
                }
            }
            if of.reads_words_again() {
                begin_words(connection, &of.name)?;
            }
        }
        Ok(())
    }

    async fn publish(&mut self) -> Result<(), TransferError> {
        let connection = self.file()?;
        let orphan = "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1";
        let orphan: Option<String> =
            connection.query_row(orphan, [], |row| row.get(0)).optional().map_err(store_error)?;
        if let Some(table) = orphan {
            return Err(StoreError::Failed(format!("a row of `{table}` points at a row that is not there")).into());
        }
        if self.is_noted {
            connection.execute_batch("DROP TABLE valetkey_copy").map_err(store_error)?;
        }
        self.file = None;
        migrations::migrate(&self.working, |_| {})?;
        if let Some(finding) = migrations::check(&self.working)?.into_iter().next() {
            return Err(StoreError::Failed(format!("the new file is damaged: {finding}")).into());
        }
        let _turn = migrations::take_turn(&self.path, || {})?;
        settle(&self.working)?;
        let failed = |error| TransferError::File { path: self.path.clone(), error };
        if self.is_damaged {
            // Somebody may still want to save something of it.
            for suffix in SUFFIXES {
                let from = beside(&self.path, suffix);
                if from.exists() {
                    fs::rename(&from, beside(&self.path, &format!(".damaged{suffix}"))).map_err(failed)?;
                }
            }
        } else if self.path.exists() {
            settle(&self.path)?;
        }
        File::open(&self.working).and_then(|file| file.sync_all()).map_err(failed)?;
        fs::rename(&self.working, &self.path).map_err(failed)?;
        self.is_begun = false;
        sync_folder(&self.path).map_err(failed)
    }
}

/// Brings the log of a file into it, so that it stands alone: a log that stays behind would be taken for that of the next
/// file with this name. Nobody else may have it open.
fn settle(path: &Path) -> Result<(), TransferError> {
    let connection = connection::open(path)?;
    let left: Result<String, _> = connection.pragma_update_and_check(None, "journal_mode", "delete", |row| row.get(0));
    let is_settled = left.is_ok_and(|mode| mode.eq_ignore_ascii_case("delete"));
    drop(connection);
    if is_settled && !beside(path, "-wal").exists() {
        return Ok(());
    }
    let users = "another process has the file open".to_owned();
    let remedy = "End the other commands, then try again";
    Err(TransferError::InUse { place: path.display().to_string(), users, remedy })
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

fn remove(path: &Path) -> Result<(), TransferError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(TransferError::File { path: path.to_owned(), error }),
        _ => Ok(()),
    }
}
