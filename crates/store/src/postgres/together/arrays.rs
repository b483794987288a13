//! A statement for one row as one for many: each of its values becomes an array.

use std::collections::HashMap;
use std::error::Error;

use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{ColumnKind, Resource};
use valetkey_resources::ports::Draft;

use crate::postgres::bound::Bound;
use crate::statement::{self, Statements};

/// Rows by their id, which is the first of their columns. They are committed: what cannot be read must not end the task that
/// has to tell everyone.
pub(super) fn by_id(rows: &[Row]) -> Result<HashMap<Uuid, &Row>, StoreError> {
    let id = |row: &Row| row.try_get(0).map_err(|error| StoreError::Failed(error.to_string()));
    rows.iter().map(|row| Ok((id(row)?, row))).collect()
}

/// What takes the place of single rows: `asked`, with the columns `v1`, `v2` and so on from arrays of these types.
pub(super) fn asked(kinds: &[&str]) -> String {
    let (mut arrays, mut names) = (Vec::new(), Vec::new());
    for (place, kind) in (1..).zip(kinds) {
        arrays.push(format!("${place}::{kind}[]"));
        names.push(format!("v{place}"));
    }
    format!("unnest({}) AS asked ({})", arrays.join(", "), names.join(", "))
}

/// A part of a statement with the columns of [`asked`] in place of its values.
pub(super) fn each(part: &str) -> String {
    part.replace('$', "asked.v")
}

/// The types of the cells of a resource, and of its words.
pub(super) fn kinds(of: &Resource, statements: &Statements) -> impl Iterator<Item = &'static str> {
    let cells = of.columns().iter().map(|column| match column.kind {
        ColumnKind::Integer | ColumnKind::Moment => "bigint",
        ColumnKind::Number => "double precision",
        ColumnKind::Text => "text",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Id => "uuid",
    });
    cells.chain(statements.is_searchable.then_some("text"))
}

/// May rows of this resource be written together? Not if the value of one can stand in the way of another: two nodes
/// might then wait for each other.
pub(super) fn can_be_together(of: &Resource) -> bool {
    !of.columns().iter().any(|column| column.unique)
}

/// The cells of drafts, column by column.
pub(super) fn columns<'a>(drafts: impl Iterator<Item = &'a Draft>) -> Vec<Vec<Bound>> {
    let mut columns: Vec<Vec<Bound>> = Vec::new();
    for draft in drafts {
        let cells = Bound::all(statement::stored(&draft.cells));
        columns.resize_with(cells.len(), Vec::new);
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
    }
    columns
}

/// A value of one row among those of others.
#[derive(Debug)]
pub(super) struct Single<'a>(&'a (dyn ToSql + Sync));

impl ToSql for Single<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        self.0.to_sql_checked(kind, out)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// The values of rows, column by column.
pub(super) fn turned<'a, R>(rows: impl Iterator<Item = R>) -> Vec<Vec<Single<'a>>>
where
    R: IntoIterator<Item = &'a (dyn ToSql + Sync)>,
{
    let mut columns: Vec<Vec<Single<'a>>> = Vec::new();
    for row in rows {
        for (place, value) in row.into_iter().enumerate() {
            if columns.len() <= place {
                columns.push(Vec::new());
            }
            columns[place].push(Single(value));
        }
    }
    columns
}
