//! Filling a PostgreSQL database. A backup arrives in one transaction, which replaces whatever was there. A copy arrives in
//! many, beside notes of how far it is; until they are gone, no server starts with it.

mod rows;

use std::collections::{BTreeSet, HashMap};
use std::io::Cursor;
use std::pin::pin;

use async_trait::async_trait;
use futures_util::SinkExt;
use tokio_postgres::Client;
use tokio_postgres::types::Type;
use valetkey_oauth::ports::StoreError;

use super::Settings;
use super::api_shape::{catalogue, execute, rows as ask};
use super::connection::{Fault, direct};
use super::export::{Walk, columns, count, hold};
use super::migrations::{self, LOCK, NOTES, unlock};
use crate::migration::HISTORY;
use crate::statement::{self, Dialect, table as table_of};
use crate::transfer::{
    Inventory, Progress, Row, Source, TABLES, Table, Target, TransferError, Unfinished, encode, is_seal,
};

/// A database that is filled.
pub struct Import {
    client: Client,
    settings: Settings,
    place: String,
    types: HashMap<String, Vec<(String, Type)>>,
    is_noted: bool,
    walk: Walk,
}

impl Import {
    /// Prepares to fill a database that no server uses; `place` is what people call it.
    pub async fn open(settings: &Settings, place: &str) -> Result<Self, TransferError> {
        let client = direct(settings).await?;
        hold(&client, place).await?;
        Ok(Self {
            client,
            settings: settings.clone(),
            place: place.to_owned(),
            types: HashMap::new(),
            is_noted: false,
            walk: Walk::default(),
        })
    }

    /// What the notes of an unfinished copy say that there is. Notes that nobody understands name nothing.
    async fn noted(&self) -> Result<Inventory, StoreError> {
        let none = Inventory { schema: 0, tables: Vec::new() };
        if columns(&self.client, NOTES).await?.is_empty() {
            return Ok(none);
        }
        let inventory = format!("SELECT convert_from(last, 'UTF8') FROM {NOTES} WHERE item = 'inventory'");
        let found = ask(&self.client, &inventory, &[]).await?;
        let found: Option<Inventory> = found.first().and_then(|row| serde_json::from_str(row.get(0)).ok());
        Ok(found.filter(|inventory| inventory.check().is_ok()).unwrap_or(none))
    }

    /// All of our tables that are there.
    async fn ours(&self) -> Result<Vec<String>, StoreError> {
        let fixed = TABLES.iter().map(|fixed| fixed.name.to_owned());
        let declared = catalogue(&self.client).await?.into_keys().map(|name| table_of(&name));
        // A copy makes tables before the rows come that tell of them.
        let noted = self.noted().await?.tables.into_iter().map(|table| table.name);
        let all: BTreeSet<String> = fixed.chain(declared).chain(noted).collect();
        let mut found = Vec::new();
        for table in all {
            if !columns(&self.client, &table).await?.is_empty() {
                found.push(table);
            }
        }
        Ok(found)
    }

    async fn learn(&mut self, inventory: &Inventory) -> Result<(), TransferError> {
        for table in &inventory.tables {
            let known = columns(&self.client, &table.name).await?;
            let missing = table.columns.iter().find(|name| !known.iter().any(|(column, _)| column == *name));
            if let Some(name) = missing {
                return Err(TransferError::Damaged(format!("`{}` has no column `{name}`", table.name)));
            }
            self.types.insert(table.name.clone(), known);
        }
        Ok(())
    }

    async fn pour(&self, table: &Table, found: &[Row]) -> Result<(), TransferError> {
        let known = self.types.get(&table.name).map(Vec::as_slice).unwrap_or_default();
        let lines = rows::lines(table, known, found)?;
        let search = if table.is_searchable() { ", search" } else { "" };
        let copy = format!("COPY \"{}\" ({}{search}) FROM STDIN", table.name, table.list());
        let sink =
            self.client.copy_in::<_, Cursor<Vec<u8>>>(&copy).await.map_err(Fault::from).map_err(StoreError::from)?;
        let mut sink = pin!(sink);
        sink.send(Cursor::new(lines)).await.map_err(Fault::from).map_err(StoreError::from)?;
        sink.finish().await.map_err(Fault::from).map_err(StoreError::from)?;
        if let (true, Some(last)) = (self.is_noted, found.last()) {
            let mut key = Vec::new();
            encode(&table.key_of(last), &mut key);
            let note = format!(
                "INSERT INTO {NOTES} AS n (item, rows, last) VALUES ('t:' || $1::text, $2, $3) \
                 ON CONFLICT (item) DO UPDATE SET rows = n.rows + excluded.rows, last = excluded.last"
            );
            let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
            ask(&self.client, &note, &[&table.name, &count, &key]).await?;
        }
        Ok(())
    }

    /// Does something as one step: of its own for a copy, as a part of the whole for a backup.
    async fn begin_step(&self) -> Result<(), StoreError> {
        if self.is_noted { execute(&self.client, "BEGIN").await } else { Ok(()) }
    }

    async fn end_step<T>(&self, outcome: Result<T, TransferError>) -> Result<T, TransferError> {
        if self.is_noted {
            let end = if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" };
            let ended = execute(&self.client, end).await;
            return outcome.and_then(|done| Ok(ended.map(|()| done)?));
        }
        outcome
    }
}

#[async_trait]
impl Source for Import {
    async fn inventory(&mut self) -> Result<Inventory, TransferError> {
        Err(StoreError::Failed("a store that is being filled has no inventory".to_owned()).into())
    }

    async fn begin(&mut self, table: &Table, after: Option<Row>) -> Result<(), TransferError> {
        Ok(self.walk.begin(&self.client, table, after).await?)
    }

    async fn next(&mut self) -> Result<Vec<Row>, TransferError> {
        Ok(self.walk.next().await?)
    }
}

#[async_trait]
impl Target for Import {
    fn place(&self) -> String {
        self.place.clone()
    }

    async fn occupants(&mut self) -> Result<Vec<(String, u64)>, TransferError> {
        // Of whatever version: who restores an old backup with an old binary replaces what a newer one has left.
        let foreign = |table: &str| Err(TransferError::Foreign { place: self.place(), table: table.to_owned() });
        match migrations::is_ours(&self.client).await? {
            Some(true) => {}
            Some(false) => return foreign(HISTORY),
            None => {
                for fixed in &TABLES {
                    if !columns(&self.client, fixed.name).await?.is_empty() {
                        return foreign(fixed.name);
                    }
                }
                return Ok(Vec::new());
            }
        }
        let mut found = Vec::new();
        for table in self.ours().await? {
            let rows = count(&self.client, &table).await?;
            found.push((table, rows));
        }
        found.retain(|(_, rows)| *rows > 0);
        Ok(found)
    }

    async fn unfinished(&mut self) -> Result<Option<Unfinished>, TransferError> {
        let Some(begun) = migrations::half_copied(&self.client).await? else { return Ok(None) };
        let inventory = self.noted().await?;
        let reached = format!("SELECT substr(item, 3), rows, last FROM {NOTES} WHERE item LIKE 't:%' AND rows > 0");
        let reached = ask(&self.client, &reached, &[]).await?;
        let reached = reached.iter().map(|row| (row.get(0), row.get::<_, i64>(1).unsigned_abs(), row.get(2)));
        Ok(Some(Unfinished { begun, inventory, reached: reached.collect() }))
    }

    async fn prepare(&mut self, inventory: &Inventory, begun: Option<&str>) -> Result<(), TransferError> {
        let mut gone = self.ours().await?;
        gone.extend([HISTORY.to_owned(), NOTES.to_owned()]);
        let gone: Vec<String> = gone.iter().map(|table| format!("\"{table}\"")).collect();
        let script = migrations::script(inventory.schema)?;
        execute(&self.client, "BEGIN").await?;
        // One statement: tables that point at each other go together. What points there from elsewhere is not ours.
        execute(&self.client, &format!("DROP TABLE IF EXISTS {}", gone.join(", "))).await?;
        execute(&self.client, &script).await?;
        for table in &inventory.tables {
            let Some(of) = &table.resource else { continue };
            let mut changes = vec![statement::create_laid_out(Dialect::Postgres, &of.layout())];
            let seals = table.columns.iter().filter(|name| is_seal(name));
            changes.extend(seals.map(|name| format!("ALTER TABLE \"{}\" ADD COLUMN \"{name}\" smallint", table.name)));
            execute(&self.client, &changes.join("; ")).await?;
        }
        self.learn(inventory).await?;
        self.is_noted = begun.is_some();
        let Some(begun) = begun else { return Ok(()) };
        let inventory = serde_json::to_string(inventory).map_err(|error| StoreError::Failed(error.to_string()))?;
        execute(
            &self.client,
            &format!("CREATE TABLE {NOTES} (item text PRIMARY KEY, rows bigint NOT NULL, last bytea)"),
        )
        .await?;
        let insert = format!("INSERT INTO {NOTES} (item, rows, last) VALUES ('from', 0, $1), ('inventory', 0, $2)");
        ask(&self.client, &insert, &[&begun.as_bytes(), &inventory.as_bytes()]).await?;
        execute(&self.client, "COMMIT").await?;
        // What a crash of the server takes is told by the notes: they go with the rows.
        Ok(execute(&self.client, "SET synchronous_commit = off").await?)
    }

    async fn resume(&mut self, inventory: &Inventory) -> Result<(), TransferError> {
        self.is_noted = true;
        self.learn(inventory).await?;
        Ok(execute(&self.client, "SET synchronous_commit = off").await?)
    }

    async fn write(&mut self, table: &Table, found: &[Row]) -> Result<(), TransferError> {
        self.begin_step().await?;
        let outcome = self.pour(table, found).await;
        self.end_step(outcome).await
    }

    async fn clear(&mut self, table: &Table) -> Result<(), TransferError> {
        let below = TABLES.iter().filter(|fixed| fixed.parent == Some(table.name.as_str())).map(|fixed| fixed.name);
        let names: Vec<&str> = below.chain([table.name.as_str()]).collect();
        let there = self.ours().await?;
        self.begin_step().await?;
        let mut outcome = Ok(());
        for name in names.iter().filter(|name| there.iter().any(|table| table == *name)) {
            if outcome.is_ok() {
                outcome = execute(&self.client, &format!("DELETE FROM \"{name}\"")).await;
            }
        }
        if self.is_noted && outcome.is_ok() {
            let forget = format!("DELETE FROM {NOTES} WHERE item = ANY (SELECT 't:' || unnest($1::text[]))");
            outcome = ask(&self.client, &forget, &[&names]).await.map(|_| ());
        }
        self.end_step(outcome.map_err(TransferError::from)).await
    }

    async fn complete(&mut self, inventory: &Inventory, progress: Progress<'_>) -> Result<(), TransferError> {
        let declared: Vec<_> = inventory.tables.iter().filter_map(|table| table.resource.as_ref()).collect();
        for (place, of) in declared.iter().enumerate() {
            progress(place as u64, declared.len() as u64, &format!("indexes of {}", of.name));
            for index in statement::indexes_laid_out(Dialect::Postgres, &of.layout()) {
                // Values that are not unique yet: whoever starts with this store sees to them first.
                if index.unique.is_none() || !of.is_strict() {
                    execute(&self.client, &index.create(&of.name, false)).await?;
                }
            }
        }
        let next = "SELECT setval(pg_get_serial_sequence('revocations', 'seq'), max(seq)) FROM revocations \
                    HAVING max(seq) IS NOT NULL";
        execute(&self.client, next).await?;
        for table in &inventory.tables {
            execute(&self.client, &format!("ANALYZE \"{}\"", table.name)).await?;
        }
        Ok(())
    }

    async fn publish(&mut self) -> Result<(), TransferError> {
        if self.is_noted {
            // On disk when it is answered, and with it all that came before.
            execute(&self.client, &format!("SET synchronous_commit = on; DROP TABLE {NOTES}")).await?;
        } else {
            execute(&self.client, "COMMIT").await?;
        }
        unlock(&self.client, LOCK).await?;
        migrations::migrate(&self.settings, |_| {}).await?;
        Ok(())
    }
}
