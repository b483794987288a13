//! Days of the calendar, as `YYYY-MM-DD`. A version lives from one to another; each begins at midnight, UTC.

use std::{fmt, str::FromStr};

/// A day, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

/// It is not a day of the calendar, written as `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a day such as 2026-01-31")]
pub struct NoDay;

const SECONDS: i64 = 86_400;
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Day {
    /// The day of a moment, in seconds since 1970.
    pub fn of_unix(seconds: u64) -> Self {
        Self(i64::try_from(seconds).unwrap_or(i64::MAX).div_euclid(SECONDS))
    }

    /// Its first second since 1970.
    pub fn unix(self) -> i64 {
        self.0 * SECONDS
    }

    /// Its first moment as HTTP writes it (RFC 9110 §5.6.7): `Sat, 31 Jan 2026 00:00:00 GMT`.
    pub fn http_date(self) -> String {
        let (year, month, day) = self.civil();
        let weekday = WEEKDAYS[usize::try_from(self.0.rem_euclid(7)).unwrap_or_default()];
        let month = MONTHS[usize::try_from(month - 1).unwrap_or_default()];
        format!("{weekday}, {day:02} {month} {year:04} 00:00:00 GMT")
    }

    /// Year, month and day. The year begins in March here, so that the leap day is its last.
    fn civil(self) -> (i64, i64, i64) {
        let shifted = self.0 + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (year_of_era + era * 400 + i64::from(month <= 2), month, day)
    }
}

impl FromStr for Day {
    type Err = NoDay;

    fn from_str(text: &str) -> Result<Self, NoDay> {
        let is_shaped = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !is_shaped {
            return Err(NoDay);
        }
        let number = |range: std::ops::Range<usize>| text[range].parse::<i64>().map_err(|_| NoDay);
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (years, months) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
        let era = years.div_euclid(400);
        let of_era = years.rem_euclid(400);
        let of_year = (153 * months + 2) / 5 + day - 1;
        let found = Self(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468);
        // The 30th of February comes back as the 1st or 2nd of March.
        if year > 0 && found.civil() == (year, month, day) { Ok(found) } else { Err(NoDay) }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(out, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_the_calendar_is_read_and_written_alike() {
        for text in ["2024-02-29", "2000-02-29", "2026-12-31", "0001-01-01", "1970-01-01", "1969-12-31", "9999-12-31"] {
            assert_eq!(text.parse::<Day>().map(|day| day.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-00-10",
            "2026-13-01",
            "2026-01-00",
            "2026-01-32",
            "0000-01-01",
            "2026-1-1",
            "20260101",
            "2026/01/01",
            "",
            "2026-01-01T00:00:00Z",
            "+026-01-01",
        ] {
            assert_eq!(text.parse::<Day>(), Err(NoDay), "{text}");
        }
    }

    #[test]
    fn a_day_is_told_in_seconds_and_as_http_has_it() {
        let day: Day = "2026-11-15".parse().unwrap();

        assert_eq!(day.unix(), 1_794_700_800);
        assert_eq!(day.http_date(), "Sun, 15 Nov 2026 00:00:00 GMT");
        assert_eq!("1994-11-06".parse::<Day>().unwrap().http_date(), "Sun, 06 Nov 1994 00:00:00 GMT");
        assert_eq!(Day::of_unix(1_794_700_799), "2026-11-14".parse().unwrap());
        assert_eq!(Day::of_unix(1_794_700_800), day);
    }
}
