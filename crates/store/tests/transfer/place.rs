//! A store of either engine, and rows in every table of it.

use std::path::PathBuf;

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;
use valetkey_resources::model::Api;
use valetkey_resources::ports::{Creating, Creation, Draft, Ports};
use valetkey_store::postgres::{self, Postgres};
use valetkey_store::sqlite::{self, Sqlite};
use valetkey_store::transfer::{
    ArchiveReader, Backup, Copied, Restored, Source, Tally, Target, TransferError, back_up, copy, restore,
};
use valetkey_testkit::api::{ORDERS, USERS, shop};
use valetkey_testkit::build::id;
use valetkey_testkit::clock::moment;

use crate::schema::Schema;

/// Where a store is.
pub enum Place {
    File(TempDir),
    Schema(Schema),
}

/// Text with all that a line, a quotation or a C program could stumble over.
pub const ODD: &str = "tab\there, back\\slash, new\nline, return\r, quote ' and \", \\N, \u{1}, ünïcode, zero \0 end";

impl Place {
    pub fn file() -> Self {
        Self::File(tempfile::tempdir().unwrap())
    }

    pub async fn schema() -> Option<Self> {
        Some(Self::Schema(Schema::make().await?))
    }

    /// One of each engine that is there.
    pub async fn each() -> Vec<Self> {
        [Some(Self::file()), Self::schema().await].into_iter().flatten().collect()
    }

    pub fn path(&self) -> PathBuf {
        match self {
            Self::File(folder) => folder.path().join("valetkey.db"),
            Self::Schema(_) => PathBuf::new(),
        }
    }

    pub async fn migrate(&self) {
        match self {
            Self::File(_) => sqlite::migrate(&self.path(), |_| {}).unwrap(),
            Self::Schema(schema) => postgres::migrate(&schema.settings(), |_| {}).await.unwrap(),
        };
    }

    /// The first engine, or the second if it is there.
    pub async fn of(engine: usize) -> Option<Self> {
        if engine == 0 { Some(Self::file()) } else { Self::schema().await }
    }

    /// With the tables of the shop.
    pub async fn declare(&self) {
        self.migrate().await;
        self.apply(&shop()).await;
    }

    /// With all that a declaration asks for.
    pub async fn apply(&self, api: &Api) {
        let mut tell = |_, _, _: &str| {};
        match self {
            Self::File(_) => sqlite::api_shape::apply(&self.path(), api, &[], &mut tell).unwrap(),
            Self::Schema(schema) => postgres::api_shape::apply(&schema.settings(), api, &[], &mut tell).await.unwrap(),
        };
    }

    /// With the tables of a declaration, and everything else left to do.
    pub async fn begin(&self, api: &Api) {
        let mut tell = |_, _, _: &str| {};
        match self {
            Self::File(_) => sqlite::api_shape::begin(&self.path(), api, &[], &mut tell).unwrap(),
            Self::Schema(schema) => postgres::api_shape::begin(&schema.settings(), api, &[], &mut tell).await.unwrap(),
        };
    }

    pub async fn execute(&self, sql: &str) {
        match self {
            Self::File(_) => Connection::open(self.path()).unwrap().execute_batch(sql).unwrap(),
            Self::Schema(schema) => schema.client().await.batch_execute(sql).await.unwrap(),
        }
    }

    pub async fn count(&self, sql: &str) -> i64 {
        match self {
            Self::File(_) => Connection::open(self.path()).unwrap().query_row(sql, [], |row| row.get(0)).unwrap(),
            Self::Schema(schema) => schema.client().await.query_one(sql, &[]).await.unwrap().get(0),
        }
    }

    pub async fn export(&self, alone: bool) -> Box<dyn Source> {
        match self {
            Self::File(_) => Box::new(sqlite::Export::open(&self.path(), alone).unwrap()),
            Self::Schema(schema) => {
                Box::new(postgres::Export::open(&schema.settings(), "the schema", alone).await.unwrap())
            }
        }
    }

    pub async fn import(&self) -> Result<Box<dyn Target>, TransferError> {
        Ok(match self {
            Self::File(_) => Box::new(sqlite::Import::open(&self.path(), ".working")?),
            Self::Schema(schema) => Box::new(postgres::Import::open(&schema.settings(), "the schema").await?),
        })
    }

    pub async fn resources(&self) -> Ports {
        match self {
            Self::File(_) => Sqlite::open(&self.path()).unwrap().resource_ports(),
            Self::Schema(schema) => Postgres::open(&schema.settings()).await.unwrap().resource_ports(),
        }
    }

    pub async fn ports(&self) -> valetkey_oauth::ports::Ports {
        match self {
            Self::File(_) => Sqlite::open(&self.path()).unwrap().ports(),
            Self::Schema(schema) => Postgres::open(&schema.settings()).await.unwrap().ports(),
        }
    }

    /// What each table holds.
    pub async fn tallies(&self) -> Vec<(String, Tally)> {
        let folder = tempfile::tempdir().unwrap();
        self.back_up(&folder).await.1.tables
    }

    pub async fn back_up(&self, folder: &TempDir) -> (PathBuf, Backup) {
        let file = folder.path().join(format!("{}.backup", std::fs::read_dir(folder.path()).unwrap().count()));
        let about = ("an engine", "0", Timestamp::UNIX_EPOCH);
        let mut source = self.export(false).await;
        let backup = back_up(&mut *source, &file, about, false, &mut |_, _, _| {}).await.unwrap();
        (file, backup)
    }

    pub async fn restore(&self, file: &std::path::Path, replace: bool) -> Result<Restored, TransferError> {
        let verified = ArchiveReader::verify(file).await?;
        let mut target = self.import().await?;
        restore(file, &verified, &mut *target, replace, &mut |_, _, _| {}).await
    }

    pub async fn copy_to(&self, other: &Self) -> Result<Copied, TransferError> {
        let mut source = self.export(true).await;
        let mut target = other.import().await?;
        copy(&mut *source, &mut *target, "here", false, &mut |_, _, _| {}).await
    }
}

/// A file with rows in every table, and with every kind of value.
pub async fn full(rows: usize) -> Place {
    let place = Place::file();
    place.declare().await;
    let connection = Connection::open(place.path()).unwrap();
    // They come in the order of their names; in the end, each points at one that is there.
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    for table in tables(&connection) {
        if ["api_tables", "refinery_schema_history"].contains(&table.as_str()) || table.contains("s_or") {
            continue;
        }
        let select = format!("SELECT name, type, \"notnull\" FROM pragma_table_info('{table}')");
        let mut statement = connection.prepare(&select).unwrap();
        let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        let columns: Vec<(String, String, bool)> = columns.map(Result::unwrap).collect();
        if table.starts_with("r_") || table.starts_with("s_") {
            continue;
        }
        connection.execute_batch("BEGIN").unwrap();
        for number in 1..=rows {
            let values: Vec<String> = columns.iter().map(|column| value(column, number)).collect();
            let names: Vec<_> = columns.iter().map(|(name, ..)| name.as_str()).collect();
            let insert = format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), values.join(", "));
            connection.execute_batch(&insert).unwrap_or_else(|error| panic!("{insert}: {error}"));
        }
        connection.execute_batch("COMMIT").unwrap();
    }
    drop(connection);
    shop_rows(&place, rows.min(50)).await;
    place
}

/// Every table that is ours or SQLite's.
pub fn tables(connection: &Connection) -> Vec<String> {
    let select = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut statement = connection.prepare(select).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn value((name, kind, is_needed): &(String, String, bool), number: usize) -> String {
    match (name.as_str(), kind.as_str()) {
        ("purpose", _) => "'seal'".to_owned(),
        ("admin", _) => (number % 2).to_string(),
        ("generation", _) => number.to_string(),
        (_, "INTEGER") if !is_needed && number.is_multiple_of(3) => "NULL".to_owned(),
        (_, "INTEGER") => (number * 1_000_003).to_string(),
        (_, "TEXT") if !is_needed && number.is_multiple_of(3) && name != "id" => "NULL".to_owned(),
        ("agent" | "document", _) => format!("'{}'", ODD.replace('\0', "").replace('\'', "''")),
        (_, "TEXT") => format!("'x{number}'"),
        (_, "BLOB") => format!("X'{number:032x}'"),
        other => panic!("{other:?}"),
    }
}

async fn shop_rows(place: &Place, count: usize) {
    let (ports, api) = (place.resources().await, shop());
    let users = api.resource(USERS).unwrap().clone();
    let orders = api.resource(ORDERS).unwrap().clone();
    for number in 0..count {
        let user = json!({"name": ODD, "email": format!("{number}@example.org"), "visits": number});
        let order = json!({
            "user_id": id(number as u128).to_string(), "amount": number, "currency": ODD, "weight": 0.1 + number as f64,
            "gift": number.is_multiple_of(2), "sent_at": "2026-01-02T03:04:05Z",
            "note": format!("Parcel{number} for Zoë"),
        });
        for (resource, document) in [(&users, user), (&orders, order)] {
            let draft = Draft::new(resource, document.as_object().unwrap());
            let creation = Creation {
                resource: resource.clone(),
                id: id(number as u128),
                owner: Some("alice".to_owned()),
                now: moment(0),
                revision: 1,
                draft,
                keyed: None,
            };
            assert_eq!(ports.rows.create(creation).await.unwrap(), Creating::Created);
        }
    }
}
