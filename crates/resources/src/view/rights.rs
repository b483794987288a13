//! What a caller may do with rows of a resource, asked once for all rows of an answer. Knows no row.

use crate::model::Operation;
use crate::service::{Served, Speaker};

/// Which links the caller gets, as far as the row does not decide.
pub(super) struct Rights {
    /// For each relation, if its rows may be read.
    pub(super) relations: Vec<Option<Right>>,
    /// For each resource below: may it be listed?
    pub(super) children: Vec<bool>,
    /// For each action that is seen.
    pub(super) actions: Vec<bool>,
}

/// A relation whose rows may be read.
pub(super) struct Right {
    /// All of them, whoever owns them?
    pub(super) sees_all: bool,
}

impl Rights {
    /// Those of this caller.
    pub(super) fn of(speaker: &Speaker, served: &Served) -> Self {
        let relations = served.relations.iter().map(|relation| {
            let may = speaker.may(&relation.target, Operation::Read);
            may.then(|| Right { sees_all: speaker.sight(&relation.target).owner.is_none() })
        });
        Self {
            relations: relations.collect(),
            children: served.children.iter().map(|child| speaker.may(child, Operation::List)).collect(),
            actions: served.face.actions.iter().map(|action| speaker.may_act(&served.face, action)).collect(),
        }
    }
}
