//! All rows of a PostgreSQL database, as they were at one moment: one transaction that repeats what it read.

use std::error::Error;
use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, RowStream};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;

use super::Settings;
use super::api_shape::{catalogue, execute, rows};
use super::bound::{with_zero, without_zero};
use super::connection::{Fault, direct};
use super::migrations::{self, LOCK, MOVER, try_lock};
use crate::statement::table as table_of;
use crate::transfer::{
    BATCH, BATCH_BYTES, Declared, Inventory, Row, Source, TABLES, Table, TransferError, Value, is_common, is_seal,
};

/// Connections of a server that ended a moment ago are still counted: so often it is looked again.
const LOOKS: usize = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// A column that only this engine has.
const OWN: [&str; 2] = ["txid", "search"];

/// A database that is read.
pub struct Export {
    client: Client,
    place: String,
    walk: Walk,
}

/// The rows of a table that are on their way.
#[derive(Default)]
pub(super) struct Walk(Option<(Table, Pin<Box<RowStream>>)>);

impl Export {
    /// Opens a database to read; `place` is what people call it. `alone`: no server uses it, or it is refused, and none
    /// starts until this is dropped.
    pub async fn open(settings: &Settings, place: &str, alone: bool) -> Result<Self, TransferError> {
        let client = direct(settings).await?;
        if alone {
            hold(&client, place).await?;
        }
        execute(&client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        Ok(Self { client, place: place.to_owned(), walk: Walk::default() })
    }
}

/// Keeps servers from starting, and refuses if one runs.
pub(super) async fn hold(client: &Client, place: &str) -> Result<(), TransferError> {
    let in_use = |users: String| {
        let remedy = "Stop the servers that use it, then try again";
        TransferError::InUse { place: place.to_owned(), users, remedy }
    };
    let name: String = rows(client, "SELECT current_setting('application_name')", &[])
        .await?
        .first()
        .map_or_else(String::new, |row| row.get(0));
    // Of two transfers, neither takes the other for a server.
    execute(client, &format!("SET application_name = '{MOVER}'")).await?;
    // Whoever has it may be just leaving.
    let mut is_held = try_lock(client, LOCK).await?;
    for _ in 0..LOOKS {
        if is_held {
            break;
        }
        tokio::time::sleep(PAUSE).await;
        is_held = try_lock(client, LOCK).await?;
    }
    if !is_held {
        return Err(in_use("another process brings its tables up to date, or copies".to_owned()));
    }
    let select = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                  AND pid <> pg_backend_pid() AND application_name = $1";
    let mut others = 0;
    for _ in 0..LOOKS {
        others = rows(client, select, &[&name]).await?.first().map_or(0, |row| row.get::<_, i64>(0));
        if others == 0 {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(in_use(format!("{others} connections of `{name}` are open")))
}

#[async_trait]
impl Source for Export {
    async fn inventory(&mut self) -> Result<Inventory, TransferError> {
        if let Some(from) = migrations::half_copied(&self.client).await? {
            return Err(crate::MigrationError::HalfCopied(from).into());
        }
        let version = migrations::version(&self.client).await?;
        let schema = version.ok_or_else(|| TransferError::NoStore(self.place.clone()))?;
        let mut tables = Vec::new();
        for fixed in &TABLES {
            let mut columns = names(&self.client, fixed.name).await?;
            columns.retain(|name| !OWN.contains(&name.as_str()));
            if !columns.is_empty() {
                tables.push(Table { name: fixed.name.to_owned(), columns, resource: None, rows: 0 });
            }
        }
        for (name, shape) in catalogue(&self.client).await? {
            let of = Declared { name, shape: shape.moved() };
            let (layout, name) = (of.layout(), table_of(&of.name));
            let mut columns = names(&self.client, &name).await?;
            columns.retain(|name| is_common(name) || is_seal(name) || layout.has(name));
            tables.push(Table { name, columns, resource: Some(of), rows: 0 });
        }
        for table in &mut tables {
            table.rows = count(&self.client, &table.name).await?;
        }
        Ok(Inventory { schema, tables })
    }

    async fn begin(&mut self, table: &Table, after: Option<Row>) -> Result<(), TransferError> {
        Ok(self.walk.begin(&self.client, table, after).await?)
    }

    async fn next(&mut self) -> Result<Vec<Row>, TransferError> {
        Ok(self.walk.next().await?)
    }
}

/// The columns of a table, in their order; none if there is no such table.
async fn names(client: &Client, table: &str) -> Result<Vec<String>, StoreError> {
    Ok(columns(client, table).await?.into_iter().map(|(name, _)| name).collect())
}

/// The same with their types.
pub(super) async fn columns(client: &Client, table: &str) -> Result<Vec<(String, Type)>, StoreError> {
    let select = "SELECT attname::text, atttypid FROM pg_attribute WHERE attrelid = to_regclass(quote_ident($1)) \
                  AND attnum > 0 AND NOT attisdropped ORDER BY attnum";
    let found = rows(client, select, &[&table]).await?;
    let kind = |oid| Type::from_oid(oid).unwrap_or(Type::UNKNOWN);
    Ok(found.iter().map(|row| (row.get(0), kind(row.get(1)))).collect())
}

pub(super) async fn count(client: &Client, table: &str) -> Result<u64, StoreError> {
    let found = rows(client, &format!("SELECT count(*) FROM \"{table}\""), &[]).await?;
    Ok(found.first().map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
}

impl Walk {
    pub(super) async fn begin(&mut self, client: &Client, table: &Table, after: Option<Row>) -> Result<(), StoreError> {
        let keys: Vec<String> = table.key_names().iter().map(|name| format!("\"{name}\"")).collect();
        let keys = keys.join(", ");
        let after: Vec<Bound> = after.unwrap_or_default().into_iter().map(Bound).collect();
        let beyond = if after.is_empty() {
            String::new()
        } else {
            let marks: Vec<_> = (1..=after.len()).map(|number| format!("${number}")).collect();
            format!("WHERE ({keys}) > ({}) ", marks.join(", "))
        };
        let select = format!("SELECT {} FROM \"{}\" {beyond}ORDER BY {keys}", table.list(), table.name);
        let stream = client.query_raw(&select, after).await.map_err(Fault::from)?;
        self.0 = Some((table.clone(), Box::pin(stream)));
        Ok(())
    }

    /// The next rows. The server sends no more than are taken.
    pub(super) async fn next(&mut self) -> Result<Vec<Row>, StoreError> {
        let Some((table, stream)) = &mut self.0 else { return Ok(Vec::new()) };
        let (mut found, mut bytes, mut is_over) = (Vec::<Row>::new(), 0, false);
        while found.len() < BATCH && bytes < BATCH_BYTES && !is_over {
            let Some(row) = stream.next().await else {
                is_over = true;
                continue;
            };
            let row = row.map_err(Fault::from)?;
            let values = (0..table.columns.len()).map(|place| value(&row, place, table.is_field(place)));
            let row: Row = values.collect::<Result<_, _>>()?;
            bytes += row.iter().map(Value::weight).sum::<usize>();
            found.push(table.moved(row)?);
        }
        if is_over {
            // Whoever asks once more is not told by the connection that it is closed.
            self.0 = None;
        }
        Ok(found)
    }
}

fn value(row: &tokio_postgres::Row, place: usize, is_field: bool) -> Result<Value, StoreError> {
    let kind = row.columns().get(place).map_or(&Type::UNKNOWN, |column| column.type_());
    let found = match *kind {
        Type::BOOL => row.get::<_, Option<bool>>(place).map(|yes| Value::Integer(yes.into())),
        Type::INT2 => row.get::<_, Option<i16>>(place).map(|number| Value::Integer(number.into())),
        Type::INT4 => row.get::<_, Option<i32>>(place).map(|number| Value::Integer(number.into())),
        Type::INT8 => row.get::<_, Option<i64>>(place).map(Value::Integer),
        Type::FLOAT8 => row.get::<_, Option<f64>>(place).map(Value::Number),
        Type::TEXT | Type::VARCHAR => row
            .get::<_, Option<&str>>(place)
            .map(|text| Value::Text(if is_field { with_zero(text) } else { text.to_owned() })),
        Type::UUID => row.get::<_, Option<Uuid>>(place).map(|id| Value::Bytes(id.as_bytes().to_vec())),
        Type::BYTEA => row.get::<_, Option<Vec<u8>>>(place).map(Value::Bytes),
        _ => return Err(StoreError::Failed(format!("a column of type {kind} is not one of ours"))),
    };
    Ok(found.unwrap_or(Value::Null))
}

/// A value as a parameter, of whichever type its column has. Fields of a declared API are no keys.
struct Bound(Value);

impl std::fmt::Debug for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }
}

impl ToSql for Bound {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (&self.0, kind) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Integer(number), _) => number.to_sql_checked(kind, out),
            (Value::Number(number), _) => number.to_sql_checked(kind, out),
            (Value::Text(text), _) => without_zero(text).to_sql_checked(kind, out),
            (Value::Bytes(bytes), &Type::UUID) => Uuid::from_slice(bytes)?.to_sql_checked(kind, out),
            (Value::Bytes(bytes), _) => bytes.to_sql_checked(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
