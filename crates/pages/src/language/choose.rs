//! Which language a request asks for. Knows tags and weights, and no words.

use super::Language;

/// More entries than this are not read: no person has so many languages, and the header comes from outside.
const MOST: usize = 24;

pub(super) fn choose(ui_locales: Option<&str>, accept_language: Option<&str>) -> Language {
    let asked = ui_locales.into_iter().flat_map(str::split_ascii_whitespace).take(MOST).find_map(of_tag);
    asked.or_else(|| accept_language.and_then(accepted)).unwrap_or_default()
}

/// The best of `Accept-Language` (RFC 9110 §12.5.4). Of equal weights the first counts.
fn accepted(header: &str) -> Option<Language> {
    let mut wishes: Vec<(u16, Language)> = header.split(',').take(MOST).filter_map(wish).collect();
    wishes.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
    wishes.first().map(|&(_, language)| language)
}

/// One entry: a language we have, with a weight above zero.
fn wish(entry: &str) -> Option<(u16, Language)> {
    let (tag, parameter) = entry.split_once(';').unwrap_or((entry, "q=1"));
    let (name, value) = parameter.trim().split_once('=')?;
    let weight = name.trim().eq_ignore_ascii_case("q").then(|| thousandths(value.trim()))??;
    let language = if tag.trim() == "*" { Language::default() } else { of_tag(tag.trim())? };
    (weight > 0).then_some((weight, language))
}

/// A weight from 0 to 1 with at most three digits, in thousandths.
fn thousandths(value: &str) -> Option<u16> {
    let (whole, digits) = value.split_once('.').unwrap_or((value, ""));
    let sound = matches!(whole, "0" | "1") && digits.len() <= 3 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let weight: u16 = sound.then(|| format!("{whole}{digits:0<3}").parse().ok())??;
    (weight <= 1000).then_some(weight)
}

/// A tag names a language whatever region or script follows: `de-AT` is German.
fn of_tag(tag: &str) -> Option<Language> {
    let sound = tag.len() <= 35 && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    let first = sound.then(|| tag.split(['-', '_']).next())??;
    Language::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(first))
}
