//! Which version of the API a client may be pinned to: one that is declared, and not gone.

use jiff::civil::Date;
use valetkey_resources::model::Version;

use crate::app::declared;
use crate::cli::Failure;
use crate::config::Config;

/// The word that takes a pin away.
const NONE: &str = "none";

/// The pin that `--api-version` asks for. None: it was not said. Some of none: there is to be no pin.
pub(in crate::cli) fn pin(config: &Config, word: Option<&str>) -> Result<Option<Option<String>>, Failure> {
    let Some(word) = word else { return Ok(None) };
    if word == NONE {
        return Ok(Some(None));
    }
    let api = declared::unlocked(config).map_err(|error| {
        Failure::Usage(format!("--api-version {word}: the versions of the API cannot be read.\n{}", error.explain()))
    })?;
    check(word, &api.api.versions, declared::today()).map_err(Failure::Usage)?;
    Ok(Some(Some(word.to_owned())))
}

fn check(word: &str, versions: &[Version], today: Date) -> Result<(), String> {
    let refused = |why: String| {
        let known: Vec<String> = versions.iter().map(|version| told(version, today)).collect();
        let known = known.join(", ");
        format!(
            "--api-version {word:?}: {why}. The API declares {known}. Write a number, a day such as 2026-01-31, or \
             `{NONE}` for no pin."
        )
    };
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let meant = if is_number {
        let number = word.parse().ok().filter(|number: &u32| number.to_string() == word);
        let meant = number.and_then(|number| versions.iter().find(|version| version.number == number));
        meant.ok_or_else(|| refused("no version has this number".to_owned()))?
    } else {
        let day: Option<Date> = word.parse().ok().filter(|day: &Date| day.to_string() == word);
        let day = day.ok_or_else(|| refused(format!("`{word}` is no version of an API")))?;
        let out = versions.iter().filter(|version| version.released <= day);
        let newest = out.max_by_key(|version| (version.released, version.number));
        newest.ok_or_else(|| refused("no version was out on that day".to_owned()))?
    };
    match meant.removed.filter(|day| *day <= today) {
        Some(day) => Err(refused(format!("version {} was removed on {day}", meant.number))),
        None => Ok(()),
    }
}

fn told(version: &Version, today: Date) -> String {
    let number = version.number;
    match version.removed.filter(|day| *day <= today) {
        Some(day) => format!("{number} (removed on {day})"),
        None if version.released > today => format!("{number} (out on {})", version.released),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests;
