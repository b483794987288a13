//! A list by several keys of which the first has few values: its groups are read one after the other, each by the index of
//! the next key. Sorting a whole group would take longer than reading a page may. Knows no connection: it says what to ask
//! next, and is told the answer.

use std::collections::VecDeque;

use sea_query::SelectStatement;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, ColumnKind};
use valetkey_resources::ports::Direction;

use super::span::Edge;
use super::{Access, List, Span};

/// A group that is no larger is sorted; along a larger one, the order of the next key is followed.
const SMALL: u64 = 1_000;

/// What to ask next.
pub(crate) enum Step {
    /// A value of a key, of this type, along this index. Answer with [`Tour::value`].
    Value(SelectStatement, ColumnKind, Option<String>),
    /// How large a group is, along this index. Answer with [`Tour::size`].
    Size(SelectStatement, Option<String>),
    /// Rows, the next ones of the list, along this index.
    Rows(SelectStatement, Option<String>),
}

/// A way through the groups of a list.
pub(crate) struct Tour<'a> {
    list: &'a List<'a>,
    limit: u64,
    /// Does the engine choose well between sorting a group and following an order?
    trusts_planner: bool,
    spans: VecDeque<Span>,
    stops: Vec<Stop>,
    /// A group whose size is asked for.
    waiting: Option<Vec<Cell>>,
}

/// A key whose values are visited one after the other.
struct Stop {
    equal: Vec<Cell>,
    next: Next,
    /// Downwards, those without a value come last; unless another stretch has them.
    ends_with_nothing: bool,
}

enum Next {
    Nothing,
    Beyond(Edge),
    Over,
}

impl<'a> Tour<'a> {
    /// A tour of these stretches.
    pub(crate) fn new(list: &'a List<'a>, spans: Vec<Span>, limit: u64, trusts_planner: bool) -> Self {
        Self { list, limit, trusts_planner, spans: spans.into(), stops: Vec::new(), waiting: None }
    }

    /// What to ask next; none if the list is over.
    pub(crate) fn next(&mut self) -> Result<Option<Step>, StoreError> {
        loop {
            let Some(stop) = self.stops.last_mut() else {
                let Some(span) = self.spans.pop_front() else { return Ok(None) };
                if let Some(step) = self.enter(span)? {
                    return Ok(Some(step));
                }
                continue;
            };
            match &stop.next {
                Next::Beyond(edge) => {
                    let depth = stop.equal.len();
                    let (_, kind) = self.list.key(depth);
                    let next = self.list.next_value(&stop.equal, edge)?;
                    return Ok(Some(Step::Value(next, kind, self.list.keyed(depth))));
                }
                Next::Nothing => {
                    let up = self.list.key(stop.equal.len()).0 == Direction::Up;
                    stop.next = if up { Next::Beyond(Edge::Something) } else { Next::Over };
                    let equal = [&stop.equal[..], &[Cell::Null]].concat();
                    if let Some(step) = self.visit(equal)? {
                        return Ok(Some(step));
                    }
                }
                Next::Over => drop(self.stops.pop()),
            }
        }
    }

    /// The value that was asked for, if there is another one. Answers what to ask about it, if anything.
    pub(crate) fn value(&mut self, value: Option<Cell>) -> Result<Option<Step>, StoreError> {
        let Some(stop) = self.stops.last_mut() else { return Ok(None) };
        let Some(value) = value else {
            stop.next = if stop.ends_with_nothing { Next::Nothing } else { Next::Over };
            return Ok(None);
        };
        let equal = [&stop.equal[..], std::slice::from_ref(&value)].concat();
        stop.next = Next::Beyond(Edge::After(value));
        self.visit(equal)
    }

    /// The size of a group that was asked for. Answers how to read it, or how to take it apart further.
    pub(crate) fn size(&mut self, members: u64) -> Result<Option<Step>, StoreError> {
        let Some(equal) = self.waiting.take() else { return Ok(None) };
        let span = Span { equal, beyond: None };
        match members {
            0 => Ok(None),
            1..=SMALL => self.rows(&span, Access::Sort).map(Some),
            _ if self.list.has_groups(span.equal.len()) => self.enter(span),
            _ => self.rows(&span, Access::Walk).map(Some),
        }
    }

    /// Begins with a stretch.
    fn enter(&mut self, span: Span) -> Result<Option<Step>, StoreError> {
        let depth = span.equal.len();
        if !self.list.has_groups(depth) {
            return self.rows(&span, Access::Walk).map(Some);
        }
        let up = self.list.key(depth).0 == Direction::Up;
        let (next, ends_with_nothing) = match span.beyond {
            None if up => (Next::Nothing, false),
            None => (Next::Beyond(Edge::Something), true),
            // Downwards, nothing is what is left after everything else.
            Some(Edge::Nothing) => return self.visit([&span.equal[..], &[Cell::Null]].concat()),
            Some(edge) => (Next::Beyond(edge), false),
        };
        self.stops.push(Stop { equal: span.equal, next, ends_with_nothing });
        Ok(None)
    }

    /// Asks how large a group is, where that decides how it is read.
    fn visit(&mut self, equal: Vec<Cell>) -> Result<Option<Step>, StoreError> {
        let depth = equal.len();
        // Between sorting a group and following an order, a planner that knows how large groups are chooses by itself.
        if self.list.has_groups(depth) || self.list.is_column(depth) && !self.trusts_planner {
            let (size, index) = (self.list.group(&equal, SMALL + 1), self.list.grouped(&equal));
            self.waiting = Some(equal);
            return Ok(Some(Step::Size(size, index)));
        }
        self.rows(&Span { equal, beyond: None }, Access::Walk).map(Some)
    }

    fn rows(&self, span: &Span, access: Access) -> Result<Step, StoreError> {
        let (access, index) = match access {
            _ if self.trusts_planner => (Access::Free, None),
            Access::Sort => (access, self.list.grouped(&span.equal)),
            Access::Free | Access::Walk | Access::Words => (access, self.list.walked(span)),
        };
        Ok(Step::Rows(self.list.rows(span, access, self.limit)?, index))
    }
}
