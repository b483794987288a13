//! `oneOf` and `anyOf`: which branches came and went. A branch is known by its reference or its title, else by what it
//! says.

use serde_json::Value;

use super::flat::Flat;
use super::graph::Part;
use super::{Comparison, Difference, Effect, follow};

/// So many comparisons may wait for each other.
const MOST_NESTED: usize = 4;

impl Comparison<'_> {
    /// A schema that became one branch of several, or the other way round. True: there is nothing else to compare.
    pub(super) fn wrapped(
        &mut self,
        (old, before): (&Value, &Flat<'_>),
        (new, after): (&Value, &Flat<'_>),
        is_text: bool,
        found: &mut Vec<Difference>,
    ) -> bool {
        for keyword in ["oneOf", "anyOf"] {
            let (effect, told) = match (before.branches(keyword), after.branches(keyword)) {
                (Some(branches), None) if before.has_only_branches() && !after.has_only_branches() => {
                    let is_kept = branches.iter().any(|branch| self.is_equal(branch, new, is_text));
                    (if is_kept { Effect::Narrowed } else { Effect::Changed }, "is gone")
                }
                (None, Some(branches)) if after.has_only_branches() && !before.has_only_branches() => {
                    let is_kept = branches.iter().any(|branch| self.is_equal(old, branch, is_text));
                    (if is_kept { Effect::Widened } else { Effect::Changed }, "is new")
                }
                _ => continue,
            };
            found.push(Difference::of_bound(effect, format!("`{keyword}` {told}")));
            return true;
        }
        false
    }

    /// Does nothing differ, along all references?
    fn is_equal(&mut self, old: &Value, new: &Value, is_text: bool) -> bool {
        // Branches within branches within branches: whoever wrote that is told less.
        self.nesting <= MOST_NESTED && self.compare(old, new, is_text).is_empty()
    }

    pub(super) fn branches(
        &mut self,
        keyword: &str,
        before: &Flat<'_>,
        after: &Flat<'_>,
        is_text: bool,
        part: &mut Part,
    ) {
        let (old, new) = match (before.branches(keyword), after.branches(keyword)) {
            (None, None) => return,
            (Some(old), Some(new)) => (old, new),
            (Some(_), None) => {
                part.found.push(Difference::of_bound(Effect::Widened, format!("`{keyword}` is gone")));
                return;
            }
            (None, Some(_)) => {
                part.found.push(Difference::of_bound(Effect::Narrowed, format!("`{keyword}` is new")));
                return;
            }
        };
        let mut left: Vec<&Value> = new.iter().collect();
        let mut unmatched: Vec<&Value> = old.iter().collect();
        // What is the same word for word comes first; what only has the same title may be another one of the like.
        for is_by_title in [false, true] {
            let (old_root, new_root) = (self.old, self.new);
            let mut rest = Vec::new();
            for branch in unmatched {
                let is_same = |other: &&Value| {
                    if is_by_title { has_same_title((old_root, branch), (new_root, other)) } else { branch == *other }
                };
                let Some(place) = left.iter().position(is_same) else {
                    rest.push(branch);
                    continue;
                };
                let other = left.remove(place);
                let below = self.below(branch, other, is_text);
                part.adopt(below, &format!("<{}>", name(branch)));
            }
            unmatched = rest;
        }
        // A lone branch on either side is probably the same one, changed.
        if let ([branch], [other]) = (unmatched.as_slice(), left.as_slice())
            && ["$ref", "title"].iter().all(|keyword| branch.get(keyword).is_none() && other.get(keyword).is_none())
        {
            let below = self.below(branch, other, is_text);
            part.adopt(below, &format!("<{}>", name(branch)));
            return;
        }
        for branch in unmatched {
            let told = format!("`{}` of `{keyword}` is gone", name(branch));
            part.found.push(Difference::of_bound(Effect::Narrowed, told));
        }
        for branch in left {
            let told = format!("`{}` of `{keyword}` is new", name(branch));
            part.found.push(Difference::of_bound(Effect::Widened, told));
        }
    }
}

/// The same title, wherever the schemas stand.
fn has_same_title((old, branch): (&Value, &Value), (new, other): (&Value, &Value)) -> bool {
    let (before, after) = (follow(old, branch).get("title"), follow(new, other).get("title"));
    before.is_some() && before == after
}

/// What a branch is called.
fn name(branch: &Value) -> String {
    let text = |keyword: &str| branch.get(keyword).and_then(Value::as_str);
    let reference = text("$ref").and_then(|pointer| pointer.rsplit('/').next());
    let name = reference.or_else(|| text("title")).or_else(|| text("type"));
    name.map_or_else(|| super::values::shown(branch), str::to_owned)
}
