//! From a store into a file.

use std::path::Path;

use jiff::Timestamp;

use super::archive::{ArchiveReader, ArchiveWriter, Header};
use super::digest::Counting;
use super::{Progress, Source, Tally, TransferError};

/// A backup that was written, read again, and found whole.
#[derive(Debug)]
pub struct Backup {
    /// The version of its tables.
    pub schema: i64,
    /// Each table with its tally.
    pub tables: Vec<(String, Tally)>,
    /// How large the file is.
    pub bytes: u64,
}

/// Writes all rows of a store into a file, as they are at one moment. The file gets its name once it was read again and
/// compared; a file that has the name already stays, unless it is to be replaced.
pub async fn back_up(
    source: &mut dyn Source,
    path: &Path,
    about: (&str, &str, Timestamp),
    replace: bool,
    progress: Progress<'_>,
) -> Result<Backup, TransferError> {
    let inventory = source.inventory().await?;
    let (engine, version, made_at) = about;
    let header =
        Header { made_at, written_by: version.to_owned(), engine: engine.to_owned(), inventory: inventory.clone() };
    let mut writer = ArchiveWriter::create(path, &header)?;
    let (mut done, total) = (0, inventory.rows());
    let mut tables = Vec::new();
    for (place, table) in inventory.tables.iter().enumerate() {
        let mut counting = Counting::new();
        writer.begin_table(place)?;
        source.begin(table, None).await?;
        loop {
            let rows = source.next().await?;
            if rows.is_empty() {
                break;
            }
            writer.rows(&rows)?;
            counting.add(&rows);
            done += rows.len() as u64;
            progress(done, total.max(done), &table.name);
        }
        let tally = counting.end();
        writer.end_table(&tally)?;
        tables.push((table.name.clone(), tally));
    }
    writer.finish()?;
    // A disk may take what it does not give back. Better to know now than on the day that it is needed.
    let verified = ArchiveReader::verify(writer.draft()).await?;
    if verified.tables != tables {
        return Err(TransferError::Damaged("what was written is not what is read".to_owned()));
    }
    let bytes =
        std::fs::metadata(writer.draft()).map_err(|error| TransferError::File { path: path.to_owned(), error })?.len();
    writer.publish(replace)?;
    Ok(Backup { schema: inventory.schema, tables, bytes })
}
