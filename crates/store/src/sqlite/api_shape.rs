//! The tables of a declared API in a SQLite file: made and changed over a connection of its own, in short transactions. What
//! takes long is written down for `filling`.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};

use super::bound::execute;
use super::filling::{self, Progress, forget_words};
use super::migrations::take_turn;
use super::{connection, raising, sealing, store_error};
use crate::document::object;
use crate::migration::{MigrationError, WAITING};
use crate::shape::in_order;
use crate::shape::{BATCH, Catalogue, Difference, Loss, Passage, Passages, Shape, ShapeError, ShapePlan, Survey, Work};
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
    Ok(survey(&connection::open(path)?, api, &mut |_, _, _| {})?.whole())
}

/// Makes the tables and columns that a declaration asks for, unless data would be lost that `accept` does not name. What
/// takes long, filling them and making indexes, is left to [`Sqlite::fill`]. Tells how far it is: rows done, rows in all,
/// and with what.
pub fn begin(path: &Path, api: &Api, accept: &[String], progress: Progress<'_>) -> Result<ShapePlan, ShapeError> {
    let _turn = take_turn(path, || progress(0, 1, WAITING)).map_err(in_turn)?;
    let connection = connection::open(path)?;
    let found = survey(&connection, api, progress)?;
    if !found.plan.is_accepted(accept) {
        return Err(ShapeError::Refused(found.plan));
    }
    for (resource, passage) in &found.passages {
        raising::raise(&connection, resource, passage, found.version, progress)?;
    }
    for (difference, losses) in &found.steps {
        step(&connection, difference, found.version, !losses.is_empty())?;
    }
    raising::keep_version(&connection, api, found.version)?;
    for resource in &api.resources {
        renew(&connection, resource)?;
    }
    for resource in &found.vanished {
        let transaction = immediate(&connection)?;
        forget_words(&transaction, resource)?;
        for name in [table(resource), search_table(resource)] {
            transaction.execute_batch(&format!("DROP TABLE IF EXISTS \"{name}\"")).map_err(store_error)?;
        }
        execute(&transaction, "DELETE FROM api_tables WHERE resource = ?1", &[resource]).map_err(store_error)?;
        transaction.commit().map_err(store_error)?;
    }
    Ok(found.plan)
}

/// Does all that a declaration asks for.
pub fn apply(path: &Path, api: &Api, accept: &[String], progress: Progress<'_>) -> Result<ShapePlan, ShapeError> {
    let plan = begin(path, api, accept, progress)?;
    filling::complete(path, &connection::open(path)?, api, progress)?;
    Ok(plan)
}

/// Makes columns, words and indexes of every row again, from its document. What is right already is not written.
pub fn reindex(path: &Path, api: &Api, progress: Progress<'_>) -> Result<(), ShapeError> {
    apply(path, api, &[], progress)?;
    let connection = connection::open(path)?;
    for resource in &api.resources {
        let rows = rows_in(&connection, &resource.name)?;
        let transaction = immediate(&connection)?;
        if resource.is_searchable() {
            filling::begin_words(&transaction, &resource.name)?;
        }
        let indexes = statement::indexes(DIALECT, resource).into_iter().map(|index| index.name).collect();
        let shape = Shape {
            work: Some(Work::again(resource, indexes, rows)),
            version: Some(Passages::of(api).newest()),
            ..Shape::of(resource)
        };
        filling::write(&transaction, &resource.name, &shape)?;
        transaction.commit().map_err(store_error)?;
    }
    Ok(filling::complete(path, &connection, api, progress)?)
}

/// What a declaration means for this file.
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

fn survey(connection: &Connection, api: &Api, progress: Progress<'_>) -> Result<Found, StoreError> {
    let catalogue = catalogue(connection)?;
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
            let losses = look(connection, &difference, &passage, progress)?;
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
            let rows = rows_in(connection, &resource.name)?;
            if rows > 0 {
                found.plan.add_foreign(&resource.name, version, rows);
            }
        }
    }
    let is_former = |name: &String| found.passages.iter().any(|(_, passage)| passage.former.as_ref() == Some(name));
    let gone: Vec<String> =
        catalogue.keys().filter(|name| api.resource(name).is_none() && !is_former(name)).cloned().collect();
    for resource in &gone {
        found.plan.add_vanished(resource, rows_in(connection, resource)?);
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

fn look(
    connection: &Connection,
    difference: &Difference,
    passage: &Passage,
    progress: Progress<'_>,
) -> Result<Vec<Loss>, StoreError> {
    let mut survey = Survey::new(difference);
    if survey.has_questions() {
        let of = passage.former.as_ref().unwrap_or(&difference.resource.name);
        let (total, mut seen) = (rows_in(connection, of)?, 0);
        let mut statement =
            connection.prepare(&format!("SELECT document FROM \"{}\"", table(of))).map_err(store_error)?;
        let mut rows = statement.query([]).map_err(store_error)?;
        while let Some(row) = rows.next().map_err(store_error)? {
            let document = row.get_ref(0).and_then(|text| Ok(text.as_str()?)).map_err(store_error)?;
            let (document, untold) = passage.take(&difference.resource, object(document)?);
            survey.look(&document);
            survey.note(untold);
            seen += 1;
            if seen % BATCH as u64 == 0 {
                progress(seen, total, &format!("a look at {of}"));
            }
        }
    }
    Ok(survey.losses())
}

/// What was applied; nothing in a file that has no such table yet.
pub(super) fn catalogue(connection: &Connection) -> Result<Catalogue, StoreError> {
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

/// Goes from one shape of a resource to the next, and keeps what is left to do, in one transaction.
fn step(connection: &Connection, difference: &Difference, version: u32, has_losses: bool) -> Result<(), StoreError> {
    let of = &difference.resource;
    let transaction = immediate(connection)?;
    transaction.execute_batch(&statement::create_table(DIALECT, of)).map_err(store_error)?;
    let lost = reshape(&transaction, difference).map_err(store_error)?;
    sealing::seal(&transaction, of)?;
    let words = search_table(&of.name);
    let search =
        if of.is_searchable() { statement::create_search(&words) } else { format!("DROP TABLE IF EXISTS \"{words}\"") };
    transaction.execute_batch(&search).map_err(store_error)?;
    forget_words(&transaction, &of.name)?;
    let earlier = filling::entry(&transaction, &of.name)?.and_then(|shape| shape.work);
    let rows = rows_in(&transaction, &of.name)?;
    let work = Work::of(difference, has_losses, earlier.as_ref(), rows);
    let work = if lost.is_empty() { work } else { Some(work.unwrap_or(Work::of_indexes(rows)).without(lost)) };
    if work.as_ref().is_some_and(|work| work.words) {
        filling::begin_words(&transaction, &of.name)?;
    }
    if difference.is_new {
        for index in statement::indexes(DIALECT, of) {
            transaction.execute_batch(&index.create(&of.name, false)).map_err(store_error)?;
        }
    }
    filling::write(&transaction, &of.name, &Shape { work, version: Some(version), ..Shape::of(of) })?;
    transaction.commit().map_err(store_error)
}

/// Indexes that another release of this program made in another form are made anew, beside all else.
fn renew(connection: &Connection, of: &Resource) -> Result<(), StoreError> {
    let transaction = immediate(connection)?;
    let Some(mut shape) = filling::entry(&transaction, &of.name)?.filter(|shape| shape.work.is_none()) else {
        return Ok(());
    };
    if !filling::unmade(&transaction, of)?.is_empty() {
        shape.work = Some(Work::of_indexes(rows_in(&transaction, &of.name)?));
        filling::write(&transaction, &of.name, &shape)?;
    }
    transaction.commit().map_err(store_error)
}

/// Columns that go, and columns that come. Answers which fields have lost an index because a column went that it held too.
fn reshape(transaction: &Transaction<'_>, difference: &Difference) -> rusqlite::Result<Vec<String>> {
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
    let mut lost = Vec::new();
    for field in &difference.dropped {
        if has_column(transaction, of, field)? {
            for name in indexes_with(transaction, of, field)? {
                drop_index(name.clone())?;
                let columns = difference.resource.columns().iter();
                lost.extend(columns.map(|other| &other.field).find(|other| index(of, other) == name).cloned());
            }
            transaction.execute_batch(&statement::drop_column(of, field))?;
        }
    }
    for column in &difference.added {
        if !has_column(transaction, of, &column.field)? {
            transaction.execute_batch(&statement::add_column(DIALECT, of, column))?;
        }
    }
    Ok(lost)
}

/// The indexes that hold the column of a field.
fn indexes_with(connection: &Connection, of: &str, field: &str) -> rusqlite::Result<Vec<String>> {
    let select = "SELECT l.name FROM pragma_index_list(?1) AS l JOIN pragma_index_info(l.name) AS i WHERE i.name = ?2";
    let mut statement = connection.prepare(select)?;
    let names = statement.query_map(params![table(of), statement::column(field)], |row| row.get(0))?;
    names.collect()
}

fn has_column(connection: &Connection, of: &str, field: &str) -> rusqlite::Result<bool> {
    let select = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2";
    connection.prepare(select)?.exists(params![table(of), statement::column(field)])
}

pub(super) fn rows_in(connection: &Connection, resource: &str) -> Result<u64, StoreError> {
    let count = format!("SELECT count(*) FROM \"{}\"", table(resource));
    let rows: i64 = connection.query_row(&count, [], |row| row.get(0)).map_err(store_error)?;
    Ok(u64::try_from(rows).unwrap_or(0))
}

pub(super) fn immediate(connection: &Connection) -> Result<Transaction<'_>, StoreError> {
    Transaction::new_unchecked(connection, TransactionBehavior::Immediate).map_err(store_error)
}

fn in_turn(error: MigrationError) -> ShapeError {
    ShapeError::Unavailable(error.to_string())
}
