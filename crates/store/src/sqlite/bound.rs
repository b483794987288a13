//! Values on their way into SQLite, and rows on their way out.

use rusqlite::types::{FromSqlError, ToSql, ToSqlOutput, Value as Plain, ValueRef};
use rusqlite::{CachedStatement, Connection, Row, ffi};
use sea_query::{Value, Values};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, ColumnKind};
use valetkey_resources::ports::{Shown, Stored, TaskId};

use super::store_error;
use crate::row::Columns;

/// A cell as a parameter.
pub(super) struct Bound<'a>(pub(super) &'a Cell);

impl Bound<'_> {
    /// Does this stand there already?
    pub(super) fn is(&self, there: &Plain) -> bool {
        match (self.0, there) {
            (Cell::Null, Plain::Null) => true,
            (Cell::Integer(next) | Cell::Moment(next), Plain::Integer(there)) => next == there,
            (Cell::Boolean(next), Plain::Integer(there)) => i64::from(*next) == *there,
            (Cell::Number(next), Plain::Real(there)) => next == there,
            (Cell::Text(next), Plain::Text(there)) => next == there,
            (Cell::Id(next), Plain::Blob(there)) => next.as_bytes()[..] == there[..],
            _ => false,
        }
    }
}

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Cell::Null => ToSqlOutput::Owned(Plain::Null),
            Cell::Integer(number) | Cell::Moment(number) => ToSqlOutput::Owned(Plain::Integer(*number)),
            Cell::Number(number) => ToSqlOutput::Owned(Plain::Real(*number)),
            Cell::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Cell::Boolean(yes) => ToSqlOutput::Owned(Plain::Integer(i64::from(*yes))),
            Cell::Id(id) => ToSqlOutput::Borrowed(ValueRef::Blob(id.as_bytes())),
        })
    }
}

/// The values of a statement as parameters.
pub(super) fn parameters(values: Values) -> Result<Vec<Plain>, StoreError> {
    values.0.into_iter().map(parameter).collect()
}

fn parameter(value: Value) -> Result<Plain, StoreError> {
    let plain = match value {
        Value::Bool(yes) => yes.map(|yes| Plain::Integer(i64::from(yes))),
        Value::BigInt(number) => number.map(Plain::Integer),
        Value::BigUnsigned(number) => number.map(|number| Plain::Integer(i64::try_from(number).unwrap_or(i64::MAX))),
        Value::Double(number) => number.map(Plain::Real),
        Value::String(text) => text.map(Plain::Text),
        Value::Uuid(id) => id.map(|id| Plain::Blob(id.as_bytes().to_vec())),
        other => return Err(StoreError::Failed(format!("no parameter for {other:?}"))),
    };
    Ok(plain.unwrap_or(Plain::Null))
}

/// What stands in the first column of a row.
pub(super) fn cell(row: &Row<'_>, kind: ColumnKind) -> rusqlite::Result<Cell> {
    if row.get_ref(0)? == ValueRef::Null {
        return Ok(Cell::Null);
    }
    Ok(match kind {
        ColumnKind::Integer => Cell::Integer(row.get(0)?),
        ColumnKind::Number => Cell::Number(row.get(0)?),
        ColumnKind::Text => Cell::Text(row.get(0)?),
        ColumnKind::Boolean => Cell::Boolean(row.get(0)?),
        ColumnKind::Moment => Cell::Moment(row.get(0)?),
        ColumnKind::Id => Cell::Id(row.get(0)?),
    })
}

/// Runs a statement with these values, in their order.
pub(super) fn execute(connection: &Connection, sql: &str, values: &[&dyn ToSql]) -> rusqlite::Result<usize> {
    connection.prepare_cached(sql)?.execute(values)
}

/// A statement whose values come one after the other.
pub(super) struct Filled<'a> {
    statement: CachedStatement<'a>,
    values: usize,
}

impl<'a> Filled<'a> {
    pub(super) fn new(connection: &'a Connection, sql: &str) -> rusqlite::Result<Self> {
        Ok(Self { statement: connection.prepare_cached(sql)?, values: 0 })
    }

    /// The next value.
    pub(super) fn bind(&mut self, value: impl ToSql) -> rusqlite::Result<()> {
        self.values += 1;
        self.statement.raw_bind_parameter(self.values, value)
    }

    /// Runs it, if it has all its values.
    pub(super) fn execute(mut self) -> rusqlite::Result<usize> {
        match self.statement.parameter_count() {
            wanted if wanted == self.values => self.statement.raw_execute(),
            wanted => Err(rusqlite::Error::InvalidParameterCount(self.values, wanted)),
        }
    }
}

/// How many rows were written by a statement for several that stops where another row stands in its way. Whatever else stops it
/// does not say how many those are.
pub(super) fn written(connection: &Connection, rows: rusqlite::Result<usize>) -> rusqlite::Result<usize> {
    match rows {
        Err(rusqlite::Error::SqliteFailure(error, _)) if IN_THE_WAY.contains(&error.extended_code) => {
            Ok(usize::try_from(connection.changes()).unwrap_or_default())
        }
        other => other,
    }
}

/// What is there already: a value of an index, or of a key.
const IN_THE_WAY: [i32; 2] = [ffi::SQLITE_CONSTRAINT_UNIQUE, ffi::SQLITE_CONSTRAINT_PRIMARYKEY];

/// A row of a resource.
pub(super) fn stored(row: &Row<'_>) -> Result<Stored, StoreError> {
    columns(row).map_err(store_error)?.stored()
}

/// The columns of a row.
fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok(Columns {
        id: id(row, 0)?.ok_or(FromSqlError::InvalidType)?,
        revision: row.get_ref(1)?.as_i64()?,
        owner: row.get_ref(2)?.as_str_or_null()?.map(str::to_owned),
        created_at: row.get_ref(3)?.as_i64()?,
        updated_at: row.get_ref(4)?.as_i64()?,
        task: id(row, 5)?,
        document: text(row.get_ref(6)?)?.to_owned(),
    })
}

/// What a list shows of a row whose document was looked at.
pub(super) fn shown(row: &Row<'_>, document: &str) -> rusqlite::Result<Shown> {
    Ok(Shown {
        id: id(row, 0)?.ok_or(FromSqlError::InvalidType)?,
        task: id(row, 1)?.map(TaskId),
        document: document.to_owned(),
    })
}

fn id(row: &Row<'_>, place: usize) -> rusqlite::Result<Option<Uuid>> {
    let bytes = row.get_ref(place)?.as_blob_or_null()?;
    bytes.map(|bytes| Uuid::from_slice(bytes).map_err(|_| FromSqlError::InvalidType.into())).transpose()
}

/// A text where it lies.
pub(super) fn text(value: ValueRef<'_>) -> rusqlite::Result<&str> {
    Ok(value.as_str()?)
}

/// The row with this id, as a statement reads it.
pub(super) fn find(connection: &Connection, sql: &str, id: Uuid) -> Result<Option<Stored>, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(store_error)?;
    let mut rows = statement.query([id]).map_err(store_error)?;
    rows.next().map_err(store_error)?.map(stored).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_row_tells_how_many_were_written_before_it_stood_in_the_way() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (name TEXT UNIQUE, number INTEGER) STRICT").unwrap();
        let written = |rows: &[(&str, &str)]| {
            let (first, more) = ("INSERT OR FAIL INTO t (name, number) VALUES (?, ?)", ", (?, ?)");
            let mut insert = Filled::new(&connection, &format!("{first}{}", more.repeat(rows.len() - 1))).unwrap();
            for (name, number) in rows {
                insert.bind(name).unwrap();
                insert.bind(number).unwrap();
            }
            written(&connection, insert.execute())
        };

        assert_eq!(written(&[("a", "1"), ("b", "2"), ("a", "3")]).ok(), Some(2));
        assert!(written(&[("c", "1"), ("d", "no number")]).is_err());
    }
}
