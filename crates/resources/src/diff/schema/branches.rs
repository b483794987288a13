//! `oneOf` and `anyOf`: which branches came and went. A branch is known by its reference or its title, else by what it
//! says.

use serde_json::Value;

use super::flat::Flat;
use super::{Comparison, Difference, Effect, adopt};

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
                    let is_kept = branches.iter().any(|branch| self.compare(branch, new, is_text).is_empty());
                    (if is_kept { Effect::Narrowed } else { Effect::Changed }, "is gone")
                }
                (None, Some(branches)) if after.has_only_branches() && !before.has_only_branches() => {
                    let is_kept = branches.iter().any(|branch| self.compare(old, branch, is_text).is_empty());
                    (if is_kept { Effect::Widened } else { Effect::Changed }, "is new")
                }
                _ => continue,
            };
            found.push(Difference::of_bound(effect, format!("`{keyword}` {told}")));
            return true;
        }
        false
    }

    pub(super) fn branches(
        &mut self,
        keyword: &str,
        before: &Flat<'_>,
        after: &Flat<'_>,
        is_text: bool,
        found: &mut Vec<Difference>,
    ) {
        let (old, new) = match (before.branches(keyword), after.branches(keyword)) {
            (None, None) => return,
            (Some(old), Some(new)) => (old, new),
            (Some(_), None) => {
                found.push(Difference::of_bound(Effect::Widened, format!("`{keyword}` is gone")));
                return;
            }
            (None, Some(_)) => {
                found.push(Difference::of_bound(Effect::Narrowed, format!("`{keyword}` is new")));
                return;
            }
        };
        let mut left: Vec<&Value> = new.iter().collect();
        let mut unmatched = Vec::new();
        for branch in old {
            let Some(place) = left.iter().position(|other| is_same(branch, other)) else {
                unmatched.push(branch);
                continue;
            };
            let other = left.remove(place);
            let below = self.compare(branch, other, is_text);
            adopt(found, &below, &format!("<{}>", name(branch)));
        }
        // A lone branch on either side is probably the same one, changed.
        if let ([branch], [other]) = (unmatched.as_slice(), left.as_slice())
            && ["$ref", "title"].iter().all(|keyword| branch.get(keyword).is_none() && other.get(keyword).is_none())
        {
            let below = self.compare(branch, other, is_text);
            adopt(found, &below, &format!("<{}>", name(branch)));
            return;
        }
        for branch in unmatched {
            let told = format!("`{}` of `{keyword}` is gone", name(branch));
            found.push(Difference::of_bound(Effect::Narrowed, told));
        }
        for branch in left {
            let told = format!("`{}` of `{keyword}` is new", name(branch));
            found.push(Difference::of_bound(Effect::Widened, told));
        }
    }
}

fn is_same(branch: &Value, other: &Value) -> bool {
    let of = |branch: &Value, keyword: &str| branch.get(keyword).and_then(Value::as_str).map(str::to_owned);
    match (of(branch, "$ref"), of(other, "$ref")) {
        (Some(one), Some(two)) => one == two,
        (None, None) => branch == other || of(branch, "title").is_some_and(|title| of(other, "title") == Some(title)),
        _ => false,
    }
}

/// What a branch is called.
fn name(branch: &Value) -> String {
    let text = |keyword: &str| branch.get(keyword).and_then(Value::as_str);
    let reference = text("$ref").and_then(|pointer| pointer.rsplit('/').next());
    let name = reference.or_else(|| text("title")).or_else(|| text("type"));
    name.map_or_else(|| super::values::shown(branch), str::to_owned)
}
