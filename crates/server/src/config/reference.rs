//! Pages made from the table of settings: the reference for people, and the example file to start from.

use std::fmt::Write as _;

use super::declare::Setting;
use super::provider::{PROVIDER_SETTINGS, ProviderSetting};
use super::settings::{GROUPS, SETTINGS};
use super::value::Kind;

const HEAD: &str = "\
# Configuration

<!-- Made by `valetkey config reference` from the table of settings. Change crates/server/src/config/settings.rs instead. -->

Every setting can stand in `valetkey.toml` and in the environment, and some have a flag. A flag wins over the environment,
the environment over the file, the file over the default. A variable that is empty counts as unset.

The file is the one named by `--config` or `VALETKEY_CONFIG`, or else `valetkey.toml` in the working directory, if it is
there. Relative paths in the file start at the folder of the file; others start at the working directory.

Lengths of time are written `15m`, `30d`, `10s`, `500ms` or `1h30m`. Lists are written `[\"one\", \"two\"]` in the file and
`one two` in the environment.

`valetkey config check` says what is wrong before the server is started, and `valetkey config example` prints a file to
start from.
";

const PROVIDERS: &str = "
## `[providers.NAME]`

Other OpenID Connect providers through which people sign in, each in a table of its own: `[providers.corp]`, and in the
environment `VALETKEY_PROVIDERS_CORP_CLIENT_ID`. A name has small letters, digits and `_`; it stands in the address that
the provider sends people back to, `<public_url>/login/NAME/callback`. `docs/sign-on.md` explains how to set one up.

| key | environment | default | meaning |
|---|---|---|---|
";

/// The page `docs/reference/configuration.md`.
#[must_use]
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    for (group, about) in GROUPS {
        let title = if group.is_empty() { "The server".to_owned() } else { format!("`[{group}]`") };
        let _ = write!(page, "\n## {title}\n\n{about}\n\n");
        page.push_str("| key | environment | flag | default | meaning |\n|---|---|---|---|---|\n");
        for setting in SETTINGS.iter().filter(|setting| setting.group() == *group) {
            let flag = setting.flag.map(|flag| format!("`{flag}`")).unwrap_or_default();
            let default = if setting.default.is_empty() { String::new() } else { format!("`{}`", setting.default) };
            let Setting { key, env, doc, .. } = setting;
            let _ = writeln!(page, "| `{key}` | `{env}` | {flag} | {default} | {doc} |");
        }
    }
    page.push_str(PROVIDERS);
    for ProviderSetting { name, default, doc, .. } in PROVIDER_SETTINGS {
        let default = if default.is_empty() { String::new() } else { format!("`{default}`") };
        let _ = writeln!(page, "| `{name}` | `…_{}` | {default} | {doc} |", name.to_uppercase());
    }
    page
}

/// A `valetkey.toml` in which every setting stands with its default, as a comment.
#[must_use]
pub fn to_toml_commented() -> String {
    let mut file =
        "# Settings of Valetkey. Each line shows the default; remove the `#` in front of a key to change it.\n"
            .to_owned();
    for (group, about) in GROUPS {
        let _ = write!(file, "\n# {about}\n");
        if !group.is_empty() {
            let _ = writeln!(file, "[{group}]");
        }
        for setting in SETTINGS.iter().filter(|setting| setting.group() == *group) {
            let name = setting.key.rsplit('.').next().unwrap_or(setting.key);
            let _ = write!(file, "\n# {}\n#{name} = {}\n", setting.doc, literal(setting));
        }
    }
    file.push_str(
        "\n# Another OpenID Connect provider through which people sign in; see docs/sign-on.md.\n# [providers.corp]\n",
    );
    for ProviderSetting { name, default, doc, kind, .. } in PROVIDER_SETTINGS {
        let _ = write!(file, "\n# {doc}\n# {name} = {}\n", written(*kind, default));
    }
    file
}

fn literal(setting: &Setting) -> String {
    written(setting.kind, setting.default)
}

fn written(kind: Kind, default: &str) -> String {
    match kind {
        Kind::Text => toml::Value::from(default).to_string(),
        Kind::Bare => default.to_owned(),
        Kind::List => toml::Value::from(default.split_whitespace().collect::<Vec<_>>()).to_string(),
    }
}

#[cfg(test)]
mod tests;
