//! Who has taken over which table, in SQLite: one process serves a file, but a command beside it may declare it anew.

use rusqlite::Connection;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};
use valetkey_resources::ports::StoreError as Told;

use super::{Sqlite, store_error};
use crate::outage::told;
use crate::statement::{Dialect, Seal};

impl Sqlite {
    /// Has a newer version taken over rows of this declaration, so that they cannot even be read?
    pub fn is_superseded(&self, api: &Api) -> Result<bool, StoreError> {
        for resource in &api.resources {
            let seal = Seal::of(resource);
            if !self.seals(&seal)?.contains(&seal.read) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What came of work on rows, for whoever asked for it. What failed may have failed because they are not this
    /// declaration's any more.
    pub(super) fn judged<T>(&self, of: &Resource, outcome: Result<T, StoreError>) -> Result<T, Told> {
        let error = match outcome {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let seal = Seal::of(of);
        if matches!(error, StoreError::Failed(_)) && !seal.is_on(&self.seals(&seal).map_err(told)?) {
            return Err(Told::Superseded(of.name.clone()));
        }
        Err(told(error))
    }

    fn seals(&self, of: &Seal) -> Result<Vec<String>, StoreError> {
        self.readers.read(|connection| present(connection, of))
    }
}

/// Gives the table of a resource its seal.
pub(super) fn seal(connection: &Connection, of: &Resource) -> Result<(), StoreError> {
    let seal = Seal::of(of);
    for change in seal.changes(Dialect::Sqlite, &present(connection, &seal)?) {
        connection.execute_batch(&change).map_err(store_error)?;
    }
    Ok(())
}

fn present(connection: &Connection, seal: &Seal) -> Result<Vec<String>, StoreError> {
    let select = "SELECT name FROM pragma_table_info(?1) WHERE name GLOB '[vw]_*'";
    let mut statement = connection.prepare_cached(select).map_err(store_error)?;
    let names = statement.query_map([&seal.table], |row| row.get(0)).map_err(store_error)?;
    names.collect::<Result<_, _>>().map_err(store_error)
}
