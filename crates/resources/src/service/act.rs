//! Actions: transitions of a row's state. Those whose work is elsewhere, or takes time, begin a task.

use std::panic::resume_unwind;
use std::sync::Arc;

use jiff::SignedDuration;
use serde_json::{Map, Value};
use tokio::task::JoinError;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;
use valetkey_rest::Problem;
use valetkey_rest::problem::catalogue;

use super::document::document;
use super::store_problem::kept;
use super::work::{Progress, Worker};
use super::{Conditions, Made, Served, Speaker};
use crate::model::{Action, Operation, Resource, Stamp};
use crate::ports::{
    Claimed, Draft, Edit, Edited, KeptAnswer, Keyed, OperationState, Sight, Stored, Task, TaskId, TaskStep,
};
use crate::validate::Faults;
use crate::view;

/// The outcome of a task can be asked for so long.
const MONITORED: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Who does a task at once has the time of one call and this much more, before the queue comes in.
const GRACE: SignedDuration = SignedDuration::from_secs(15);

/// So many calls are made for callers at once, those included whose caller has left. Whoever comes then is served by the queue.
const AT_ONCE: usize = 1_000;

/// An action that was asked for.
pub struct Order {
    /// Its place in `Resource::actions`.
    pub action: usize,
    /// The row.
    pub id: Uuid,
    /// Is the row there for the caller?
    pub sight: Sight,
    /// The body.
    pub input: Value,
    /// The key of the request.
    pub keyed: Option<Keyed>,
    /// When the caller is answered, whatever others still have to do.
    pub answer_by: Instant,
}

/// What became of it.
#[derive(Debug)]
pub enum Acted {
    /// It is done: the row as it is now.
    Done(Made),
    /// It will be done: the monitor of the task.
    Accepted(Made),
}

impl Speaker {
    /// Does an action, or begins it.
    pub async fn act(&self, served: &Arc<Served>, order: Order, conditions: &Conditions) -> Result<Acted, Problem> {
        let Some(action) = served.resource.actions.get(order.action) else {
            return Err(Problem::new(&catalogue::NOT_FOUND));
        };
        self.demand(served, Operation::Act, order.id, &order.sight, conditions).await?;
        if let Some(keyed) = &order.keyed
            && let Some(found) = self.service.ports.answers.kept(keyed).await?
        {
            return kept(found).map(|answer| Acted::Done(Made::Before(answer)));
        }
        let mut faults = Faults::default();
        served.rules.check_input(order.action, &order.input, &mut faults);
        faults.into_result()?;
        if action.is_async || action.handler.is_some() {
            return self.begin(served, action, order, conditions).await;
        }
        let now = self.service.now();
        let seen = self.seen_from(served, order.id, &order.sight).await?;
        let (speaker, kind, place) = (self.clone(), served.clone(), order.action);
        let linked = seen.clone();
        let edit: Edit = Arc::new(move |stored: &Stored| {
            let of = &kind.resource;
            let before = possible(&kind, place, stored)?;
            let after = moved(of, &of.actions[place], before.clone(), now);
            let mut edited = speaker.edited(of, &before, &after);
            edited.answer = Some(speaker.answer(&kind, &next(stored, edited.draft.as_ref(), now), &linked));
            Ok(edited)
        });
        match self.transition(served, order.id, order.sight, conditions, edit, order.keyed).await? {
            Ok(stored) => Ok(Acted::Done(Made::Now(self.answer(served, &stored, &seen)))),
            Err(made) => Ok(Acted::Done(made)),
        }
    }

    /// Begins a task. A handler that answers soon makes it look as if there were none.
    async fn begin(
        &self,
        served: &Arc<Served>,
        action: &Action,
        order: Order,
        conditions: &Conditions,
    ) -> Result<Acted, Problem> {
        let task = self.task(served, action, &order);
        let answer = action.is_async.then(|| self.monitor(&task));
        let (kind, begun, place) = (served.clone(), task.clone(), order.action);
        let kept_at_once = answer.clone();
        let edit: Edit = Arc::new(move |stored: &Stored| {
            possible(&kind, place, stored)?;
            Ok(Edited {
                draft: None,
                task: TaskStep::Begin(Box::new(begun.task.clone())),
                answer: kept_at_once.clone(),
            })
        });
        match self.transition(served, order.id, order.sight, conditions, edit, order.keyed).await? {
            Err(made) => return Ok(Acted::Done(made)),
            Ok(_) if action.is_async => {
                self.service.work.notify_one();
            }
            Ok(_) => match self.perform(&task, order.answer_by).await? {
                Some(Progress::Done(stored)) => {
                    let seen = self.seen(served, &[&stored]).await?;
                    return Ok(Acted::Done(Made::Now(self.answer(served, &stored, &seen))));
                }
                Some(Progress::Failed { problem }) => return Err(problem),
                // It goes on, at once or in the queue; the caller can look.
                Some(Progress::Again) | None => {}
            },
        }
        Ok(Acted::Accepted(Made::Now(answer.unwrap_or_else(|| self.monitor(&task)))))
    }

    /// Does a task beside the request: a caller who leaves must not make the handler be called again. None if it takes longer
    /// than the caller waits, or is done later.
    async fn perform(&self, task: &Claimed, answer_by: Instant) -> Result<Option<Progress>, Problem> {
        if self.service.under_way.len() >= AT_ONCE {
            self.service.ports.operations.postpone(task.task.id, self.service.now()).await?;
            self.service.work.notify_one();
            return Ok(None);
        }
        let (worker, speaker, task) = (Worker { service: self.service.clone() }, self.clone(), task.clone());
        let performing = self.service.under_way.spawn(async move { worker.perform(&task, Some(&speaker)).await });
        match timeout_at(answer_by, performing).await.map(|ended| ended.map_err(JoinError::try_into_panic)) {
            Ok(Ok(progress)) => Ok(Some(progress?)),
            Ok(Err(Ok(panic))) => resume_unwind(panic),
            // Its time is over, or that of the server.
            Err(_) | Ok(Err(Err(_))) => Ok(None),
        }
    }

    fn task(&self, served: &Served, action: &Action, order: &Order) -> Claimed {
        let now = self.service.now();
        let later = |by: SignedDuration| now.checked_add(by).unwrap_or(now);
        let call = action.handler.as_ref().and_then(|handler| SignedDuration::try_from(handler.timeout).ok());
        let due_at = if action.is_async { now } else { later(call.unwrap_or_default() + GRACE) };
        let key = order.keyed.as_ref().filter(|_| !action.is_async).map(|keyed| keyed.key.clone());
        let task = Task {
            id: TaskId(self.service.ids.next(now)),
            resource: served.resource.name.clone(),
            row: order.id,
            action: action.name.clone(),
            input: order.input.clone(),
            client: self.caller.client.clone(),
            subject: self.caller.subject.clone(),
            version: self.version().to_string(),
            key,
            created_at: now,
            due_at,
            until: later(MONITORED),
        };
        let attempts = task.tried();
        Claimed { task, state: OperationState::Pending, attempts, updated_at: now }
    }

    /// Where a task can be watched.
    pub(super) fn monitor(&self, task: &Claimed) -> KeptAnswer {
        KeptAnswer {
            location: Some(format!("{}/operations/{}", self.prefix, task.task.id)),
            etag: None,
            body: view::task(self, task).to_string().into_bytes(),
        }
    }

    /// A task that this caller began, or of their resources; a client that speaks for itself sees every one of a resource it may
    /// read.
    pub async fn operation(&self, id: TaskId) -> Result<Claimed, Problem> {
        let missing = || Problem::new(&catalogue::NOT_FOUND).detail("No operation that you can see has this id.");
        let found = self.service.ports.operations.operation(id).await?.ok_or_else(missing)?;
        let served = self.edition.stored(&found.task.resource).ok_or_else(missing)?;
        let is_own = found.task.subject == self.caller.subject;
        if !is_own && self.caller.subject.is_some() {
            return Err(missing());
        }
        // Whoever began it may watch it, as long as they could begin it again.
        let action = served.resource.actions.iter().find(|action| action.name == found.task.action);
        let scope = action.map(|action| action.scope.as_deref().or_else(|| served.resource.scopes.of(Operation::Act)));
        let may_act = scope.is_some_and(|scope| scope.is_none_or(|scope| self.caller.has(scope)));
        if !(is_own && found.task.client == self.caller.client && may_act) {
            self.permit(&served.resource, Operation::Read)?;
        }
        Ok(found)
    }
}

/// The fields of a row on which this action is possible now.
pub(super) fn possible(served: &Served, place: usize, stored: &Stored) -> Result<Map<String, Value>, Problem> {
    if stored.task.is_some() {
        return Err(Problem::new(&catalogue::CONFLICT).detail(format!(
            "Another action on this {} is still under way. Watch `links.operation`, and try again when it is done.",
            served.face.singular
        )));
    }
    fits(served, place, stored)
}

/// The same, for a task that is the one under way.
pub(super) fn fits(served: &Served, place: usize, stored: &Stored) -> Result<Map<String, Value>, Problem> {
    let (of, action) = (&served.resource, &served.resource.actions[place]);
    let document = document(of, stored)?;
    let state = of.state.as_ref().and_then(|field| document.get(field)).and_then(Value::as_str);
    if action.is_possible_in(state) {
        return Ok(document);
    }
    let seen = served.seen(&document);
    let state = served.face.state.as_ref().and_then(|field| seen.get(field)).and_then(Value::as_str);
    let named = served.actions.iter().position(|stored| *stored == place);
    let action = named.and_then(|named| served.face.actions.get(named)).unwrap_or(action);
    let Some(state) = state else {
        let told = format!("`{}` is not possible on this {} now.", action.name, served.face.singular);
        return Err(Problem::new(&catalogue::CONFLICT).detail(told));
    };
    Err(Problem::new(&catalogue::CONFLICT).detail(format!(
        "This {} is {state}. `{}` is possible only while it is {}.",
        served.face.singular,
        action.name,
        action.from.join(" or ")
    )))
}

/// The document after the transition.
pub(super) fn moved(
    of: &Resource,
    action: &Action,
    mut document: Map<String, Value>,
    now: jiff::Timestamp,
) -> Map<String, Value> {
    if let (Some(field), Some(to)) = (&of.state, &action.to) {
        document.insert(field.clone(), Value::String(to.clone()));
    }
    for field in of.fields.iter().filter(|field| field.stamp == Some(Stamp::UpdatedAt)) {
        document.insert(field.name.clone(), Value::String(now.to_string()));
    }
    document
}

/// The row as it will be, for the answer that is kept with it.
pub(super) fn next(stored: &Stored, draft: Option<&Draft>, now: jiff::Timestamp) -> Stored {
    let mut next = stored.clone();
    if let Some(draft) = draft {
        next.revision += 1;
        next.updated_at = now;
        next.document.clone_from(&draft.document);
    }
    next
}

#[cfg(test)]
mod tests;
