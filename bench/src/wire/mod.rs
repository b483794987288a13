//! HTTP/1.1 as cheaply as it can be spoken: the load shares its cores with what it measures. Knows no route and no token.

mod answer;
mod line;
mod request;

pub use answer::Answer;
pub use line::Line;
pub use request::{Request, encode};
