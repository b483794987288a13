//! Names: what they may look like, which are taken, and the singular of a plural.

use super::report::Report;
use super::spot::Spot;
use super::yaml::short;

/// The longest name.
const LONGEST: usize = 40;

/// Parameters of lists, and what must never stand in a URL. A field of such a name is filtered by `filter[name]=`.
pub(super) const PARAMETERS: [&str; 12] =
    ["sort", "fields", "q", "include", "cursor", "limit", "offset", "page", "size", "filter", "token", "access_token"];

/// Plurals that follow no rule, or another one than they seem to.
const IRREGULAR: [(&str, &str); 14] = [
    ("people", "person"),
    ("children", "child"),
    ("men", "man"),
    ("women", "woman"),
    ("data", "datum"),
    ("media", "medium"),
    ("criteria", "criterion"),
    ("movies", "movie"),
    ("cookies", "cookie"),
    ("series", "series"),
    ("statuses", "status"),
    ("bonuses", "bonus"),
    ("caches", "cache"),
    ("news", "news"),
];

/// Tells if the key here is no name. `what` is what it would name.
pub(super) fn check(spot: &Spot<'_>, what: &str, report: &mut Report) -> bool {
    let name = spot.name();
    if is_name(name) {
        return true;
    }
    let meant = as_name(name);
    let message = format!(
        "`{}` cannot name {what}. A name has small letters, digits and `_`, begins with a letter, and is at most \
         {LONGEST} long.",
        short(name)
    );
    spot.wrong_key(message, meant.as_deref(), report);
    false
}

/// `[a-z][a-z0-9_]{0,39}`
pub(super) fn is_name(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// The name that was probably meant: `userId` and `user-id` become `user_id`.
fn as_name(found: &str) -> Option<String> {
    let mut name = String::new();
    for letter in found.chars().take(LONGEST + 1) {
        match letter {
            'A'..='Z' if name.is_empty() || name.ends_with('_') => name.push(letter.to_ascii_lowercase()),
            'A'..='Z' => name.extend(['_', letter.to_ascii_lowercase()]),
            '-' | ' ' | '.' => name.push('_'),
            other => name.push(other),
        }
    }
    Some(name).filter(|name| is_name(name))
}

/// May a resource have had this name? Some addresses mean something else.
pub(super) fn may_be_resource(name: &str) -> bool {
    let is_version = name.strip_prefix('v').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    is_name(name) && !is_version && !["operations", "docs", "openapi"].contains(&name)
}

/// Tells if a resource may not have this name.
pub(super) fn check_resource(spot: &Spot<'_>, report: &mut Report) -> bool {
    let name = spot.name();
    let is_version = name.strip_prefix('v').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    let taken = match name {
        "operations" => "`/api/operations` shows the work that goes on after an answer 202",
        "docs" => "`/api/docs` is the documentation",
        "openapi" => "`/api/openapi.json` is the description of the API",
        _ if is_version => "`/api/v1` and the like choose a version",
        _ => return check(spot, "a resource", report),
    };
    spot.wrong_key(format!("No resource can be called `{name}`: {taken}. Choose another name."), None, report);
    false
}

/// Tells if a field may not have this name.
pub(super) fn check_field(spot: &Spot<'_>, report: &mut Report) -> bool {
    let why = match spot.name() {
        "id" => "every row has an `id`, which the server gives it. Remove this one",
        "links" => "every row has `links` to what can be done next. Choose another name",
        _ => return check(spot, "a field", report),
    };
    spot.wrong_key(format!("No field can be called `{}`: {why}.", spot.name()), None, report);
    false
}

/// The singular of a plural, as far as it can be told.
pub(super) fn singular(plural: &str) -> Option<String> {
    let (head, last) = plural.split_at(plural.rfind('_').map_or(0, |at| at + 1));
    if let Some((_, singular)) = IRREGULAR.iter().find(|(irregular, _)| *irregular == last) {
        return Some(format!("{head}{singular}"));
    }
    let stem = last.strip_suffix('s').filter(|stem| stem.len() > 1 && !stem.ends_with('s'))?;
    let singular = match stem.strip_suffix("ie") {
        Some(root) if root.len() > 1 => format!("{root}y"),
        _ => {
            let hissing = ["sse", "she", "che", "xe", "zze"].iter().any(|ending| stem.ends_with(ending));
            if hissing { stem[..stem.len() - 1].to_owned() } else { stem.to_owned() }
        }
    };
    Some(format!("{head}{singular}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_singular_of_a_plural_is_found() {
        for (plural, expected) in [
            ("users", "user"),
            ("entries", "entry"),
            ("addresses", "address"),
            ("boxes", "box"),
            ("branches", "branch"),
            ("houses", "house"),
            ("movies", "movie"),
            ("people", "person"),
            ("order_items", "order_item"),
            ("sales_people", "sales_person"),
            ("ties", "tie"),
        ] {
            assert_eq!(singular(plural).as_deref(), Some(expected), "{plural}");
        }
    }

    #[test]
    fn what_is_no_plural_has_no_singular() {
        for word in ["sheep", "address", "s", "as", "user_", "sss"] {
            assert_eq!(singular(word), None, "{word}");
        }
    }

    #[test]
    fn other_ways_to_write_a_name_are_understood() {
        assert_eq!(as_name("userId").as_deref(), Some("user_id"));
        assert_eq!(as_name("User-Name").as_deref(), Some("user_name"));
        assert_eq!(as_name("größe"), None);
        assert_eq!(as_name(&"a".repeat(41)), None);
    }
}
