//! What makes a struct a page: a template that sees only this struct, and samples of every state it can be in.

use crate::Language;

/// A page. Its template extends `base.html`, which reads the field `brand: Arc<Brand>` and asks for a title.
pub trait View: askama::Template + Sized {
    /// One sample for each state a person can see. A test renders all of them, and the gallery shows them.
    fn samples() -> Vec<Self>;
}

/// A page that speaks the language of its reader. Its template extends `spoken.html`, which reads the field `language`.
pub trait Spoken: View {
    /// The same page in another language.
    #[must_use]
    fn spoken_in(self, language: Language) -> Self;
}

/// Makes pages [`Spoken`] by their field `language`.
macro_rules! spoken {
    ($($page:ty),+) => {$(
        impl $crate::view::Spoken for $page {
            fn spoken_in(self, language: $crate::Language) -> Self {
                Self { language, ..self }
            }
        }
    )+};
}
pub(crate) use spoken;
