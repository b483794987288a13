//! The trace that a caller wants to see continued: the `traceparent` header of W3C Trace Context. Knows no SDK.

use http::{HeaderMap, HeaderName};

/// The header. A name that is read from text each time takes longer to find.
static TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Where in the caller's trace a request came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceParent {
    /// The whole trace.
    pub trace: u128,
    /// The span that made the request.
    pub span: u64,
    /// Is the caller recording it?
    pub sampled: bool,
}

impl TraceParent {
    /// Reads the header; one that does not follow the rules counts as absent, as they ask.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        Self::parse(headers.get(&TRACEPARENT)?.to_str().ok()?)
    }

    fn parse(value: &str) -> Option<Self> {
        let mut parts = value.split('-');
        let version = hex(parts.next()?, 2)?;
        let trace = hex(parts.next()?, 32)?;
        let span = u64::try_from(hex(parts.next()?, 16)?).ok()?;
        let flags = hex(parts.next()?, 2)?;
        // A later version may append parts; this one has none.
        let complete = version != 0 || parts.next().is_none();
        let meant = version != 0xff && trace != 0 && span != 0;
        (complete && meant).then_some(Self { trace, span, sampled: flags & 1 == 1 })
    }
}

fn hex(digits: &str, length: usize) -> Option<u128> {
    let lower = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let sound = digits.len() == length && digits.bytes().all(lower);
    sound.then(|| u128::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn the_example_of_the_standard_is_read() {
        let parent = TraceParent::parse(GOOD).unwrap();

        assert_eq!(parent.trace, 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736);
        assert_eq!(parent.span, 0x00f0_67aa_0ba9_02b7);
        assert!(parent.sampled);
    }

    #[test]
    fn the_last_flag_says_whether_the_caller_records() {
        assert!(!TraceParent::parse(&GOOD.replace("-01", "-00")).unwrap().sampled);
        assert!(TraceParent::parse(&GOOD.replace("-01", "-03")).unwrap().sampled);
    }

    #[test]
    fn a_later_version_may_say_more() {
        assert!(TraceParent::parse(&format!("{}-more", GOOD.replacen("00-", "01-", 1))).is_some());
        assert!(TraceParent::parse(&format!("{GOOD}-more")).is_none());
    }

    #[test]
    fn what_breaks_the_rules_counts_as_absent() {
        let broken = [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ];
        for value in broken {
            assert_eq!(TraceParent::parse(value), None, "{value}");
        }
    }
}
