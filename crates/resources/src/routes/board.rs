//! Which path means what: every path that the declaration implies, with places for ids, and what is served there.

use std::collections::BTreeMap;
use std::sync::Arc;

use uuid::Uuid;
use uuid::fmt::Hyphenated;
use valetkey_rest::form::decode_component;
use valetkey_rest::version::VersionChoice;

use super::target::{self, Target};
use crate::service::Service;

/// The paths of every version: below `base` (`/api`), where the request says its version elsewhere or not at all, and below
/// `/api/v<N>`.
pub struct Board(matchit::Router<Arc<Spot>>);

/// One of them.
struct Spot {
    /// As the newest version writes it: `/api/orders/{id}`.
    route: Arc<str>,
    /// What is served there, the newest version first.
    targets: Vec<Arc<Target>>,
}

/// What a path means. It travels among the extensions of its request.
#[derive(Clone)]
pub struct Found {
    spot: Arc<Spot>,
    /// In the order of the path; `None` if one of them can be none.
    ids: Option<[Option<Uuid>; 2]>,
}

/// The ids in a path.
#[derive(Clone, Copy, Default)]
pub(super) struct Ids {
    /// Of the row that the path names last.
    pub(super) last: Option<Uuid>,
    /// Of the row above it.
    pub(super) above: Option<Uuid>,
}

impl Board {
    /// Everything that the service serves. Two paths of one version that cannot be told apart are refused.
    pub fn new(service: &Arc<Service>, base: &str) -> Result<Self, matchit::InsertError> {
        let mut spots: BTreeMap<String, (String, Vec<Arc<Target>>)> = BTreeMap::new();
        for edition in &service.editions {
            let versioned: Arc<str> = format!("{base}/v{}", edition.number()).into();
            for prefix in [versioned, base.into()] {
                for (path, place) in target::places(edition) {
                    let (service, edition) = (service.clone(), edition.clone());
                    let target = Arc::new(Target { service, edition, prefix: prefix.clone(), place });
                    // What is an action in one version may be a list below a row in another.
                    let alike = format!("{prefix}{}", path.replace("{above}", "{id}"));
                    let spot = spots.entry(alike).or_insert_with(|| (format!("{prefix}{path}"), Vec::new()));
                    if spot.1.iter().any(|other| other.edition.number() == target.edition.number()) {
                        return Err(matchit::InsertError::Conflict { with: spot.0.clone() });
                    }
                    spot.1.push(target);
                }
            }
        }
        let mut paths = matchit::Router::new();
        for (path, targets) in spots.into_values() {
            let route = path.as_str().into();
            paths.insert(path, Arc::new(Spot { route, targets }))?;
        }
        Ok(Self(paths))
    }

    /// What is served at a path, if anything is.
    pub fn find(&self, path: &str) -> Option<Found> {
        let found = self.0.at(path).ok()?;
        Some(Found { spot: found.value.clone(), ids: ids(&found.params) })
    }
}

impl Found {
    /// The path with its places for ids, the same for all rows.
    pub fn route(&self) -> &Arc<str> {
        &self.spot.route
    }

    /// The ids, if they can be any, by what they mean there.
    pub(super) fn ids(&self, target: &Target) -> Option<Ids> {
        let [first, second] = self.ids?;
        let is_below = target.above().is_some();
        Some(if is_below { Ids { above: first, last: second } } else { Ids { above: None, last: first } })
    }

    /// What is served there in the version that was chosen; without a choice, in the newest one.
    pub(super) fn target(&self, choice: Option<&VersionChoice>) -> Option<&Arc<Target>> {
        match choice {
            None => self.spot.targets.first(),
            Some(choice) => self.spot.targets.iter().find(|target| target.edition.number() == choice.version),
        }
    }
}

fn ids(parameters: &matchit::Params<'_, '_>) -> Option<[Option<Uuid>; 2]> {
    let mut ids = [None; 2];
    for (place, (_, value)) in ids.iter_mut().zip(parameters.iter()) {
        *place = Some(canonical(value)?);
    }
    Some(ids)
}

/// One spelling for each id, so that one resource has one URL: small letters, and hyphens between them.
fn canonical(text: &str) -> Option<Uuid> {
    let text = decode_component(text).ok()?;
    let is_canonical = text.len() == Hyphenated::LENGTH && !text.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_canonical { Uuid::try_parse(&text).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_spelling() {
        let text = "01900000-0000-7000-8000-00000000abcd";
        let id: Uuid = text.parse().unwrap();

        assert_eq!(canonical(text), Some(id));
        assert_eq!(canonical("01900000-0000-7000-8000-00000000%61bcd"), Some(id));
        for other in [
            text.to_uppercase(),
            id.simple().to_string(),
            id.urn().to_string(),
            id.braced().to_string(),
            format!(" {text}"),
            format!("{}x", &text[..35]),
            "0190-0000-0000-7000-8000-00000000abcdef".to_owned(),
            "01900000-00007000-8000-00000000abcd-0000".to_owned(),
            text.replace("-0000-", "0000--"),
        ] {
            assert_eq!(canonical(&other), None, "{other}");
        }
    }
}
