//! `GET /api/users`: three ways of paging over one order, that of creation.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::HeaderValue;
use uuid::Uuid;
use valetkey_rest::{
    FieldCode, FieldError, ListQuery, Page, Paging, Problem,
    page::with_parameter,
    prefer::{CountPreference, PREFERENCE_APPLIED, Prefer},
    problem::catalogue,
};

use super::{Asked, READ};
use crate::{
    app::Shared,
    shelf::{Listing, Part},
    user::FIELDS,
};

pub(super) async fn get(State(shared): State<Shared>, asked: Asked) -> Result<Response, Problem> {
    asked.needs(&shared, READ)?;
    let query = ListQuery::parse(asked.uri.query())?;
    refuse_unknown(&query, true)?;
    let part = part(&shared, &asked, &query.paging)?;
    let listing = shared.shelf.list(part, query.paging.per_page() as usize);

    let here = asked.uri.path_and_query().map_or("", |here| here.as_str());
    let rows = listing.rows.iter().map(|row| asked.body(row, query.fields.as_deref())).collect();
    let mut page = Page::new(rows, &query.paging, here);
    let prefer = Prefer::from_headers(&asked.headers);
    let counted = prefer.count.filter(|_| matches!(query.paging, Paging::Cursor { .. }));
    if counted.is_some() || query.paging.offset().is_some() {
        page = page.total(listing.total);
    }
    let page = with_neighbours(page, here, &query.paging, &listing, |sealed| {
        shared.cursors.seal(context(&asked).as_bytes(), sealed)
    });
    let mut answer = page.into_response();
    if let Some(count) = counted {
        let applied = match count {
            CountPreference::Exact => "count=exact",
            CountPreference::Capped => "count=capped",
        };
        answer.headers_mut().insert(PREFERENCE_APPLIED, HeaderValue::from_static(applied));
    }
    Ok(answer)
}

/// The `fields` of a single row; a row has no other parameters.
pub(super) fn only_fields(asked: &Asked) -> Result<Option<Vec<String>>, Problem> {
    let query = ListQuery::parse(asked.uri.query())?;
    refuse_unknown(&query, false)?;
    Ok(query.fields)
}

/// Users can be neither filtered, sorted nor searched, and bring nothing along.
fn refuse_unknown(query: &ListQuery, is_list: bool) -> Result<(), Problem> {
    let unknown =
        |name: &str, detail: &'static str| FieldError::new(name.to_owned(), FieldCode::Unknown).detail(detail);
    let filters = query.filters.iter().map(|filter| unknown(&filter.name, "Users cannot be filtered by this."));
    let sort = query.sort.iter().map(|_| unknown("sort", "Users cannot be sorted by this."));
    let search = query.q.iter().map(|_| unknown("q", "Users cannot be searched."));
    let include = query.include.iter().map(|_| unknown("include", "Users bring nothing along."));
    let fields = query
        .fields
        .iter()
        .flatten()
        .filter(|name| !FIELDS.contains(&name.as_str()) && *name != "id" && *name != "links");
    let fields = fields.map(|_| unknown("fields", "A user has no such field."));
    let paging = (!is_list && query.paging != Paging::default())
        .then(|| FieldError::new("limit", FieldCode::NotAllowed).detail("One user has no pages."));
    let errors: Vec<FieldError> =
        filters.chain(sort).chain(search).chain(include).chain(fields).chain(paging).collect();
    if errors.is_empty() {
        return Ok(());
    }
    Err(Problem::new(&catalogue::BAD_REQUEST)
        .detail("The query has parameters that cannot be used here; `errors` names each.")
        .with_fields(errors))
}

/// A cursor is good for this list, this version and this caller.
fn context(asked: &Asked) -> String {
    let caller = &asked.caller;
    format!("users v{} {} {:?}", asked.version(), caller.client, caller.subject)
}

fn part(shared: &Shared, asked: &Asked, paging: &Paging) -> Result<Part, Problem> {
    let cursor = match paging {
        Paging::Offset { .. } | Paging::Page { .. } => return Ok(Part::Skip(paging.offset().unwrap_or_default())),
        Paging::Cursor { cursor: None, .. } => return Ok(Part::After(None)),
        Paging::Cursor { cursor: Some(cursor), .. } => cursor,
    };
    let opened = shared.cursors.open(context(asked).as_bytes(), cursor);
    let place = opened.as_deref().and_then(|content| content.split_first());
    let place = place.and_then(|(side, id)| match (side, Uuid::from_slice(id)) {
        (b'a', Ok(id)) => Some(Part::After(Some(id))),
        (b'b', Ok(id)) => Some(Part::Before(id)),
        _ => None,
    });
    place.ok_or_else(|| {
        Problem::new(&catalogue::BAD_REQUEST)
            .detail("The cursor is not one of this list. Begin again without it.")
            .field(FieldError::invalid_format("cursor"))
    })
}

fn with_neighbours<T>(
    mut page: Page<T>,
    here: &str,
    paging: &Paging,
    listing: &Listing,
    seal: impl Fn(&[u8]) -> String,
) -> Page<T> {
    let moved = |name: &str, value: u64| with_parameter(here, &[(name, Some(&value.to_string()))]);
    match paging {
        Paging::Cursor { .. } => {
            let beside = |side: u8, id: Uuid| {
                let cursor = seal(&[&[side], id.as_bytes().as_slice()].concat());
                with_parameter(here, &[("cursor", Some(&cursor))])
            };
            page = page.first(with_parameter(here, &[("cursor", None)]));
            if let Some(last) = listing.rows.last().filter(|_| listing.later) {
                page = page.next(beside(b'a', last.id));
            }
            if let Some(first) = listing.rows.first().filter(|_| listing.earlier) {
                page = page.prev(beside(b'b', first.id));
            }
        }
        Paging::Offset { offset, limit } => {
            page = page.first(moved("offset", 0));
            if listing.later {
                page = page.next(moved("offset", offset + u64::from(*limit)));
            }
            if *offset > 0 {
                page = page.prev(moved("offset", offset.saturating_sub(u64::from(*limit))));
            }
        }
        Paging::Page { page: number, .. } => {
            page = page.first(moved("page", 1));
            if listing.later {
                page = page.next(moved("page", number + 1));
            }
            if *number > 1 {
                page = page.prev(moved("page", number - 1));
            }
        }
    }
    page
}
