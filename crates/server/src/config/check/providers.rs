//! Rules for the providers through which people sign in.

use super::{Config, Report};

impl Config {
    pub(super) fn check_providers(&self, report: &mut Report) {
        for (place, provider) in self.providers.iter().enumerate() {
            let (id, issuer) = (&provider.id, &provider.issuer);
            if !is_issuer(issuer) {
                report.error(
                    "providers",
                    format!("`{id}` has no issuer such as `https://id.example.com`."),
                    format!("Set `providers.{id}.issuer` to what its discovery document says, without a query."),
                );
            } else if issuer.starts_with("http://") && self.outbound.allow.is_empty() {
                report.error(
                    "providers",
                    format!("The issuer of `{id}` is plain HTTP, which is spoken only to addresses that `outbound.allow` names."),
                    "Write it with `https://`, or allow the provider's address.",
                );
            }
            if provider.client_id.is_empty() {
                report.error(
                    "providers",
                    format!("`{id}` has no `client_id`."),
                    "Register this server at the provider, and write down what it is called there.",
                );
            }
            if provider.client_secret.is_some() && provider.client_secret_file.is_some() {
                report.error(
                    "providers",
                    format!("The secret of `{id}` is given twice, as `client_secret` and as `client_secret_file`."),
                    "Keep one.",
                );
            }
            if !provider.scopes.iter().any(|scope| scope == "openid") {
                report.error(
                    "providers",
                    format!("`{id}` is not asked for `openid`, and would say nothing of who someone is."),
                    format!("Add it to `providers.{id}.scopes`."),
                );
            }
            if self.providers[..place].iter().any(|other| other.issuer == *issuer) && !issuer.is_empty() {
                report.error(
                    "providers",
                    format!("`{id}` has the same issuer as another provider, and links belong to issuers."),
                    "Keep one of them.",
                );
            }
            if provider.email_domains.iter().any(|domain| domain.contains('@') || !domain.contains('.')) {
                report.error(
                    "providers",
                    format!("`{id}`: an entry of `email_domains` is no domain such as `example.com`."),
                    "Write what stands behind the @.",
                );
            }
        }
        if !self.sign_in.passwords && self.providers.is_empty() {
            report.error(
                "sign_in.passwords",
                "Nobody could sign in: passwords are off, and there is no provider.",
                "Set up a provider, or write `true`.",
            );
        }
    }
}

/// A URL with a host and perhaps a path, and nothing else (Discovery §2).
fn is_issuer(text: &str) -> bool {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    let bare = |url: url::Url| {
        url.has_host() && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
    };
    is_web && !text.contains(char::is_whitespace) && url::Url::parse(text).is_ok_and(bare)
}
