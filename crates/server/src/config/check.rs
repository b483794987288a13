//! Rules that concern several settings at once. All broken ones are reported together, each with its remedy.

use std::fmt;

use super::database::Database;
use super::settings::Config;
use super::span::Span;
use super::words::ClientCertificates;

/// Whether the server can start nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// It does not start.
    Error,
    /// It starts, and someone should look.
    Warning,
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// The setting to look at first.
    pub key: &'static str,
    /// What is wrong, and why it matters.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        write!(out, "{level}: {}: {} {}", self.key, self.message, self.remedy)
    }
}

/// How long the published keys may be cached.
const JWKS_AGE: std::time::Duration = std::time::Duration::from_secs(300);

impl Config {
    /// Everything that is wrong with the settings as a whole. Empty: the server can start.
    #[must_use]
    pub fn check(&self) -> Vec<Finding> {
        let mut report = Report(Vec::new());
        self.check_transport(&mut report);
        self.check_tls(&mut report);
        self.check_keys(&mut report);
        self.check_database(&mut report);
        self.check_lifetimes(&mut report);
        self.check_limits(&mut report);
        self.check_brand(&mut report);
        self.check_webhook(&mut report);
        self.check_providers(&mut report);
        self.check_log(&mut report);
        self.check_doubts(&mut report);
        report.0
    }

    /// What works, but hardly as it was meant.
    fn check_doubts(&self, report: &mut Report) {
        if self.keys.publish_ahead.duration() < JWKS_AGE {
            report.warning(
                "keys.publish_ahead",
                "The published keys may be cached for five minutes, and a new key would sign before every cache knows it.",
                "Give it at least `5m`.",
            );
        }
        if self.trusted_proxies.iter().any(|net| net.prefix_len() == 0) {
            report.warning(
                "trusted_proxies",
                "Everyone is trusted as a proxy, so everyone can claim any address.",
                "Name the proxies or their network.",
            );
        }
    }

    fn check_transport(&self, report: &mut Report) {
        let loopback = self.listen.ip().is_loopback();
        let proxied = !self.trusted_proxies.is_empty();
        if !loopback && !self.has_tls() && !proxied {
            report.error(
                "listen",
                format!("{} is reachable by others, and without TLS passwords and tokens would travel in the clear.", self.listen),
                "Set `tls.certificate` and `tls.key`, or name the proxy that ends TLS in `trusted_proxies`, or listen on 127.0.0.1.",
            );
        }
        let Some(public) = &self.public_url else {
            if !loopback && (proxied || self.listen.ip().is_unspecified()) {
                report.error(
                    "public_url",
                    format!("The name under which clients reach {} cannot be derived.", self.listen),
                    "Set it to the origin they use, such as `https://id.example.com`.",
                );
            }
            return;
        };
        if !public.is_https() && !public.is_loopback() {
            report.error(
                "public_url",
                format!("`{public}` is plain HTTP, and HTTPS is required everywhere but on loopback."),
                "Write it with `https://`.",
            );
        }
        if !public.is_https() && self.has_tls() {
            report.error(
                "public_url",
                format!("`{public}` is plain HTTP, but the server speaks TLS."),
                "Write it with `https://`, or leave `tls.certificate` empty.",
            );
        }
        if public.is_https() && !self.has_tls() && !proxied {
            report.warning(
                "trusted_proxies",
                format!("`{public}` suggests a proxy that ends TLS, but none is trusted, so all clients seem to have its address."),
                "Name it, for instance `127.0.0.1`.",
            );
        }
    }

    fn check_tls(&self, report: &mut Report) {
        let tls = &self.tls;
        match (&tls.certificate, &tls.key) {
            (Some(_), None) => report.error("tls.key", "A certificate is set without its key.", "Set both."),
            (None, Some(_)) => report.error("tls.certificate", "A key is set without its certificate.", "Set both."),
            (Some(_), Some(_)) | (None, None) => {}
        }
        let asked = tls.client_certificates == ClientCertificates::Optional;
        if asked && tls.certificate.is_none() && self.trusted_proxies.is_empty() {
            report.error(
                "tls.client_certificates",
                "Only a server that speaks TLS can ask for client certificates, or a proxy in front of it.",
                "Set `tls.certificate` and `tls.key`, or name the proxy in `trusted_proxies`, or write `off`.",
            );
        }
        if tls.client_crl.is_some() && tls.client_ca.is_none() {
            report.error(
                "tls.client_crl",
                "Revoked certificates are listed, but no authority for client certificates is set.",
                "Set `tls.client_ca`, or leave `tls.client_crl` empty.",
            );
        }
        if tls.client_ca.is_some() && !asked {
            report.error(
                "tls.client_ca",
                "Authorities for client certificates are set, but clients are not asked for one.",
                "Set `tls.client_certificates = \"optional\"`, or leave `tls.client_ca` empty.",
            );
        }
    }

    fn check_keys(&self, report: &mut Report) {
        if self.root_key.is_some() && self.root_key_file.is_some() {
            report.error("root_key", "The root key is given twice, as `root_key` and as `root_key_file`.", "Keep one.");
        }
        report.0.extend(self.check_shared_key());
        for (key, rotation) in
            [("keys.rotate_signing", self.keys.rotate_signing), ("keys.rotate_sealing", self.keys.rotate_sealing)]
        {
            if rotation <= self.keys.publish_ahead {
                report.error(
                    key,
                    format!(
                        "A key that rotates every {rotation} is never used, because it is published {} ahead.",
                        self.keys.publish_ahead
                    ),
                    "Rotate less often, or shorten `keys.publish_ahead`.",
                );
            }
        }
    }

    /// Whether a database that many servers share comes with a root key for all of them.
    #[must_use]
    pub fn check_shared_key(&self) -> Option<Finding> {
        self.lacks_root_key().then(|| Finding {
            level: Level::Error,
            key: "root_key",
            message: "Servers that share a PostgreSQL database need the same root key.".to_owned(),
            remedy: "Set VALETKEY_ROOT_KEY to the output of `openssl rand -base64 32`, or `root_key_file` to a file that holds it."
                .to_owned(),
        })
    }

    fn check_database(&self, report: &mut Report) {
        let Some(database @ Database::Postgres(_)) = &self.database else { return };
        if self.database_pool == 0 {
            report.error("database_pool", "At least one connection is needed.", "Write `1` or more.");
        }
        if self.database_ca.is_some() && database.forbids_tls() {
            report.error(
                "database_ca",
                "An authority is named to trust for TLS, but `database` says `sslmode=disable`, and all would travel in the clear.",
                "Write `sslmode=require` there, or leave `database_ca` empty.",
            );
        }
    }

    fn check_lifetimes(&self, report: &mut Report) {
        let access = self.tokens.access_lifetime;
        if access < Span::from_secs(60) || access > Span::from_secs(86_400) {
            report.error(
                "tokens.access_lifetime",
                format!("{access} is outside the allowed range from 1m to 24h."),
                "5m to 60m is recommended.",
            );
        } else if access < Span::from_secs(300) || access > Span::from_secs(3_600) {
            report.warning(
                "tokens.access_lifetime",
                format!("{access} is outside the recommended range from 5m to 60m."),
                "Shorter burdens the token endpoint, longer helps whoever steals a token.",
            );
        }
        if self.tokens.refresh_lifetime < access {
            report.error(
                "tokens.refresh_lifetime",
                format!("A session of {} ends before its first access token does.", self.tokens.refresh_lifetime),
                "Make it longer than `tokens.access_lifetime`.",
            );
        }
        if self.tokens.refresh_idle < access {
            report.error(
                "tokens.refresh_idle",
                format!(
                    "A session that may rest for {} dies before its access token has to be refreshed.",
                    self.tokens.refresh_idle
                ),
                "Make it longer than `tokens.access_lifetime`.",
            );
        } else if self.tokens.refresh_idle > self.tokens.refresh_lifetime {
            report.warning(
                "tokens.refresh_idle",
                "It is longer than `tokens.refresh_lifetime` and has no effect.",
                "Shorten it.",
            );
        }
    }

    fn check_limits(&self, report: &mut Report) {
        let limits = &self.limits;
        let counts = [
            ("limits.headers", limits.headers, 10),
            ("limits.header_bytes", limits.header_bytes, 8192),
            ("limits.body_bytes", limits.body_bytes, 1024),
            ("limits.document_bytes", limits.document_bytes, 1024),
            ("limits.api_requests", limits.api_requests, 1),
            ("limits.connections", limits.connections, 1),
        ];
        for (key, count, least) in counts.into_iter().filter(|(_, count, least)| count < least) {
            report.error(key, format!("{count} is too small to serve anyone."), format!("Write {least} or more."));
        }
        let times = [
            ("limits.header_timeout", limits.header_timeout),
            ("limits.request_timeout", limits.request_timeout),
            ("limits.idle_timeout", limits.idle_timeout),
            ("limits.handshake_timeout", limits.handshake_timeout),
        ];
        for (key, _) in times.into_iter().filter(|(_, time)| time.duration().is_zero()) {
            report.error(key, "No client is that fast.", "Write `1s` or more.");
        }
        let windows = [("limits.api_window", limits.api_window), ("limits.token_window", limits.token_window)];
        for (key, _) in windows.into_iter().filter(|(_, window)| window.duration().is_zero()) {
            report.error(key, "Nothing can be counted in no time.", "Write `1s` or more.");
        }
    }

    fn check_webhook(&self, report: &mut Report) {
        let webhook = &self.webhook;
        if webhook.url.is_some() && webhook.secret.is_none() {
            report.error(
                "webhook.secret",
                "Alerts are sent, but nothing signs them, so that anyone could send the like.",
                "Set VALETKEY_WEBHOOK_SECRET to the output of `openssl rand -base64 32`, and tell it to the receiver.",
            );
        }
        if webhook.url.is_none() && webhook.secret.is_some() {
            report.warning("webhook.secret", "It signs nothing, because `webhook.url` is empty.", "Set the URL.");
        }
        let is_plain = webhook.url.as_ref().is_some_and(|url| url.scheme() == "http");
        if is_plain && self.outbound.allow.is_empty() {
            report.error(
                "webhook.url",
                "It is plain HTTP, which is spoken only to addresses that `outbound.allow` names.",
                "Write it with `https://`, or allow the receiver's address.",
            );
        }
    }

    fn check_brand(&self, report: &mut Report) {
        let accent = &self.brand.accent;
        let hex = accent
            .strip_prefix('#')
            .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if !accent.is_empty() && !hex {
            report.error("brand.accent", format!("`{accent}` is not a colour."), "Write it as `#1a6b54`.");
        }
        if self.brand.name.trim().is_empty() {
            report.error("brand.name", "The pages need a name to show.", "Write one.");
        }
    }
}

mod files;
mod log;
mod providers;

struct Report(Vec<Finding>);

impl Report {
    fn error(&mut self, key: &'static str, message: impl Into<String>, remedy: impl Into<String>) {
        self.0.push(Finding { level: Level::Error, key, message: message.into(), remedy: remedy.into() });
    }

    fn warning(&mut self, key: &'static str, message: impl Into<String>, remedy: impl Into<String>) {
        self.0.push(Finding { level: Level::Warning, key, message: message.into(), remedy: remedy.into() });
    }
}

#[cfg(test)]
mod tests;
