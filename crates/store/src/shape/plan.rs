//! What a new declaration does to the data, in plain sentences: what is made, and what would be lost.

use std::fmt;

use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::ColumnKind;

use super::catalogue::word;
use super::{Difference, Passage, Work};

/// What a declaration asks for that the database does not have yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShapePlan {
    /// What is made without asking.
    pub additions: Vec<Addition>,
    /// What is only done once it was accepted by name.
    pub losses: Vec<Loss>,
}

/// Something that only adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// The plural name of the resource.
    pub resource: String,
    what: String,
}

/// Something that data would be lost by, or that data stands in the way of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What to accept it by: `orders.note`, or `orders` for the whole resource.
    pub name: String,
    /// How many rows are affected.
    pub rows: u64,
    /// Can it be accepted, or does something have to be mended first?
    pub can_be_accepted: bool,
    what: String,
    remedy: String,
}

/// Why a declaration was not applied.
#[derive(Debug, thiserror::Error)]
pub enum ShapeError {
    /// Data would be lost. Nothing was changed.
    #[error("the declared API does not fit the data that is stored. Nothing was changed.\n{0}")]
    Refused(ShapePlan),
    /// The database did not answer.
    #[error("the database did not answer: {0}")]
    Unavailable(String),
    /// A step failed; those before it stay, and the next start goes on from there.
    #[error("the tables of the declared API could not be made: {0}")]
    Failed(String),
}

impl From<StoreError> for ShapeError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(why) => Self::Unavailable(why),
            StoreError::Failed(why) => Self::Failed(why),
        }
    }
}

impl ShapePlan {
    /// Is there nothing to do?
    pub fn is_empty(&self) -> bool {
        self.additions.is_empty() && self.losses.is_empty()
    }

    /// Is everything that would be lost accepted?
    pub(crate) fn is_accepted(&self, accept: &[String]) -> bool {
        self.losses.iter().all(|loss| loss.can_be_accepted && accept.contains(&loss.name))
    }

    /// Adds the sentences about one resource.
    pub(crate) fn add(&mut self, difference: &Difference, losses: Vec<Loss>) {
        let of = &difference.resource.name;
        let mut add = |what: String| self.additions.push(Addition { resource: of.clone(), what });
        if difference.is_new {
            add(format!("Makes the table of {of}."));
        } else {
            for column in &difference.added {
                let field = &column.field;
                add(format!("Adds a column for {of}.{field} and fills it from the rows that are there."));
            }
            for field in &difference.filled {
                add(format!("Gives {of}.{field} its first value in the rows that are there."));
            }
            for field in &difference.newly_indexed {
                add(format!("Makes an index on {of}.{field}."));
            }
            for field in &difference.newly_unique {
                add(format!("Makes {of}.{field} unique."));
            }
            if difference.newly_owned {
                add(format!("Makes an index on the owners of {of}."));
            }
            if difference.search_changed && difference.resource.is_searchable() {
                add(format!("Reads the words of {of} for the search."));
            } else if difference.search_changed {
                add(format!("Forgets the words of {of}: it is not searched any more."));
            }
            for field in difference.dropped.iter().filter(|field| difference.resource.column(field).is_none()) {
                add(format!("Drops the column of {of}.{field}."));
            }
        }
        self.losses.extend(losses);
    }

    /// Adds the sentences about rows that go from one version to the next.
    pub(crate) fn add_passage(&mut self, of: &str, passage: &Passage) {
        let mut add = |what: String| self.additions.push(Addition { resource: of.to_owned(), what });
        if let Some(former) = &passage.former {
            add(format!("Renames the table of {former} to {of}."));
        }
        if passage.lens.is_some() {
            add(format!("Rewrites the rows of {of} as the newest version has them."));
        }
    }

    /// Adds the sentence about what an earlier start has left to do.
    pub(crate) fn add_left(&mut self, resource: &str, work: &Work) {
        let what = format!("Goes on with {resource}, where {} of {} are done.", work.seen, counted(work.rows));
        self.additions.push(Addition { resource: resource.to_owned(), what });
    }

    /// Adds the sentence about rows that are stored as a version which is not declared.
    pub(crate) fn add_foreign(&mut self, resource: &str, version: u32, rows: u64) {
        self.losses.push(Loss {
            name: resource.to_owned(),
            rows,
            can_be_accepted: false,
            what: format!("The rows of {resource} are stored as version {version} has them, and that is not declared."),
            remedy: format!(
                "Start with a declaration that has version {version}, and newer ones with their changes, or go back to a \
                 backup from before it."
            ),
        });
    }

    /// What is refused where no declaration is named, and another one than the demonstration has made what is there.
    pub(crate) fn unnamed<'a>(resources: impl Iterator<Item = &'a String>) -> Self {
        let names: Vec<&str> = resources.map(String::as_str).collect();
        let loss = Loss {
            name: "api".to_owned(),
            rows: 0,
            can_be_accepted: false,
            what: format!(
                "The store was made for another declaration, which has {}, and none is named.",
                names.join(", ")
            ),
            remedy:
                "Name it, with `--api FILE`, in `VALETKEY_API` or as `api` in the configuration file. Without one, the \
                     demonstration is served, which belongs into an empty store."
                    .to_owned(),
        };
        Self { additions: Vec::new(), losses: vec![loss] }
    }

    /// Adds the sentence about a resource that is not declared any more.
    pub(crate) fn add_vanished(&mut self, resource: &str, rows: u64) {
        if rows == 0 {
            let what = format!("Drops the table of {resource}, which has no rows.");
            self.additions.push(Addition { resource: resource.to_owned(), what });
            return;
        }
        self.losses.push(Loss {
            name: resource.to_owned(),
            rows,
            can_be_accepted: true,
            what: format!("{resource} is not declared any more, and has {}.", counted(rows)),
            remedy: format!("Declare it again, or accept the loss: {}.", accept(resource)),
        });
    }
}

/// How a loss is accepted.
fn accept(name: &str) -> String {
    format!("`valetkey api apply --accept {name}`, with the same declaration")
}

impl Loss {
    pub(super) fn vanished(of: &str, field: &str, rows: u64) -> Self {
        Self {
            name: format!("{of}.{field}"),
            rows,
            can_be_accepted: true,
            what: format!("{of}.{field} is not declared any more, and {} a value for it.", have(rows)),
            remedy: format!("Declare it again, or accept the loss: {}.", accept(&format!("{of}.{field}"))),
        }
    }

    pub(super) fn untold(of: &str, field: &str, rows: u64) -> Self {
        Self {
            name: format!("{of}.{field}"),
            rows,
            can_be_accepted: true,
            what: format!("{} a value in {of}.{field} that the newest version cannot have.", have(rows)),
            remedy: format!(
                "Change these values with the declaration as it was before, or let them become empty: {}.",
                accept(&format!("{of}.{field}"))
            ),
        }
    }

    pub(super) fn retyped(of: &str, field: &str, kind: ColumnKind, rows: u64) -> Self {
        let kind = word(kind);
        Self {
            name: format!("{of}.{field}"),
            rows,
            can_be_accepted: true,
            what: format!("{of}.{field} is now of the type {kind}, and {} a value that does not fit.", have(rows)),
            remedy: format!(
                "Change these values first, give it its old type, or accept the loss: {}.",
                accept(&format!("{of}.{field}"))
            ),
        }
    }

    pub(super) fn demanded(of: &str, field: &str, rows: u64) -> Self {
        Self {
            name: format!("{of}.{field}"),
            rows,
            can_be_accepted: true,
            what: format!("{of}.{field} is now required, and {} no value for it.", have(rows)),
            remedy: format!("Give it a default, or accept by the name {of}.{field} that these rows stay without it."),
        }
    }

    pub(super) fn duplicates(of: &str, field: &str, rows: u64, examples: Vec<String>) -> Self {
        let examples = examples.join(", ");
        Self {
            name: format!("{of}.{field}"),
            rows,
            can_be_accepted: false,
            what: format!(
                "{of}.{field} is now unique, and {} a value that another row has too: {examples}.",
                have(rows)
            ),
            remedy: "Change these values first, or leave out `unique`.".to_owned(),
        }
    }
}

fn counted(rows: u64) -> String {
    if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") }
}

fn have(rows: u64) -> String {
    if rows == 1 { "1 row has".to_owned() } else { format!("{rows} rows have") }
}

impl fmt::Display for Addition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.remedy)
    }
}

impl fmt::Display for ShapePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for loss in &self.losses {
            writeln!(f, "- {loss}")?;
        }
        for addition in &self.additions {
            writeln!(f, "+ {addition}")?;
        }
        Ok(())
    }
}
