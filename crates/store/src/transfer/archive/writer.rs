//! Writing a backup: under another name until it is complete, closed to others from the first byte.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{Context, SHA256};

use super::drafts;
use super::{END, FORMAT, Header, MAGIC, PIECE, ROWS, TABLE, WHOLE};
use crate::transfer::TransferError;
use crate::transfer::digest::Tally;
use crate::transfer::value::{Row, encode};

/// A backup that is being written. Dropping it unfinished removes it.
pub(in crate::transfer) struct ArchiveWriter {
    out: BufWriter<File>,
    hash: Context,
    draft: PathBuf,
    path: PathBuf,
    piece: Vec<u8>,
}

impl ArchiveWriter {
    /// Begins a file that will have this name.
    pub(in crate::transfer) fn create(path: &Path, header: &Header) -> Result<Self, TransferError> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!("{}{}", drafts::MARK, std::process::id()));
        let draft = path.with_file_name(name);
        let failed = |error| TransferError::File { path: draft.clone(), error };
        drafts::remove_deserted(path);
        // One of that name is what is left of a process that was killed. A new file, never one that someone put there.
        match fs::remove_file(&draft) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let file =
            OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&draft).map_err(failed)?;
        // As long as it is held, nobody takes it for what a killed process has left. A disk without locks has to do.
        let _ = file.try_lock();
        let (hash, out) = (Context::new(&SHA256), BufWriter::with_capacity(1 << 20, file));
        let mut writer = Self { out, hash, draft, path: path.to_owned(), piece: Vec::new() };
        let header = serde_json::to_string(header).map_err(|error| TransferError::Damaged(error.to_string()))?;
        writer.put(format!("{MAGIC}{FORMAT}\n{header}\n").as_bytes())?;
        Ok(writer)
    }

    pub(in crate::transfer) fn begin_table(&mut self, place: usize) -> Result<(), TransferError> {
        self.piece_of(TABLE, &(place as u64).to_le_bytes())
    }

    pub(in crate::transfer) fn rows(&mut self, rows: &[Row]) -> Result<(), TransferError> {
        for row in rows {
            encode(row, &mut self.piece);
            if self.piece.len() >= PIECE {
                self.flush_rows()?;
            }
        }
        Ok(())
    }

    pub(in crate::transfer) fn end_table(&mut self, tally: &Tally) -> Result<(), TransferError> {
        self.flush_rows()?;
        let mut end = tally.rows.to_le_bytes().to_vec();
        end.extend(tally.hash);
        self.piece_of(END, &end)
    }

    /// All rows are there. The file is on disk when this answers, and still under its other name.
    pub(in crate::transfer) fn finish(&mut self) -> Result<(), TransferError> {
        let hash = self.hash.clone().finish();
        self.piece_of(WHOLE, hash.as_ref())?;
        self.out.flush().and_then(|()| self.out.get_ref().sync_all()).map_err(|error| self.failed(error))
    }

    /// Where it is until it gets its name.
    pub(in crate::transfer) fn draft(&self) -> &Path {
        &self.draft
    }

    /// Gives the file its name. Without `replace`, a file that has it already stays.
    pub(in crate::transfer) fn publish(self, replace: bool) -> Result<(), TransferError> {
        let failed = |error| TransferError::File { path: self.path.clone(), error };
        let named = if replace { fs::rename(&self.draft, &self.path) } else { self.name_anew() };
        named.map_err(failed)?;
        sync_folder(&self.path).map_err(failed)
    }

    fn name_anew(&self) -> io::Result<()> {
        match fs::hard_link(&self.draft, &self.path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists && !self.path.exists() => {
                // A disk without links, such as a stick.
                fs::rename(&self.draft, &self.path)
            }
            linked => linked,
        }
    }

    fn flush_rows(&mut self) -> Result<(), TransferError> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let mut piece = std::mem::take(&mut self.piece);
        self.piece_of(ROWS, &piece)?;
        piece.clear();
        self.piece = piece;
        Ok(())
    }

    fn piece_of(&mut self, kind: u8, bytes: &[u8]) -> Result<(), TransferError> {
        let mut head = vec![kind];
        head.extend((bytes.len() as u64).to_le_bytes());
        self.put(&head)?;
        self.put(bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), TransferError> {
        self.hash.update(bytes);
        self.out.write_all(bytes).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> TransferError {
        TransferError::File { path: self.path.clone(), error }
    }
}

impl Drop for ArchiveWriter {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.draft);
    }
}

/// A name is on disk once its folder is.
pub(crate) fn sync_folder(of: &Path) -> io::Result<()> {
    let folder = of.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
