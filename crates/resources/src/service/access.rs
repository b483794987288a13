//! Who may do what, and which rows are there for them.

use valetkey_rest::Problem;
use valetkey_rest::bearer::SignInNeed;
use valetkey_rest::problem::catalogue;
use valetkey_rest::version::Lifecycle;

use super::Speaker;
use crate::model::{Action, Operation, Ownership, Resource};
use crate::ports::Sight;

impl Speaker {
    /// May the caller do this? No scope: 403. A sign-in that is too old for it: 401.
    pub fn permit(&self, of: &Resource, operation: Operation) -> Result<(), Problem> {
        self.need(of.scopes.of(operation))
    }

    /// May the caller ask for this action?
    pub fn permit_action(&self, of: &Resource, action: &Action) -> Result<(), Problem> {
        self.need(action.scope.as_deref().or_else(|| of.scopes.of(Operation::Act)))
    }

    /// The same, as a question.
    pub fn may(&self, of: &Resource, operation: Operation) -> bool {
        !self.has_lost(of, operation, None)
            && of.offers(operation)
            && of.scopes.of(operation).is_none_or(|scope| self.has(scope))
    }

    /// The same for an action.
    pub fn may_act(&self, of: &Resource, action: &Action) -> bool {
        let scope = action.scope.as_deref().or_else(|| of.scopes.of(Operation::Act));
        !self.has_lost(of, Operation::Act, Some(action))
            && of.offers(Operation::Act)
            && scope.is_none_or(|scope| self.has(scope))
    }

    /// Is this gone already, with the sunset of the version that is spoken?
    pub fn has_lost(&self, of: &Resource, operation: Operation, action: Option<&Action>) -> bool {
        let versions = &self.service.versions;
        let is_past = || {
            let version = versions.version(self.version());
            version.is_some_and(|version| version.state(versions.today()) == Lifecycle::Sunset)
        };
        self.edition.loses_anything() && self.edition.loses(of, operation, action) && is_past()
    }

    /// The rows of a resource that are there for this caller: a user's own, where rows have owners.
    pub fn sight(&self, of: &Resource) -> Sight {
        let owner = match of.ownership {
            Ownership::All => None,
            Ownership::Own => self.caller.subject.clone(),
        };
        Sight { owner, under: None }
    }

    fn need(&self, scope: Option<&str>) -> Result<(), Problem> {
        let (challenge, Some(scope)) = (&self.service.challenge, scope) else { return Ok(()) };
        if !self.caller.has(scope) {
            return Err(challenge.insufficient_scope(scope));
        }
        match self.stale(scope) {
            Some(need) => Err(challenge.insufficient_user_authentication(&need)),
            None => Ok(()),
        }
    }

    fn has(&self, scope: &str) -> bool {
        self.caller.has(scope) && self.stale(scope).is_none()
    }

    /// What this scope asks of a user's sign-in and this caller's is not.
    fn stale(&self, scope: &str) -> Option<SignInNeed> {
        let need = SignInNeed::fresh(self.service.api.max_age(scope)?);
        let now = self.service.clock.now().as_second();
        (!need.is_met_by(&self.caller, now)).then_some(need)
    }
}

/// Nothing is there for this caller.
pub(crate) fn missing(of: &Resource) -> Problem {
    Problem::new(&catalogue::NOT_FOUND)
        .detail(format!("No {} that you can see has this id. It may be gone, or belong to someone else.", of.singular))
}
