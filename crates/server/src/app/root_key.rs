//! Finding the root key: given in the settings, in a file, or made beside an embedded database at the first start.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use valetkey_oauth::keys::{KeyError, RootKey};
use valetkey_oauth::ports::Random;

use crate::config::{Config, Database, Finding};

/// Why there is no root key.
#[derive(Debug, thiserror::Error)]
pub enum RootKeyError {
    /// Many servers share the store, and none of their settings names it.
    #[error("{0}")]
    NotGiven(Finding),
    /// It must be somewhere, and is not made silently where many nodes share it.
    #[error(
        "the root key file {} does not exist. Put the key there that this store was made with, or set \
         VALETKEY_ROOT_KEY. A new store may get a new key: openssl rand -base64 32",
        .0.display()
    )]
    Missing(PathBuf),
    /// Others can read it.
    #[error("the root key file {0} can be read by others (mode {1:o}). Run: chmod 600 {0}")]
    Readable(String, u32),
    /// It is there, but is no key.
    #[error("the root key file {} holds no key: {error}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        error: KeyError,
    },
    /// The system refused.
    #[error("the root key file {} cannot be used: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// The root key of this deployment. `store_is_new` allows making one: an old store needs the key it was made with.
pub fn find(config: &Config, store_is_new: bool, random: &dyn Random) -> Result<RootKey, RootKeyError> {
    if let Some(key) = &config.root_key {
        return Ok(RootKey::from_bytes(*key.expose()));
    }
    expect(config)?;
    let path = config.root_key_path().unwrap_or_else(|| config.data.join("root.key"));
    if path.exists() {
        return read(&path);
    }
    match config.database_or_default() {
        Database::Sqlite(_) if store_is_new => make(&path, random),
        _ => Err(RootKeyError::Missing(path)),
    }
}

/// Refuses settings that name none where it must be named, before a store is touched.
pub fn expect(config: &Config) -> Result<(), RootKeyError> {
    config.check_shared_key().map_or(Ok(()), |finding| Err(RootKeyError::NotGiven(finding)))
}

/// Looks at the file of the key as a start does, and makes none.
pub fn check(config: &Config) -> Result<(), RootKeyError> {
    expect(config)?;
    match config.root_key_path() {
        Some(path) if path.exists() => read(&path).map(|_| ()),
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<RootKey, RootKeyError> {
    let failed = |error| RootKeyError::Io { path: path.to_owned(), error };
    let metadata = fs::metadata(path).map_err(failed)?;
    let mode = metadata.mode() & 0o777;
    if is_open(mode, metadata.uid()) {
        return Err(RootKeyError::Readable(path.display().to_string(), mode));
    }
    let text = zeroize::Zeroizing::new(fs::read_to_string(path).map_err(failed)?);
    RootKey::parse(&text).map_err(|error| RootKeyError::Malformed { path: path.to_owned(), error })
}

/// Whether others could read or change a file. One that root owns may show itself to a group: that is how systemd and
/// Kubernetes hand a secret to a service that is not root.
fn is_open(mode: u32, owner: u32) -> bool {
    let allowed = if owner == 0 { 0o740 } else { 0o700 };
    mode & !allowed & 0o777 != 0
}

/// Writes a new key completely before it gets its name, so that two first starts agree on one.
fn make(path: &Path, random: &dyn Random) -> Result<RootKey, RootKeyError> {
    let failed = |error| RootKeyError::Io { path: path.to_owned(), error };
    let key = RootKey::generate(random);
    // The database may stand elsewhere, and then nobody has made this folder yet.
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    }
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    let mut file =
        fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft).map_err(failed)?;
    file.write_all(key.to_base64().as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    let named = name(&draft, path, |draft, path| fs::hard_link(draft, path));
    let _ = fs::remove_file(&draft);
    match named {
        // Keys that a store wraps with it are lost with it: a power cut must not take its name.
        Ok(()) => sync_folder(path).map(|()| key).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => read(path),
        Err(error) => Err(failed(error)),
    }
}

/// Gives a draft its name, unless something has it already. Not every file system knows links.
fn name(draft: &Path, path: &Path, link: impl FnOnce(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
    match link(draft, path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Ok(renameat_with(CWD, draft, CWD, path, RenameFlags::NOREPLACE)?)
        }
        linked => linked,
    }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_gets_its_name_where_there_are_no_links_and_takes_that_of_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (draft, path) = (folder.path().join("draft"), folder.path().join("root.key"));
        let no_links = |_: &Path, _: &Path| Err(io::Error::from(ErrorKind::Unsupported));
        let put = |text: &str| {
            fs::write(&draft, text).unwrap();
            name(&draft, &path, no_links).map_err(|error| error.kind())
        };

        assert_eq!(put("first"), Ok(()));
        assert_eq!(put("second"), Err(ErrorKind::AlreadyExists));

        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    }

    #[test]
    fn only_root_may_show_a_key_to_a_group_and_nobody_to_everyone() {
        let (root, someone) = (0, 1000);

        for mode in [0o400, 0o600, 0o700] {
            assert!(!is_open(mode, someone) && !is_open(mode, root), "{mode:o}");
        }
        for mode in [0o440, 0o640] {
            assert!(is_open(mode, someone) && !is_open(mode, root), "{mode:o}");
        }
        for mode in [0o660, 0o604, 0o644, 0o450] {
            assert!(is_open(mode, someone) && is_open(mode, root), "{mode:o}");
        }
    }
}
