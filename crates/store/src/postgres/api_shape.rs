//! The tables of a declared API in PostgreSQL: made and changed by one of the nodes that start at once, in short
//! transactions. What takes long is written down for `filling`.

use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Ownership, Resource};

use super::connection::{Fault, direct};
use super::filling::{self, Progress};
use super::migrations::{LOCK, lock, unlock};
use super::{Beside, Settings, raising, sealing};
use crate::document::object;
use crate::migration::WAITING;
use crate::shape::{
    Catalogue, Difference, Loss, Passage, Passages, Preparations, Shape, ShapeError, ShapePlan, Share, Survey, Work,
    in_order,
};
use crate::statement::{self, Dialect, index, owner_index, search_index, table, unique_index};

const DIALECT: Dialect = Dialect::Postgres;

/// Whoever changes a table waits for those who use it, and all others wait behind: not longer than this at a time.
const BRIEF: &str = "SET LOCAL lock_timeout = '300ms'";
/// Then they have their turn for so long.
const PAUSE: Duration = Duration::from_millis(300);
/// So often.
const ATTEMPTS: usize = 200;

/// So many rows are looked at at once.
const LOOK: i64 = 500;

/// What would be done for this declaration? Changes nothing.
pub async fn plan(settings: &Settings, api: &Api) -> Result<ShapePlan, ShapeError> {
    Ok(survey(&direct(settings).await?, api, &mut |_, _, _| {}).await?.whole())
}

/// Makes the tables and columns that a declaration asks for, unless data would be lost that `accept` does not name. What
/// takes long, filling them and making indexes, is left to [`Postgres::fill`](super::Postgres::fill). Tells how far it
/// is: rows done, rows in all, and with what.
pub async fn begin(
    settings: &Settings,
    api: &Api,
    accept: &[String],
    progress: Progress<'_>,
) -> Result<ShapePlan, ShapeError> {
    let mut client = direct(settings).await?;
    begin_over(&mut client, api, accept, progress).await
}

impl Beside {
    /// As [`begin`] does.
    pub async fn begin_shape(
        &mut self,
        api: &Api,
        accept: &[String],
        progress: Progress<'_>,
    ) -> Result<ShapePlan, ShapeError> {
        begin_over(&mut self.0, api, accept, progress).await
    }
}

/// Does all that a declaration asks for.
pub async fn apply(
    settings: &Settings,
    api: &Api,
    accept: &[String],
    progress: Progress<'_>,
) -> Result<ShapePlan, ShapeError> {
    let mut client = direct(settings).await?;
    let plan = begin_over(&mut client, api, accept, progress).await?;
    filling::complete(&client, api, Share::Whole, &Preparations::default(), progress).await?;
    Ok(plan)
}

/// Makes columns, words and indexes of every row again, from its document. What is right already is not written.
pub async fn reindex(settings: &Settings, api: &Api, progress: Progress<'_>) -> Result<(), ShapeError> {
    let mut client = direct(settings).await?;
    begin_over(&mut client, api, &[], progress).await?;
    filling::complete(&client, api, Share::Whole, &Preparations::default(), progress).await?;
    for resource in &api.resources {
        let count = rows_in(&client, &resource.name).await?;
        let indexes = statement::indexes(DIALECT, resource).into_iter().map(|index| index.name).collect();
        let shape = Shape {
            work: Some(Work::again(resource, indexes, count)),
            version: Some(Passages::of(api).newest()),
            ..Shape::of(resource)
        };
        rows(&client, KEEP, &[&resource.name, &shape.write()?]).await?;
    }
    Ok(filling::complete(&client, api, Share::Whole, &Preparations::default(), progress).await?)
}

/// Keeps what was applied of a resource.
pub(super) const KEEP: &str = "INSERT INTO api_tables (resource, shape) VALUES ($1, $2) \
                    ON CONFLICT (resource) DO UPDATE SET shape = excluded.shape";

async fn begin_over(
    client: &mut Client,
    api: &Api,
    accept: &[String],
    progress: Progress<'_>,
) -> Result<ShapePlan, ShapeError> {
    lock(client, || progress(0, 1, WAITING)).await.map_err(|error| ShapeError::Unavailable(error.to_string()))?;
    let outcome = begin_locked(client, api, accept, progress).await;
    if outcome.is_err() {
        // What failed in the middle of a transaction leaves nothing of it.
        let _ = client.batch_execute("ROLLBACK").await;
    }
    // The next node is let in, whatever became of the work.
    let unlocked = unlock(client, LOCK).await;
    outcome.and_then(|done| Ok(unlocked.map(|()| done)?))
}

/// What a declaration means for this database.
struct Found {
    plan: ShapePlan,
    passages: Vec<(Arc<Resource>, Passage)>,
    steps: Vec<(Difference, Vec<Loss>)>,
    vanished: Vec<String>,
    version: u32,
    /// What an earlier start has left to do.
    left: Vec<(String, Work)>,
}

impl Found {
    /// The plan, with what is under way.
    fn whole(mut self) -> ShapePlan {
        for (resource, work) in &self.left {
            self.plan.add_left(resource, work);
        }
        self.plan
    }
}

async fn begin_locked(
    client: &mut Client,
    api: &Api,
    accept: &[String],
    progress: Progress<'_>,
) -> Result<ShapePlan, ShapeError> {
    let found = survey(client, api, progress).await?;
    if !found.plan.is_accepted(accept) {
        return Err(ShapeError::Refused(found.plan));
    }
    for (resource, passage) in &found.passages {
        raising::raise(client, resource, passage, found.version, progress).await?;
    }
    for (difference, losses) in &found.steps {
        step(client, difference, found.version, !losses.is_empty()).await?;
    }
    raising::keep_version(client, api, found.version).await?;
    for resource in &found.vanished {
        execute(client, &format!("DROP TABLE IF EXISTS \"{}\"", table(resource))).await?;
        rows(client, "DELETE FROM api_tables WHERE resource = $1", &[resource]).await?;
    }
    Ok(found.plan)
}

async fn survey(client: &Client, api: &Api, progress: Progress<'_>) -> Result<Found, StoreError> {
    let catalogue = catalogue(client).await?;
    let ways = Passages::of(api);
    let mut found = Found {
        plan: ShapePlan::default(),
        passages: Vec::new(),
        steps: Vec::new(),
        vanished: Vec::new(),
        left: Vec::new(),
        version: ways.newest(),
    };
    for resource in &api.resources {
        let (shape, passage) = ways.find(&catalogue, resource);
        let difference = Difference::between(shape.as_ref(), resource);
        let left = shape.as_ref().and_then(|shape| shape.work.clone());
        if let Some(difference) = difference {
            let losses = look(client, &difference, &passage, progress).await?;
            found.plan.add_passage(&resource.name, &passage);
            found.plan.add(&difference, losses.clone());
            found.steps.push((difference, losses));
        } else if let Some(left) = left {
            found.left.push((resource.name.clone(), left));
        }
        if passage.is_needed() {
            found.passages.push((resource.clone(), passage));
        }
    }
    found.passages = in_order(found.passages)?;
    for resource in &api.resources {
        if let Some(version) = ways.foreign(&catalogue, resource) {
            let rows = rows_in(client, &resource.name).await?;
            if rows > 0 {
                found.plan.add_foreign(&resource.name, version, rows);
            }
        }
    }
    let is_former = |name: &String| found.passages.iter().any(|(_, passage)| passage.former.as_ref() == Some(name));
    let gone: Vec<String> =
        catalogue.keys().filter(|name| api.resource(name).is_none() && !is_former(name)).cloned().collect();
    for resource in &gone {
        found.plan.add_vanished(resource, rows_in(client, resource).await?);
        found.vanished.push(resource.clone());
    }
    // What is there and as it is declared may come from a first start that was cut off.
    let (new, other): (Vec<_>, Vec<_>) = found.steps.iter().partition(|(difference, _)| difference.is_new);
    let differs = !other.is_empty() || !found.passages.is_empty();
    if api.is_demonstration && !catalogue.is_empty() && (!found.vanished.is_empty() || (!new.is_empty() && differs)) {
        found.plan = ShapePlan::unnamed(catalogue.keys());
    }
    Ok(found)
}

async fn look(
    client: &Client,
    difference: &Difference,
    passage: &Passage,
    progress: Progress<'_>,
) -> Result<Vec<Loss>, StoreError> {
    let mut survey = Survey::new(difference);
    if survey.has_questions() {
        let of = passage.former.as_ref().unwrap_or(&difference.resource.name);
        let select = format!("SELECT id, document FROM \"{}\" WHERE id > $1 ORDER BY id LIMIT $2", table(of));
        let (total, mut seen) = (rows_in(client, of).await?, 0);
        let mut last = None::<Uuid>;
        loop {
            let rows = rows(client, &select.replace("id > $1", after(last)), &[&last, &LOOK]).await?;
            let Some(newest) = rows.last() else { break };
            last = Some(newest.get(0));
            for row in &rows {
                let (document, untold) = passage.take(&difference.resource, object(row.get(1))?);
                survey.look(&document);
                survey.note(untold);
            }
            seen += rows.len() as u64;
            progress(seen, total.max(seen), &format!("a look at {of}"));
        }
    }
    Ok(survey.losses())
}

/// The condition that a walk over all ids goes on with.
pub(super) fn after(last: Option<Uuid>) -> &'static str {
    if last.is_some() { "id > $1" } else { "$1::uuid IS NULL" }
}

/// What was applied; nothing in a database that has no such table yet.
pub(super) async fn catalogue(client: &Client) -> Result<Catalogue, StoreError> {
    let known = rows(client, "SELECT to_regclass('api_tables') IS NOT NULL", &[]).await?;
    if !known.first().is_some_and(|row| row.get(0)) {
        return Ok(Catalogue::new());
    }
    entries(&rows(client, "SELECT resource, shape FROM api_tables", &[]).await?)
}

/// What was applied, from its rows.
pub(super) fn entries(rows: &[tokio_postgres::Row]) -> Result<Catalogue, StoreError> {
    rows.iter().map(|row| Ok((row.get(0), Shape::read(row.get(1))?))).collect()
}

/// Goes from one shape of a resource to the next, and keeps what is left to do, in one transaction.
async fn step(client: &mut Client, difference: &Difference, version: u32, has_losses: bool) -> Result<(), StoreError> {
    let of = &difference.resource;
    let before = catalogue(client).await?.remove(&of.name).and_then(|shape| shape.work);
    let count = if difference.is_new { 0 } else { rows_in(client, &of.name).await? };
    let work = Work::of(difference, has_losses, before.as_ref(), count);
    let shape = Shape { work, version: Some(version), ..Shape::of(of) }.write()?;
    let mut changes = vec![statement::create_table(DIALECT, of)];
    changes.extend(reshaped(difference));
    if difference.is_new {
        changes.extend(statement::indexes(DIALECT, of).iter().map(|index| index.create(&of.name, false)));
    }
    changes.extend(compressed(client, of).await?);
    changes.extend(sealing::changes(client, of).await?);
    briefly(client, changes, &of.name, &shape).await
}

/// Large values are compressed by the faster way, where the server has it: with the other one, a megabyte of text keeps it busy
/// for tens of milliseconds. Values that are there already stay as they are.
async fn compressed(client: &Client, of: &Resource) -> Result<Vec<String>, StoreError> {
    let known = "SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)";
    if rows(client, known, &[]).await?.is_empty() {
        return Ok(Vec::new());
    }
    let columns = ["document"].into_iter().chain(of.is_searchable().then_some("search"));
    let set = |column| format!("ALTER TABLE \"{}\" ALTER COLUMN {column} SET COMPRESSION lz4", table(&of.name));
    Ok(columns.map(set).collect())
}

/// Changes a table and keeps what was applied of its resource, in one transaction that nobody waits long for.
pub(super) async fn briefly(
    client: &mut Client,
    changes: Vec<String>,
    of: &str,
    shape: &str,
) -> Result<(), StoreError> {
    let changes = [vec![BRIEF.to_owned()], changes].concat().join("; ");
    for attempt in 1.. {
        let transaction = client.transaction().await.map_err(Fault::from)?;
        match transaction.batch_execute(&changes).await {
            Ok(()) => {
                transaction.execute(KEEP, &[&of, &shape]).await.map_err(Fault::from)?;
                transaction.commit().await.map_err(Fault::from)?;
                break;
            }
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) && attempt < ATTEMPTS => {}
            Err(error) => return Err(Fault::from(error).into()),
        }
        transaction.rollback().await.map_err(Fault::from)?;
        tokio::time::sleep(PAUSE).await;
    }
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
    if difference.search_changed {
        // Made again once the words are there: one by one would take far longer.
        changes.push(drop_index(search_index(of)));
    }
    if difference.resource.is_searchable() {
        changes.push(format!("ALTER TABLE \"{}\" ADD COLUMN IF NOT EXISTS search tsvector", table(of)));
    } else {
        changes.push(drop_index(search_index(of)));
        changes.push(format!("ALTER TABLE \"{}\" DROP COLUMN IF EXISTS search", table(of)));
    }
    changes
}

pub(super) async fn rows_in(client: &Client, resource: &str) -> Result<u64, StoreError> {
    let found = rows(client, &format!("SELECT count(*) FROM \"{}\"", table(resource)), &[]).await?;
    Ok(found.first().map_or(0, |row| u64::try_from(row.get::<_, i64>(0)).unwrap_or(0)))
}

pub(super) async fn rows(
    client: &Client,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<tokio_postgres::Row>, StoreError> {
    Ok(client.query(sql, values).await.map_err(Fault::from)?)
}

pub(super) async fn execute(client: &Client, sql: &str) -> Result<(), StoreError> {
    Ok(client.batch_execute(sql).await.map_err(Fault::from)?)
}
