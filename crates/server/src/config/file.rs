//! Reads `valetkey.toml`: every key is looked up in the table of settings, and everything wrong is reported at once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

use super::declare::Setting;
use super::error::{Place, Problem};
use super::load::Source;
use super::provider::{Provider, ProviderSetting};
use super::settings::{Config, GROUPS, SETTINGS};
use super::value::{Kind, Value};
use valetkey_resources::suggest::nearest;

/// The table of tables of providers.
const PROVIDERS: &str = "providers";

/// What a file said: where each value stood, and what was wrong.
#[derive(Default)]
pub(super) struct Reading {
    pub sources: BTreeMap<&'static str, Source>,
    pub problems: Vec<Problem>,
}

/// Applies the file to the settings. Relative paths in it start at its own folder.
pub(super) fn apply(config: &mut Config, path: &Path, text: &str) -> Reading {
    let mut file = File { path, text, reading: Reading::default() };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        // The parser speaks in several lines; a problem is one.
        file.report(error.span().unwrap_or_default(), error.message().lines().collect::<Vec<_>>().join(", "));
    }
    if file.reading.problems.is_empty() {
        file.walk(config, table.get_ref(), "");
        // The walk goes by name, a reader goes from top to bottom.
        file.reading.problems.sort_by_key(|problem| match problem.place {
            Place::File { line, column, .. } => (line, column),
            Place::Environment(_) | Place::Flag(_) => (0, 0),
        });
    }
    file.reading
}

struct File<'a> {
    path: &'a Path,
    text: &'a str,
    reading: Reading,
}

impl File<'_> {
    fn walk(&mut self, config: &mut Config, table: &DeTable<'_>, group: &str) {
        for (name, value) in table.iter() {
            let key = if group.is_empty() { name.get_ref().to_string() } else { format!("{group}.{}", name.get_ref()) };
            match (Setting::find(&key), value.get_ref()) {
                (Some(setting), given) => self.set(config, setting, given, value.span()),
                (None, DeValue::Table(inner)) if group.is_empty() && key == PROVIDERS => {
                    inner.iter().for_each(|(id, table)| self.provider(config, id, table));
                }
                (None, DeValue::Table(inner)) if group.is_empty() && is_group(&key) => self.walk(config, inner, &key),
                (None, _) => self.report(name.span(), unknown(&key)),
            }
        }
    }

    /// The table of one provider.
    fn provider(&mut self, config: &mut Config, id: &Spanned<DeString<'_>>, table: &Spanned<DeValue<'_>>) {
        let DeValue::Table(table) = table.get_ref() else {
            return self.report(id.span(), format!("`{PROVIDERS}.{}` takes a table", id.get_ref()));
        };
        let provider = match Provider::of(&mut config.providers, id.get_ref()) {
            Ok(provider) => provider,
            Err(why) => return self.report(id.span(), why),
        };
        for (name, value) in table.iter() {
            let Some(setting) = ProviderSetting::find(name.get_ref()) else {
                self.report(name.span(), ProviderSetting::unknown(id.get_ref(), name.get_ref()));
                continue;
            };
            let outcome = match read(value.get_ref(), setting.kind, setting.default) {
                Ok(Given::List(items)) => (setting.set_list)(provider, &items),
                Ok(Given::Text(text)) => (setting.set)(provider, &text),
                Err(why) => Err(why),
            };
            if let Err(why) = outcome {
                self.report(value.span(), format!("`{PROVIDERS}.{}.{}`: {why}", id.get_ref(), name.get_ref()));
            }
        }
        provider.client_secret_file.anchor(self.path.parent().unwrap_or(Path::new("")));
    }

    fn set(&mut self, config: &mut Config, setting: &'static Setting, given: &DeValue<'_>, span: Range<usize>) {
        let outcome = match read(given, setting.kind, setting.default) {
            Ok(Given::List(items)) => (setting.set_list)(config, &items),
            Ok(Given::Text(text)) => (setting.set)(config, &text),
            Err(why) => Err(why),
        };
        match outcome {
            Ok(()) => {
                (setting.anchor)(config, self.path.parent().unwrap_or(Path::new("")));
                let (line, _) = self.position(span.start);
                self.reading.sources.insert(setting.key, Source::File { line });
            }
            Err(why) => self.report(span, format!("`{}`: {why}", setting.key)),
        }
    }

    fn report(&mut self, span: Range<usize>, message: String) {
        let (line, column) = self.position(span.start);
        let place = Place::File { path: self.path.to_owned(), line, column };
        self.reading.problems.push(Problem { place, message });
    }

    fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// What stands in the file for one setting.
enum Given {
    Text(String),
    List(Vec<String>),
}

fn read(given: &DeValue<'_>, kind: Kind, default: &str) -> Result<Given, String> {
    match given {
        DeValue::Array(items) => match items.iter().map(scalar).collect::<Option<Vec<_>>>() {
            Some(items) => Ok(Given::List(items)),
            None => Err("takes a list of texts".to_owned()),
        },
        other => match text_of(other) {
            // In the file a list is a list, so that an item may contain a space.
            Some(text) if kind == Kind::List => Ok(Given::List(vec![text])),
            Some(text) => Ok(Given::Text(text)),
            None => Err(format!("takes a value such as `{default}`, not a {}", other.type_str())),
        },
    }
}

fn is_group(key: &str) -> bool {
    GROUPS.iter().any(|(group, _)| *group == key)
}

fn unknown(key: &str) -> String {
    let leaf = key.rsplit('.').next().unwrap_or(key);
    let moved = || SETTINGS.iter().map(|s| s.key).find(|known| known.rsplit('.').next() == Some(leaf));
    let known = SETTINGS
        .iter()
        .map(|s| s.key)
        .chain(GROUPS.iter().map(|(group, _)| *group).filter(|g| !g.is_empty()))
        .chain([PROVIDERS]);
    match nearest(key, known).or_else(moved) {
        Some(meant) => format!("unknown key `{key}`; did you mean `{meant}`?"),
        None => format!("unknown key `{key}`; `valetkey config reference` lists all keys"),
    }
}

fn scalar(value: &Spanned<DeValue<'_>>) -> Option<String> {
    text_of(value.get_ref())
}

fn text_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(decimal(number)),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

fn decimal(number: &DeInteger<'_>) -> String {
    i64::from_str_radix(number.as_str(), number.radix())
        .map_or_else(|_| number.to_string(), |number| number.to_string())
}
