//! Rows on their way into PostgreSQL: as lines of its COPY.

use std::fmt::Write;

use tokio_postgres::types::Type;

use super::super::bound::without_zero;
use crate::statement::vector;
use crate::transfer::{Row, Table, TransferError, Value, hex};

/// One line for each row, in the order of the table's columns, and its words behind them where it is searched.
pub(super) fn lines(table: &Table, known: &[(String, Type)], rows: &[Row]) -> Result<Vec<u8>, TransferError> {
    let kind =
        |name: &String| known.iter().find(|(column, _)| column == name).map_or(Type::UNKNOWN, |(_, kind)| kind.clone());
    let kinds: Vec<Type> = table.columns.iter().map(kind).collect();
    let is_searchable = table.is_searchable();
    let mut out = String::new();
    for row in rows {
        for (place, (value, kind)) in row.iter().zip(&kinds).enumerate() {
            if place > 0 {
                out.push('\t');
            }
            field(value, kind, table, place, &mut out)?;
        }
        if is_searchable {
            out.push('\t');
            escape(&vector(&table.words(row)?), &mut out);
        }
        out.push('\n');
    }
    Ok(out.into_bytes())
}

fn field(value: &Value, kind: &Type, table: &Table, place: usize, out: &mut String) -> Result<(), TransferError> {
    match value {
        Value::Null => out.push_str("\\N"),
        Value::Integer(number) if *kind == Type::BOOL => out.push(if *number == 0 { 'f' } else { 't' }),
        Value::Integer(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Number(number) => {
            let _ = write!(out, "{number:e}");
        }
        Value::Text(text) if table.is_field(place) => escape(&without_zero(text), out),
        Value::Text(text) if text.contains('\0') => {
            let column = table.columns.get(place).cloned().unwrap_or_default();
            return Err(TransferError::ZeroByte { table: table.name.clone(), column });
        }
        Value::Text(text) => escape(text, out),
        Value::Bytes(bytes) if *kind == Type::BYTEA => {
            out.push_str("\\\\x");
            out.push_str(&hex(bytes));
        }
        Value::Bytes(bytes) => out.push_str(&hex(bytes)),
    }
    Ok(())
}

fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
}
