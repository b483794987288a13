//! The look of the pages, from the settings. Reads the operator's picture once, before anything else starts.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use valetkey_pages::theme::{LogoError, MOST_LOGO_BYTES};
use valetkey_pages::{Brand, Logo};

use crate::config::Config;

/// Why the picture of `brand.logo` cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum BrandError {
    /// The file cannot be read.
    #[error("The logo {} cannot be read: {why}.", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// The file is not a picture that pages can show.
    #[error("The logo {} cannot be shown: {why}.", path.display())]
    NoPicture {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: LogoError,
    },
}

impl BrandError {
    /// The setting to look at.
    pub const KEY: &str = "brand.logo";
    /// What to do.
    pub const REMEDY: &str = "Name another file, or leave the setting empty.";
}

/// Name, picture, colour and links of this house.
pub fn open(config: &Config) -> Result<Brand, BrandError> {
    let mut brand = Brand { name: config.brand.name.clone(), ..Brand::default() };
    // An accent that is no colour was refused when the settings were checked.
    if let Ok(accent) = config.brand.accent.parse() {
        brand.accent = accent;
    }
    brand.links = config.brand.links.iter().map(|link| (link.label.clone(), link.url.to_string())).collect();
    brand.logo = config.brand.logo.as_deref().map(picture).transpose()?;
    Ok(brand)
}

fn picture(path: &Path) -> Result<Logo, BrandError> {
    let bytes = read(path).map_err(|why| BrandError::Unreadable { path: path.to_owned(), why })?;
    Logo::new(bytes).map_err(|why| BrandError::NoPicture { path: path.to_owned(), why })
}

/// Reads no more than it takes to know that a file is too large.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Asked first: opening a pipe would wait for whoever writes to it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_LOGO_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
