//! A length of time as people write it: `15m`, `30d`, `10s`, `500ms`, `1h30m`.

use std::fmt;
use std::time::Duration;

use super::value::Value;

/// A length of time that reads and prints as `15m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(Duration);

/// The units, longest first, in milliseconds.
const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

impl Span {
    /// A span of so many milliseconds.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(Duration::from_millis(millis))
    }

    /// A span of so many seconds.
    #[must_use]
    pub const fn from_secs(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// The same as the standard library's type.
    #[must_use]
    pub const fn duration(self) -> Duration {
        self.0
    }

    /// Whole seconds.
    #[must_use]
    pub const fn seconds(self) -> u64 {
        self.0.as_secs()
    }
}

impl From<Span> for Duration {
    fn from(span: Span) -> Self {
        span.0
    }
}

impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX);
        if millis == 0 {
            return out.write_str("0s");
        }
        let (unit, size) = UNITS.into_iter().find(|(_, size)| millis % size == 0).unwrap_or(("ms", 1));
        write!(out, "{}{unit}", millis / size)
    }
}

impl Value for Span {
    fn parse(text: &str) -> Result<Self, String> {
        let malformed = || format!("`{text}` is not a length of time such as `15m`; the units are d, h, m, s and ms");
        let mut rest = text;
        let mut total = 0_u64;
        if rest.is_empty() {
            return Err(malformed());
        }
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(malformed)?;
            let (number, tail) = rest.split_at(digits);
            let letters = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
            let (unit, tail) = tail.split_at(letters);
            let size = UNITS.into_iter().find(|(name, _)| *name == unit).ok_or_else(malformed)?.1;
            let millis = number.parse::<u64>().ok().and_then(|count| count.checked_mul(size)).ok_or_else(malformed)?;
            total = total.checked_add(millis).ok_or_else(malformed)?;
            rest = tail;
        }
        Ok(Self::from_millis(total))
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back_as_the_same_span() {
        for text in ["15m", "30d", "10s", "500ms", "0s", "25h", "1001ms"] {
            let span = Span::parse(text).unwrap();

            assert_eq!(span.to_string(), text);
        }
        assert_eq!(Span::parse("1h30m").unwrap(), Span::parse("90m").unwrap());
    }

    #[test]
    fn a_number_without_a_unit_is_refused() {
        for text in ["", "15", "m", "15 m", "1.5h", "-1s", "5y", "99999999999999999d"] {
            assert!(Span::parse(text).is_err(), "{text}");
        }
    }
}
