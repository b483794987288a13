//! Redirect URIs: equal byte for byte, and for a native app on this machine equal but for the port.

/// Loopback as RFC 8252 §7.3 means it: literals alone, because `localhost` can be made to mean another machine.
const LOOPBACK: [&str; 2] = ["http://127.0.0.1", "http://[::1]"];

/// Is this the registered value, or, where a native app may listen on any port, that value with another port?
pub fn is_registered(registered: &str, wanted: &str, any_port: bool) -> bool {
    registered == wanted
        || (any_port && without_port(registered).is_some_and(|known| Some(known) == without_port(wanted)))
}

/// The two sides of a port on loopback. `None` for any other address.
fn without_port(uri: &str) -> Option<(&str, &str)> {
    let (host, rest) = LOOPBACK.iter().find_map(|host| Some((*host, uri.strip_prefix(host)?)))?;
    let Some(port) = rest.strip_prefix(':') else {
        return (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((host, rest));
    };
    let end = port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len());
    let (number, rest) = port.split_at(end);
    let is_port = number.parse::<u16>().is_ok_and(|number| number != 0) && !number.starts_with('0');
    (is_port && (rest.is_empty() || rest.starts_with(['/', '?']))).then_some((host, rest))
}

#[cfg(test)]
mod tests {
    use super::is_registered;

    #[test]
    fn without_leave_every_byte_counts() {
        assert!(is_registered("http://127.0.0.1:1/cb", "http://127.0.0.1:1/cb", false));
        assert!(!is_registered("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", false));
    }

    #[test]
    fn with_leave_the_port_of_loopback_may_differ() {
        let registered = "http://127.0.0.1/cb?x=1";
        for wanted in ["http://127.0.0.1:51234/cb?x=1", "http://127.0.0.1:1/cb?x=1", "http://127.0.0.1/cb?x=1"] {
            assert!(is_registered(registered, wanted, true), "{wanted}");
        }
        assert!(is_registered("http://[::1]:8000/", "http://[::1]:51234/", true));
    }

    #[test]
    fn with_leave_nothing_else_may_differ() {
        let registered = "http://127.0.0.1:8000/cb";
        let others = [
            "http://127.0.0.1:51234/cb/",
            "http://127.0.0.1:51234/cb?x",
            "http://127.0.0.1:51234",
            "http://127.0.0.1:51234@evil.example/cb",
            "http://127.0.0.1:/cb",
            "http://127.0.0.1:0/cb",
            "http://127.0.0.1:080/cb",
            "http://127.0.0.1:99999/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://127.0.0.10:8000/cb",
            "http://127.0.0.2:8000/cb",
            "http://[::1]:8000/cb",
            "http://localhost:8000/cb",
            "https://127.0.0.1:8000/cb",
            "HTTP://127.0.0.1:8000/cb",
        ];
        for wanted in others {
            assert!(!is_registered(registered, wanted, true), "{wanted}");
        }
        assert!(!is_registered("https://app.example:1/cb", "https://app.example:2/cb", true));
        assert!(!is_registered("http://localhost:1/cb", "http://localhost:2/cb", true));
    }
}
