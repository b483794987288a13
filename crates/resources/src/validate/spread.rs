//! How many ways a schema looks at one value. The library finds out quickly whether a value is valid; to tell all that is wrong
//! with it, it goes each of these ways, and in a schema that holds itself they multiply with every step down.

use std::collections::HashMap;

use serde_json::Value;

/// Keywords whose schemas look at the same value.
const SAME_VALUE: [&str; 4] = ["not", "if", "then", "else"];
const SAME_VALUE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const SAME_VALUE_MAPS: [&str; 1] = ["dependentSchemas"];
/// Those whose schemas look at the values inside.
const INSIDE: [&str; 6] =
    ["items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties"];
const INSIDE_LISTS: [&str; 1] = ["prefixItems"];
const INSIDE_MAPS: [&str; 2] = ["properties", "patternProperties"];

/// What it takes to tell all that may be wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spread {
    /// The most schemas that look at one value on one way.
    looks: u64,
    /// The most ways from one value to one inside of it.
    ways: u64,
    /// The most ways to any value. A schema that holds itself has no such number.
    all_ways: Option<u64>,
}

impl Spread {
    pub(super) fn of(schema: &Value) -> Self {
        let mut walk =
            Walk { root: schema, on: Vec::new(), known: HashMap::new(), looks: 1, ways: 1, is_circular: false };
        let all_ways = walk.down(schema);
        Self { looks: walk.looks, ways: walk.ways, all_ways: (!walk.is_circular).then_some(all_ways) }
    }

    /// Is there one way only, and one schema at its end?
    pub(super) fn is_straight(self) -> bool {
        self.looks == 1 && self.ways == 1
    }

    /// How many faults there may be in so many values that are so deep inside of each other.
    pub(super) fn over(self, values: usize, depth: usize) -> u64 {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        let ways = self.all_ways.unwrap_or_else(|| self.ways.saturating_pow(depth));
        u64::try_from(values).unwrap_or(u64::MAX).saturating_mul(self.looks).saturating_mul(ways)
    }
}

struct Walk<'s> {
    root: &'s Value,
    /// The schemas on the way here.
    on: Vec<*const Value>,
    known: HashMap<*const Value, u64>,
    looks: u64,
    ways: u64,
    is_circular: bool,
}

impl<'s> Walk<'s> {
    /// The most ways from a value of this schema to any inside of it.
    fn down(&mut self, schema: &'s Value) -> u64 {
        let here = std::ptr::from_ref(schema);
        if self.on.contains(&here) {
            self.is_circular = true;
            return 1;
        }
        if let Some(known) = self.known.get(&here) {
            return *known;
        }
        self.on.push(here);
        let together = self.together(schema);
        let ways = together.iter().map(|schema| steps(schema)).sum::<u64>().max(1);
        self.looks = self.looks.max(together.iter().filter(|schema| says_something(schema)).count() as u64);
        self.ways = self.ways.max(ways);
        let mut most = 1;
        for inside in together.into_iter().flat_map(inside) {
            most = most.max(self.down(inside));
        }
        self.on.pop();
        let all = ways.saturating_mul(most);
        self.known.insert(here, all);
        all
    }

    /// This schema, and all that look at the same value. They come to an end: a declaration in which they do not is refused.
    fn together(&self, schema: &'s Value) -> Vec<&'s Value> {
        let mut all = vec![schema];
        let mut seen = 0;
        while let Some(schema) = all.get(seen).copied() {
            seen += 1;
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|pointer| pointer.strip_prefix('#'));
            all.extend(target.and_then(|pointer| self.root.pointer(pointer)));
            all.extend(below(schema, &SAME_VALUE, &SAME_VALUE_LISTS, &SAME_VALUE_MAPS));
        }
        all
    }
}

/// In how many ways a schema by itself looks at one value inside.
fn steps(schema: &Value) -> u64 {
    let patterns = schema.get("patternProperties").and_then(Value::as_object).map_or(0, serde_json::Map::len) as u64;
    let has = |keywords: &[&str]| u64::from(keywords.iter().any(|keyword| schema.get(keyword).is_some()));
    patterns
        + has(&[
            "items",
            "prefixItems",
            "unevaluatedItems",
            "properties",
            "additionalProperties",
            "unevaluatedProperties",
        ])
        + has(&["contains"])
}

/// Is there more than a reference, and schemas that others refer to?
fn says_something(schema: &Value) -> bool {
    schema.as_object().is_some_and(|keywords| keywords.keys().any(|keyword| !keyword.starts_with('$')))
}

fn inside(schema: &Value) -> impl Iterator<Item = &Value> {
    below(schema, &INSIDE, &INSIDE_LISTS, &INSIDE_MAPS)
}

fn below<'s>(
    schema: &'s Value,
    single: &'static [&'static str],
    lists: &'static [&'static str],
    maps: &'static [&'static str],
) -> impl Iterator<Item = &'s Value> {
    let single = single.iter().filter_map(|keyword| schema.get(keyword));
    let lists = lists.iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    let maps = maps.iter().filter_map(|keyword| schema.get(keyword)?.as_object()).flat_map(|map| map.values());
    single.chain(lists).chain(maps)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_shape_is_one_way_however_deep() {
        let leaf = json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}});
        let list = json!({"$defs": {"n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}}},
            "$ref": "#/$defs/n"});

        for schema in [leaf, list] {
            let spread = Spread::of(&schema);
            assert!(spread.is_straight(), "{spread:?}");
            assert_eq!(spread.over(1_000, 100), 1_000);
        }
    }

    #[test]
    fn choices_multiply_on_the_way_down() {
        let choice = |inner: Value| json!({"anyOf": [{"items": inner.clone()}, {"items": inner}]});
        let twice = Spread::of(&choice(choice(json!({"type": "string"}))));
        let tree = json!({"$defs": {"n": {"oneOf": [
            {"properties": {"left": {"$ref": "#/$defs/n"}}}, {"properties": {"left": {"$ref": "#/$defs/n"}}}]}},
            "$ref": "#/$defs/n"});

        let patterns = json!({"$defs": {"n": {"patternProperties": {"^a": {"$ref": "#/$defs/n"}, "a$": {"$ref": "#/$defs/n"}}}},
            "$ref": "#/$defs/n"});
        assert!(!Spread::of(&patterns).is_straight());
        assert_eq!(Spread::of(&patterns).over(1, 30), 1 << 30);
        assert_eq!(twice.over(1, 30), 3 * 4);
        assert_eq!(Spread::of(&tree).over(1, 30), 3 << 30);
        assert_eq!(Spread::of(&tree).over(1, 1_000), u64::MAX);
    }
}
