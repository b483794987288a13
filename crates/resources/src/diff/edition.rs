//! Versions with what their clients see, and what changes between two sets of them.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::civil::Date;

use super::finding::{Finding, in_order};
use super::surface::Surface;
use super::{declared, lock, rule};
use crate::lens;
use crate::model::{Api, Version};

/// One version, and its face: the API as clients of this version see it.
#[derive(Debug, Clone)]
pub struct Edition<'a> {
    /// Its number and its days.
    pub version: &'a Version,
    /// What its clients see.
    pub face: Cow<'a, Api>,
}

/// Every version of an API, from the oldest to the newest. One whose changes do not fit, which its declaration would have
/// told, has its newest alone.
pub fn editions(api: &Api) -> Vec<Edition<'_>> {
    let newest = || api.versions.last().map(|version| Edition { version, face: Cow::Borrowed(api) });
    let Ok(faces) = lens::faces(api) else { return newest().into_iter().collect() };
    let numbered = |number: u32| api.versions.iter().find(|version| version.number == number);
    let each = faces.into_iter().rev().filter_map(|face| {
        let version = numbered(face.version.number)?;
        Some(Edition { version, face: Cow::Owned(Arc::unwrap_or_clone(face.api)) })
    });
    each.collect()
}

impl Edition<'_> {
    /// Is it out, and not gone yet?
    pub(super) fn is_live(&self, today: Date) -> bool {
        self.version.released <= today && !is_over(self.version.removed, today)
    }
}

pub(super) fn is_over(removed: Option<Date>, today: Date) -> bool {
    removed.is_some_and(|removed| removed <= today)
}

/// What clients of each version of the older set would notice.
pub fn compare(old: &[Edition<'_>], new: &[Edition<'_>], today: Date) -> Vec<Finding> {
    let is_one = old.len() == 1 && new.len() == 1;
    let mut found = Vec::new();
    for before in old {
        let number = before.version.number;
        match new.iter().find(|after| after.version.number == number) {
            Some(after) => {
                let changes = declared::compare(&Surface::of(&before.face), &Surface::of(&after.face));
                found.extend(changes.into_iter().map(|one| if is_one { one } else { one.in_version(number) }));
            }
            None if is_over(before.version.removed, today) => {
                let told = "The version is gone, as was announced.".to_owned();
                found.push(Finding::new(&rule::ENDPOINT_EXPIRED, format!("v{number}"), told));
            }
            None => {
                let told = "The version is gone, with all its endpoints.";
                found.push(Finding::new(&rule::ENDPOINT_REMOVED, format!("v{number}"), told));
            }
        }
    }
    for after in new.iter().filter(|after| old.iter().all(|before| before.version.number != after.version.number)) {
        let told = format!("There is a version {}.", after.version.number);
        found.push(Finding::new(&rule::ENDPOINT_ADDED, format!("v{}", after.version.number), told));
    }
    found.extend(lock::unseen(old, new, today));
    in_order(found)
}

impl Finding {
    /// The same, with the version it was found in.
    pub(super) fn in_version(mut self, number: u32) -> Self {
        self.place = format!("v{number} {}", self.place);
        self
    }
}
