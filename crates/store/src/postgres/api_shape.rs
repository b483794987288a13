//! Bringing the tables of a declared API up to date in PostgreSQL. Of many nodes that start at once, one does the work;
//! readers go on reading, and rows are rewritten a few thousand at a time.
//!
//! A node that still runs with the older declaration writes rows without the new columns. Once the last such node is gone,
//! `reindex` makes up for it.

use tokio_postgres::Client;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Ownership, Resource};
use valetkey_resources::ports::Stored;

use super::Settings;
use super::bound::{Bound, stored};
use super::connection::{Fault, direct};
use super::migrations::{lock, unlock};
use crate::row::object;
use crate::shape::{BATCH, Catalogue, Difference, Loss, Rewrite, Shape, ShapeError, ShapePlan, Survey};
use crate::statement::{self, Dialect, Index, index, owner_index, search_index, table, unique_index};

const DIALECT: Dialect = Dialect::Postgres;
const ROW: &str = "id, revision, owner, created_at, updated_at, task, document";

/// Tells how far the work is: rows done, rows in all, and with what.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64, &str) + Send);

/// What would be done for this declaration? Changes nothing.
pub async fn plan(settings: &Settings, api: &Api) -> Result<ShapePlan, ShapeError> {
    Ok(survey(&direct(settings).await?, api).await?.plan)
}

/// Does what a declaration asks for, unless data would be lost that `accept` does not name.
pub async fn apply(
    settings: &Settings,
    api: &Api,
    accept: &[String],
    progress: Progress<'_>,
) -> Result<ShapePlan, ShapeError> {
    let mut client = direct(settings).await?;
    lock(&client).await.map_err(|error| ShapeError::Unavailable(error.to_string()))?;
    let applied = apply_locked(&mut client, api, accept, progress).await;
    release(&client, applied).await
}

/// Writes columns and words of every row again, from its document.
pub async fn reindex(settings: &Settings, api: &Api, progress: Progress<'_>) -> Result<(), ShapeError> {
    let mut client = direct(settings).await?;
    lock(&client).await.map_err(|error| ShapeError::Unavailable(error.to_string()))?;
    let mut done = apply_locked(&mut client, api, &[], progress).await.map(|_| ());
    for resource in &api.resources {
        if done.is_ok() {
            done = rewrite(&mut client, resource, &Rewrite::again(resource), progress).await.map_err(ShapeError::from);
        }
    }
    release(&client, done).await
}

/// Lets the next node in, whatever became of the work. What failed in the middle of a transaction leaves nothing of it.
async fn release<T>(client: &Client, outcome: Result<T, ShapeError>) -> Result<T, ShapeError> {
    if outcome.is_err() {
        let _ = client.batch_execute("ROLLBACK").await;
    }
    let unlocked = unlock(client).await.map_err(|error| ShapeError::Unavailable(error.to_string()));
    outcome.and_then(|done| unlocked.map(|()| done))
}

/// What a declaration means for this database.
struct Found {
    plan: ShapePlan,
    steps: Vec<(Difference, Vec<Loss>)>,
    vanished: Vec<String>,
}

async fn apply_locked(
    client: &mut Client,
    api: &Api,
    accept: &[String],
    progress: Progress<'_>,
) -> Result<ShapePlan, ShapeError> {
    let found = survey(client, api).await?;
    if !found.plan.is_accepted(accept) {
        return Err(ShapeError::Refused(found.plan));
    }
    for (difference, losses) in &found.steps {
        step(client, difference, losses, progress).await?;
    }
    for resource in &found.vanished {
        batch(client, &format!("DROP TABLE IF EXISTS \"{}\"", table(resource))).await?;
        rows(client, "DELETE FROM api_tables WHERE resource = $1", &[resource]).await?;
    }
    Ok(found.plan)
}

async fn survey(client: &Client, api: &Api) -> Result<Found, StoreError> {
    let catalogue = catalogue(client).await?;
    let mut found = Found { plan: ShapePlan::default(), steps: Vec::new(), vanished: Vec::new() };
    for resource in &api.resources {
        let Some(difference) = Difference::between(catalogue.get(&resource.name), resource) else { continue };
        let losses = look(client, &difference).await?;
        found.plan.add(&difference, losses.clone());
        found.steps.push((difference, losses));
    }
    for resource in catalogue.keys().filter(|name| api.resource(name).is_none()) {
        found.plan.add_vanished(resource, rows_in(client, resource).await?);
        found.vanished.push(resource.clone());
    }
    Ok(found)
}

async fn look(client: &Client, difference: &Difference) -> Result<Vec<Loss>, StoreError> {
    let mut survey = Survey::new(difference);
    if survey.has_questions() {
        let select = format!(
            "SELECT id, document FROM \"{}\" WHERE id > $1 ORDER BY id LIMIT $2",
            table(&difference.resource.name)
        );
        let mut last = None::<Uuid>;
        loop {
            let rows = rows(client, &select.replace("id > $1", after(last)), &[&last, &(BATCH as i64)]).await?;
            let Some(newest) = rows.last() else { break };
            last = Some(newest.get(0));
            for row in &rows {
                survey.look(&object(row.get(1))?);
            }
        }
    }
    Ok(survey.losses())
}

/// The condition that a walk over all ids goes on with.
fn after(last: Option<Uuid>) -> &'static str {
    if last.is_some() { "id > $1" } else { "$1::uuid IS NULL" }
}

/// What was applied; nothing in a database that has no such table yet.
async fn catalogue(client: &Client) -> Result<Catalogue, StoreError> {
    let known = rows(client, "SELECT to_regclass('api_tables') IS NOT NULL", &[]).await?;
    if !known.first().is_some_and(|row| row.get(0)) {
        return Ok(Catalogue::new());
    }
    let entries = rows(client, "SELECT resource, shape FROM api_tables", &[]).await?;
    entries.iter().map(|row| Ok((row.get(0), Shape::read(row.get(1))?))).collect()
}

/// Goes from one shape of a resource to the next. What an earlier start left half done is done again.
async fn step(
    client: &mut Client,
    difference: &Difference,
    losses: &[Loss],
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    let of = &difference.resource;
    let indexes = statement::indexes(DIALECT, of);
    let mut changes = vec![statement::create_table(DIALECT, of)];
    changes.extend(reshaped(difference));
    if difference.is_new {
        changes.extend(indexes.iter().map(|index| index.create(&of.name, false)));
    }
    batch(client, &format!("BEGIN; {}; COMMIT", changes.join("; "))).await?;
    if difference.rewrites() || !losses.is_empty() {
        rewrite(client, of, &Rewrite::new(difference), progress).await?;
    }
    if !difference.is_new {
        let total = indexes.len() as u64;
        for (done, index) in indexes.iter().enumerate() {
            progress(done as u64, total, &format!("indexes of {}", of.name));
            make(client, &of.name, index).await?;
        }
        batch(client, &format!("ANALYZE \"{}\"", table(&of.name))).await?;
    }
    let shape = Shape::of(of).write()?;
    let insert = "INSERT INTO api_tables (resource, shape) VALUES ($1, $2) \
                  ON CONFLICT (resource) DO UPDATE SET shape = excluded.shape";
    rows(client, insert, &[&of.name, &shape]).await?;
    Ok(())
}

/// Columns that go, and columns that come.
fn reshaped(difference: &Difference) -> Vec<String> {
    let of = &difference.resource.name;
    let drop_index = |name: String| format!("DROP INDEX IF EXISTS \"{name}\"");
    let mut changes = Vec::new();
    let dropped = &difference.dropped;
    changes.extend(difference.no_longer_unique.iter().chain(dropped).map(|field| drop_index(unique_index(of, field))));
    changes.extend(difference.no_longer_indexed.iter().chain(dropped).map(|field| drop_index(index(of, field))));
    if difference.resource.ownership == Ownership::All {
        changes.push(drop_index(owner_index(of)));
    }
    let unless = |drop: String| drop.replace("DROP COLUMN", "DROP COLUMN IF EXISTS");
    changes.extend(dropped.iter().map(|field| unless(statement::drop_column(of, field))));
    changes.extend(difference.added.iter().map(|column| statement::add_column(DIALECT, of, column)));
    if difference.resource.is_searchable() {
        changes.push(format!("ALTER TABLE \"{}\" ADD COLUMN IF NOT EXISTS search tsvector", table(of)));
    } else {
        changes.push(drop_index(search_index(of)));
        changes.push(format!("ALTER TABLE \"{}\" DROP COLUMN IF EXISTS search", table(of)));
    }
    changes
}

/// Makes an index beside those who write. One that an earlier start left half made is made again.
async fn make(client: &Client, of: &str, index: &Index) -> Result<(), StoreError> {
    let broken = "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1)) AND NOT indisvalid";
    if !rows(client, broken, &[&index.name]).await?.is_empty() {
        batch(client, &format!("DROP INDEX CONCURRENTLY \"{}\"", index.name)).await?;
    }
    batch(client, &index.create(of, true)).await
}

/// Writes every row again, a batch at a time.
async fn rewrite(
    client: &mut Client,
    of: &Resource,
    rewrite: &Rewrite<'_>,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    let total = rows_in(client, &of.name).await?;
    let columns: Vec<_> = of.columns().iter().map(|column| statement::column(&column.field)).collect();
    let sets: String = columns.iter().zip(4..).map(|(name, at)| format!(", \"{name}\" = ${at}")).collect();
    let words = match of.is_searchable() {
        true => format!(", search = ${}::text::tsvector", columns.len() + 4),
        false => String::new(),
    };
    let update = format!("UPDATE \"{}\" SET revision = $2, document = $3{sets}{words} WHERE id = $1", table(&of.name));
    let (mut last, mut done) = (None::<Uuid>, 0);
    loop {
        progress(done, total.max(done), &format!("rows of {}", of.name));
        let transaction = client.transaction().await.map_err(Fault::from)?;
        let select =
            format!("SELECT {ROW} FROM \"{}\" WHERE {} ORDER BY id LIMIT $2 FOR UPDATE", table(&of.name), after(last));
        let found = transaction.query(&select, &[&last, &(BATCH as i64)]).await.map_err(Fault::from)?;
        let Some(newest) = found.last() else { return Ok(()) };
        last = Some(newest.get(0));
        done += found.len() as u64;
        let statement = transaction.prepare(&update).await.map_err(Fault::from)?;
        for row in &found {
            let row: Stored = stored(row)?;
            let next = rewrite.of(&row)?;
            let cells = Bound::all(statement::stored(&next.draft.cells));
            let words = statement::vector(&next.draft.words);
            let revision = row.revision.cast_signed() + i64::from(next.is_changed);
            let mut values: Vec<&(dyn ToSql + Sync)> = vec![&row.id, &revision, &next.draft.document];
            values.extend(cells.iter().map(|cell| cell as &(dyn ToSql + Sync)));
            if of.is_searchable() {
                values.push(&words);
            }
            transaction.execute(&statement, &values).await.map_err(Fault::from)?;
        }
        transaction.commit().await.map_err(Fault::from)?;
    }
}

async fn rows_in(client: &Client, resource: &str) -> Result<u64, StoreError> {
    let found = rows(client, &format!("SELECT count(*) FROM \"{}\"", table(resource)), &[]).await?;
    Ok(found.first().map_or(0, |row| u64::try_from(row.get::<_, i64>(0)).unwrap_or(0)))
}

async fn rows(
    client: &Client,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<tokio_postgres::Row>, StoreError> {
    Ok(client.query(sql, values).await.map_err(Fault::from)?)
}

async fn batch(client: &Client, sql: &str) -> Result<(), StoreError> {
    Ok(client.batch_execute(sql).await.map_err(Fault::from)?)
}
