//! The work behind tasks: a call to a handler, if there is one, then the transition. Each task is done to its end, through
//! restarts, and its result becomes part of the row in the transaction that ends it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use valetkey_rest::Problem;
use valetkey_rest::bearer::Caller;
use valetkey_rest::problem::catalogue;

use super::act::{fits, moved, next};
use super::document::document;
use super::{Served, Service, Speaker};
use crate::model::{Action, Handler};
use crate::ports::{Change, Changing, Claimed, Edit, Precondition, Sight, StoreError, Stored, Task, TaskStep};

/// A node that took a task and died holds it back this long. Before a call to a handler, it is made longer.
const LEASE: SignedDuration = SignedDuration::from_secs(10);
/// A task of an action that is not declared here waits so long for a node that knows it: nodes are upgraded one after the
/// other.
const UNKNOWN: SignedDuration = SignedDuration::from_mins(10);
/// One that was tried before waits so long: some node knew it, and twenty attempts with their pauses take 41 hours.
const TRIED: SignedDuration = SignedDuration::from_hours(48);
/// How soon another node may take what this one cannot do.
const TURN: SignedDuration = SignedDuration::from_secs(2);
/// The same for what has waited long already.
const LATER_TURN: SignedDuration = SignedDuration::from_secs(30);
/// The pause after each failure, in seconds; the last one repeats.
const PAUSES: [i64; 7] = [1, 5, 30, 2 * 60, 10 * 60, 3_600, 3 * 3_600];

/// A call to the service that does the work of an action.
#[derive(Debug)]
pub struct HandlerCall<'a> {
    /// Where it listens.
    pub url: &'a str,
    /// How long it may take.
    pub timeout: Duration,
    /// The same for each attempt of one task, so that the handler can tell a repeat.
    pub id: String,
    /// What is to be done, as JSON.
    pub body: Value,
}

/// Why a call brought no result.
#[derive(Debug)]
pub enum HandlerError {
    /// The handler says no, and will say so again.
    Refused(String),
    /// Trying again may help.
    Failed(String),
}

/// Whoever can call handlers.
#[async_trait]
pub trait Handlers: Send + Sync {
    /// Calls one. Its result is an object of fields to change, perhaps empty.
    async fn call(&self, call: HandlerCall<'_>) -> Result<Map<String, Value>, HandlerError>;
}

/// How far a task came.
#[derive(Debug)]
pub enum Progress {
    /// It is done; the row as it is now.
    Done(Stored),
    /// It was given up.
    Failed {
        /// What its caller is told.
        problem: Problem,
    },
    /// It will be tried again.
    Again,
}

/// Does tasks.
pub struct Worker {
    /// What they are about.
    pub service: Arc<Service>,
}

impl Worker {
    /// Takes tasks that are due.
    pub async fn take(&self, most: u32) -> Result<Vec<Claimed>, StoreError> {
        let now = self.service.now();
        let lease_until = now.checked_add(LEASE).unwrap_or(Timestamp::MAX);
        self.service.ports.operations.claim(now, lease_until, most).await
    }

    /// Does one. Whoever waits for it speaks as `speaker`.
    pub async fn perform(&self, claimed: &Claimed, speaker: Option<&Speaker>) -> Result<Progress, StoreError> {
        match self.attempt(claimed, speaker).await {
            Err(StoreError::Superseded(_)) => self.leave(&claimed.task, TURN).await,
            outcome => outcome,
        }
    }

    async fn attempt(&self, claimed: &Claimed, speaker: Option<&Speaker>) -> Result<Progress, StoreError> {
        let task = &claimed.task;
        let edition = self.service.newest_with(&task.resource);
        let served = edition.and_then(|edition| edition.stored(&task.resource));
        let place =
            served.and_then(|served| served.resource.actions.iter().position(|action| action.name == task.action));
        let (Some(served), Some(place)) = (served, place) else {
            return self.pass_on(claimed).await;
        };
        let action = &served.resource.actions[place];
        let Some(row) = self.service.ports.rows.find(&served.resource, task.row, &Sight::default()).await? else {
            let told = format!("The {} is gone.", served.resource.singular);
            return self.fail(task, Problem::new(&catalogue::NOT_FOUND).detail(told)).await;
        };
        if let Some(handler) = &action.handler {
            let call = SignedDuration::try_from(handler.timeout).unwrap_or(LEASE) + LEASE;
            let now = self.service.now();
            let operations = &self.service.ports.operations;
            operations.postpone(task.id, now.checked_add(call).unwrap_or(now)).await?;
        }
        let result = match self.call(served, action, task, &row).await {
            Ok(result) => result,
            Err(HandlerError::Refused(why)) => {
                return self.fail(task, Problem::new(&catalogue::CONFLICT).detail(why)).await;
            }
            Err(HandlerError::Failed(why)) => return self.postpone(claimed, action, why).await,
        };
        self.finish(served, place, task, result, speaker).await
    }

    async fn call(
        &self,
        served: &Arc<Served>,
        action: &Action,
        task: &Task,
        row: &Stored,
    ) -> Result<Map<String, Value>, HandlerError> {
        let Some(handler) = &action.handler else { return Ok(Map::new()) };
        let data = document(&served.resource, row).map_err(|problem| HandlerError::Failed(problem.to_string()))?;
        let (spoken, version) = self.spoken(served, handler);
        let mut data = spoken.seen(&data);
        data.insert("id".to_owned(), Value::String(row.id.hyphenated().to_string()));
        let body = json!({
            "operation": task.id.to_string(),
            "version": version,
            "resource": spoken.face.name,
            "action": spoken.seen_action(&task.action).unwrap_or(&task.action),
            "input": task.input,
            "data": data,
            "client": task.client,
            "subject": task.subject,
        });
        let id = task.id.to_string();
        self.service.handlers.call(HandlerCall { url: &handler.url, timeout: handler.timeout, id, body }).await
    }

    /// The resource as a handler knows it, and the version that it speaks.
    fn spoken(&self, served: &Arc<Served>, handler: &Handler) -> (Arc<Served>, Option<u32>) {
        let edition = match handler.version {
            Some(number) => self.service.edition(number),
            None => self.service.newest_with(&served.resource.name),
        };
        let spoken = edition.and_then(|edition| edition.stored(&served.resource.name)).unwrap_or(served);
        (spoken.clone(), edition.map(|edition| edition.number()))
    }

    async fn finish(
        &self,
        served: &Arc<Served>,
        place: usize,
        task: &Task,
        result: Map<String, Value>,
        speaker: Option<&Speaker>,
    ) -> Result<Progress, StoreError> {
        let now = self.service.now();
        let speaker = speaker.cloned().unwrap_or_else(|| self.in_the_name_of(task));
        let linked = match speaker.seen_from(served, task.row, &Sight::default()).await {
            Ok(seen) => seen,
            Err(problem) => return Err(StoreError::Unavailable(problem.to_string())),
        };
        let (kind, id) = (served.clone(), task.id);
        let told_as = speaker.edition.stored(&task.resource).unwrap_or(served).clone();
        let handler = served.resource.actions[place].handler.as_ref();
        let spoken = handler.map_or_else(|| served.clone(), |handler| self.spoken(served, handler).0);
        let edit: Edit = Arc::new(move |stored: &Stored| {
            let of = &kind.resource;
            let before = fits(&told_as, place, stored)?;
            // The caller cannot mend what the handler answered, so its fields are not told as the caller's.
            let merged = spoken.merge(&before, &result).map_err(|problem| {
                let names: Vec<&str> = problem.fields().iter().map(|field| &*field.field).collect();
                let told =
                    format!("The service that does this work answered with {} that cannot be.", names.join(", "));
                Problem::new(&catalogue::CONFLICT).detail(told)
            })?;
            let after = moved(of, &of.actions[place], merged, now);
            let mut edited = speaker.edited(of, &before, &after);
            edited.task = TaskStep::Finish(id);
            let mut then = next(stored, edited.draft.as_ref(), now);
            if edited.draft.is_none() {
                // The end of the task is a change of the row too: its links are others.
                then.revision += 1;
            }
            then.task = None;
            edited.answer = Some(speaker.answer(&told_as, &then, &linked));
            Ok(edited)
        });
        let change = Change {
            resource: served.resource.clone(),
            id: task.row,
            sight: Sight::default(),
            condition: Precondition::None,
            now,
            edit,
            keyed: None,
        };
        match self.service.ports.rows.change(change).await? {
            Changing::Changed(stored) => Ok(Progress::Done(stored)),
            Changing::Refused(problem) => self.fail(task, problem).await,
            Changing::NotUnique(field) | Changing::Dangling(field) => {
                let told = format!("The result of the work does not fit: `{field}` cannot have this value.");
                self.fail(task, Problem::new(&catalogue::CONFLICT).detail(told)).await
            }
            Changing::Missing | Changing::ConditionFailed(_) | Changing::Kept(_) => {
                self.fail(task, Problem::new(&catalogue::CONFLICT).detail("The work was done elsewhere already.")).await
            }
        }
    }

    /// Whoever began a task may be gone: its answer then names only what anyone may do.
    fn in_the_name_of(&self, task: &Task) -> Speaker {
        let caller = Caller {
            client: task.client.clone(),
            subject: task.subject.clone(),
            scopes: Vec::new(),
            version_pin: None,
            expires_at: None,
            ..Caller::default()
        };
        let spoken = task.version.parse().ok().and_then(|number| self.service.edition(number));
        // A version that was forgotten since is answered in the newest.
        let edition = spoken.unwrap_or(&self.service.editions[0]).clone();
        Speaker { service: self.service.clone(), caller: Arc::new(caller), prefix: "/api".into(), edition }
    }

    /// Leaves a task whose action is not declared here to a node that knows it, as long as there may be one.
    async fn pass_on(&self, claimed: &Claimed) -> Result<Progress, StoreError> {
        let task = &claimed.task;
        let age = self.service.now().duration_since(task.created_at);
        // Being taken by this node is one of the attempts.
        let is_tried = claimed.attempts > 1;
        if age < UNKNOWN {
            self.leave(task, TURN).await
        } else if is_tried && age < TRIED {
            self.leave(task, LATER_TURN).await
        } else {
            self.fail(task, Problem::new(&catalogue::GONE).detail("This action is no longer offered.")).await
        }
    }

    /// Leaves a task to a node that has another declaration.
    async fn leave(&self, task: &Task, turn: SignedDuration) -> Result<Progress, StoreError> {
        let now = self.service.now();
        self.service.ports.operations.put_back(task.id, now.checked_add(turn).unwrap_or(now)).await?;
        Ok(Progress::Again)
    }

    async fn fail(&self, task: &Task, problem: Problem) -> Result<Progress, StoreError> {
        // A handler may say anything, and not every database can keep a zero byte.
        let told = problem.detail_text().unwrap_or(problem.kind().meaning).replace('\0', "\u{fffd}");
        let problem = problem.detail(told.clone());
        let status = problem.status_code().as_u16();
        self.service.ports.operations.give_up(task.id, status, &told, self.service.now()).await?;
        Ok(Progress::Failed { problem })
    }

    async fn postpone(&self, claimed: &Claimed, action: &Action, why: String) -> Result<Progress, StoreError> {
        let attempts = claimed.attempts.max(1);
        if action.handler.as_ref().is_none_or(|handler| attempts >= handler.attempts) {
            let told = format!("The service that does this work did not answer well, {attempts} times. {why}");
            return self.fail(&claimed.task, Problem::new(&catalogue::GATEWAY_TIMEOUT).detail(told)).await;
        }
        let step = usize::try_from(attempts - 1).unwrap_or(usize::MAX).min(PAUSES.len() - 1);
        let now = self.service.now();
        let due_at = now.checked_add(SignedDuration::from_secs(PAUSES[step])).unwrap_or(now);
        self.service.ports.operations.postpone(claimed.task.id, due_at).await?;
        Ok(Progress::Again)
    }
}

#[cfg(test)]
mod tests;
