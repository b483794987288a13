//! Other providers through which people sign in: a table of settings for each, under a name of the operator's choice.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::error::{Place, Problem};
use super::secret::ProviderSecret;
use super::value::{Kind, Value};
use super::words::LinkingRule;
use valetkey_oauth::upstream::ClaimMapping;
use valetkey_resources::suggest::nearest;

/// What the variables of all providers begin with.
pub(super) const PREFIX: &str = "VALETKEY_PROVIDERS_";

/// One thing to decide about each provider.
#[derive(Debug)]
pub struct ProviderSetting {
    /// Its name in the table of the provider.
    pub name: &'static str,
    /// What holds when nobody says anything, as it would be written.
    pub default: &'static str,
    /// What it decides.
    pub doc: &'static str,
    /// How it is written in the file.
    pub kind: Kind,
    /// Reads a value written as text and stores it.
    pub set: fn(&mut Provider, &str) -> Result<(), String>,
    /// Reads a value written as a list and stores it.
    pub set_list: fn(&mut Provider, &[String]) -> Result<(), String>,
}

macro_rules! provider {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:literal; )+) => {
        /// Another OpenID Connect provider.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Provider {
            /// The name of its table.
            pub id: String,
            $( $(#[doc = $doc])+ pub $name: $type, )+
        }

        impl Provider {
            fn new(id: &str) -> Self {
                Self { id: id.to_owned(), $( $name: super::declare::preset(stringify!($name), $default), )+ }
            }
        }

        /// Every setting of a provider, in the order of the reference page.
        pub static PROVIDER_SETTINGS: &[ProviderSetting] = &[ $( ProviderSetting {
            name: stringify!($name),
            default: $default,
            doc: concat!($($doc),+).trim_ascii(),
            kind: <$type as Value>::KIND,
            set: |provider, text| { provider.$name = Value::parse(text)?; Ok(()) },
            set_list: |provider, items| { provider.$name = Value::parse_list(items)?; Ok(()) },
        }, )+ ];
    };
}

provider! {
    /// What the button says: "Sign in with NAME". Empty: the name of the table.
    name: String = "";
    /// The issuer, exactly as the provider writes it in its discovery document.
    issuer: String = "";
    /// What the provider calls this server.
    client_id: String = "";
    /// The secret that the provider gave. Give it in the environment, or as `client_secret_file`, rather than in the file.
    client_secret: Option<ProviderSecret> = "";
    /// File that holds the secret.
    client_secret_file: Option<PathBuf> = "";
    /// What is asked for; `openid` must be among it.
    scopes: Vec<String> = "openid email profile";
    /// `verified_email` lets someone in to the account whose e-mail address both sides have verified; `admin` only where an operator made the link.
    linking: LinkingRule = "verified_email";
    /// Whether someone whom no account belongs to gets one at the first sign-in.
    create_accounts: bool = "false";
    /// Only verified addresses of these domains are linked or get accounts. Empty: any.
    email_domains: Vec<String> = "";
    /// Which claim there becomes which attribute here, each written `attribute=claim`, such as `username=upn`; `picture=` takes none.
    claims: Vec<ClaimRule> = "";
    /// Whether name, address and the like follow the provider at each sign-in, and not only at the first.
    update_claims: bool = "false";
}

impl Provider {
    /// What the button says.
    #[must_use]
    pub fn label(&self) -> &str {
        if self.name.trim().is_empty() { &self.id } else { self.name.trim() }
    }

    /// The provider of this name, which is made if it is new.
    pub(super) fn of<'a>(providers: &'a mut Vec<Self>, id: &str) -> Result<&'a mut Self, String> {
        let is_name = (1..=40).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !is_name {
            return Err(format!("`providers.{id}`: a provider is named with small letters, digits and `_`"));
        }
        let place = providers.iter().position(|known| known.id == id).unwrap_or_else(|| {
            providers.push(Self::new(id));
            providers.len() - 1
        });
        Ok(&mut providers[place])
    }
}

impl ProviderSetting {
    /// The setting of this name.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        PROVIDER_SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Says that there is none of this name.
    pub(super) fn unknown(id: &str, name: &str) -> String {
        match nearest(name, PROVIDER_SETTINGS.iter().map(|setting| setting.name)) {
            Some(meant) => format!("unknown key `providers.{id}.{name}`; did you mean `providers.{id}.{meant}`?"),
            None => format!("unknown key `providers.{id}.{name}`; `valetkey config reference` lists all keys"),
        }
    }
}

/// The setting that a variable such as `VALETKEY_PROVIDERS_CORP_CLIENT_ID` means, and of which provider.
pub(super) fn variable(name: &str) -> Option<(String, &'static ProviderSetting)> {
    let rest = name.strip_prefix(PREFIX)?;
    // The longest first: a provider may be called `corp_client`, and no setting `secret_file`.
    let mut settings: Vec<_> = PROVIDER_SETTINGS.iter().collect();
    settings.sort_by_key(|setting| std::cmp::Reverse(setting.name.len()));
    settings.into_iter().find_map(|setting| {
        let id = rest.strip_suffix(&setting.name.to_uppercase())?.strip_suffix('_')?;
        (!id.is_empty()).then(|| (id.to_lowercase(), setting))
    })
}

/// Applies the environment.
pub(super) fn apply(providers: &mut Vec<Provider>, env: &BTreeMap<String, String>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, text) in env.iter().filter(|(_, text)| !text.is_empty()) {
        let Some((id, setting)) = variable(name) else { continue };
        let outcome = Provider::of(providers, &id).and_then(|provider| (setting.set)(provider, text));
        if let Err(message) = outcome {
            problems.push(Problem { place: Place::Environment(name.clone()), message });
        }
    }
    problems
}

/// Which claim becomes which attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRule(pub ClaimMapping);

impl Value for ClaimRule {
    fn parse(text: &str) -> Result<Self, String> {
        let (attribute, claim) =
            text.split_once('=').ok_or_else(|| format!("`{text}` is not written `attribute=claim`"))?;
        let mapping = ClaimMapping { attribute: attribute.trim().to_owned(), claim: claim.trim().to_owned() };
        if ClaimMapping::knows(&mapping.attribute) {
            Ok(Self(mapping))
        } else {
            Err(format!(
                "`{}` is no attribute that a provider can set; `username`, `name`, `email` and most standard claims are",
                mapping.attribute
            ))
        }
    }

    fn show(&self) -> String {
        format!("{}={}", self.0.attribute, self.0.claim)
    }
}

#[cfg(test)]
mod tests;
