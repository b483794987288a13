//! What is asked for a stretch of a list.

use std::sync::Arc;

use rusqlite::types::Value as Plain;
use sea_query::{SelectStatement, Values};
use valetkey_oauth::ports::StoreError;

use crate::sqlite::bound::parameters;
use crate::statement::{Dialect, List, Path, Span};

/// A statement and its parameters.
pub(super) type Rendered = (Arc<str>, Vec<Plain>);

/// A statement as text, along this index. The table is named last where rows are chosen.
pub(super) fn render(list: &List<'_>, select: &SelectStatement, index: Option<&str>) -> Result<Rendered, StoreError> {
    let (mut sql, values) = Dialect::Sqlite.render(select);
    let from = format!("FROM \"{}\"", list.table());
    if let (Some(index), Some(at)) = (index, sql.rfind(&from)) {
        let along = if index.is_empty() { " NOT INDEXED".to_owned() } else { format!(" INDEXED BY \"{index}\"") };
        sql.insert_str(at + from.len(), &along);
    }
    Ok((sql.into(), parameters(values)?))
}

/// The statement that reads a stretch, with its values. Its text is written once for all lists that look alike, if the values
/// are then found where they belong.
pub(super) fn written(list: &List<'_>, span: &Span, path: &Path, limit: u64) -> Result<Rendered, StoreError> {
    let values = || list.values(span, path.access, limit).map(|values| parameters(Values(values))).transpose();
    if let Some(Some(sql)) = path.text.get()
        && let Some(values) = values()?
    {
        return Ok((sql.clone(), values));
    }
    let (sql, bound) = render(list, &list.rows(span, path.access, limit)?, path.along())?;
    if path.text.get().is_none() {
        let is_same = values()?.is_some_and(|values| values == bound);
        let _ = path.text.set(is_same.then(|| sql.clone()));
    }
    Ok((sql, bound))
}

#[cfg(test)]
mod tests;
