//! Statements on one row, written once for each resource: the text is all that changes from resource to resource.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use sea_query::{Alias, Expr, ExprTrait, IntoIden, Query, Value};
use valetkey_resources::model::{Cell, Ownership, Resource};

use super::seal::{Seal, holds};
use super::{Dialect, Several, column, search_table, table, value};
use crate::backlog::Backlog;

/// What a row is read with, in the order that both engines read it in.
const COLUMNS: [&str; 7] = ["id", "revision", "owner", "created_at", "updated_at", "task", "document"];

/// The statements of one resource.
pub(crate) struct Statements {
    /// The declaration they were written for.
    layout: Arc<[u8]>,
    ownership: Ownership,
    stored_as: u32,
    /// Does it have words to search for?
    pub(crate) is_searchable: bool,
    /// The row with an id.
    pub(crate) find: String,
    /// Values: id, revision, owner, created_at, updated_at, document, the cells, the words (PostgreSQL, if searchable).
    pub(crate) insert: String,
    /// The same for several rows (SQLite).
    pub(crate) insert_all: Several,
    /// Values: revision, updated_at, task, document, the cells, the words (PostgreSQL, if searchable), id.
    pub(crate) update: String,
    /// The same for some of the cells, before and after them. Values: revision, updated_at, task, document, those cells, id.
    some: (String, String),
    /// How a cell is set.
    sets: Vec<String>,
    /// Values: revision, updated_at, task, id.
    pub(crate) touch: String,
    /// Values: id.
    pub(crate) delete: String,
    /// The same for several rows (PostgreSQL). Values: their ids.
    pub(crate) delete_all: String,
    /// The number of the row with an id (SQLite).
    pub(crate) number: String,
    /// Words in the place of those that a row had (SQLite). Values: its number, the words.
    pub(crate) words: String,
    /// Words of a row that had none (SQLite). Values: its number, the words.
    pub(crate) first_words: String,
    /// The number of the last row that has words (SQLite).
    pub(crate) last_words: String,
    /// Is there a row beyond that one (SQLite)?
    pub(crate) waits: String,
    /// Numbers and documents between two numbers (SQLite).
    pub(crate) between: String,
    /// Rows that wait for their words (SQLite).
    pub(crate) backlog: Backlog,
}

impl Statements {
    fn of(resource: &Resource, dialect: Dialect) -> Self {
        let from = Alias::new(table(&resource.name));
        let is_searchable = resource.is_searchable();
        let nothing = || Expr::val(Value::BigInt(None));
        let cells: Vec<_> = resource
            .columns()
            .iter()
            .map(|of| (Alias::new(column(&of.field)), Expr::val(value(&Cell::Null, of.kind))))
            .collect();
        let words = (is_searchable && dialect == Dialect::Postgres)
            .then(|| (Alias::new("search"), nothing().cast_as("text").cast_as("tsvector")));
        let seal = Seal::of(resource);
        let with_id = |seal: &str| Expr::col("id").eq(nothing()).and(holds(resource, seal));

        let first = ["id", "revision", "owner", "created_at", "updated_at", "document"];
        let first = first.map(|name| (Alias::new(name), nothing()));
        let sealed = [(Alias::new(&seal.write), Expr::cust("NULL"))];
        let (names, values): (Vec<_>, Vec<_>) =
            first.into_iter().chain(cells.iter().cloned()).chain(words.clone()).chain(sealed).unzip();
        let mut insert = Query::insert();
        insert.into_table(from.clone()).columns(names).values_panic(values);

        let first = ["revision", "updated_at", "task"].map(|name| (Alias::new(name), nothing()));
        let document = [(Alias::new("document"), nothing())];
        let mut touch = Query::update();
        touch.table(from.clone()).values(first.clone()).and_where(with_id(&seal.write));
        let mut update = Query::update();
        let all = first.clone().into_iter().chain(document.clone()).chain(cells).chain(words);
        update.table(from.clone()).values(all).and_where(with_id(&seal.write));
        let mut none = Query::update();
        none.table(from.clone()).values(first.into_iter().chain(document)).and_where(with_id(&seal.write));
        let none = dialect.render(&none).0;
        let some = none.split_once(" WHERE ").unwrap_or((&none, ""));

        let mut find = Query::select();
        find.columns(COLUMNS.map(|name| Alias::new(name).into_iden()))
            .from(from.clone())
            .and_where(with_id(&seal.read));
        let mut delete = Query::delete();
        delete.from_table(from).and_where(with_id(&seal.write));
        let delete = dialect.render(&delete).0;
        let searched = search_table(&resource.name);
        let insert = dialect.render(&insert).0;
        Self {
            layout: resource.layout().clone(),
            ownership: resource.ownership,
            stored_as: resource.stored_as,
            is_searchable,
            find: dialect.render(&find).0,
            insert_all: if dialect == Dialect::Sqlite { Several::of(&insert) } else { Several::default() },
            insert,
            update: dialect.render(&update).0,
            some: (some.0.to_owned(), format!(" WHERE {}", some.1)),
            sets: resource.columns().iter().map(|of| format!(", \"{}\" = ?", column(&of.field))).collect(),
            touch: dialect.render(&touch).0,
            delete_all: delete.replacen(" = $1", " = ANY($1)", 1),
            delete,
            number: format!("SELECT seq FROM \"{}\" WHERE id = ?1", table(&resource.name)),
            words: format!("INSERT OR REPLACE INTO \"{searched}\" (rowid, words) VALUES (?1, ?2)"),
            first_words: format!("INSERT INTO \"{searched}\" (rowid, words) VALUES (?1, ?2)"),
            // FTS5 has a row there for each that it knows.
            last_words: format!("SELECT max(id) FROM \"{searched}_docsize\""),
            waits: format!(
                "SELECT coalesce((SELECT max(seq) FROM \"{0}\") > (SELECT max(id) FROM \"{searched}_docsize\"), \
                 EXISTS (SELECT 1 FROM \"{0}\"))",
                table(&resource.name)
            ),
            between: format!(
                "SELECT seq, document, \"{}\" FROM \"{}\" WHERE seq > ?1 AND seq < ?2 ORDER BY seq",
                seal.read,
                table(&resource.name)
            ),
            backlog: Backlog::default(),
        }
    }
}

impl Statements {
    /// Were they written for this declaration?
    fn are_for(&self, resource: &Resource) -> bool {
        let has_layout = Arc::ptr_eq(&self.layout, resource.layout()) || self.layout == *resource.layout();
        has_layout && (self.ownership, self.stored_as) == (resource.ownership, resource.stored_as)
    }

    /// What writes a row but for these cells, which it has already (SQLite).
    pub(crate) fn update_but(&self, same: &[bool]) -> String {
        let (before, after) = &self.some;
        let sets = self.sets.iter().zip(same).filter(|(_, same)| !**same).map(|(set, _)| set.as_str());
        [before.as_str()].into_iter().chain(sets).chain([after.as_str()]).collect()
    }
}

/// The statements of every resource that was asked for.
pub(crate) struct Book {
    dialect: Dialect,
    pages: RwLock<HashMap<String, Arc<Statements>>>,
}

impl Book {
    /// An empty one.
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self { dialect, pages: RwLock::default() }
    }

    /// The statements of a resource, written when it is first asked for, and anew if it was declared anew.
    pub(crate) fn of(&self, resource: &Resource) -> Arc<Statements> {
        let pages = self.pages.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = pages.get(&resource.name)
            && page.are_for(resource)
        {
            return page.clone();
        }
        drop(pages);
        let page = Arc::new(Statements::of(resource, self.dialect));
        self.pages.write().unwrap_or_else(PoisonError::into_inner).insert(resource.name.clone(), page.clone());
        page
    }
}
