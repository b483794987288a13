//! Where the data is: a SQLite file or a PostgreSQL server. Knows neither engine, only how each is named.

use std::fmt;
use std::path::{Path, PathBuf};

use url::Url;

use super::value::Value;

/// The database an operator names. Its address may hold a password, so it prints without one.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    /// A file of our own.
    Sqlite(PathBuf),
    /// A server; the URL is complete, password included.
    Postgres(String),
}

impl Database {
    /// Does its address forbid TLS?
    pub(super) fn forbids_tls(&self) -> bool {
        let Self::Postgres(url) = self else { return false };
        let Ok(url) = Url::parse(url) else { return false };
        // What is said last counts.
        let said = url.query_pairs().filter(|(name, _)| name == "sslmode").last();
        said.is_some_and(|(_, mode)| mode == "disable")
    }
}

impl fmt::Display for Database {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(out, "sqlite:{}", path.display()),
            Self::Postgres(url) => out.write_str(&without_password(url)),
        }
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

fn without_password(url: &str) -> String {
    let Ok(mut url) = Url::parse(url) else { return "postgres://(hidden)".to_owned() };
    if url.password().is_some() {
        // Setting a password fails only where a URL can have none.
        let _ = url.set_password(Some("hidden"));
    }
    // libpq also takes the password as a parameter, so parameters are left out as a whole.
    url.set_query(None);
    url.to_string()
}

impl Value for Database {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            // `sqlite:///var/lib/x.db` is how other programs write an absolute path.
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.is_empty() {
                Err("needs a path after `sqlite:`".to_owned())
            } else {
                Ok(Self::Sqlite(path.into()))
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        // The text may be a URL with a password and a slip in its scheme, so it is not repeated.
        Err("must start with `postgres://` or `sqlite:`".to_owned())
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn anchor(&mut self, folder: &Path) {
        if let Self::Sqlite(path) = self {
            path.anchor(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_of_a_database_is_never_printed() {
        let database = Database::parse("postgres://app:s3cret@db/valetkey?password=s3cret").unwrap();

        let printed = format!("{database} {database:?} {}", database.show());

        assert!(!printed.contains("s3cret"), "{printed}");
        assert!(printed.contains("app") && printed.contains("db/valetkey"), "{printed}");
    }

    #[test]
    fn sqlite_takes_a_path_in_either_spelling() {
        assert_eq!(Database::parse("sqlite:a/b.db"), Ok(Database::Sqlite("a/b.db".into())));
        assert_eq!(Database::parse("sqlite:///a/b.db"), Ok(Database::Sqlite("/a/b.db".into())));
        assert!(Database::parse("mysql://root:pw@db").unwrap_err().contains("postgres://"));
    }
}
