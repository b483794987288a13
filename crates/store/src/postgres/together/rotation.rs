//! Rotations that come at the same moment share a statement and its commit. What is not as usual is left for
//! [`sessions`](crate::postgres::sessions) to look at, one at a time.

use std::collections::{HashMap, HashSet};

use tokio_postgres::Row;
use uuid::Uuid;
use valetkey_oauth::model::{Session, SessionId};
use valetkey_oauth::ports::{RotationRules, StoreError};

use super::{arrays, in_doubt};
use crate::moment::to_column;
use crate::postgres::connection::{Bounds, Connections, Gathering};
use crate::postgres::sessions::{COLUMNS, session};

/// How many rotations at once. Two commits: while one is on its way to the disk, the next is made, unless that takes long.
const BOUNDS: Bounds = Bounds { ways: 2, most: 256, commits: true };

/// One step of a session, from a generation to the next.
#[derive(Clone, Copy)]
pub(in crate::postgres) struct Step {
    id: Uuid,
    generation: i64,
    now: i64,
    idle_since: i64,
    step: i64,
}

impl Step {
    pub(in crate::postgres) fn new(id: SessionId, generation: u32, rules: &RotationRules) -> Self {
        Self {
            id: id.0,
            generation: i64::from(generation),
            now: to_column(rules.now),
            idle_since: to_column(rules.idle_since),
            step: i64::from(rules.voids),
        }
    }
}

/// The session after the step. None: the step was not taken in this way, and nothing happened.
type Taken = Result<Option<Session>, StoreError>;

/// Rotations under way.
pub(in crate::postgres) type Rotations = Gathering<Step, Taken>;

/// Where they take place.
pub(in crate::postgres) fn rotations(connections: &Connections) -> Rotations {
    let connections = connections.clone();
    Gathering::new(BOUNDS, move |steps: Vec<Step>| {
        let connections = connections.clone();
        async move { advance(&connections, &steps).await }
    })
}

/// Takes those steps that are good. A session that another transaction holds is passed over: nobody waits for a stranger,
/// and two nodes cannot wait for each other.
async fn advance(connections: &Connections, steps: &[Step]) -> Result<Vec<Taken>, StoreError> {
    let update = format!(
        "WITH asked AS (SELECT * FROM unnest((SELECT $1::uuid[]), $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) \
             AS a (a_id, a_generation, a_now, a_idle_since, a_step)), \
         free AS (SELECT asked.* FROM asked JOIN sessions ON id = a_id FOR NO KEY UPDATE OF sessions SKIP LOCKED) \
         UPDATE sessions SET generation = generation + a_step, used_at = a_now FROM free \
         WHERE id = a_id AND generation = a_generation AND ended IS NULL AND expires_at > a_now AND used_at >= a_idle_since \
         RETURNING {COLUMNS}"
    );
    // Two steps of one session do not go together: of those, the first does.
    let mut seen = HashSet::with_capacity(steps.len());
    let is_first: Vec<bool> = steps.iter().map(|step| seen.insert(step.id)).collect();
    let going: Vec<Step> = steps.iter().zip(&is_first).filter(|(_, first)| **first).map(|(step, _)| *step).collect();
    let ids: Vec<Uuid> = going.iter().map(|step| step.id).collect();
    let numbers = |of: fn(&Step) -> i64| going.iter().map(of).collect::<Vec<_>>();
    let (generations, now) = (numbers(|step| step.generation), numbers(|step| step.now));
    let (idle, step) = (numbers(|step| step.idle_since), numbers(|step| step.step));
    let rows = match connections.write_together(&update, &[&ids, &generations, &now, &idle, &step]).await {
        Ok(rows) => rows.unwrap_or_default(),
        Err(error) => return Ok(in_doubt(&is_first, &error, &None)),
    };
    let mut taken: HashMap<Uuid, &Row> = arrays::by_id(&rows)?;
    let taken = steps.iter().zip(is_first).map(|(step, first)| if first { taken.remove(&step.id) } else { None });
    Ok(taken.map(|row| row.map(session).transpose()).collect())
}
