//! Queries that mean something, queries that do not, and queries that were made to hurt.

use proptest::prelude::*;

use super::{Filter, FilterOp, ListQuery, SortKey};
use crate::{page::Paging, problem::FieldCode};

fn read(raw: &str) -> ListQuery {
    ListQuery::parse(Some(raw)).unwrap()
}

/// The fields and codes of a refusal.
fn refusal(raw: &str) -> Vec<(String, FieldCode)> {
    let problem = ListQuery::parse(Some(raw)).expect_err(raw);
    assert_eq!(problem.status_code(), 400);
    problem.fields().iter().map(|error| (error.field.to_string(), error.code)).collect()
}

fn filter(name: &str, field: &str, op: FilterOp, values: &[&str]) -> Filter {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Filter { name: name.to_owned(), field: field.to_owned(), op, values }
}

#[test]
fn no_query_is_the_first_page_of_everything() {
    let expected = ListQuery { paging: Paging::Cursor { cursor: None, limit: 20 }, ..ListQuery::default() };

    assert_eq!(ListQuery::parse(None).unwrap(), expected);
    assert_eq!(read(""), expected);
    assert_eq!(read("&&"), expected);
}

#[test]
fn a_repeated_name_means_one_of_its_values() {
    assert_eq!(
        read("status=paid&a=1&status=pending%20now").filters,
        [filter("status", "status", FilterOp::Eq, &["paid", "pending now"]), filter("a", "a", FilterOp::Eq, &["1"])]
    );
}

#[test]
fn every_operator_has_its_spelling() {
    use FilterOp::{Gt, Gte, In, Lt, Lte, Ne};
    for (word, op) in [("gt", Gt), ("gte", Gte), ("lt", Lt), ("lte", Lte), ("ne", Ne), ("in", In)] {
        let name = format!("amount[{word}]");

        assert_eq!(read(&format!("{name}=1")).filters, [filter(&name, "amount", op, &["1"])]);
        assert_eq!(read(&format!("amount%5B{word}%5D=1")).filters, [filter(&name, "amount", op, &["1"])]);
    }
    assert_eq!(read("a[in]=x,y&a[in]=z").filters, [filter("a[in]", "a", FilterOp::In, &["x", "y", "z"])]);
}

#[test]
fn fields_with_reserved_names_are_reached_by_filter() {
    assert_eq!(
        read("filter[size]=1&filter[limit][gte]=2&filter[a]=3&a=4").filters,
        [
            filter("filter[size]", "size", FilterOp::Eq, &["1"]),
            filter("filter[limit][gte]", "limit", FilterOp::Gte, &["2"]),
            filter("filter[a]", "a", FilterOp::Eq, &["3", "4"]),
        ]
    );
    assert_eq!(refusal("size[gte]=1"), [("size[gte]".into(), FieldCode::NotAllowed)]);
}

#[test]
fn sort_fields_include_and_search_are_read() {
    let query = read("sort=-amount,id&fields=id,name,id&include=user&q=%20blue+shoes%20");

    let key = |field: &str, descending| SortKey { field: field.to_owned(), descending };
    assert_eq!(query.sort, [key("amount", true), key("id", false)]);
    assert_eq!(query.fields.unwrap(), ["id", "name"]);
    assert_eq!(query.include, ["user"]);
    assert_eq!(query.q.unwrap(), "blue shoes");
}

#[test]
fn an_empty_search_is_no_search() {
    assert_eq!(read("q=").q, None);
    assert_eq!(read("q=+%20").q, None);
}

#[test]
fn each_mistake_is_named_by_its_parameter() {
    use FieldCode::{Duplicate, InvalidFormat, InvalidValue, TooLong};
    let long = format!("q={}", "é".repeat(201));
    for (raw, field, code) in [
        ("a[like]=1", "a[like]", InvalidValue),
        ("a[eq]=1", "a[eq]", InvalidValue),
        ("a[]=1", "a[]", InvalidValue),
        ("a[gt=1", "a[gt", InvalidFormat),
        ("a]=1", "a]", InvalidFormat),
        ("a[gt][lt]=1", "a[gt][lt]", InvalidFormat),
        ("[gt]=1", "[gt]", InvalidFormat),
        ("filter=1", "filter", InvalidFormat),
        ("filter[]=1", "filter[]", InvalidFormat),
        ("filter[a][gt][lt]=1", "filter[a][gt][lt]", InvalidFormat),
        ("filter[[a]]=1", "filter[[a]]", InvalidFormat),
        ("a[gt]=1&a[gt]=2", "a[gt]", Duplicate),
        ("a[in]=1,,2", "a[in]", InvalidFormat),
        ("sort=a,-a", "sort", Duplicate),
        ("sort=", "sort", InvalidFormat),
        ("sort=a,", "sort", InvalidFormat),
        ("sort=-", "sort", InvalidFormat),
        ("sort=a,b,c,d,e,f", "sort", TooLong),
        ("sort=a&sort=b", "sort", Duplicate),
        ("s%6Frt=a&sort=b", "sort", Duplicate),
        ("fields=a,,b", "fields", InvalidFormat),
        ("include=", "include", InvalidFormat),
        (long.as_str(), "q", TooLong),
        ("a=%", "a", InvalidFormat),
        ("a=%zz", "a", InvalidFormat),
        ("a=%ff", "a", InvalidFormat),
        ("a=x%00y", "a", InvalidFormat),
        ("%ff=1", "%ff", InvalidFormat),
        ("=1", "", InvalidFormat),
    ] {
        assert_eq!(refusal(raw), [(field.to_owned(), code)], "{raw}");
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let names: Vec<String> = refusal("a[x]=1&sort=,&limit=0&b=%&fields=").into_iter().map(|(field, _)| field).collect();

    assert_eq!(names, ["a[x]", "b", "sort", "fields", "limit"]);
}

#[test]
fn three_hundred_parameters_are_read_and_ten_thousand_are_not_looked_at() {
    let many = |count: usize| (0..count).map(|n| format!("f{n}=1")).collect::<Vec<_>>().join("&");

    assert_eq!(read(&many(300)).filters.len(), 300);
    assert_eq!(refusal(&many(10_000)), [("f300".into(), FieldCode::TooLong)]);
    assert!(refusal(&"a[like]=1&".repeat(10_000)).len() <= 301);
}

#[test]
fn each_filter_has_a_hundred_values_and_all_together_a_thousand() {
    let list = |count: usize| format!("a[in]={}", vec!["1"; count].join(","));

    assert_eq!(read(&list(100)).filters[0].values.len(), 100);
    assert_eq!(refusal(&list(101)), [("a[in]".into(), FieldCode::TooLong)]);
    assert_eq!(refusal(&list(1_000_000)), [("a[in]".into(), FieldCode::TooLong)]);
    assert_eq!(refusal(&"a=1&".repeat(101)), [("a".into(), FieldCode::TooLong)]);
    let all =
        |count: usize| (0..count).map(|n| list(100).replace("a[", &format!("a{n}["))).collect::<Vec<_>>().join("&");
    assert_eq!(read(&all(10)).filters.len(), 10);
    assert_eq!(refusal(&all(12))[0], ("a10[in]".into(), FieldCode::TooLong));
    assert!(ListQuery::parse(Some(&format!("fields={}", "a".repeat(10)))).is_ok());
    assert_eq!(refusal(&format!("fields={}", vec!["a"; 101].join(","))), [("fields".into(), FieldCode::TooLong)]);
}

proptest! {
    #[test]
    fn no_query_makes_it_panic(raw in "[a-z%0-9\\[\\]=&,+-]{0,80}") {
        let _ = ListQuery::parse(Some(&raw));
    }

    #[test]
    fn no_text_makes_it_panic(raw in ".{0,80}") {
        let _ = ListQuery::parse(Some(&raw));
    }

    #[test]
    fn any_value_comes_through_unchanged(value in "[^\0]{0,40}") {
        let raw = format!("a={}", crate::form::encode_component(&value));
        prop_assert_eq!(&ListQuery::parse(Some(&raw)).unwrap().filters[0].values[0], &value);
    }
}
