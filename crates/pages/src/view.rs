//! What makes a struct a page: a template that sees only this struct, and samples of every state it can be in.

/// A page. Its template extends `base.html`, which reads the field `brand: Arc<Brand>` and asks for a title.
pub trait View: askama::Template + Sized {
    /// One sample for each state a person can see. A test renders all of them, and the gallery shows them.
    fn samples() -> Vec<Self>;
}
