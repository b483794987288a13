//! How this house looks: name, logo, colour and links. Colours of text follow from the accent, so that contrast holds.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::response::Response;

mod accent;
mod logo;

pub use accent::{Accent, AccentError};
pub use logo::{Logo, LogoError, MOST_LOGO_BYTES};

/// The name and look of the operator, shown on every page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brand {
    /// Shown in the header and in titles.
    pub name: String,
    /// A picture to show instead of ours and of the name.
    pub logo: Option<Logo>,
    /// The colour of buttons and links.
    pub accent: Accent,
    /// Text and address of the links in the footer, such as terms and privacy.
    pub links: Vec<(String, String)>,
}

impl Default for Brand {
    fn default() -> Self {
        Self { name: "Valetkey".into(), logo: None, accent: Accent::default(), links: Vec::new() }
    }
}

impl Brand {
    /// Where the picture in the header is served.
    pub fn logo_href(&self) -> String {
        self.logo.as_ref().map_or_else(|| crate::assets::href("logo.svg"), Logo::href)
    }

    /// Where the colours are served. A hash of them is in the address, so that new ones are seen at once.
    pub fn stylesheet(&self) -> String {
        format!("/static/brand.css?v={}", hash(self.css().as_bytes()))
    }

    /// The colours as a stylesheet: pages allow no inline style, so they come as a file of their own.
    pub fn css(&self) -> String {
        let accent = self.accent;
        format!(
            ":root{{--accent:{accent};--on-accent:{on};--accent-ink:{light}}}\n\
             @media (prefers-color-scheme:dark){{:root{{--accent-ink:{dark}}}}}\n",
            on = accent.text_upon(),
            light = accent.readable_on(accent.light_ground()),
            dark = accent.readable_on(accent.dark_ground()),
        )
    }

    /// Answers `/static/brand.css`; `query` is the raw query of the request.
    pub fn stylesheet_response(&self, query: Option<&str>) -> Response {
        let css = self.css();
        let hash = hash(css.as_bytes());
        crate::assets::answer("brand.css", css.into_bytes().into(), &hash, query)
    }
}

/// Tells versions of a file apart. Another hash after an upgrade of Rust only costs one download.
fn hash(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
