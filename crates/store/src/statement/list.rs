//! Parts of a list as statements, one for each [stretch](super::Span) of it.

use sea_query::{
    Alias, Condition as Where, Expr, ExprTrait, NullOrdering, Order as Way, Query, SelectStatement, Value,
};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, ColumnKind, Resource};
use valetkey_resources::ports::{By, Direction, ListPlan, Place, Position, Shown, Sight};

use super::condition::{Access, all, all_found, matching, misplanned, named, on};
use super::seal::{read_seal, unbroken};
use super::span::{Edge, Span};
use super::{Dialect, folded, search_table, table};
use crate::document::followed;

/// Counting every row of a table is cheaper than counting so many one by one.
const WORTHWHILE: u64 = 50_000;

/// What a row of a list is read with, in the order that both engines read it in.
const COLUMNS: [&str; 3] = ["id", "task", "document"];

/// What PostgreSQL reads besides. It sends large documents apart from what was found, and the two have to fit.
const BESIDES: [&str; 1] = ["revision"];

/// A list that was asked for, with its order as columns.
pub(crate) struct List<'a> {
    pub(super) dialect: Dialect,
    pub(super) of: &'a Resource,
    pub(super) sight: &'a Sight,
    pub(super) plan: &'a ListPlan,
    pub(super) keys: Vec<Key>,
}

/// One key of an order.
pub(super) struct Key {
    pub(super) by: By,
    pub(super) name: String,
    pub(super) kind: ColumnKind,
    pub(super) direction: Direction,
}

impl<'a> List<'a> {
    /// Takes an order apart. `place`: towards which side it is read.
    pub(crate) fn new(
        dialect: Dialect,
        of: &'a Resource,
        sight: &'a Sight,
        plan: &'a ListPlan,
        place: Place,
    ) -> Result<Self, StoreError> {
        let mut keys = Vec::with_capacity(plan.order.len());
        for order in plan.order.iter().filter(|order| order.by != By::Relevance) {
            let (name, kind) = named(of, order.by)?;
            let direction = match (order.direction, place) {
                (same, Place::After) => same,
                (Direction::Up, Place::Before) => Direction::Down,
                (Direction::Down, Place::Before) => Direction::Up,
            };
            keys.push(Key { by: order.by, name, kind, direction });
            // No two rows have one id: what comes after it orders nothing.
            if order.by == By::Id {
                return Ok(Self { dialect, of, sight, plan, keys });
            }
        }
        Err(misplanned(of, "its order does not end with the id"))
    }

    /// The rows of a stretch.
    pub(crate) fn rows(&self, span: &Span, access: Access, limit: u64) -> Result<SelectStatement, StoreError> {
        // What is sorted is chosen first, perhaps by an index alone, and then looked up.
        if self.dialect == Dialect::Sqlite && matches!(access, Access::Sort | Access::Words) {
            return self.chosen(span, access, 0, limit);
        }
        let mut select = self.select();
        select.cond_where(self.within(span, access)?).limit(limit);
        self.order(&mut select, span, access);
        Ok(select)
    }

    /// Do the keys after this one put rows in another order than its index does?
    pub(super) fn has_groups(&self, depth: usize) -> bool {
        let (key, rest) = (&self.keys[depth], &self.keys[depth + 1..]);
        key.by != By::Id && !matches!(rest, [id] if id.direction == key.direction)
    }

    /// Is it a key with a column of its own?
    pub(super) fn is_column(&self, depth: usize) -> bool {
        self.keys[depth].by != By::Id
    }

    /// The direction and the type of a key.
    pub(super) fn key(&self, depth: usize) -> (Direction, ColumnKind) {
        (self.keys[depth].direction, self.keys[depth].kind)
    }

    /// Are there keys whose values make groups that have to be put in order one by one?
    pub(crate) fn is_grouped(&self) -> bool {
        (0..self.keys.len()).any(|depth| self.has_groups(depth))
    }

    /// The next value beyond an edge of the key after these. The first key has few values: they are found without a look
    /// at the rows. Of those after it, only values are of use that a row of the list has.
    pub(super) fn next_value(&self, equal: &[Cell], edge: &Edge) -> Result<SelectStatement, StoreError> {
        let depth = equal.len();
        let key = &self.keys[depth];
        let mut select = Query::select();
        select.column(key.name.clone()).expr(unbroken(self.of)).from(table(&self.of.name));
        let whole = if depth == 0 {
            on(self.of, key.by, self.plan)?
        } else {
            self.within(&Span { equal: equal.to_vec(), beyond: None }, Access::Walk)?
        };
        select.cond_where(whole.add(self.past(edge, depth)).add(Expr::col(key.name.clone()).is_not_null()));
        self.order_by(&mut select, Expr::col(key.name.clone()), key);
        Ok(select.limit(1).take())
    }

    /// A few rows that are equal in the first keys, whatever the conditions say of them.
    pub(super) fn group(&self, equal: &[Cell], limit: u64) -> SelectStatement {
        let mut select = Query::select();
        select.expr(Expr::cust("1")).from(table(&self.of.name)).limit(limit);
        for (key, cell) in self.keys.iter().zip(equal) {
            select.and_where(Self::is_equal(key, cell));
        }
        counted(select)
    }

    /// The rows of a list after so many others. Those are only counted along an index; what was asked for is looked up.
    pub(crate) fn skipping(&self, access: Access, offset: u64, limit: u64) -> Result<SelectStatement, StoreError> {
        self.chosen(&Span::default(), access, offset, limit)
    }

    fn chosen(&self, span: &Span, access: Access, offset: u64, limit: u64) -> Result<SelectStatement, StoreError> {
        let row = if self.dialect == Dialect::Sqlite { "seq" } else { "id" };
        let mut chosen = Query::select();
        chosen.column(row).from(table(&self.of.name)).cond_where(self.within(span, access)?);
        chosen.limit(limit).offset(offset);
        self.order(&mut chosen, span, access);
        let mut select = self.select();
        select.and_where(Expr::col(row).in_subquery(chosen));
        for key in &self.keys {
            // A few rows are sorted: their order must not tempt anyone to go along an index.
            self.order_by(&mut select, self.unindexed(Expr::col(key.name.clone())), key);
        }
        Ok(select)
    }

    /// The rows of a search, the best first (or, upwards, last), after so many others. In SQLite only these words of it say
    /// how good a row is; the others just have to be there.
    pub(crate) fn relevant(&self, telling: &[String], offset: u64, limit: u64) -> Result<SelectStatement, StoreError> {
        let best_first = self.plan.order.first().is_some_and(|order| order.direction == Direction::Down);
        let mut select = self.select();
        let access = Access::Free;
        match self.dialect {
            Dialect::Sqlite => {
                let words = search_table(&self.of.name);
                self.join_words(&mut select, telling)?;
                // The better, the less.
                let way = if best_first { Way::Asc } else { Way::Desc };
                select.order_by_expr(Expr::cust(format!("bm25(\"{words}\")")), way);
            }
            Dialect::Postgres => {
                let text = Expr::val(Value::String(Some(super::query_all(&self.plan.search))));
                select.cond_where(all(self.dialect, self.of, self.sight, self.plan, access)?);
                let way = if best_first { Way::Desc } else { Way::Asc };
                select.order_by_expr(Expr::cust_with_expr("ts_rank(search, CAST($1 AS tsquery))", text), way);
            }
        }
        self.order(&mut select, &Span::default(), access);
        Ok(select.limit(limit).offset(offset).take())
    }

    /// Several stretches in one statement, the nearest first.
    ///
    /// PostgreSQL runs the parts of a `UNION ALL` one after the other, and stops once it has enough rows. A part with a
    /// limit of its own is never run by several workers at once.
    pub(crate) fn joined(&self, spans: &[Span], limit: u64) -> Result<SelectStatement, StoreError> {
        if let [span] = spans {
            return self.rows(span, Access::Free, limit);
        }
        let part = |(place, span): (usize, &Span)| {
            let rows = self.rows(span, Access::Free, limit)?;
            let mut part = Query::select();
            part.columns(self.columns()).from_subquery(rows, format!("part{place}"));
            Ok::<_, StoreError>(part)
        };
        let mut parts = spans.iter().enumerate().map(part).collect::<Result<Vec<_>, _>>()?.into_iter();
        let mut first = parts.next().ok_or_else(|| misplanned(self.of, "it goes on nowhere"))?;
        first.unions(parts.map(|part| (sea_query::UnionType::All, part)));
        Ok(first.limit(limit).take())
    }

    /// One value for each row, at most so many. SQLite goes along these words of a search, without gathering them first;
    /// without any, it looks each word up for each row.
    pub(crate) fn marks(&self, along: &[String], limit: u64) -> Result<SelectStatement, StoreError> {
        let mut select = Query::select();
        select.expr(Expr::cust("1")).from(table(&self.of.name)).limit(limit);
        if self.dialect == Dialect::Postgres || self.plan.search.is_empty() {
            select.cond_where(self.within(&Span::default(), Access::Free)?);
        } else if along.is_empty() {
            select.cond_where(self.within(&Span::default(), Access::Walk)?);
        } else {
            self.join_words(&mut select, along)?;
        }
        Ok(select)
    }

    /// How many rows one word finds, counted no further than this (SQLite).
    pub(crate) fn word(&self, word: &str, limit: u64) -> SelectStatement {
        let (words, found) = matching(self.of, super::match_all(&[word.to_owned()]));
        let mut select = Query::select();
        select.expr(Expr::cust("1")).from(words).and_where(found).limit(limit);
        counted(select)
    }

    /// The rows that a search finds, by its own table (SQLite) along these words, and the conditions of the list.
    fn join_words(&self, select: &mut SelectStatement, along: &[String]) -> Result<(), StoreError> {
        let (words, found) = matching(self.of, super::match_all(along));
        let rows = table(&self.of.name);
        let same = Expr::col((words.clone(), Alias::new("rowid"))).eq(Expr::col((rows.clone(), Alias::new("seq"))));
        // A cross join is done in this order: first the words, then the rows.
        select.from_clear().from(words).cross_join(rows).and_where(found).and_where(same);
        let others: Vec<_> = self.plan.search.iter().filter(|word| !along.contains(word)).cloned().collect();
        let unsearched = ListPlan { search: Vec::new(), ..self.plan.clone() };
        select.cond_where(all(self.dialect, self.of, self.sight, &unsearched, Access::Free)?);
        if !others.is_empty() {
            select.and_where(all_found(self.of, &others));
        }
        Ok(())
    }

    /// How many rows there are, counted no further than this.
    pub(crate) fn count(&self, along: &[String], limit: u64) -> Result<SelectStatement, StoreError> {
        if limit > WORTHWHILE && (self.dialect == Dialect::Postgres || self.plan.search.is_empty()) {
            let mut select = Query::select();
            select.expr_as(Expr::cust("count(*)"), "found").from(table(&self.of.name));
            select.cond_where(self.within(&Span::default(), Access::Free)?);
            // Beside anything else, SQLite would not count a whole table by its pages.
            let mut whole = Query::select();
            whole.column("found").expr(unbroken(self.of)).from_subquery(select, "whole");
            return Ok(whole);
        }
        Ok(counted(self.marks(along, limit)?).expr(unbroken(self.of)).take())
    }

    /// What was asked for.
    pub(crate) fn plan(&self) -> &'a ListPlan {
        self.plan
    }

    /// The table of its rows.
    pub(crate) fn table(&self) -> String {
        table(&self.of.name)
    }

    /// Is everything that it asks of a row, and its order, in the index of this column?
    pub(super) fn is_within(&self, by: By) -> bool {
        *self.sight == Sight::default()
            && self.plan.search.is_empty()
            && self.plan.conditions.iter().all(|condition| condition.by == by || condition.by == By::Id)
            && self.keys.iter().all(|key| key.by == by || key.by == By::Id)
    }

    /// Does nothing keep any row from it?
    pub(crate) fn is_whole(&self) -> bool {
        *self.sight == Sight::default() && self.plan.conditions.is_empty() && self.plan.search.is_empty()
    }

    /// Where a row stands.
    pub(crate) fn position(&self, row: &Shown) -> Result<Position, StoreError> {
        let columns = self.of.columns();
        let places = self.keys.iter().filter_map(|key| if let By::Column(place) = key.by { Some(place) } else { None });
        let document = followed(&row.document, places.map(|place| &columns[place]))?;
        let cells = self.keys.iter().map(|key| match key.by {
            By::Column(place) => folded(&columns[place].cell(&document)),
            By::Id | By::Relevance => Cell::Id(row.id),
        });
        Ok(Position(cells.collect()))
    }

    pub(super) fn select(&self) -> SelectStatement {
        let mut select = Query::select();
        let rows = table(&self.of.name);
        // Qualified: SQLite takes a lone name in quotes that no column has for a text. It is named and never read, for it would
        // be the last column of each row.
        let seal = Expr::cust(format!("CASE WHEN 1 = 0 THEN \"{rows}\".\"{}\" END", read_seal(self.of)));
        select.columns(self.columns()).expr_as(seal, "seal").from(rows);
        select
    }

    fn columns(&self) -> impl Iterator<Item = Alias> + use<> {
        let besides = if self.dialect == Dialect::Postgres { &BESIDES[..] } else { &[] };
        COLUMNS.iter().chain(besides).copied().map(Alias::new)
    }

    /// The conditions of the list and those of a stretch.
    fn within(&self, span: &Span, access: Access) -> Result<Where, StoreError> {
        Ok(all(self.dialect, self.of, self.sight, self.plan, access)?.add(self.stretch(span)))
    }

    pub(super) fn order(&self, select: &mut SelectStatement, span: &Span, access: Access) {
        // Where all are equal, there is nothing to order. But for those with nothing in a column, PostgreSQL does not know
        // that, and finds the index only by all of its columns.
        let depth = span.equal.len();
        let by_next = self.dialect == Dialect::Postgres && self.is_column(depth);
        let equal = if access == Access::Walk || by_next { depth } else { 0 };
        for key in &self.keys[equal..] {
            let column = Expr::col(key.name.clone());
            self.order_by(select, column, key);
        }
    }

    /// The sign keeps SQLite from using an index; the value is the same.
    fn unindexed(&self, column: Expr) -> Expr {
        if self.dialect == Dialect::Sqlite { Expr::cust_with_expr("+?", column) } else { column }
    }

    /// A direction, as SQL has it.
    pub(super) fn towards(direction: Direction) -> Way {
        match direction {
            Direction::Up => Way::Asc,
            Direction::Down => Way::Desc,
        }
    }

    /// Nothing is less than anything. PostgreSQL has to be told, but not for the id: an index without it would not do.
    pub(super) fn order_by(&self, select: &mut SelectStatement, column: Expr, key: &Key) {
        let way = Self::towards(key.direction);
        let nulls = match key.direction {
            Direction::Up => NullOrdering::First,
            Direction::Down => NullOrdering::Last,
        };
        if key.by == By::Id || self.dialect == Dialect::Sqlite {
            select.order_by_expr(column, way);
        } else {
            select.order_by_expr_with_nulls(column, way, nulls);
        }
    }
}

/// How many rows a statement has.
pub(super) fn counted(select: SelectStatement) -> SelectStatement {
    let mut count = Query::select();
    count.expr(Expr::cust("count(*)")).from_subquery(select, "members");
    count
}
