//! New rows that come at the same moment share a statement and its commit. What is not as usual is left for
//! [`writing`](crate::postgres::writing) to do, one at a time.

use std::collections::HashSet;
use std::sync::Arc;

use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{Creation, KeptAnswer, Keyed};

use super::arrays;
use super::known::Known;
use crate::moment::to_micros;
use crate::postgres::Postgres;
use crate::postgres::connection::{Bounds, Connections, Gathering};
use crate::row::{elsewhere, key_subject};
use crate::statement::{self, Statements};

/// How many rows at once.
const BOUNDS: Bounds = Bounds { ways: 2, most: 64, commits: true };

/// Makes rows of one resource. False: it was not made in this way, and nothing happened.
type Maker = Gathering<Arc<Creation>, bool>;

/// Those for each resource: for rows without a key, and with one.
#[derive(Default)]
pub(in crate::postgres) struct Makers {
    plain: Known<Maker>,
    keyed: Known<Maker>,
}

impl Postgres {
    /// Makes a row together with others, if it is one of those that cannot stand in each other's way. False: it is not
    /// made.
    pub(in crate::postgres) async fn create_together(&self, creation: &Arc<Creation>) -> Result<bool, StoreError> {
        let Creation { resource, id, draft, keyed, .. } = &**creation;
        if !arrays::can_be_together(resource) || elsewhere(resource, *id, draft).next().is_some() {
            return Ok(false);
        }
        let statements = self.statements.of(resource);
        let makers = if keyed.is_some() { &self.makers.keyed } else { &self.makers.plain };
        let make = || maker(&self.connections, resource, &statements, keyed.is_some());
        makers.of(&statements.insert, make).ask(creation.clone()).await
    }
}

fn maker(connections: &Connections, of: &Resource, statements: &Statements, is_keyed: bool) -> Maker {
    let sql: Arc<str> = insert(&statements.insert, of, statements, is_keyed).into();
    let (connections, has_words) = (connections.clone(), statements.is_searchable);
    Gathering::new(BOUNDS, move |creations: Vec<Arc<Creation>>| {
        let (connections, sql) = (connections.clone(), sql.clone());
        async move { make(&connections, &sql, &creations, has_words).await }
    })
}

/// The statement for one row as one for many. Answers the ids of those that were made.
fn insert(one: &str, of: &Resource, statements: &Statements, is_keyed: bool) -> String {
    let (head, values) = one.split_once(" VALUES ").unwrap_or((one, "()"));
    let values = arrays::each(values.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(values));
    let mut kinds = vec!["uuid", "bigint", "text", "bigint", "bigint", "text"];
    kinds.extend(arrays::kinds(of, statements));
    let last = kinds.len();
    if is_keyed {
        kinds.extend(["text", "text", "text", "bytea", "text", "text", "bytea", "bigint"]);
    }
    let asked = arrays::asked(&kinds);
    if !is_keyed {
        return format!("{head} SELECT {values} FROM {asked} ORDER BY asked.v1 ON CONFLICT DO NOTHING RETURNING id");
    }
    let [client, subject, word, fingerprint, location, etag, body, until] =
        [1, 2, 3, 4, 5, 6, 7, 8].map(|place| format!("asked.v{}", last + place));
    let now = last + 9;
    // Keys are taken in their order, so that two nodes cannot wait for each other.
    format!(
        "WITH asked AS (SELECT * FROM {asked}), taken AS (\
             INSERT INTO kept_answers AS k (client, subject, word, fingerprint, state, location, etag, body, expires_at) \
             SELECT {client}, {subject}, {word}, {fingerprint}, 'done', {location}, {etag}, {body}, {until} \
             FROM asked ORDER BY 1, 2, 3 \
             ON CONFLICT (client, subject, word) DO UPDATE SET fingerprint = excluded.fingerprint, \
                 state = excluded.state, location = excluded.location, etag = excluded.etag, body = excluded.body, \
                 expires_at = excluded.expires_at \
             WHERE k.expires_at <= ${now} RETURNING client, subject, word) \
         {head} SELECT {values} FROM asked JOIN taken \
             ON taken.client = {client} AND taken.subject = {subject} AND taken.word = {word} RETURNING id"
    )
}

/// Makes those that can be made together.
async fn make(
    connections: &Connections,
    sql: &str,
    creations: &[Arc<Creation>],
    has_words: bool,
) -> Result<Vec<bool>, StoreError> {
    let going = apart(creations);
    let cells = arrays::columns(going.iter().map(|creation| &creation.draft));
    let ids: Vec<Uuid> = going.iter().map(|creation| creation.id).collect();
    let revisions: Vec<i64> = going.iter().map(|creation| creation.revision.cast_signed()).collect();
    let owners: Vec<_> = going.iter().map(|creation| creation.owner.as_deref()).collect();
    let now: Vec<_> = going.iter().map(|creation| to_micros(creation.now)).collect();
    let documents: Vec<_> = going.iter().map(|creation| creation.draft.document.as_str()).collect();
    let words: Vec<_> = going.iter().map(|creation| statement::vector(&creation.draft.words())).collect();
    let keys = Keys::of(going.iter().filter_map(|creation| creation.keyed.as_ref()));

    let mut values: Vec<&(dyn ToSql + Sync)> = vec![&ids, &revisions, &owners, &now, &now, &documents];
    values.extend(cells.iter().map(|column| column as &(dyn ToSql + Sync)));
    if has_words {
        values.push(&words);
    }
    if !keys.words.is_empty() {
        values.extend(keys.values());
    }
    let made = connections.write_together(sql, &values).await?.unwrap_or_default();
    let made = arrays::by_id(&made)?;
    let mut going = going.into_iter().peekable();
    // Whoever stayed behind was not made, whatever others have made.
    let has_gone = |creation| going.next_if(|next| Arc::ptr_eq(next, creation)).is_some();
    Ok(creations.iter().map(has_gone).zip(creations).map(|(gone, of)| gone && made.contains_key(&of.id)).collect())
}

/// Of those with one key or one id, the first; the others find what it leaves.
fn apart(creations: &[Arc<Creation>]) -> Vec<&Arc<Creation>> {
    let (mut keys, mut ids) = (HashSet::new(), HashSet::new());
    let name = |(keyed, _): &(Keyed, KeptAnswer)| {
        let key = &keyed.key;
        (key.client.clone(), key.subject.clone(), key.word.clone())
    };
    let mut is_first = |creation: &Creation| {
        creation.keyed.as_ref().map(name).is_none_or(|name| keys.insert(name)) && ids.insert(creation.id)
    };
    creations.iter().filter(|creation| is_first(creation)).collect()
}

/// The keys of requests and the answers to keep under them.
#[derive(Default)]
struct Keys<'a> {
    clients: Vec<&'a str>,
    subjects: Vec<&'a str>,
    words: Vec<&'a str>,
    fingerprints: Vec<&'a [u8]>,
    locations: Vec<Option<&'a str>>,
    etags: Vec<Option<&'a str>>,
    bodies: Vec<&'a [u8]>,
    until: Vec<i64>,
    /// The earliest of all: what is over by then is over for each of them.
    now: i64,
}

impl<'a> Keys<'a> {
    fn of(keyed: impl Iterator<Item = &'a (Keyed, KeptAnswer)>) -> Self {
        let mut keys = Self { now: i64::MAX, ..Self::default() };
        for (keyed, answer) in keyed {
            keys.clients.push(&keyed.key.client);
            keys.subjects.push(key_subject(keyed.key.subject.as_ref()));
            keys.words.push(&keyed.key.word);
            keys.fingerprints.push(&keyed.fingerprint);
            keys.locations.push(answer.location.as_deref());
            keys.etags.push(answer.etag.as_deref());
            keys.bodies.push(&answer.body);
            keys.until.push(to_micros(keyed.until));
            keys.now = keys.now.min(to_micros(keyed.now));
        }
        keys
    }

    fn values(&self) -> [&(dyn ToSql + Sync); 9] {
        [
            &self.clients,
            &self.subjects,
            &self.words,
            &self.fingerprints,
            &self.locations,
            &self.etags,
            &self.bodies,
            &self.until,
            &self.now,
        ]
    }
}
