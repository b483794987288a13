//! Files that settings name and the server reads at its start. Those of TLS and of the brand are read by who uses them.

use std::fs;
use std::path::Path;

use super::{Config, Database, Finding, Report};

impl Config {
    /// Every one that cannot be read.
    #[must_use]
    pub fn check_files(&self) -> Vec<Finding> {
        let mut report = Report(Vec::new());
        let named = [("database_ca", &self.database_ca), ("outbound.extra_ca", &self.outbound.extra_ca)];
        for (key, path) in named.into_iter().filter_map(|(key, path)| Some((key, path.as_deref()?))) {
            report.file(key, path);
        }
        // Beside an embedded database it is made where it is missing.
        if let (Some(Database::Postgres(_)), Some(path)) = (&self.database, &self.root_key_file) {
            report.file("root_key_file", path);
        }
        for path in self.providers.iter().filter_map(|provider| provider.client_secret_file.as_deref()) {
            report.file("providers", path);
        }
        report.0
    }
}

impl Report {
    fn file(&mut self, key: &'static str, path: &Path) {
        let shown = path.display();
        match fs::read(path) {
            Err(error) => {
                self.error(key, format!("{shown} cannot be read: {error}."), "Mend the file, or name another.")
            }
            Ok(bytes) if bytes.trim_ascii().is_empty() => {
                self.error(key, format!("{shown} is empty."), "Mend the file, or name another.");
            }
            Ok(_) => {}
        }
    }
}
