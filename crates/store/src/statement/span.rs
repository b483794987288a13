//! Stretches of a list. A position is no offset: rows beyond it are ranges of an index, one for each key of the order, so that
//! the thousandth page costs what the first one does.

use sea_query::{Condition as Where, Expr, ExprTrait};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Cell;
use valetkey_resources::ports::{By, Direction, Position};

use super::cell;
use super::condition::misplanned;
use super::list::{Key, List};

/// A stretch of a list: rows that have these values in the first keys, and are beyond a value in the next one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Span {
    pub(super) equal: Vec<Cell>,
    pub(super) beyond: Option<Edge>,
}

/// Where a stretch begins.
#[derive(Debug, Clone)]
pub(super) enum Edge {
    /// After this value.
    After(Cell),
    /// With whatever is something.
    Something,
    /// With nothing, and there it ends.
    Nothing,
}

impl List<'_> {
    /// The stretches beyond a position, the nearest first.
    pub(crate) fn beyond(&self, position: Option<&Position>) -> Result<Vec<Span>, StoreError> {
        let Some(Position(cells)) = position else { return Ok(vec![Span::default()]) };
        let fits = self.keys.iter().zip(cells).all(|(key, cell)| cell::fits(cell, key.kind));
        if cells.len() < self.keys.len() || !fits || cells[self.keys.len() - 1] == Cell::Null {
            return Err(misplanned(self.of, "a position does not fit its order"));
        }
        let mut spans = Vec::new();
        for (depth, key) in self.keys.iter().enumerate().rev() {
            let edges = match (key.direction, &cells[depth], key.by) {
                (Direction::Up, Cell::Null, _) => vec![Edge::Something],
                (Direction::Down, Cell::Null, _) => vec![],
                (Direction::Down, cell, By::Column(_)) => vec![Edge::After(cell.clone()), Edge::Nothing],
                (_, cell, _) => vec![Edge::After(cell.clone())],
            };
            for edge in edges {
                spans.push(Span { equal: cells[..depth].to_vec(), beyond: Some(edge) });
            }
        }
        Ok(spans)
    }

    /// The conditions of a stretch alone.
    pub(super) fn stretch(&self, span: &Span) -> Where {
        let mut whole = Where::all();
        for (key, cell) in self.keys.iter().zip(&span.equal) {
            whole = whole.add(Self::is_equal(key, cell));
        }
        match &span.beyond {
            None => whole,
            Some(edge) => whole.add(self.past(edge, span.equal.len())),
        }
    }

    /// What a key is.
    pub(super) fn is_equal(key: &Key, cell: &Cell) -> Expr {
        let column = Expr::col(key.name.clone());
        match cell {
            Cell::Null => column.is_null(),
            cell => column.eq(Expr::val(cell::value(cell, key.kind))),
        }
    }

    /// What a key is beyond an edge.
    pub(super) fn past(&self, edge: &Edge, depth: usize) -> Expr {
        let key = &self.keys[depth];
        let column = Expr::col(key.name.clone());
        match edge {
            Edge::Something => column.is_not_null(),
            Edge::Nothing => column.is_null(),
            Edge::After(cell) => {
                let value = Expr::val(cell::value(cell, key.kind));
                if key.direction == Direction::Up { column.gt(value) } else { column.lt(value) }
            }
        }
    }
}
