//! Some thousand rows, brought in line with their documents. Only those that change are written.
//!
//! They are written in several strides, each a transaction of its own: every eighth row, then the ones beside them. A page
//! has room for few new versions of its rows, and gets it back once the old ones are dead; so most new versions stay on the
//! page of the old ones, and no index has to learn of them. At once, each row would be written anew into every index.

use tokio_postgres::Client;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Column, ColumnKind, Resource};
use valetkey_resources::ports::Stored;

use super::super::api_shape::{after, rows};
use super::super::bound::{Bound, cell_at, stored};
use super::super::connection::Fault;
use super::words;
use crate::shape::{BATCH, BATCH_BYTES, Rewrite, Work};
use crate::statement::{self, Seal, table};

const ROW: &str = "id, revision, owner, created_at, updated_at, task, document";
/// In so many strides.
const STRIDES: usize = 8;

/// A row that is to be written.
pub(super) struct Next {
    pub(super) row: Stored,
    document: Option<String>,
    cells: Vec<Bound>,
    /// The words, as a `tsvector`.
    pub(super) words: Option<String>,
}

/// Rows that were read.
struct Batch {
    /// How many.
    seen: usize,
    /// The last of them; none if there are no more.
    newest: Option<Uuid>,
    /// Those that are not yet what their documents say.
    changed: Vec<Next>,
}

/// The next rows.
pub(super) async fn next(client: &Client, of: &Resource, work: &mut Work) -> Result<(), StoreError> {
    let last: Option<Uuid> = work.after.as_deref().and_then(|after| after.parse().ok());
    loop {
        let Batch { seen, newest, changed } = read(client, of, work, last).await?;
        // A row that somebody changed since it was read is left alone, and looked at again.
        if write(client, of, work, &changed).await? {
            work.saw(seen, newest.map(|id| id.to_string()));
            return Ok(());
        }
    }
}

/// The next rows, and which of them are not yet what their documents say.
async fn read(client: &Client, of: &Resource, work: &Work, last: Option<Uuid>) -> Result<Batch, StoreError> {
    let rewrite = Rewrite::new(of, work);
    let columns = rewrite.columns();
    let names: String = columns.iter().map(|column| format!(", \"{}\"", statement::column(&column.field))).collect();
    let words = if work.words { ", search IS NULL" } else { "" };
    let select = format!(
        "SELECT {ROW}{names}{words}, many FROM (SELECT *, count(*) OVER () AS many, \
         sum(octet_length(document)) OVER (ORDER BY id) - octet_length(document) AS before \
         FROM (SELECT * FROM \"{}\" WHERE {} ORDER BY id LIMIT $2) AS next) AS measured \
         WHERE before < {BATCH_BYTES} ORDER BY id",
        table(&of.name),
        after(last)
    );
    let found = rows(client, &select, &[&last, &(BATCH as i64)]).await?;
    let many = found.first().map_or(0, |row| row.get::<_, i64>(row.len() - 1));
    let is_last = many < BATCH as i64 && found.len() as i64 == many;
    let newest = found.last().map(|row| row.get(0)).filter(|_| !is_last);
    let (mut changed, mut doubtful) = (Vec::new(), Vec::new());
    for row in &found {
        let stands: Vec<_> = columns.iter().zip(7..).map(|(column, place)| cell_at(row, place, column.kind)).collect();
        let is_unread = work.words && row.get::<_, bool>(7 + columns.len());
        let row = stored(row)?;
        let next = rewrite.of(&row)?;
        let is_changed = next.document.is_some() || next.cells != stands || is_unread;
        let words = next.words.as_deref().map(statement::vector);
        let next = Next { row, document: next.document, cells: Bound::all(next.cells), words };
        match (is_changed, work.words) {
            (true, _) => changed.push(next),
            (false, true) => doubtful.push(next),
            (false, false) => {}
        }
    }
    changed.extend(words::wrong(client, of, doubtful).await?);
    changed.sort_by_key(|next| next.row.id);
    Ok(Batch { seen: found.len(), newest, changed })
}

/// Writes these rows. Answers whether none of them had changed since.
async fn write(client: &Client, of: &Resource, work: &Work, changed: &[Next]) -> Result<bool, StoreError> {
    let update = statement(of, work);
    let mut is_complete = true;
    for stride in 0..STRIDES.min(changed.len()) {
        let part: Vec<&Next> = changed.iter().skip(stride).step_by(STRIDES).collect();
        let ids: Vec<Uuid> = part.iter().map(|next| next.row.id).collect();
        let was: Vec<i64> = part.iter().map(|next| next.row.revision.cast_signed()).collect();
        let becomes: Vec<i64> =
            part.iter().zip(&was).map(|(next, was)| was + i64::from(next.document.is_some())).collect();
        let documents: Vec<Option<&str>> = part.iter().map(|next| next.document.as_deref()).collect();
        let words: Vec<Option<&str>> = part.iter().map(|next| next.words.as_deref()).collect();
        let places = part.first().map_or(0, |next| next.cells.len());
        let cells: Vec<Vec<&Bound>> =
            (0..places).map(|place| part.iter().map(|next| &next.cells[place]).collect()).collect();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&ids, &was, &becomes];
        if work.changes_documents() {
            values.push(&documents);
        }
        if work.words {
            values.push(&words);
        }
        values.extend(cells.iter().map(|cells| cells as &(dyn ToSql + Sync)));
        match client.execute(&update, &values).await.map_err(Fault::from) {
            Ok(written) => is_complete &= written == part.len() as u64,
            // Somebody else had locked two of them the other way round.
            Err(fault) if fault.undone && !fault.lost => is_complete = false,
            Err(fault) => return Err(fault.into()),
        }
    }
    Ok(is_complete)
}

fn statement(of: &Resource, work: &Work) -> String {
    let (mut names, mut kinds) = (vec!["id".to_owned(), "was".to_owned(), "becomes".to_owned()], Vec::new());
    kinds.extend(["uuid", "bigint", "bigint"]);
    let mut sets = vec!["revision = v.becomes".to_owned()];
    if work.changes_documents() {
        names.push("document".to_owned());
        kinds.push("text");
        sets.push("document = coalesce(v.document, t.document)".to_owned());
    }
    if work.words {
        names.push("words".to_owned());
        kinds.push("text");
        sets.push("search = v.words::tsvector".to_owned());
    }
    for column in Rewrite::new(of, work).columns() {
        let name = statement::column(&column.field);
        sets.push(format!("\"{name}\" = v.\"{name}\""));
        names.push(format!("\"{name}\""));
        kinds.push(kind(column));
    }
    let arrays: Vec<_> = kinds.iter().zip(1..).map(|(kind, place)| format!("${place}::{kind}[]")).collect();
    format!(
        "UPDATE \"{}\" t SET {} FROM unnest({}) AS v ({}) WHERE t.id = v.id AND t.revision = v.was \
         AND t.\"{}\" IS NULL",
        table(&of.name),
        sets.join(", "),
        arrays.join(", "),
        names.join(", "),
        Seal::of(of).write
    )
}

fn kind(of: &Column) -> &'static str {
    match of.kind {
        ColumnKind::Integer | ColumnKind::Moment => "bigint",
        ColumnKind::Number => "double precision",
        ColumnKind::Text => "text",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Id => "uuid",
    }
}
