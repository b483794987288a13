//! Forms and queries as `application/x-www-form-urlencoded` text.

/// Encodes pairs; what has no value is left out.
pub(super) fn pairs(pairs: &[(&str, Option<&str>)]) -> String {
    let given = pairs.iter().filter_map(|(name, value)| Some((name, (*value)?)));
    given.map(|(name, value)| format!("{name}={}", word(value))).collect::<Vec<_>>().join("&")
}

/// Adds pairs to an address that may have a query of its own.
pub(super) fn onto(address: &str, query: &str) -> String {
    let sign = if address.contains('?') { '&' } else { '?' };
    format!("{address}{sign}{query}")
}

/// Everything but letters, digits and `-._~` becomes `%XX`: that is right in queries, forms and Basic credentials alike.
pub(super) fn word(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_value_is_encoded() {
        let query = pairs(&[("a", Some("1&b=2 +%/é")), ("none", None), ("z", Some("~-._"))]);

        assert_eq!(query, "a=1%26b%3D2%20%2B%25%2F%C3%A9&z=~-._");
    }

    #[test]
    fn a_query_of_its_own_stays() {
        assert_eq!(onto("https://id.example/authorize", "a=1"), "https://id.example/authorize?a=1");
        assert_eq!(onto("https://id.example/authorize?p=b2c", "a=1"), "https://id.example/authorize?p=b2c&a=1");
    }
}
