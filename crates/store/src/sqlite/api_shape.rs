//! Bringing the tables of a declared API up to date in a SQLite file, over a connection of its own: readers go on reading,
//! and rows are rewritten a few thousand at a time.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};
use valetkey_resources::ports::Stored;

use super::bound::{Bound, execute, stored};
use super::migrations::take_turn;
use super::{connection, store_error, writing};
use crate::migration::MigrationError;
use crate::row::object;
use crate::shape::{BATCH, Catalogue, Difference, Loss, Rewrite, Shape, ShapeError, ShapePlan, Survey};
use crate::statement::{self, Dialect, index, owner_index, search_table, table, unique_index};

const DIALECT: Dialect = Dialect::Sqlite;

/// What would be done for this declaration? Changes nothing, and makes no file.
pub fn plan(path: &Path, api: &Api) -> Result<ShapePlan, ShapeError> {
    if !path.exists() {
        let mut plan = ShapePlan::default();
        for resource in &api.resources {
            plan.add(&Difference::of_new(resource), Vec::new());
        }
        return Ok(plan);
    }
    Ok(survey(&connection::open(path)?, api)?.plan)
}

/// Does what a declaration asks for, unless data would be lost that `accept` does not name. Tells how far it is: rows done,
/// rows in all, and with what.
pub fn apply(
    path: &Path,
    api: &Api,
    accept: &[String],
    progress: &mut dyn FnMut(u64, u64, &str),
) -> Result<ShapePlan, ShapeError> {
    let _turn = take_turn(path).map_err(in_turn)?;
    let mut connection = connection::open(path)?;
    let found = survey(&connection, api)?;
    if !found.plan.is_accepted(accept) {
        return Err(ShapeError::Refused(found.plan));
    }
    for (difference, losses) in &found.steps {
        step(&mut connection, difference, losses, progress)?;
    }
    for resource in &found.vanished {
        let transaction = begin(&mut connection)?;
        for name in [table(resource), search_table(resource)] {
            transaction.execute_batch(&format!("DROP TABLE IF EXISTS \"{name}\"")).map_err(store_error)?;
        }
        execute(&transaction, "DELETE FROM api_tables WHERE resource = ?1", &[resource]).map_err(store_error)?;
        transaction.commit().map_err(store_error)?;
    }
    Ok(found.plan)
}

/// Writes columns and words of every row again, from its document.
pub fn reindex(path: &Path, api: &Api, progress: &mut dyn FnMut(u64, u64, &str)) -> Result<(), ShapeError> {
    apply(path, api, &[], progress)?;
    let _turn = take_turn(path).map_err(in_turn)?;
    let mut connection = connection::open(path)?;
    for resource in &api.resources {
        rewrite(&mut connection, resource, &Rewrite::again(resource), progress)?;
        if resource.is_searchable() {
            let (words, rows) = (search_table(&resource.name), table(&resource.name));
            let stray = format!("DELETE FROM \"{words}\" WHERE rowid NOT IN (SELECT seq FROM \"{rows}\")");
            execute(&connection, &stray, &[]).map_err(store_error)?;
        }
        execute(&connection, &format!("REINDEX \"{}\"", table(&resource.name)), &[]).map_err(store_error)?;
    }
    Ok(())
}

/// What a declaration means for this file.
struct Found {
    plan: ShapePlan,
    steps: Vec<(Difference, Vec<Loss>)>,
    vanished: Vec<String>,
}

fn survey(connection: &Connection, api: &Api) -> Result<Found, StoreError> {
    let catalogue = catalogue(connection)?;
    let mut found = Found { plan: ShapePlan::default(), steps: Vec::new(), vanished: Vec::new() };
    for resource in &api.resources {
        let Some(difference) = Difference::between(catalogue.get(&resource.name), resource) else { continue };
        let losses = look(connection, &difference)?;
        found.plan.add(&difference, losses.clone());
        found.steps.push((difference, losses));
    }
    for resource in catalogue.keys().filter(|name| api.resource(name).is_none()) {
        found.plan.add_vanished(resource, rows_in(connection, resource)?);
        found.vanished.push(resource.clone());
    }
    Ok(found)
}

fn look(connection: &Connection, difference: &Difference) -> Result<Vec<Loss>, StoreError> {
    let mut survey = Survey::new(difference);
    if survey.has_questions() {
        let select = format!("SELECT document FROM \"{}\"", table(&difference.resource.name));
        let mut statement = connection.prepare(&select).map_err(store_error)?;
        let mut rows = statement.query([]).map_err(store_error)?;
        while let Some(row) = rows.next().map_err(store_error)? {
            let document = row.get_ref(0).and_then(|text| Ok(text.as_str()?)).map_err(store_error)?;
            survey.look(&object(document)?);
        }
    }
    Ok(survey.losses())
}

/// What was applied; nothing in a file that has no such table yet.
fn catalogue(connection: &Connection) -> Result<Catalogue, StoreError> {
    let known = "SELECT 1 FROM sqlite_schema WHERE name = 'api_tables'";
    if !connection.prepare(known).and_then(|mut statement| statement.exists([])).map_err(store_error)? {
        return Ok(Catalogue::new());
    }
    let mut statement = connection.prepare("SELECT resource, shape FROM api_tables").map_err(store_error)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?))).map_err(store_error)?;
    let entries = rows.map(|row| {
        let (resource, shape) = row.map_err(store_error)?;
        Ok((resource, Shape::read(&shape)?))
    });
    entries.collect()
}

/// Goes from one shape of a resource to the next. What an earlier start left half done is done again.
fn step(
    connection: &mut Connection,
    difference: &Difference,
    losses: &[Loss],
    progress: &mut dyn FnMut(u64, u64, &str),
) -> Result<(), StoreError> {
    let of = &difference.resource;
    let transaction = begin(connection)?;
    transaction.execute_batch(&statement::create_table(DIALECT, of)).map_err(store_error)?;
    reshape(&transaction, difference).map_err(store_error)?;
    if of.is_searchable() {
        transaction.execute_batch(&statement::create_search(&of.name)).map_err(store_error)?;
    } else {
        let drop = format!("DROP TABLE IF EXISTS \"{}\"", search_table(&of.name));
        transaction.execute_batch(&drop).map_err(store_error)?;
    }
    transaction.commit().map_err(store_error)?;
    if difference.rewrites() || !losses.is_empty() {
        rewrite(connection, of, &Rewrite::new(difference), progress)?;
    }
    let indexes = statement::indexes(DIALECT, of);
    let total = indexes.len() as u64;
    for (done, index) in indexes.iter().enumerate() {
        if !difference.is_new {
            progress(done as u64, total, &format!("indexes of {}", of.name));
        }
        connection.execute_batch(&index.create(&of.name, false)).map_err(store_error)?;
    }
    let shape = Shape::of(of).write()?;
    let insert = "INSERT OR REPLACE INTO api_tables (resource, shape) VALUES (?1, ?2)";
    execute(connection, insert, &[&of.name, &shape]).map_err(store_error)?;
    Ok(())
}

/// Columns that go, and columns that come.
fn reshape(transaction: &Transaction<'_>, difference: &Difference) -> rusqlite::Result<()> {
    let of = &difference.resource.name;
    let drop_index = |name: String| transaction.execute_batch(&format!("DROP INDEX IF EXISTS \"{name}\""));
    for field in difference.no_longer_unique.iter().chain(&difference.dropped) {
        drop_index(unique_index(of, field))?;
    }
    for field in difference.no_longer_indexed.iter().chain(&difference.dropped) {
        drop_index(index(of, field))?;
    }
    if difference.resource.ownership == valetkey_resources::model::Ownership::All {
        drop_index(owner_index(of))?;
    }
    for field in &difference.dropped {
        if has_column(transaction, of, field)? {
            transaction.execute_batch(&statement::drop_column(of, field))?;
        }
    }
    for column in &difference.added {
        if !has_column(transaction, of, &column.field)? {
            transaction.execute_batch(&statement::add_column(DIALECT, of, column))?;
        }
    }
    Ok(())
}

fn has_column(connection: &Connection, of: &str, field: &str) -> rusqlite::Result<bool> {
    let select = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2";
    connection.prepare(select)?.exists(params![table(of), statement::column(field)])
}

/// Writes every row again, a batch at a time.
fn rewrite(
    connection: &mut Connection,
    of: &Arc<Resource>,
    rewrite: &Rewrite<'_>,
    progress: &mut dyn FnMut(u64, u64, &str),
) -> Result<(), StoreError> {
    let total = rows_in(connection, &of.name)?;
    let select = format!(
        "SELECT id, revision, owner, created_at, updated_at, task, document, seq FROM \"{}\" \
         WHERE seq > ?1 ORDER BY seq LIMIT ?2",
        table(&of.name)
    );
    let columns: String =
        of.columns().iter().map(|column| format!(", \"{}\" = ?", statement::column(&column.field))).collect();
    let update = format!("UPDATE \"{}\" SET revision = ?, document = ?{columns} WHERE id = ?", table(&of.name));
    let (mut last, mut done) = (i64::MIN, 0);
    loop {
        progress(done, total.max(done), &format!("rows of {}", of.name));
        let transaction = begin(connection)?;
        let batch: Vec<(Stored, i64)> = {
            let mut statement = transaction.prepare_cached(&select).map_err(store_error)?;
            let rows = statement
                .query_map(params![last, BATCH as i64], |row| Ok((stored(row), row.get(7)?)))
                .map_err(store_error)?;
            let rows = rows.map(|row| row.map_err(store_error).and_then(|(row, seq)| Ok((row?, seq))));
            rows.collect::<Result<_, StoreError>>()?
        };
        let Some((_, newest)) = batch.last() else { return Ok(()) };
        last = *newest;
        done += batch.len() as u64;
        for (row, _) in &batch {
            let next = rewrite.of(row)?;
            let cells = statement::stored(&next.draft.cells);
            let cells: Vec<_> = cells.iter().map(Bound).collect();
            let revision = row.revision.cast_signed() + i64::from(next.is_changed);
            let mut values: Vec<&dyn rusqlite::ToSql> = vec![&revision, &next.draft.document];
            values.extend(cells.iter().map(|cell| cell as &dyn rusqlite::ToSql));
            values.push(&row.id);
            execute(&transaction, &update, &values).map_err(store_error)?;
            if of.is_searchable() {
                writing::index_words(&transaction, of, row.id, &next.draft)?;
            }
        }
        transaction.commit().map_err(store_error)?;
    }
}

fn rows_in(connection: &Connection, resource: &str) -> Result<u64, StoreError> {
    let count = format!("SELECT count(*) FROM \"{}\"", table(resource));
    let rows: i64 = connection.query_row(&count, [], |row| row.get(0)).map_err(store_error)?;
    Ok(u64::try_from(rows).unwrap_or(0))
}

fn begin(connection: &mut Connection) -> Result<Transaction<'_>, StoreError> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(store_error)
}

fn in_turn(error: MigrationError) -> ShapeError {
    ShapeError::Unavailable(error.to_string())
}
