//! The list envelope for hand-written servers: `data`, `meta`, `links`, and the same neighbours in the `Link` header.

use axum::response::{IntoResponse, Response};
use http::header;
use serde::Serialize;

use super::Paging;
use crate::links::LinkHeader;

/// A page of a list, on its way to the client.
#[derive(Debug, Clone, Serialize)]
pub struct Page<T> {
    /// The rows.
    pub data: Vec<T>,
    /// Where in the list they are.
    pub meta: Meta,
    /// Where the neighbours are.
    pub links: Neighbours,
}

/// Where in a list a page is. What is not known is null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meta {
    /// Rows of the whole list.
    pub total: Option<u64>,
    /// The number of the page, where pages have one.
    pub page: Option<u64>,
    /// Rows of a page at most.
    pub per_page: u32,
}

/// The addresses of a page and its neighbours. What is not there is null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Neighbours {
    /// This page.
    #[serde(rename = "self")]
    pub here: String,
    /// The page after it.
    pub next: Option<String>,
    /// The page before it.
    pub prev: Option<String>,
    /// The first page; only in the `Link` header.
    #[serde(skip)]
    pub first: Option<String>,
}

impl<T> Page<T> {
    /// A page as it was asked for, at this path and query.
    pub fn new(data: Vec<T>, asked: &Paging, here: impl Into<String>) -> Self {
        let page = match asked {
            Paging::Page { page, .. } => Some(*page),
            Paging::Cursor { .. } | Paging::Offset { .. } => None,
        };
        let meta = Meta { total: None, page, per_page: asked.per_page() };
        Self { data, meta, links: Neighbours { here: here.into(), next: None, prev: None, first: None } }
    }

    /// Tells how many rows the whole list has.
    #[must_use]
    pub fn total(mut self, total: u64) -> Self {
        self.meta.total = Some(total);
        self
    }

    /// Tells where the next page is.
    #[must_use]
    pub fn next(mut self, address: impl Into<String>) -> Self {
        self.links.next = Some(address.into());
        self
    }

    /// Tells where the page before is.
    #[must_use]
    pub fn prev(mut self, address: impl Into<String>) -> Self {
        self.links.prev = Some(address.into());
        self
    }

    /// Tells where the first page is.
    #[must_use]
    pub fn first(mut self, address: impl Into<String>) -> Self {
        self.links.first = Some(address.into());
        self
    }
}

impl<T: Serialize> IntoResponse for Page<T> {
    fn into_response(self) -> Response {
        let mut header = LinkHeader::new();
        for (rel, target) in [("next", &self.links.next), ("prev", &self.links.prev), ("first", &self.links.first)] {
            if let Some(target) = target {
                header.push(target, rel);
            }
        }
        let mut response = axum::Json(self).into_response();
        if let Some(value) = header.to_value() {
            response.headers_mut().append(header::LINK, value);
        }
        response
    }
}
