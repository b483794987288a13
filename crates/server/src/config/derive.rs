//! What follows from the settings when one of them is left empty.

use std::path::PathBuf;

use super::database::Database;
use super::origin::Origin;
use super::settings::Config;

impl Config {
    /// Whether the server itself speaks TLS.
    #[must_use]
    pub fn has_tls(&self) -> bool {
        self.tls.certificate.is_some()
    }

    /// The origin that clients use: `public_url`, or else the address listened on.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.public_url.clone().unwrap_or_else(|| Origin::of_listener(self.listen, self.has_tls()))
    }

    /// The database to open: `database`, or else `valetkey.db` in `data`.
    #[must_use]
    pub fn database_or_default(&self) -> Database {
        self.database.clone().unwrap_or_else(|| Database::Sqlite(self.data.join("valetkey.db")))
    }

    /// Is the root key missing from the settings where it cannot be made: for a database that many servers share?
    #[must_use]
    pub fn lacks_root_key(&self) -> bool {
        let is_shared = matches!(self.database, Some(Database::Postgres(_)));
        is_shared && self.root_key.is_none() && self.root_key_file.is_none()
    }

    /// The file of the root key, unless the key itself is given: `root_key_file`, or else `root.key` in `data`.
    #[must_use]
    pub fn root_key_path(&self) -> Option<PathBuf> {
        match self.root_key {
            Some(_) => None,
            None => Some(self.root_key_file.clone().unwrap_or_else(|| self.data.join("root.key"))),
        }
    }
}
