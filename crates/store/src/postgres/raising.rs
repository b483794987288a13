//! Rows that were stored as an older version has them are rewritten as the newest has them, in PostgreSQL. One transaction
//! for each resource: whoever is killed in it has changed nothing.

use tokio_postgres::Client;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};
use valetkey_resources::ports::Draft;

use super::api_shape::{KEEP, after, briefly, catalogue, execute, rows, rows_in};
use super::filling::Progress;
use super::sealing;
use crate::document::object;
use crate::shape::{Passage, Shape};
use crate::statement::{index, owner_index, search_index, table, unique_index};

/// So many rows are held at once: they may be large.
const ROWS: i64 = 200;

/// Renames the table, and rewrites its documents. Nodes with the earlier declaration go on reading what was there, until
/// all is done at once; whoever wants to write waits, and then the table is not theirs any more.
pub(super) async fn raise(
    client: &Client,
    of: &Resource,
    passage: &Passage,
    version: u32,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    execute(client, "BEGIN").await?;
    let held = table(passage.former.as_ref().unwrap_or(&of.name));
    // Whoever has begun to write has written when this is granted, so that no row is missed.
    execute(client, &format!("LOCK TABLE \"{held}\" IN EXCLUSIVE MODE")).await?;
    if let Some(former) = &passage.former {
        rename(client, former, of).await?;
    }
    if passage.lens.is_some() {
        rewrite(client, of, passage, progress).await?;
    }
    for change in sealing::changes(client, of).await? {
        execute(client, &change).await?;
    }
    if let Some(shape) = catalogue(client).await?.remove(&of.name) {
        // Whoever is killed before the columns are made anew leaves it to the next one to know that they must be.
        let shape = if passage.lens.is_some() { shape.stale() } else { shape };
        let shape = Shape { version: Some(version), ..shape };
        rows(client, KEEP, &[&of.name, &shape.write()?]).await?;
    }
    execute(client, "COMMIT").await
}

async fn rename(client: &Client, former: &str, of: &Resource) -> Result<(), StoreError> {
    let Some(shape) = catalogue(client).await?.remove(former) else { return Ok(()) };
    let fields = shape.fields.iter().flat_map(|field| [index(former, &field.name), unique_index(former, &field.name)]);
    for name in fields.chain([owner_index(former), search_index(former)]) {
        execute(client, &format!("DROP INDEX IF EXISTS \"{name}\"")).await?;
    }
    execute(client, &format!("ALTER TABLE \"{}\" RENAME TO \"{}\"", table(former), table(&of.name))).await?;
    rows(client, "DELETE FROM api_tables WHERE resource = $1", &[&former]).await?;
    rows(client, "UPDATE tasks SET resource = $2 WHERE resource = $1", &[&former, &of.name]).await?;
    rows(client, KEEP, &[&of.name, &shape.bare().write()?]).await?;
    Ok(())
}

async fn rewrite(client: &Client, of: &Resource, passage: &Passage, progress: Progress<'_>) -> Result<(), StoreError> {
    let total = rows_in(client, &of.name).await?;
    let select = format!("SELECT id, document FROM \"{}\" WHERE id > $1 ORDER BY id LIMIT $2", table(&of.name));
    // A row in another form is another revision: whoever holds the old one must not overwrite it.
    let update = format!(
        "UPDATE \"{}\" AS t SET document = n.document, revision = t.revision + 1 \
         FROM unnest($1::uuid[], $2::text[]) AS n (id, document) WHERE t.id = n.id",
        table(&of.name)
    );
    let (mut last, mut seen) = (None::<Uuid>, 0);
    loop {
        let found = rows(client, &select.replace("id > $1", after(last)), &[&last, &ROWS]).await?;
        let Some(newest) = found.last() else { return Ok(()) };
        last = Some(newest.get(0));
        let ids: Vec<Uuid> = found.iter().map(|row| row.get(0)).collect();
        let mut documents = Vec::with_capacity(found.len());
        for row in &found {
            documents.push(Draft::text(of, &passage.take(of, object(row.get(1))?).0));
        }
        rows(client, &update, &[&ids, &documents]).await?;
        seen += found.len() as u64;
        progress(seen, total.max(seen), &format!("rows of {} for a newer version", of.name));
    }
}

/// What did not change with a version is stored as the newest has it all the same.
pub(super) async fn keep_version(client: &mut Client, api: &Api, version: u32) -> Result<(), StoreError> {
    for (name, mut shape) in catalogue(client).await? {
        let Some(of) = api.resource(&name) else { continue };
        let changes = sealing::changes(client, of).await?;
        if shape.version != Some(version) || !changes.is_empty() {
            shape.version = Some(version);
            briefly(client, changes, &name, &shape.write()?).await?;
        }
    }
    Ok(())
}
