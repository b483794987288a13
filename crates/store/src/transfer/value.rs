//! One value of one row, the same whichever engine it comes from: SQLite's five kinds. Identifiers are 16 bytes, and truth
//! is 0 or 1. Knows how it is written down, and nothing of tables.

use super::TransferError;

/// What stands in one column of one row. It has no `Debug`: it may be the hash of a password.
#[derive(Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A whole number, a moment, or truth.
    Integer(i64),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// Bytes, or an identifier.
    Bytes(Vec<u8>),
}

/// One row, in the order of the columns of its table.
pub type Row = Vec<Value>;

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const NUMBER: u8 = 2;
const TEXT: u8 = 3;
const BYTES: u8 = 4;

impl Value {
    /// Writes it down so that no two values look alike.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.push(NULL),
            Self::Integer(number) => {
                out.push(INTEGER);
                out.extend(number.to_le_bytes());
            }
            Self::Number(number) => {
                out.push(NUMBER);
                out.extend(number.to_bits().to_le_bytes());
            }
            Self::Text(text) => piece(TEXT, text.as_bytes(), out),
            Self::Bytes(bytes) => piece(BYTES, bytes, out),
        }
    }

    /// Reads one, and leaves the rest.
    pub(crate) fn decode(from: &mut &[u8]) -> Result<Self, TransferError> {
        let [kind] = take::<1>(from)?;
        Ok(match kind {
            NULL => Self::Null,
            INTEGER => Self::Integer(i64::from_le_bytes(take(from)?)),
            NUMBER => Self::Number(f64::from_bits(u64::from_le_bytes(take(from)?))),
            TEXT => Self::Text(String::from_utf8(cut(from)?.to_vec()).map_err(|_| broken("a text is not UTF-8"))?),
            BYTES => Self::Bytes(cut(from)?.to_vec()),
            _ => return Err(broken("a value has no kind that is known")),
        })
    }

    /// About how much memory it takes.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Self::Null | Self::Integer(_) | Self::Number(_) => 16,
            Self::Text(text) => 16 + text.len(),
            Self::Bytes(bytes) => 16 + bytes.len(),
        }
    }
}

/// Writes a row down.
pub(crate) fn encode(row: &[Value], out: &mut Vec<u8>) {
    row.iter().for_each(|value| value.encode(out));
}

/// Reads a row of so many columns.
pub(crate) fn decode(columns: usize, from: &mut &[u8]) -> Result<Row, TransferError> {
    (0..columns).map(|_| Value::decode(from)).collect()
}

fn piece(kind: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(kind);
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
}

fn take<const N: usize>(from: &mut &[u8]) -> Result<[u8; N], TransferError> {
    let (taken, rest) = from.split_first_chunk::<N>().ok_or_else(|| broken("a row ends early"))?;
    *from = rest;
    Ok(*taken)
}

fn cut<'a>(from: &mut &'a [u8]) -> Result<&'a [u8], TransferError> {
    let length = usize::try_from(u64::from_le_bytes(take(from)?)).map_err(|_| broken("a value is too long"))?;
    let (taken, rest) = from.split_at_checked(length).ok_or_else(|| broken("a value ends early"))?;
    *from = rest;
    Ok(taken)
}

fn broken(why: &str) -> TransferError {
    TransferError::Damaged(why.to_owned())
}

#[cfg(test)]
mod tests;
