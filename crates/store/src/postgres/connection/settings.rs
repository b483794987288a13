//! Where the server is and how long to wait for it. The URL carries a password, so nothing here prints it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use valetkey_oauth::ports::StoreError;

/// How long a connection may take to be made, where the URL does not say.
const CONNECT: Duration = Duration::from_secs(3);
/// How long one statement may take.
pub(super) const STATEMENT: Duration = Duration::from_secs(5);
/// How long a node may think in the middle of a transaction before the server frees what it locked.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(10);

/// How to reach PostgreSQL.
#[derive(Clone)]
pub struct Settings {
    /// `postgres://user:password@host:5432/database?sslmode=require`.
    pub url: String,
    /// At most so many connections from this process.
    pub pool_size: usize,
    /// A file of certificates (PEM) to trust beside those of the system. Naming one requires
    /// TLS; a URL that says `sslmode=disable` beside it is refused.
    pub extra_ca: Option<PathBuf>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("url", &"…")
            .field("pool_size", &self.pool_size)
            .field("extra_ca", &self.extra_ca)
            .finish()
    }
}

impl Settings {
    /// The URL with our limits. What the URL says itself goes before.
    pub(super) fn config(&self) -> Result<Config, StoreError> {
        // The library's own words could repeat a part of the password.
        let unreadable = || {
            StoreError::Failed(
                "the database URL is not readable. It looks like postgres://user:password@host:5432/database, \
                 with special characters of the password percent-encoded; sslmode is disable, prefer or require"
                    .to_owned(),
            )
        };
        // `require` already verifies the chain and the name.
        let url = self.url.replace("sslmode=verify-full", "sslmode=require");
        let url = url.replace("sslmode=verify-ca", "sslmode=require");
        let mut config: Config = url.parse().map_err(|_| unreadable())?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(unreadable());
        }
        if config.get_application_name().is_none() {
            config.application_name("valetkey");
        }
        config.connect_timeout(connect_timeout(&config));
        if self.extra_ca.is_some() && config.get_ssl_mode() == SslMode::Disable {
            return Err(StoreError::Failed(
                "the database URL says sslmode=disable, though an authority is named to trust for TLS. \
                 Write sslmode=require, or name no authority"
                    .to_owned(),
            ));
        }
        let on_network = config.get_hosts().iter().any(|host| matches!(host, Host::Tcp(_)));
        if self.extra_ca.is_some() && on_network && config.get_ssl_mode() == SslMode::Prefer {
            config.ssl_mode(SslMode::Require);
        }
        config
            .options(format!("{} {}", limits(), config.get_options().unwrap_or_default()).trim())
            // After a failover, the old primary may still answer; it is of no use.
            .target_session_attrs(TargetSessionAttrs::ReadWrite)
            .tcp_user_timeout(STATEMENT)
            .keepalives(true)
            .keepalives_idle(Duration::from_secs(5))
            .keepalives_interval(Duration::from_secs(2))
            .keepalives_retries(2);
        Ok(config)
    }
}

/// What each connection asks of the server. The statements count on `read committed`, whatever the database prefers. They are
/// short: one processor is enough for each, and none is worth being compiled.
fn limits() -> String {
    format!(
        "-c statement_timeout={} -c idle_in_transaction_session_timeout={} \
         -c default_transaction_isolation=read\\ committed -c plan_cache_mode=auto \
         -c max_parallel_workers_per_gather=0 -c jit=off",
        STATEMENT.as_millis(),
        IDLE_IN_TRANSACTION.as_millis()
    )
}

/// How long a connection may take to be made, until it can be asked something.
pub(super) fn connect_timeout(config: &Config) -> Duration {
    config.get_connect_timeout().copied().unwrap_or(CONNECT)
}

/// The same options for work that may take long, and that finds some of it done.
pub(super) fn without_limits(config: &Config) -> String {
    format!(
        "{} -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c client_min_messages=warning",
        config.get_options().unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(mode: &str, extra_ca: Option<&str>) -> Result<Config, StoreError> {
        let url = format!("postgres://app:s3cret@db.example.com/valetkey{mode}");
        Settings { url, pool_size: 1, extra_ca: extra_ca.map(PathBuf::from) }.config()
    }

    #[test]
    fn an_authority_makes_tls_required_and_a_url_that_forbids_it_is_refused() {
        for mode in ["", "?sslmode=prefer", "?sslmode=require", "?sslmode=verify-full"] {
            assert_eq!(config(mode, Some("ca.pem")).unwrap().get_ssl_mode(), SslMode::Require, "{mode}");
        }
        assert_eq!(config("?sslmode=disable", None).unwrap().get_ssl_mode(), SslMode::Disable);

        let refused = config("?sslmode=disable", Some("ca.pem")).unwrap_err().to_string();

        assert!(refused.contains("sslmode=require") && !refused.contains("s3cret"), "{refused}");
    }
}
