//! Moments and durations as lines show them. Each line has one of both, so they are worth a few lines of their own: what the
//! clock says up to the second is written once for all lines of that second.

use std::cell::RefCell;
use std::fmt::{self, Write};

use jiff::Timestamp;

/// So long is `2026-11-15T20:55:16`.
const SECOND: usize = 19;

thread_local! {
    static LATEST: RefCell<(i64, String)> = const { RefCell::new((i64::MIN, String::new())) };
}

/// Writes a moment to the microsecond, in UTC.
pub(super) fn write_moment(out: &mut impl Write, moment: Timestamp) -> fmt::Result {
    if moment < Timestamp::UNIX_EPOCH {
        // Fractions count backwards there.
        return write!(out, "{moment:.6}");
    }
    let second = moment.as_second();
    LATEST.with_borrow_mut(|(known, text)| {
        if *known != second {
            let fresh = format!("{moment:.0}");
            let Some(front) = fresh.strip_suffix('Z').filter(|front| front.len() == SECOND) else {
                // After the year 9999.
                return write!(out, "{moment:.6}");
            };
            front.clone_into(text);
            *known = second;
        }
        out.write_str(text)?;
        out.write_str(".")?;
        // With a one before it, a number has all its zeroes.
        out.write_str(&itoa::Buffer::new().format(1_000_000 + moment.subsec_microsecond())[1..])?;
        out.write_str("Z")
    })
}

/// Writes a number, the same as `Display` does. Most are thousandths, which need no search for the shortest text.
pub(super) fn write_number(out: &mut (impl Write + ?Sized), value: f64) -> fmt::Result {
    let thousandths = (value * 1000.0).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are excluded by the comparison")]
    let whole = if (0.0..1e15).contains(&thousandths) { thousandths as u64 } else { return write!(out, "{value}") };
    #[expect(clippy::float_cmp, reason = "the same bits, or it is another number")]
    if thousandths / 1000.0 != value || (value == 0.0 && value.is_sign_negative()) {
        return write!(out, "{value}");
    }
    write_thousandths(out, whole)
}

/// Writes a number of thousandths as `Display` writes what they are together.
pub(super) fn write_thousandths(out: &mut (impl Write + ?Sized), thousandths: u64) -> fmt::Result {
    out.write_str(itoa::Buffer::new().format(thousandths / 1000))?;
    let rest = thousandths % 1000;
    if rest == 0 {
        return Ok(());
    }
    out.write_str(".")?;
    out.write_str(itoa::Buffer::new().format(1000 + rest)[1..].trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_looks_as_the_calendar_writes_it() {
        for text in [
            "1969-12-31T23:59:58.999999Z",
            "2026-11-15T20:55:16.000001Z",
            "2026-11-15T20:55:17Z",
            "9999-01-01T00:00:00.5Z",
        ] {
            let moment: Timestamp = text.parse().unwrap();
            for _ in 0..2 {
                let mut line = String::new();

                write_moment(&mut line, moment).unwrap();

                assert_eq!(line, format!("{moment:.6}"));
            }
        }
    }

    #[test]
    fn a_number_looks_as_everywhere_else() {
        let near = (0..5000).map(|thousandths| f64::from(thousandths) / 1000.0);
        for value in near.chain([0.1 + 0.2, -0.0, -1.5, 1e15, 1e300, 123_456_789.012, f64::MIN_POSITIVE]) {
            let mut line = String::new();

            write_number(&mut line, value).unwrap();

            assert_eq!(line, value.to_string());
        }
    }
}
