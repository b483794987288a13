//! What is asked for a page. Where documents are small, they are sent with what was found. Where they may be too much to hold,
//! PostgreSQL adds up their sizes first; of a short page, that is a third of its work.

use std::borrow::Cow;
use std::sync::Arc;

use sea_query::{SelectStatement, Value, Values};
use tokio_postgres::types::Type;
use valetkey_oauth::ports::StoreError;

use super::reading::LIGHT;
use crate::page::Page;
use crate::postgres::bound::{Bound, parameters, with_limits};
use crate::postgres::connection::Number;
use crate::statement::{Access, Dialect, Familiar, List, Span};

/// A document of no more bytes than this is small, however many there are on a page.
pub(super) const LITTLE: u64 = 4 << 10;

/// A statement that has more bytes is written each time.
const LONGEST: usize = 4 << 10;

/// What was asked for lists, by how they look.
pub(in crate::postgres) type Asked = Familiar<Arc<Text>>;

/// A statement with its limits written out.
pub(in crate::postgres) struct Text {
    whole: String,
    /// The same, but it sends no document that is not small, whatever the others are.
    light: String,
    number: Number,
}

/// A statement and its values.
pub(super) struct Question {
    text: Arc<Text>,
    pub(super) values: Vec<(Bound, Type)>,
}

/// A question as it is sent.
pub(super) struct Written<'a> {
    pub(super) sql: Cow<'a, str>,
    pub(super) number: Number,
    pub(super) question: &'a Question,
    /// Does it send no document that is not small?
    pub(super) is_light: bool,
}

impl Question {
    /// Asks this for a page.
    pub(super) fn new(statement: &SelectStatement, page: &Page) -> Result<Self, StoreError> {
        let (sql, values) = Dialect::Postgres.render(statement);
        // Where groups are read one by one, it asks for more rows than the page has.
        let limits = values.0.iter().map(|value| if let Value::BigUnsigned(limit) = value { *limit } else { None });
        let rows = limits.flatten().max().unwrap_or_default().max(page.wanted());
        let small = (LIGHT as u64 / rows).max(LITTLE);
        let (whole, values) = with_limits((sql, values));
        let light = format!(
            "SELECT id, task, CASE WHEN octet_length(document) <= {small} THEN document END, revision FROM ({whole}) part"
        );
        let number = Number::of(&light);
        Ok(Self { text: Arc::new(Text { whole, light, number }), values: parameters(values)? })
    }

    /// Asks for the rows of these stretches. What was asked for a list that looks alike is not written again, if the values are
    /// then found where they belong.
    pub(super) fn beside(asked: &Asked, list: &List<'_>, spans: &[Span], page: &Page) -> Result<Self, StoreError> {
        let anew = || Self::new(&list.joined(spans, page.wanted())?, page);
        let Some(mut shape) = list.shape(spans) else { return anew() };
        shape.extend_from_slice(&page.wanted().to_le_bytes());
        let values = || {
            let each = spans.iter().map(|span| list.values(span, Access::Free, page.wanted()));
            let values: Option<Vec<Vec<Value>>> = each.collect();
            let values = values?.into_iter().flatten().filter(|value| !matches!(value, Value::BigUnsigned(_)));
            parameters(Values(values.collect())).ok()
        };
        if let Some(text) = asked.recall(&shape)
            && let Some(values) = values()
        {
            return Ok(Self { text, values });
        }
        let question = anew()?;
        if question.text.whole.len() <= LONGEST && values().is_some_and(|values| values == question.values) {
            asked.keep(shape, question.text.clone());
        }
        Ok(question)
    }

    /// As it is sent for a page, whose documents may be large or not.
    pub(super) fn written(&self, page: &Page, may_be_large: bool) -> Written<'_> {
        if page.is_untouched() && !may_be_large {
            let Text { light, number, .. } = &*self.text;
            return Written { sql: Cow::Borrowed(light), number: *number, question: self, is_light: true };
        }
        let sql = self.measured(page);
        Written { number: Number::of(&sql), sql: Cow::Owned(sql), question: self, is_light: false }
    }

    /// What does not send what would be too much to hold.
    pub(super) fn measured(&self, page: &Page) -> String {
        let (skip, left) = page.measures();
        let first = if page.is_empty() { " OR held = size" } else { "" };
        format!(
            "SELECT id, task, CASE WHEN place <= {skip} THEN '' WHEN whole <= {LIGHT} THEN document END, revision, found FROM \
             (SELECT *, sum(size) OVER (ROWS UNBOUNDED PRECEDING) AS held, sum(size) OVER () AS whole, \
             count(*) OVER () AS found FROM (SELECT *, \
             CASE WHEN place > {skip} THEN octet_length(document) ELSE 0 END AS size FROM (SELECT *, \
             row_number() OVER () AS place FROM ({}) part) part) part) part WHERE held <= {left}{first}",
            self.text.whole
        )
    }
}

#[cfg(test)]
mod tests;
