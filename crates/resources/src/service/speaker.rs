//! One request's view of the service: who asks, and in which version.

use std::sync::Arc;

use valetkey_rest::bearer::Caller;
use valetkey_rest::conditional::{ETag, IfMatch};

use super::{Edition, Service};
use crate::ports::Precondition;

/// Whoever speaks to the API in one request.
#[derive(Clone)]
pub struct Speaker {
    /// What is spoken to.
    pub service: Arc<Service>,
    /// Who.
    pub caller: Arc<Caller>,
    /// The path before each resource: `/api`, or `/api/v1` for those who say the version there.
    pub prefix: Arc<str>,
    /// The version that is spoken.
    pub edition: Arc<Edition>,
}

impl Speaker {
    /// The version that is spoken.
    pub fn version(&self) -> u32 {
        self.edition.number()
    }

    /// The tag of a row: its revision, and the version it is told in.
    pub fn etag(&self, revision: u64) -> ETag {
        let (mut revisions, mut versions) = (itoa::Buffer::new(), itoa::Buffer::new());
        ETag::strong([revisions.format(revision), "-v", versions.format(self.version())].concat())
    }

    /// What `If-Match` demands of the row. Tags of another version, and weak ones, match nothing.
    pub fn precondition(&self, if_match: Option<&IfMatch>) -> Precondition {
        match if_match {
            None | Some(IfMatch::Any) => Precondition::None,
            Some(IfMatch::Tags(tags)) => {
                let suffix = format!("-v{}", self.version());
                let strong = tags.iter().filter(|tag| !tag.weak);
                let ours = strong.filter_map(|tag| {
                    let revision: u64 = tag.opaque.strip_suffix(suffix.as_str())?.parse().ok()?;
                    // A tag is compared as it is written: `01` is not `1`.
                    (self.etag(revision) == *tag).then_some(revision)
                });
                Precondition::Revision(ours.collect())
            }
        }
    }
}
