//! Numbers as values of headers. Those of the library take memory twice for each.

use http::HeaderValue;

const SMALL: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The value of a header that is a number.
pub(crate) fn digits(number: u64) -> HeaderValue {
    if let Some(digit) = usize::try_from(number).ok().and_then(|place| SMALL.get(place)) {
        return HeaderValue::from_static(digit);
    }
    HeaderValue::from_str(itoa::Buffer::new().format(number)).unwrap_or_else(|_| number.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_library_writes_them() {
        for number in [0, 1, 9, 10, 255, 1_763_364_000, u64::MAX] {
            assert_eq!(digits(number), HeaderValue::from(number));
        }
    }
}
