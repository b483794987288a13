//! Reading a backup. Nothing in it is trusted before its hash is right: lengths have bounds, names are compared.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use aws_lc_rs::digest::{Context, SHA256};
use serde::Deserialize;
use valetkey_oauth::model::{KeyPurpose, StoredKey};

use super::{END, FORMAT, Header, LONGEST_LINE, LONGEST_PIECE, MAGIC, PIECE, ROWS, TABLE, WHOLE};
use crate::moment::from_column;
use crate::transfer::digest::{Counting, Tally, fixed};
use crate::transfer::value::{Row, Value, decode};
use crate::transfer::{Inventory, Source, Table, TransferError};

/// A backup that is read from its beginning to its end.
pub struct ArchiveReader {
    path: PathBuf,
    header: Header,
    from: BufReader<File>,
    hash: Context,
    table: Option<(usize, Table, Counting)>,
    next: usize,
    told: Vec<Tally>,
}

/// A backup that is whole.
pub struct Verified {
    /// What it says of itself.
    pub header: Header,
    /// Each table with its tally.
    pub tables: Vec<(String, Tally)>,
    /// The keys in it, as the root key of its store has wrapped them.
    pub keys: Vec<StoredKey>,
}

impl ArchiveReader {
    /// Opens a file and reads what it says of itself.
    pub fn open(path: &Path) -> Result<Self, TransferError> {
        let failed = |error| TransferError::File { path: path.to_owned(), error };
        let mut from = BufReader::with_capacity(1 << 20, File::open(path).map_err(failed)?);
        let mut hash = Context::new(&SHA256);
        let first = line(&mut from, &mut hash, 64).map_err(|_| TransferError::NoBackup)?;
        let format = first.strip_prefix(MAGIC).and_then(|number| number.parse().ok()).ok_or(TransferError::NoBackup)?;
        if format != FORMAT {
            return Err(TransferError::NewerFormat(format));
        }
        let second = line(&mut from, &mut hash, LONGEST_LINE).map_err(|error| unreadable(path, error))?;
        // Both engines count alike. What a newer binary has added, nobody here can judge.
        #[derive(Deserialize)]
        struct Glance {
            inventory: Version,
        }
        #[derive(Deserialize)]
        struct Version {
            schema: i64,
        }
        let known = crate::sqlite::newest();
        match serde_json::from_str(&second) {
            Ok(Glance { inventory: Version { schema } }) if schema > known => {
                return Err(TransferError::Newer { found: schema, known });
            }
            _ => {}
        }
        let header: Header = serde_json::from_str(&second)
            .map_err(|error| TransferError::Damaged(format!("its second line is unreadable ({error})")))?;
        // Both are shown to people, and whoever wrote them may not be a friend of their terminal.
        if [&header.written_by, &header.engine].into_iter().any(|text| text.chars().any(char::is_control)) {
            return Err(TransferError::Damaged("its second line has characters that no version writes".to_owned()));
        }
        header.inventory.check()?;
        Ok(Self { path: path.to_owned(), header, from, hash, table: None, next: 0, told: Vec::new() })
    }

    /// What it says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads all of it; answers if it is whole, and only then.
    pub async fn verify(path: &Path) -> Result<Verified, TransferError> {
        let mut reader = Self::open(path)?;
        let mut keys = Vec::new();
        for table in reader.header.inventory.tables.clone() {
            reader.begin(&table, None).await?;
            loop {
                let rows = reader.next().await?;
                if rows.is_empty() {
                    break;
                }
                if table.name == "keys" {
                    for row in &rows {
                        keys.push(key(&table, row)?);
                    }
                }
            }
        }
        reader.end()?;
        let names = reader.header.inventory.tables.iter().map(|table| table.name.clone());
        Ok(Verified { tables: names.zip(reader.told).collect(), header: reader.header, keys })
    }

    /// The hash of the whole, and nothing behind it.
    pub(in crate::transfer) fn end(&mut self) -> Result<(), TransferError> {
        let hash = fixed(self.hash.clone().finish().as_ref());
        let (kind, bytes) = self.piece()?;
        if kind != WHOLE || bytes != hash {
            return Err(damaged("its hash is another one"));
        }
        match self.from.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => Err(damaged("something stands behind its end")),
            Err(error) => Err(unreadable(&self.path, error)),
        }
    }

    /// The tallies of the tables that were read so far.
    pub(in crate::transfer) fn told(&self) -> &[Tally] {
        &self.told
    }

    fn piece(&mut self) -> Result<(u8, Vec<u8>), TransferError> {
        let mut head = [0; 9];
        self.from.read_exact(&mut head).map_err(|error| unreadable(&self.path, error))?;
        let [kind, length @ ..] = head;
        let length = u64::from_le_bytes(length);
        if length > LONGEST_PIECE {
            return Err(damaged("a piece of it is too long"));
        }
        // Memory grows with what is there, not with what is said.
        let mut bytes = Vec::new();
        let read =
            (&mut self.from).take(length).read_to_end(&mut bytes).map_err(|error| unreadable(&self.path, error))?;
        if read as u64 != length {
            return Err(damaged("it ends early"));
        }
        self.hash.update(&head);
        self.hash.update(&bytes);
        Ok((kind, bytes))
    }
}

#[async_trait]
impl Source for ArchiveReader {
    async fn inventory(&mut self) -> Result<Inventory, TransferError> {
        Ok(self.header.inventory.clone())
    }

    /// Tables come in the order of the inventory, each from its beginning.
    async fn begin(&mut self, table: &Table, _: Option<Row>) -> Result<(), TransferError> {
        let (kind, bytes) = self.piece()?;
        if kind != TABLE || bytes != (self.next as u64).to_le_bytes() {
            return Err(damaged("its tables are in disorder"));
        }
        self.table = Some((table.columns.len(), table.clone(), Counting::new()));
        self.next += 1;
        Ok(())
    }

    async fn next(&mut self) -> Result<Vec<Row>, TransferError> {
        let Some((columns, table, mut counting)) = self.table.take() else { return Ok(Vec::new()) };
        let (kind, bytes) = self.piece()?;
        match kind {
            ROWS => {
                let (mut rest, mut rows) = (bytes.as_slice(), Vec::new());
                while !rest.is_empty() {
                    // A row of nothing takes a byte here and much more in memory: who writes ends a piece in time.
                    if bytes.len() - rest.len() >= PIECE {
                        return Err(damaged("a piece of it holds too many rows"));
                    }
                    rows.push(decode(columns, &mut rest)?);
                }
                counting.add(&rows);
                self.table = Some((columns, table, counting));
                Ok(rows)
            }
            END => {
                let tally = counting.end();
                if bytes != [tally.rows.to_le_bytes().as_slice(), &tally.hash].concat() {
                    return Err(damaged(&format!("the table `{}` is not as it was", table.name)));
                }
                self.told.push(tally);
                Ok(Vec::new())
            }
            _ => Err(damaged("a piece of it has no kind that is known")),
        }
    }
}

fn key(table: &Table, row: &Row) -> Result<StoredKey, TransferError> {
    let value = |name: &str| table.columns.iter().position(|column| column == name).and_then(|place| row.get(place));
    let text = |name: &str| match value(name) {
        Some(Value::Text(text)) => Ok(text.clone()),
        _ => Err(damaged("a key in it is unreadable")),
    };
    let number = |name: &str| match value(name) {
        Some(Value::Integer(number)) => Ok(*number),
        _ => Err(damaged("a key in it is unreadable")),
    };
    let Some(Value::Bytes(wrapped)) = value("wrapped") else { return Err(damaged("a key in it is unreadable")) };
    Ok(StoredKey {
        purpose: KeyPurpose::parse(&text("purpose")?).ok_or_else(|| damaged("a key in it has no purpose"))?,
        generation: u32::try_from(number("generation")?).map_err(|_| damaged("a key in it is unreadable"))?,
        id: text("id")?,
        created_at: from_column(number("created_at")?)?,
        active_from: from_column(number("active_from")?)?,
        wrapped: wrapped.clone(),
    })
}

fn line(from: &mut impl BufRead, hash: &mut Context, longest: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(longest).read_until(b'\n', &mut bytes)?;
    hash.update(&bytes);
    let text = String::from_utf8(bytes).map_err(|_| io::Error::from(ErrorKind::InvalidData))?;
    text.strip_suffix('\n').map(str::to_owned).ok_or_else(|| ErrorKind::UnexpectedEof.into())
}

fn unreadable(path: &Path, error: io::Error) -> TransferError {
    match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData => damaged("it ends early"),
        _ => TransferError::File { path: path.to_owned(), error },
    }
}

fn damaged(why: &str) -> TransferError {
    TransferError::Damaged(why.to_owned())
}
