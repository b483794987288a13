//! Versions of one stored model. The newest version is what is stored; each older one is seen through a lens, composed at
//! start from the changes between its neighbours. Knows documents and declarations; neither HTTP nor rows.
//!
//! | module | what it owns |
//! |---|---|
//! | `codec` | the same value, written in two ways |
//! | `turn` | one step between two neighbouring versions, on a document |
//! | `face` | the API as clients of one version see it, with the steps that lead there |
//! | `table` | those steps as one table: documents, names of columns, places of faults |
//! | `show` | where each field comes from, for writing rows |
//! | `law` | does what goes down come up again? Tried with generated documents |

mod codec;
mod face;
mod law;
mod sample;
mod show;
mod table;
#[cfg(test)]
mod tests;
mod turn;

pub use face::{Face, Misstep, faces};
pub use law::{Breach, Broken, breaches};
pub use show::Show;
pub use table::{ColumnOf, Lens, Untold};
