//! Which tables there are, how their rows are ordered, and which of them point at others. The list of the tables that
//! every store has stands here once; a test compares it with what the migrations make.

use serde::{Deserialize, Serialize};
use valetkey_oauth::ports::StoreError;

use super::{Row, TransferError, Value};
use crate::document::object;
use crate::shape::Shape;
use crate::statement::{Layout, is_declarable, table as name_of};

/// A table that every store has.
pub(crate) struct Fixed {
    pub(crate) name: &'static str,
    /// What orders its rows, alike on both engines: bytes, never the words of a language.
    pub(crate) key: &'static [&'static str],
    /// The table that must be filled before.
    pub(crate) parent: Option<&'static str>,
}

const fn fixed(name: &'static str, key: &'static [&'static str]) -> Fixed {
    Fixed { name, key, parent: None }
}

const fn below(parent: &'static str, name: &'static str, key: &'static [&'static str]) -> Fixed {
    Fixed { name, key, parent: Some(parent) }
}

/// Every table that migrations make, parents first.
pub(crate) const TABLES: [Fixed; 21] = [
    fixed("clients", &["id"]),
    below("clients", "client_secrets", &["client_id", "digest"]),
    below("clients", "client_origins", &["origin", "client_id"]),
    fixed("users", &["id"]),
    below("users", "upstream_links", &["issuer", "subject"]),
    fixed("upstream_answers", &["digest"]),
    fixed("sign_ins", &["id"]),
    below("clients", "consents", &["subject", "client_id"]),
    below("clients", "devices", &["id"]),
    fixed("sessions", &["id"]),
    fixed("answers", &["id"]),
    fixed("revocations", &["seq"]),
    fixed("keys", &["purpose", "generation"]),
    fixed("alerts", &["id"]),
    fixed("deliveries", &["id"]),
    fixed("api_keys", &["id"]),
    below("api_keys", "api_key_secrets", &["digest"]),
    fixed("api_tables", &["resource"]),
    fixed("kept_answers", &["client", "subject", "word"]),
    fixed("tasks", &["id"]),
    fixed("api_usage", &["day", "version", "client"]),
];

/// What a store holds, as far as it can be said before reading it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// The last migration that ran.
    pub schema: i64,
    /// In the order in which they are filled.
    pub tables: Vec<Table>,
}

/// One table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, without those that only one engine has.
    pub columns: Vec<String>,
    /// What was applied of the resource whose rows it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) resource: Option<Declared>,
    /// How many rows it had when this was written; for progress alone.
    #[serde(default)]
    pub rows: u64,
}

/// A resource of the declared API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) shape: Shape,
}

impl Inventory {
    /// All rows, for progress.
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// The same tables, whatever they hold?
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let bare = |table: &Table| Table { rows: 0, ..table.clone() };
        let here = self.tables.iter().map(bare);
        self.schema == other.schema && here.eq(other.tables.iter().map(bare))
    }

    /// Refuses names that no store of ours has: they become parts of statements.
    pub(crate) fn check(&self) -> Result<(), TransferError> {
        let strange = |name: &str| TransferError::Damaged(format!("it names `{}`", name.escape_default()));
        let mut seen = Vec::new();
        for table in &self.tables {
            if seen.contains(&&table.name) {
                return Err(strange(&table.name));
            }
            seen.push(&table.name);
            let is_sound = match &table.resource {
                None => {
                    TABLES.iter().any(|fixed| fixed.name == table.name)
                        && table.columns.iter().all(|name| is_plain(name))
                }
                Some(of) => of.is_sound() && table.name == name_of(&of.name) && of.has(&table.columns),
            };
            let is_keyed = table.key_names().iter().all(|key| table.columns.iter().any(|name| name == key));
            if !is_sound || !is_keyed {
                return Err(strange(&table.name));
            }
        }
        Ok(())
    }
}

impl Table {
    /// The columns that order its rows.
    pub(crate) fn key_names(&self) -> &'static [&'static str] {
        let fixed = TABLES.iter().find(|fixed| fixed.name == self.name);
        fixed.filter(|_| self.resource.is_none()).map_or(&["id"], |fixed| fixed.key)
    }

    /// Where they stand among its columns.
    pub(crate) fn key(&self) -> Vec<usize> {
        let place = |key: &&str| self.columns.iter().position(|name| name == key);
        self.key_names().iter().filter_map(place).collect()
    }

    /// The table that must be filled before.
    pub(crate) fn parent(&self) -> Option<&'static str> {
        TABLES.iter().find(|fixed| fixed.name == self.name).and_then(|fixed| fixed.parent)
    }

    /// The key of a row.
    pub(crate) fn key_of(&self, row: &Row) -> Row {
        self.key().into_iter().filter_map(|place| row.get(place).cloned()).collect()
    }

    /// A row as it is told to others: what was applied of a declaration, without what only one engine understands.
    pub(crate) fn moved(&self, mut row: Row) -> Result<Row, StoreError> {
        if self.name == "api_tables"
            && let Some(place) = self.columns.iter().position(|name| name == "shape")
            && let Some(Value::Text(shape)) = row.get_mut(place)
        {
            *shape = Shape::read(shape)?.moved().write()?;
        }
        Ok(row)
    }

    /// The words of a row, for a search that is in the table or beside it.
    pub(crate) fn words(&self, row: &Row) -> Result<Vec<String>, StoreError> {
        let place = self.columns.iter().position(|name| name == "document");
        match (&self.resource, place.and_then(|place| row.get(place))) {
            (Some(of), Some(Value::Text(document))) => Ok(of.shape.words(&object(document)?)),
            _ => Ok(Vec::new()),
        }
    }

    /// Is it searched?
    pub(crate) fn is_searchable(&self) -> bool {
        self.resource.as_ref().is_some_and(|of| of.layout().is_searchable)
    }

    /// Its columns as SQL.
    pub(crate) fn list(&self) -> String {
        self.columns.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
    }

    /// Is this column one of a declared field? PostgreSQL writes the zero byte in another way there.
    pub(crate) fn is_field(&self, place: usize) -> bool {
        self.resource.is_some() && self.columns.get(place).is_some_and(|name| name.starts_with("f_"))
    }
}

/// Columns that rows of every resource have.
const COMMON: [&str; 7] = ["id", "revision", "owner", "created_at", "updated_at", "task", "document"];

impl Declared {
    pub(crate) fn layout(&self) -> Layout {
        self.shape.layout(&self.name)
    }

    /// Is a value to become unique before anyone is served?
    pub(crate) fn is_strict(&self) -> bool {
        self.shape.work.as_ref().is_some_and(|work| work.is_strict)
    }

    /// Is the search being made anew?
    pub(crate) fn reads_words_again(&self) -> bool {
        self.shape.work.as_ref().is_some_and(|work| work.words)
    }

    fn is_sound(&self) -> bool {
        let is_path = |name: &str| name.split('.').all(is_declarable) && name.len() <= 200;
        is_declarable(&self.name) && self.shape.fields.iter().all(|field| is_path(&field.name))
    }

    /// Are these its columns: the common ones, those of its fields, and seals?
    fn has(&self, columns: &[String]) -> bool {
        let layout = self.layout();
        let is_known = |name: &String| is_common(name) || layout.has(name) || is_seal(name);
        columns.iter().all(is_known) && COMMON.iter().all(|name| columns.iter().any(|known| known == name))
    }
}

/// Do rows of every resource have this column?
pub(crate) fn is_common(name: &str) -> bool {
    COMMON.contains(&name)
}

/// Is this the name of a seal?
pub(crate) fn is_seal(name: &str) -> bool {
    let digits = |rest: &str| !rest.is_empty() && rest.len() <= 16 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.strip_prefix("v_").or_else(|| name.strip_prefix("w_")).is_some_and(digits)
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
