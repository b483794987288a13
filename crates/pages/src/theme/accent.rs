//! A colour and the colours that follow from it. Owns the contrast rule of WCAG 2.2: text has 4.5 to 1, whatever the accent.

use std::{fmt, str::FromStr};

/// An sRGB colour, written `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accent([u8; 3]);

/// The text is not a colour of the form `#rrggbb`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a colour is written #rrggbb, such as #3f51d9")]
pub struct AccentError;

impl Default for Accent {
    fn default() -> Self {
        Self([0x3f, 0x51, 0xd9])
    }
}

impl Accent {
    /// The page background in light mode; the same as `--canvas` in the stylesheet.
    const LIGHT_CANVAS: Self = Self([0xf7, 0xf8, 0xfa]);
    /// The card background in dark mode; the same as `--surface` in the stylesheet.
    const DARK_SURFACE: Self = Self([0x17, 0x1b, 0x22]);
    const WHITE: Self = Self([0xff; 3]);
    const BLACK: Self = Self([0x0e, 0x11, 0x16]);

    /// A colour from its three channels.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue])
    }

    /// Black or white: whichever is easier to read upon this colour.
    pub fn text_upon(self) -> Self {
        if self.contrast(Self::WHITE) >= self.contrast(Self::BLACK) { Self::WHITE } else { Self::BLACK }
    }

    /// This colour, moved towards black or white only as far as text on `background` needs.
    pub fn readable_on(self, background: Self) -> Self {
        let end = background.text_upon();
        let steps = (0..=20).map(|step| self.mixed_with(end, f64::from(step) / 20.0));
        steps.into_iter().find(|colour| colour.contrast(background) >= 4.5).unwrap_or(end)
    }

    /// The background in light mode at its darkest, where the stylesheet tints the top of a page with the accent.
    pub(super) fn light_ground(self) -> Self {
        Self::LIGHT_CANVAS.mixed_with(self, 0.1)
    }

    /// The background in dark mode at its lightest.
    pub(super) fn dark_ground(self) -> Self {
        Self::DARK_SURFACE.mixed_with(self, 0.1)
    }

    /// The contrast ratio of WCAG, from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    fn mixed_with(self, end: Self, share: f64) -> Self {
        let channel = |at: usize| {
            let (from, to) = (f64::from(self.0[at]), f64::from(end.0[at]));
            (from + (to - from) * share).round() as u8
        };
        Self([channel(0), channel(1), channel(2)])
    }

    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl fmt::Display for Accent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl FromStr for Accent {
    type Err = AccentError;

    /// Strict, because the text comes to stand in a stylesheet.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or(AccentError)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(AccentError);
        }
        let number = u32::from_str_radix(digits, 16).map_err(|_| AccentError)?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

#[cfg(test)]
mod tests {
    use super::Accent;

    #[test]
    fn text_is_readable_whatever_the_accent() {
        for accent in ["#3f51d9", "#ffff00", "#000000", "#ffffff", "#ff0000", "#808080", "#00ff88"] {
            let accent: Accent = accent.parse().unwrap();

            assert!(accent.contrast(accent.text_upon()) >= 4.5, "{accent}");
            for background in [accent.light_ground(), accent.dark_ground()] {
                assert!(accent.readable_on(background).contrast(background) >= 4.5, "{accent} on {background}");
            }
        }
    }

    #[test]
    fn only_six_digits_are_a_colour() {
        assert_eq!("#0A0b0c".parse::<Accent>().unwrap().to_string(), "#0a0b0c");
        for text in ["", "red", "#fff", "#12345g", "#+12345", "#1234567", "#é1234", "#000000}body{"] {
            assert!(text.parse::<Accent>().is_err(), "{text}");
        }
    }
}
