//! Every spelling of the refused names, and names that only look like them.

use super::carries_token;

#[test]
fn a_token_is_found_in_every_spelling_of_its_name() {
    for query in ["token=x", "a=1&access_token=x", "token", "token=", "%74oken=x", "access%5Ftoken=x", "a&&token=b=c"] {
        assert!(carries_token(query), "{query}");
    }
}

#[test]
fn other_names_pass() {
    for query in ["", "tokens=1", "token_type=bearer", "q=token", "Token=x", "id_token_hint=x", "%7=token", "+token=x"]
    {
        assert!(!carries_token(query), "{query}");
    }
}
