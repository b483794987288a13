//! Settings: one typed structure, one table of defaults, and the order flags > environment > file.
//!
//! `settings.rs` is the table. The structure, its defaults, the names in the environment, the example file and the
//! reference page all follow from it, so that none of them can disagree. Nothing else in the crate reads the
//! environment or `valetkey.toml`.

mod check;
mod database;
mod declare;
mod derive;
mod error;
mod file;
mod load;
mod origin;
mod provider;
mod redis;
mod reference;
mod secret;
mod settings;
mod span;
mod value;
mod words;

pub use check::{Finding, Level};
pub use database::Database;
pub use declare::Setting;
pub use error::{ConfigError, Place, Problem};
pub use load::{Flags, Loaded, Source, environment};
pub use origin::Origin;
pub use provider::{ClaimRule, PROVIDER_SETTINGS, Provider, ProviderSetting};
pub use redis::Redis;
pub use reference::{reference, to_toml_commented};
pub use secret::{ProviderSecret, RootKey, WebhookSecret};
pub use settings::{
    Audit, Brand, Config, Keys, Limits, Log, Outbound, SETTINGS, SignIn, Telemetry, Tls, Tokens, Webhook,
};
pub use span::Span;
pub use value::{Kind, Link, Value};
pub use words::{
    AccessFormat, ClientCertificates, Introspection, LinkingRule, LogFormat, SigningAlgorithm, Switch, WithoutRedis,
};
