//! Backups that were never finished: whoever is killed cannot tidy up, so the next one does.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::MAGIC;

/// Stands between the name that a backup will have and the process that writes it.
pub(super) const MARK: &str = ".part-";

/// Removes what killed processes have left in the folder of this file: begun by us, and held by nobody.
pub(super) fn remove_deserted(beside: &Path) {
    let folder = beside.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_draft(&entry.file_name()) && is_deserted(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_draft(name: &OsStr) -> bool {
    let process = name.to_str().and_then(|name| name.rsplit_once(MARK)).map(|(_, process)| process);
    process.is_some_and(|process| !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_deserted(draft: &Path) -> bool {
    let Ok(mut file) = File::open(draft) else { return false };
    let mut first = [0; MAGIC.len()];
    file.try_lock().is_ok() && file.read_exact(&mut first).is_ok() && first == *MAGIC.as_bytes()
}
