//! Rows that go.

use uuid::Uuid;
use valetkey_rest::Problem;
use valetkey_rest::conditional;
use valetkey_rest::problem::catalogue;

use super::access::missing;
use super::{Conditions, Served, Speaker};
use crate::model::Operation;
use crate::ports::{Removal, Removing, Sight};

impl Speaker {
    /// Removes a row.
    pub async fn remove(
        &self,
        served: &Served,
        id: Uuid,
        sight: Sight,
        conditions: &Conditions,
    ) -> Result<(), Problem> {
        let of = &served.resource;
        self.demand(served, Operation::Delete, id, &sight, conditions).await?;
        if conditions.if_none_match.is_some() {
            let stored = self.find(served, id, &sight).await?;
            self.check_unmatched(conditions, stored.revision)?;
        }
        let condition = self.precondition(conditions.if_match.as_ref());
        let now = self.service.now();
        let api = self.service.api.clone();
        let removal = Removal { api, resource: of.clone(), id, sight, condition, now };
        match self.service.ports.rows.remove(removal).await? {
            Removing::Removed => Ok(()),
            Removing::Missing => Err(missing(&served.face)),
            Removing::ConditionFailed(revision) => Err(conditional::precondition_failed(Some(&self.etag(revision)))),
            Removing::InUse(by) => Err(Problem::new(&catalogue::CONFLICT).detail(format!(
                "There are still {} that refer to this {}. Delete them first, or let them refer to another.",
                self.name(&by),
                served.face.singular
            ))),
            Removing::TooMany { resource, most } => Err(Problem::new(&catalogue::CONFLICT).detail(format!(
                "More depends on this {} than one request sees to ({most} rows, or fewer large ones), {} among them. \
                 Delete some of these first.",
                served.face.singular,
                self.name(&resource),
            ))),
        }
    }

    /// What this version calls a resource.
    fn name<'b>(&'b self, resource: &'b str) -> &'b str {
        self.edition.stored(resource).map_or(resource, |served| &served.face.name)
    }
}
