//! The query of a list: what was understood can be written down, and is understood the same way again.

use valetkey_rest::form::encode_component;
use valetkey_rest::page::{MAX_OFFSET, MAX_PAGE, MAX_SIZE, Paging, with_parameter};
use valetkey_rest::query::{FilterOp, ListQuery, MAX_SORT_KEYS, MAX_VALUES};

pub const WORDS: &[&str] = &[
    "status=paid",
    "amount[gte]=",
    "[ne]",
    "[in]=a,b",
    "filter[sort]=",
    "filter[a][lt]=1",
    "sort=-a,b",
    "fields=a,b",
    "q=",
    "include=",
    "cursor=",
    "limit=",
    "offset=",
    "page=",
    "size=",
    "&",
    "=",
    ",",
    "%5B",
    "%5D",
    "+",
    "-",
    "%",
];

pub fn check(data: &[u8]) {
    let raw = String::from_utf8_lossy(data);
    match ListQuery::parse(Some(&raw)) {
        Err(problem) => assert!(!problem.fields().is_empty(), "a refusal names what it refuses"),
        Ok(query) => {
            bounded(&query);
            let written = write(&query);
            let again = ListQuery::parse(Some(&written));
            assert_eq!(again.as_ref().ok(), Some(&query), "{written}");
        }
    }
    // The address of the next page is built from whatever query came.
    let next = with_parameter(&format!("/orders?{raw}"), &[("cursor", Some("a&b=c")), ("page", None)]);
    assert!(next.starts_with("/orders?") && next.ends_with("cursor=a%26b%3Dc"), "{next}");
}

fn bounded(query: &ListQuery) {
    assert!(query.sort.len() <= MAX_SORT_KEYS);
    assert!(query.filters.iter().all(|filter| (1..=MAX_VALUES).contains(&filter.values.len())));
    assert!((1..=MAX_SIZE).contains(&query.paging.per_page()));
    assert!(query.paging.offset().is_none_or(|offset| offset <= MAX_OFFSET));
    assert!(!matches!(query.paging, Paging::Page { page, .. } if page == 0 || page > MAX_PAGE));
    assert!(query.q.as_ref().is_none_or(|words| !words.trim().is_empty()));
}

fn write(query: &ListQuery) -> String {
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for filter in &query.filters {
        if filter.op == FilterOp::In {
            pairs.push((&filter.name, filter.values.join(",")));
        } else {
            pairs.extend(filter.values.iter().map(|value| (filter.name.as_str(), value.clone())));
        }
    }
    let sort: Vec<_> =
        query.sort.iter().map(|key| format!("{}{}", if key.descending { "-" } else { "" }, key.field)).collect();
    let lists = [
        ("sort", (!sort.is_empty()).then(|| sort.join(","))),
        ("fields", query.fields.as_ref().map(|names| names.join(","))),
        ("include", (!query.include.is_empty()).then(|| query.include.join(","))),
        ("q", query.q.clone()),
    ];
    pairs.extend(lists.into_iter().filter_map(|(name, value)| Some((name, value?))));
    match &query.paging {
        Paging::Cursor { cursor, limit } => {
            pairs.push(("limit", limit.to_string()));
            pairs.extend(cursor.iter().map(|cursor| ("cursor", cursor.clone())));
        }
        Paging::Offset { offset, limit } => {
            pairs.extend([("offset", offset.to_string()), ("limit", limit.to_string())]);
        }
        Paging::Page { page, size } => pairs.extend([("page", page.to_string()), ("size", size.to_string())]),
    }
    let encoded = pairs.iter().map(|(name, value)| format!("{}={}", encode_component(name), encode_component(value)));
    encoded.collect::<Vec<_>>().join("&")
}
