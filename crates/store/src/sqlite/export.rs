//! All rows of a SQLite file, as they were at one moment. A reader of the log keeps nobody from writing: the server goes on,
//! and the log grows until this is done.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};
use valetkey_oauth::ports::StoreError;

use super::connection::{self, FileLock};
use super::{api_shape, migrations, store_error};
use crate::statement::table as table_of;
use crate::transfer::{
    BATCH, BATCH_BYTES, Declared, Inventory, Row, Source, TABLES, Table, TransferError, Value, is_common, is_seal,
};

/// A file that is read.
pub struct Export {
    connection: Connection,
    path: PathBuf,
    _lock: Option<FileLock>,
    walk: Walk,
}

/// How far a table was read.
#[derive(Default)]
pub(super) struct Walk {
    table: Option<Table>,
    after: Option<Row>,
}

impl Export {
    /// Opens a file to read. `alone`: no server writes to it until this is dropped, or it is refused.
    pub fn open(path: &Path, alone: bool) -> Result<Self, TransferError> {
        if !path.exists() {
            return Err(TransferError::NoStore(path.display().to_string()));
        }
        let lock = if alone { Some(FileLock::acquire(path)?) } else { None };
        let connection = connection::open_reader(path, false)?;
        // Each page is read once: mapped, the whole file would count as memory of this process.
        connection.pragma_update(None, "mmap_size", 0).map_err(store_error)?;
        connection.execute_batch("BEGIN").map_err(store_error)?;
        Ok(Self { connection, path: path.to_owned(), _lock: lock, walk: Walk::default() })
    }
}

#[async_trait]
impl Source for Export {
    async fn inventory(&mut self) -> Result<Inventory, TransferError> {
        let missing = || TransferError::NoStore(self.path.display().to_string());
        let schema = migrations::version(&self.connection)?.ok_or_else(missing)?;
        inventory(&self.connection, schema)
    }

    async fn begin(&mut self, table: &Table, after: Option<Row>) -> Result<(), TransferError> {
        self.walk.begin(table, after);
        Ok(())
    }

    async fn next(&mut self) -> Result<Vec<Row>, TransferError> {
        Ok(self.walk.next(&self.connection)?)
    }
}

fn inventory(connection: &Connection, schema: i64) -> Result<Inventory, TransferError> {
    let mut tables = Vec::new();
    for fixed in &TABLES {
        let columns = columns(connection, fixed.name)?;
        if !columns.is_empty() {
            tables.push(Table { name: fixed.name.to_owned(), columns, resource: None, rows: 0 });
        }
    }
    for (name, shape) in api_shape::catalogue(connection)? {
        let of = Declared { name, shape: shape.moved() };
        let layout = of.layout();
        let is_kept = |name: &String| is_common(name) || is_seal(name) || layout.has(name);
        let columns: Vec<String> = columns(connection, &table_of(&of.name))?.into_iter().filter(is_kept).collect();
        tables.push(Table { name: table_of(&of.name), columns, resource: Some(of), rows: 0 });
    }
    for table in &mut tables {
        table.rows = count(connection, &table.name)?;
    }
    Ok(Inventory { schema, tables })
}

pub(super) fn columns(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1)").map_err(store_error)?;
    let names = statement.query_map([table], |row| row.get(0)).map_err(store_error)?;
    names.collect::<Result<_, _>>().map_err(store_error)
}

pub(super) fn count(connection: &Connection, table: &str) -> Result<u64, StoreError> {
    let count = format!("SELECT count(*) FROM \"{table}\"");
    let rows: i64 = connection.query_row(&count, [], |row| row.get(0)).map_err(store_error)?;
    Ok(u64::try_from(rows).unwrap_or(0))
}

impl Walk {
    pub(super) fn begin(&mut self, table: &Table, after: Option<Row>) {
        *self = Self { table: Some(table.clone()), after };
    }

    /// The next rows: a question of its own each time, so that no more of them are in memory.
    pub(super) fn next(&mut self, connection: &Connection) -> Result<Vec<Row>, StoreError> {
        let Some(table) = &self.table else { return Ok(Vec::new()) };
        let keys: Vec<String> = table.key_names().iter().map(|name| format!("\"{name}\"")).collect();
        let keys = keys.join(", ");
        let beyond = self.after.as_ref().map_or_else(String::new, |after| {
            let marks = vec!["?"; after.len()].join(", ");
            format!("WHERE ({keys}) > ({marks}) ")
        });
        let select = format!("SELECT {} FROM \"{}\" {beyond}ORDER BY {keys} LIMIT {BATCH}", table.list(), table.name);
        let mut statement = connection.prepare_cached(&select).map_err(store_error)?;
        let values = self.after.iter().flatten().map(Bound);
        let mut found = statement.query(params_from_iter(values)).map_err(store_error)?;
        let (mut rows, mut bytes) = (Vec::<Row>::new(), 0);
        while bytes < BATCH_BYTES
            && let Some(row) = found.next().map_err(store_error)?
        {
            let values = (0..table.columns.len()).map(|place| value(row.get_ref(place).map_err(store_error)?));
            let row: Row = values.collect::<Result<_, _>>()?;
            bytes += row.iter().map(Value::weight).sum::<usize>();
            rows.push(table.moved(row)?);
        }
        self.after = rows.last().map(|last| table.key_of(last));
        if rows.is_empty() {
            self.table = None;
        }
        Ok(rows)
    }
}

fn value(of: ValueRef<'_>) -> Result<Value, StoreError> {
    Ok(match of {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Number(number),
        ValueRef::Text(text) => Value::Text(
            String::from_utf8(text.to_vec()).map_err(|_| StoreError::Failed("a text is not UTF-8".to_owned()))?,
        ),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
    })
}

/// A value as a parameter.
pub(super) struct Bound<'a>(pub(super) &'a Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(*number),
            Value::Number(number) => ValueRef::Real(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
