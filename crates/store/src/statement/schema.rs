//! Tables, columns and indexes of a declared resource. Nothing here is a value of a caller.

use std::collections::BTreeMap;

use valetkey_resources::model::{Column, ColumnKind, Ownership, Resource};

use super::{Dialect, column, index, owner_index, search_index, table, unique_index};

/// An index that a declaration asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Index {
    /// Its name.
    pub(crate) name: String,
    /// The field that no two rows have the same value of.
    pub(crate) unique: Option<String>,
    /// What the table is indexed by, as SQL.
    by: String,
}

impl Index {
    /// The statement that makes it. `concurrently`: beside others who write (PostgreSQL, outside of a transaction).
    pub(crate) fn create(&self, resource: &str, concurrently: bool) -> String {
        let unique = if self.unique.is_some() { "UNIQUE " } else { "" };
        let beside = if concurrently { "CONCURRENTLY " } else { "" };
        format!("CREATE {unique}INDEX {beside}IF NOT EXISTS \"{}\" ON \"{}\" {}", self.name, table(resource), self.by)
    }

    /// Is this, as SQLite keeps it, the statement that made it?
    pub(crate) fn is_made_by(&self, sql: &str) -> bool {
        sql.ends_with(&self.by)
    }
}

/// All of a resource that its table and its indexes follow from.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) is_owned: bool,
    pub(crate) is_searchable: bool,
    /// What the index of an order holds besides, by the field that is sorted. A store that was filled without it makes such an
    /// index anew when it is next served.
    pub(crate) beside: BTreeMap<String, Vec<String>>,
}

impl Layout {
    fn of(resource: &Resource) -> Self {
        Self {
            name: resource.name.clone(),
            columns: resource.columns().to_vec(),
            is_owned: resource.ownership == Ownership::Own,
            is_searchable: resource.is_searchable(),
            beside: resource.columns().iter().map(|on| (on.field.clone(), beside(resource, on))).collect(),
        }
    }

    /// Is this the column of one of its fields?
    pub(crate) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|of| column(&of.field) == name)
    }
}

/// The table of a resource.
pub(crate) fn create_table(dialect: Dialect, of: &Resource) -> String {
    create_laid_out(dialect, &Layout::of(of))
}

/// A table with this layout.
pub(crate) fn create_laid_out(dialect: Dialect, of: &Layout) -> String {
    let columns: String = of.columns.iter().map(|column| format!(", {}", declared(dialect, column))).collect();
    let name = table(&of.name);
    match dialect {
        Dialect::Sqlite => format!(
            "CREATE TABLE IF NOT EXISTS \"{name}\" (seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, \
             revision INTEGER NOT NULL, owner TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, \
             task BLOB, document TEXT NOT NULL{columns}) STRICT"
        ),
        // A tenth of each page is free for new versions of its rows.
        Dialect::Postgres => {
            let words = if of.is_searchable { ", search tsvector" } else { "" };
            format!(
                "CREATE TABLE IF NOT EXISTS \"{name}\" (id uuid PRIMARY KEY, revision bigint NOT NULL, \
                 owner text COLLATE \"C\", created_at bigint NOT NULL, updated_at bigint NOT NULL, task uuid, \
                 document text NOT NULL{columns}{words}) WITH (fillfactor = 90)"
            )
        }
    }
}

/// A full-text table beside it (SQLite). The words come in lower case with spaces between them: there is nothing left to
/// take apart but at spaces, and `ascii` leaves everything beyond ASCII alone.
pub(crate) fn create_search(name: &str) -> String {
    format!(
        "CREATE VIRTUAL TABLE IF NOT EXISTS \"{name}\" USING fts5(words, content='', contentless_delete=1, tokenize='ascii')"
    )
}

/// A column more.
pub(crate) fn add_column(dialect: Dialect, of: &str, added: &Column) -> String {
    let unless = if dialect == Dialect::Postgres { "IF NOT EXISTS " } else { "" };
    format!("ALTER TABLE \"{}\" ADD COLUMN {unless}{}", table(of), declared(dialect, added))
}

/// A column less.
pub(crate) fn drop_column(of: &str, field: &str) -> String {
    format!("ALTER TABLE \"{}\" DROP COLUMN \"{}\"", table(of), column(field))
}

/// Every index that a resource has.
pub(crate) fn indexes(dialect: Dialect, of: &Resource) -> Vec<Index> {
    indexes_laid_out(dialect, &Layout::of(of))
}

/// Every index of a table with this layout.
pub(crate) fn indexes_laid_out(dialect: Dialect, of: &Layout) -> Vec<Index> {
    let mut found = Vec::new();
    for column in &of.columns {
        found.extend(index_columns(dialect, of, column));
    }
    if of.is_owned {
        found.push(Index { name: owner_index(&of.name), by: OWNED.to_owned(), unique: None });
    }
    if of.is_searchable && dialect == Dialect::Postgres {
        found.push(Index { name: search_index(&of.name), by: GIN.to_owned(), unique: None });
    }
    found
}

/// Rows of an owner. Those that a client made in its own name have none, and nobody asks for them by that.
const OWNED: &str = "(owner, id) WHERE owner IS NOT NULL";

/// How words are found. New ones wait in a list that each search reads; it is kept short, as the longest search pays for it.
const GIN: &str = "USING gin (search) WITH (gin_pending_list_limit = 64)";

/// The indexes of one column. Nothing comes before anything, on both engines; PostgreSQL has to be told.
fn index_columns(dialect: Dialect, of: &Layout, on: &Column) -> Vec<Index> {
    let name = column(&on.field);
    let nulls = if dialect == Dialect::Postgres { " NULLS FIRST" } else { "" };
    let mut found = Vec::new();
    if on.unique {
        let unique = Some(on.field.clone());
        found.push(Index { name: unique_index(&of.name, &on.field), by: format!("(\"{name}\")"), unique });
    }
    if on.indexed {
        let beside = of.beside.get(&on.field).filter(|_| dialect == Dialect::Sqlite);
        let beside: String = beside.into_iter().flatten().map(|name| format!(", \"{name}\"")).collect();
        let by = format!("(\"{name}\"{nulls}, id{beside})");
        found.push(Index { name: index(&of.name, &on.field), by, unique: None });
    }
    found
}

/// The columns that the index of an order holds besides: those with few values. Whoever filters by one of them finds much
/// and goes along the order; SQLite then looks up only the rows that it wants. PostgreSQL looks each row up all the same.
fn beside(of: &Resource, on: &Column) -> Vec<String> {
    if !of.key(&on.field).is_some_and(|field| field.sort) {
        return Vec::new();
    }
    let has_few = |other: &&Column| {
        let field = of.key(&other.field).filter(|field| field.filter && other.field != on.field);
        field.is_some_and(|field| other.kind == ColumnKind::Boolean || field.schema.get("enum").is_some())
    };
    of.columns().iter().filter(has_few).map(|other| column(&other.field)).collect()
}

fn declared(dialect: Dialect, of: &Column) -> String {
    let kind = match (dialect, of.kind) {
        (Dialect::Sqlite, ColumnKind::Integer | ColumnKind::Moment | ColumnKind::Boolean) => "INTEGER",
        (Dialect::Sqlite, ColumnKind::Number) => "REAL",
        (Dialect::Sqlite, ColumnKind::Text) => "TEXT",
        (Dialect::Sqlite, ColumnKind::Id) => "BLOB",
        (Dialect::Postgres, ColumnKind::Integer | ColumnKind::Moment) => "bigint",
        (Dialect::Postgres, ColumnKind::Number) => "double precision",
        (Dialect::Postgres, ColumnKind::Text) => "text COLLATE \"C\"",
        (Dialect::Postgres, ColumnKind::Boolean) => "boolean",
        (Dialect::Postgres, ColumnKind::Id) => "uuid",
    };
    format!("\"{}\" {kind}", column(&of.field))
}
