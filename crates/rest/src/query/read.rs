//! Reads a raw query. Counts before it decodes, so that a query of ten thousand parameters costs what fifty do.

use std::borrow::Cow;

use super::{
    Filter, FilterOp, ListQuery, MAX_ALL_VALUES, MAX_PARAMETERS, MAX_SEARCH, MAX_SORT_KEYS, MAX_VALUES, RESERVED,
    SortKey, filter::target,
};
use crate::{
    form::decode_component,
    page::PagingParameters,
    problem::{FieldCode, FieldError},
};

/// How much of a name that cannot be read is shown again.
const SHOWN: usize = 60;

/// What can be read, and everything that cannot.
pub(super) fn read(raw: &str) -> (ListQuery, Vec<FieldError>) {
    let mut reader = Reader::default();
    for (count, pair) in raw.split('&').filter(|pair| !pair.is_empty()).enumerate() {
        if count == MAX_PARAMETERS || reader.values > MAX_ALL_VALUES {
            reader.refuse(too_many(raw_name(pair)));
            break;
        }
        reader.take(pair);
    }
    reader.finish()
}

fn too_many(name: Cow<'static, str>) -> FieldError {
    FieldError::new(name, FieldCode::TooLong)
        .detail(format!("A query has at most {MAX_PARAMETERS} parameters and {MAX_ALL_VALUES} values."))
}

/// A name as far as it can be shown when it cannot be decoded.
fn raw_name(pair: &str) -> Cow<'static, str> {
    pair.split('=').next().unwrap_or_default().chars().take(SHOWN).collect::<String>().into()
}

#[derive(Default)]
struct Reader<'a> {
    reserved: Vec<(&'static str, Cow<'a, str>)>,
    filters: Vec<Filter>,
    values: usize,
    errors: Vec<FieldError>,
}

impl<'a> Reader<'a> {
    fn refuse(&mut self, error: FieldError) {
        self.errors.push(error);
    }

    fn take(&mut self, pair: &'a str) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let unreadable =
            |reason| FieldError::invalid_format(raw_name(pair)).detail(format!("This parameter {reason}."));
        let (name, value) = match (decode_component(name), decode_component(value)) {
            (Ok(name), Ok(value)) => (name, value),
            (Err(reason), _) | (_, Err(reason)) => return self.refuse(unreadable(reason)),
        };
        if name.is_empty() {
            return self.refuse(FieldError::invalid_format("").detail("A parameter has no name."));
        }
        match RESERVED.iter().find(|known| **known == name && **known != "filter") {
            Some(known) => self.take_reserved(known, value),
            None => self.take_filter(&name, value),
        }
    }

    fn take_reserved(&mut self, name: &'static str, value: Cow<'a, str>) {
        if !self.reserved.iter().any(|(known, _)| *known == name) {
            self.reserved.push((name, value));
        } else if !self.errors.iter().any(|error| error.field == name) {
            self.refuse(FieldError::new(name, FieldCode::Duplicate).detail("Give this parameter once."));
        }
    }

    fn take_filter(&mut self, name: &str, value: Cow<'a, str>) {
        let (field, op) = match target(name) {
            Ok(target) => target,
            Err(error) => return self.refuse(error),
        };
        let values: Vec<String> = if op == FilterOp::In {
            // One more than is allowed is enough to know that there are too many.
            value.split(',').take(MAX_VALUES + 1).map(str::to_owned).collect()
        } else {
            vec![value.into_owned()]
        };
        if op == FilterOp::In && values.iter().any(String::is_empty) {
            return self.refuse(empty_item(name.to_owned()));
        }
        self.values += values.len();
        if self.values > MAX_ALL_VALUES {
            return self.refuse(too_many(name.to_owned().into()));
        }
        let known = self.filters.iter().find(|known| known.field == field && known.op == op);
        if known.map_or(0, |known| known.values.len()) + values.len() > MAX_VALUES {
            let detail = format!("A filter has at most {MAX_VALUES} values.");
            return self.refuse(FieldError::new(name.to_owned(), FieldCode::TooLong).detail(detail));
        }
        match self.filters.iter_mut().find(|known| known.field == field && known.op == op) {
            None => self.filters.push(Filter { name: name.to_owned(), field: field.to_owned(), op, values }),
            Some(known) if op.takes_several() => known.values.extend(values),
            Some(_) => {
                self.refuse(FieldError::new(name.to_owned(), FieldCode::Duplicate).detail("Give this comparison once."))
            }
        }
    }

    fn reserved(&self, name: &str) -> Option<&str> {
        self.reserved.iter().find_map(|(known, value)| (*known == name).then_some(&**value))
    }

    fn finish(mut self) -> (ListQuery, Vec<FieldError>) {
        let mut errors = std::mem::take(&mut self.errors);
        let sort = self.reserved("sort").map(|value| sort_keys(value, &mut errors)).unwrap_or_default();
        let fields = self.reserved("fields").map(|value| names("fields", value, &mut errors));
        let include = self.reserved("include").map(|value| names("include", value, &mut errors)).unwrap_or_default();
        let q = self.reserved("q").map(str::trim).filter(|words| !words.is_empty());
        if q.is_some_and(|words| words.chars().nth(MAX_SEARCH).is_some()) {
            let detail = format!("A search has at most {MAX_SEARCH} characters.");
            errors.push(FieldError::new("q", FieldCode::TooLong).detail(detail));
        }
        let parameters = PagingParameters {
            cursor: self.reserved("cursor"),
            limit: self.reserved("limit"),
            offset: self.reserved("offset"),
            page: self.reserved("page"),
            size: self.reserved("size"),
        };
        let paging = parameters.read(&mut errors).unwrap_or_default();
        let q = q.map(str::to_owned);
        (ListQuery { sort, fields, q, include, paging, filters: self.filters }, errors)
    }
}

fn empty_item(name: impl Into<Cow<'static, str>>) -> FieldError {
    FieldError::invalid_format(name).detail("The list has an empty item.")
}

fn sort_keys(value: &str, errors: &mut Vec<FieldError>) -> Vec<SortKey> {
    let mut keys: Vec<SortKey> = Vec::new();
    for item in value.split(',') {
        let (field, descending) = item.strip_prefix('-').map_or((item, false), |field| (field, true));
        let refusal = if field.is_empty() {
            Some(empty_item("sort"))
        } else if keys.iter().any(|key| key.field == field) {
            Some(FieldError::new("sort", FieldCode::Duplicate).detail("The same field stands in the sort twice."))
        } else if keys.len() == MAX_SORT_KEYS {
            let detail = format!("A sort has at most {MAX_SORT_KEYS} fields.");
            Some(FieldError::new("sort", FieldCode::TooLong).detail(detail))
        } else {
            None
        };
        if let Some(refusal) = refusal {
            errors.push(refusal);
            break;
        }
        keys.push(SortKey { field: field.to_owned(), descending });
    }
    keys
}

/// A comma-separated list of names. A name that comes twice changes nothing and stands there once.
fn names(parameter: &'static str, value: &str, errors: &mut Vec<FieldError>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (count, name) in value.split(',').enumerate() {
        if name.is_empty() {
            errors.push(empty_item(parameter));
            break;
        }
        if count == MAX_VALUES {
            let detail = format!("At most {MAX_VALUES} names.");
            errors.push(FieldError::new(parameter, FieldCode::TooLong).detail(detail));
            break;
        }
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}
