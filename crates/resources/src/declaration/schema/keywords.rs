//! The keywords of JSON Schema 2020-12 and of fields, as a table: name, what it takes, what it is for. The check and the
//! schema for editors both follow from it.

/// What a keyword takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::declaration) enum Shape {
    /// Any value.
    Any,
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// A whole number, 0 or more.
    Whole,
    /// A number.
    Number,
    /// A number above 0.
    Positive,
    /// A regular expression.
    Pattern,
    /// One of the seven types, or several.
    Types,
    /// A list of values.
    Values,
    /// A list of names.
    Names,
    /// For each property, a list of names.
    NameLists,
    /// A schema.
    Schema,
    /// A list of schemas.
    SchemaList,
    /// Schemas by name.
    SchemaMap,
    /// Schemas by regular expression.
    PatternMap,
    /// A pointer into the same schema.
    Pointer,
}

/// One keyword.
#[derive(Debug)]
pub(in crate::declaration) struct Keyword {
    pub(in crate::declaration) name: &'static str,
    pub(in crate::declaration) shape: Shape,
    pub(in crate::declaration) meaning: &'static str,
}

const fn keyword(name: &'static str, shape: Shape, meaning: &'static str) -> Keyword {
    Keyword { name, shape, meaning }
}

/// The keywords that have an effect, or tell people something.
pub(in crate::declaration) static STANDARD: [Keyword; 49] = [
    keyword("type", Shape::Types, "string, integer, number, boolean, object, array or null; or a list of them."),
    keyword("enum", Shape::Values, "The values that are possible."),
    keyword("const", Shape::Any, "The only value that is possible."),
    keyword("format", Shape::Text, "What a text is: email, date-time, date, uuid, uri and others."),
    keyword("title", Shape::Text, "A name for people."),
    keyword("description", Shape::Text, "What it is, in Markdown."),
    keyword("default", Shape::Any, "What it is when nothing was sent; for a read-only field, what it begins with."),
    keyword("readOnly", Shape::Flag, "Set by the server, never by a client."),
    keyword("deprecated", Shape::Flag, "Still there, and no longer to be used."),
    keyword("examples", Shape::Values, "Values as they may look."),
    keyword("minLength", Shape::Whole, "The fewest characters of a text."),
    keyword("maxLength", Shape::Whole, "The most characters of a text."),
    keyword("pattern", Shape::Pattern, "A regular expression that a text must match somewhere."),
    keyword("minimum", Shape::Number, "The least number."),
    keyword("maximum", Shape::Number, "The greatest number."),
    keyword("exclusiveMinimum", Shape::Number, "The number must be greater than this."),
    keyword("exclusiveMaximum", Shape::Number, "The number must be less than this."),
    keyword("multipleOf", Shape::Positive, "The number must be a multiple of this."),
    keyword("properties", Shape::SchemaMap, "The members of an object."),
    keyword("patternProperties", Shape::PatternMap, "Members of an object whose names match a regular expression."),
    keyword("additionalProperties", Shape::Schema, "Other members of an object; false allows none."),
    keyword("propertyNames", Shape::Schema, "What the names of members must be."),
    keyword("required", Shape::Names, "The members that an object must have."),
    keyword("dependentRequired", Shape::NameLists, "Members that must be there when another one is."),
    keyword("dependentSchemas", Shape::SchemaMap, "What the object must be when a member is there."),
    keyword("minProperties", Shape::Whole, "The fewest members of an object."),
    keyword("maxProperties", Shape::Whole, "The most members of an object."),
    keyword("items", Shape::Schema, "What each item of an array must be."),
    keyword("prefixItems", Shape::SchemaList, "What the first items of an array must be, one by one."),
    keyword("contains", Shape::Schema, "What at least one item of an array must be."),
    keyword("minContains", Shape::Whole, "How many items must be as `contains` says, at least."),
    keyword("maxContains", Shape::Whole, "How many items may be as `contains` says, at most."),
    keyword("minItems", Shape::Whole, "The fewest items of an array."),
    keyword("maxItems", Shape::Whole, "The most items of an array."),
    keyword("uniqueItems", Shape::Flag, "No two items of an array are equal."),
    keyword("unevaluatedItems", Shape::Schema, "Items that nothing else speaks of; false allows none."),
    keyword("unevaluatedProperties", Shape::Schema, "Members that nothing else speaks of; false allows none."),
    keyword("allOf", Shape::SchemaList, "All of these hold."),
    keyword("anyOf", Shape::SchemaList, "At least one of these holds."),
    keyword("oneOf", Shape::SchemaList, "Exactly one of these holds."),
    keyword("not", Shape::Schema, "This does not hold."),
    keyword("if", Shape::Schema, "When this holds, `then` must hold, else `else`."),
    keyword("then", Shape::Schema, "What must hold when `if` does."),
    keyword("else", Shape::Schema, "What must hold when `if` does not."),
    keyword("$ref", Shape::Pointer, "Another part of this schema, such as `#/$defs/name`."),
    keyword("$defs", Shape::SchemaMap, "Parts to refer to by `$ref`."),
    keyword("$comment", Shape::Text, "A note for whoever edits this."),
    keyword("contentEncoding", Shape::Text, "How a text holds bytes, such as base64. Not checked."),
    keyword("contentMediaType", Shape::Text, "What a text holds, such as application/json. Not checked."),
];

/// Keywords of fields that JSON Schema does not have. `required` is both: with `true` ours, with a list the other.
pub(in crate::declaration) static OWN: [Keyword; 6] = [
    keyword("unique", Shape::Flag, "No two rows have the same value."),
    keyword("filter", Shape::Flag, "Lists can be filtered by it."),
    keyword("sort", Shape::Flag, "Lists can be sorted by it."),
    keyword("search", Shape::Flag, "Its words are found by `q=`."),
    keyword("references", Shape::Any, "The resource whose row it points at."),
    keyword("set", Shape::Text, "What the server writes here: created_at, updated_at or owner."),
];

/// Keywords that are known and refused, with what to do.
pub(super) static REFUSED: [(&str, &str); 14] = [
    ("$id", "A schema here needs no address of its own. Remove it."),
    ("$anchor", "Put the schema under `$defs`, and refer to it by `#/$defs/name`."),
    ("$dynamicRef", "Use `$ref`."),
    ("$dynamicAnchor", "Put the schema under `$defs`, and refer to it by `#/$defs/name`."),
    ("$recursiveRef", "Use `$ref`."),
    ("$vocabulary", "Remove it; every schema here is of the version 2020-12."),
    ("writeOnly", "It is not supported: clients would see the field all the same. Remove it."),
    ("nullable", "Remove it; a field that is not required may be null as it is."),
    ("definitions", "It is called `$defs` now."),
    ("dependencies", "It is called `dependentRequired` or `dependentSchemas` now."),
    ("additionalItems", "It is called `items` now, and the former `items` is called `prefixItems`."),
    ("example", "It is called `examples` now, and takes a list."),
    ("contentSchema", "It is not supported: the text would not be checked. Remove it."),
    ("id", "A schema here needs no address of its own. Remove it."),
];

/// Formats that are checked.
pub(super) static FORMATS: [&str; 18] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uri-template",
    "iri",
    "iri-reference",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// The types of JSON.
pub(in crate::declaration) static TYPES: [&str; 7] =
    ["string", "integer", "number", "boolean", "object", "array", "null"];

/// The keyword with this name.
pub(super) fn find(name: &str) -> Option<&'static Keyword> {
    STANDARD.iter().find(|keyword| keyword.name == name)
}

/// Is there anything to say about this keyword of a field?
pub(in crate::declaration) fn is_known(name: &str) -> bool {
    let ours = OWN.iter().chain(&STANDARD).any(|keyword| keyword.name == name);
    ours || REFUSED.iter().any(|(refused, _)| *refused == name)
}
