//! Schemas refer to each other, and in circles. Each pair of them is compared once; what differs is then gathered along the
//! references, on the shortest way, so that the work does not grow with the number of ways.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use serde_json::Value;

use super::{Comparison, Difference, MOST_DIFFERENCES, MOST_STEPS, follow};

/// Two schemas, and whether values are written as text there.
pub(super) type Key = (Side, Side, bool);
/// A schema: where it stands if it was referred to, else what it says.
pub(super) type Side = (bool, u64);

/// What is known of a pair of schemas without following their references.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) found: Vec<Difference>,
    pub(super) edges: Vec<Edge>,
}

/// The way to another pair.
#[derive(Debug)]
pub(super) struct Edge {
    path: String,
    key: Key,
    hides: Hides,
}

/// Whom values on a way do not concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Hides {
    /// Nobody writes them.
    pub(super) from_writers: bool,
    /// Nobody reads them.
    pub(super) from_readers: bool,
}

impl Edge {
    pub(super) fn to(key: Key) -> Self {
        Self { path: String::new(), key, hides: Hides::default() }
    }
}

impl Hides {
    fn and(self, other: Self) -> Self {
        Self {
            from_writers: self.from_writers || other.from_writers,
            from_readers: self.from_readers || other.from_readers,
        }
    }

    fn apply(self, difference: &mut Difference) {
        difference.request = difference.request.filter(|_| !self.from_writers);
        difference.response = difference.response.filter(|_| !self.from_readers);
    }
}

impl Part {
    /// Takes over what was found further below.
    pub(super) fn adopt(&mut self, below: Self, step: &str) {
        self.found.extend(below.found.into_iter().map(|mut difference| {
            difference.path.insert_str(0, step);
            difference
        }));
        self.edges.extend(below.edges.into_iter().map(|mut edge| {
            edge.path.insert_str(0, step);
            edge
        }));
    }

    /// Hides what was found, and what will be.
    pub(super) fn hide(&mut self, hides: Hides) {
        for difference in &mut self.found {
            hides.apply(difference);
        }
        for edge in &mut self.edges {
            edge.hides = edge.hides.and(hides);
        }
    }
}

/// Is it put together from other schemas, so that it may lead in a circle?
pub(super) fn is_composed(schema: &Value) -> bool {
    schema.get("$ref").is_some() || schema.get("allOf").is_some()
}

/// What a schema is known by.
pub(super) fn side(root: &Value, schema: &Value) -> Side {
    let target = follow(root, schema);
    if std::ptr::eq(target, schema) {
        let mut hasher = DefaultHasher::new();
        schema.to_string().hash(&mut hasher);
        (false, hasher.finish())
    } else {
        (true, std::ptr::from_ref(target).addr() as u64)
    }
}

impl Comparison<'_> {
    /// Looks at every pair that was met.
    pub(super) fn explore(&mut self) {
        let depth = std::mem::take(&mut self.depth);
        self.nesting += 1;
        while let Some((key, old, new)) = self.pending.pop() {
            if self.nodes.contains_key(&key) {
                continue;
            }
            // Until it is known, it is taken to be equal to itself.
            self.nodes.insert(key, Rc::default());
            let part = self.differences(&old, &new, key.2);
            self.nodes.insert(key, Rc::new(part));
        }
        self.nesting -= 1;
        self.depth = depth;
    }

    /// What differs here and along the references.
    pub(super) fn collect(&mut self, root: Part) -> Vec<Difference> {
        let mut found = root.found;
        let mut seen = HashSet::new();
        let mut queue: VecDeque<Edge> = root.edges.into();
        while let Some(Edge { path, key, hides }) = queue.pop_front() {
            self.steps += 1;
            if found.len() > MOST_DIFFERENCES || self.steps > MOST_STEPS {
                self.is_cut = true;
                found.truncate(MOST_DIFFERENCES);
                return found;
            }
            if self.clean.contains(&key) || !seen.insert((key, hides)) {
                continue;
            }
            let Some(node) = self.nodes.get(&key).cloned() else { continue };
            found.extend(node.found.iter().cloned().map(|mut difference| {
                difference.path.insert_str(0, &path);
                hides.apply(&mut difference);
                difference
            }));
            for edge in &node.edges {
                let hides = hides.and(edge.hides);
                if !self.clean.contains(&edge.key) && !seen.contains(&(edge.key, hides)) {
                    queue.push_back(Edge { path: format!("{path}{}", edge.path), key: edge.key, hides });
                }
            }
        }
        // What is not known to the end cannot be said to be clean.
        if self.nesting == 0 {
            self.settle(seen.into_iter().map(|(key, _)| key).collect());
        }
        found
    }

    /// Remembers which pairs have nothing different below them: they need not be visited again.
    fn settle(&mut self, visited: HashSet<Key>) {
        if visited.iter().all(|key| self.dirty.contains(key)) {
            return;
        }
        let mut above: HashMap<Key, Vec<Key>> = HashMap::new();
        let mut reached = Vec::new();
        for key in &visited {
            let Some(node) = self.nodes.get(key) else { continue };
            if !node.found.is_empty() {
                reached.push(*key);
            }
            for edge in &node.edges {
                above.entry(edge.key).or_default().push(*key);
            }
        }
        let mut dirty = HashSet::new();
        while let Some(key) = reached.pop() {
            if dirty.insert(key) {
                reached.extend(above.get(&key).into_iter().flatten());
            }
        }
        self.clean.extend(visited.difference(&dirty));
        self.dirty.extend(dirty);
    }
}
