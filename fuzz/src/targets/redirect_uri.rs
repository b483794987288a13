//! Redirect URIs: what is registered is let through, and nothing else is but the port of a native app.

use url::{Host, Url};
use valetkey_oauth::authorize::{AuthorizationRequest, Refused, check as judge};
use valetkey_oauth::clients;
use valetkey_oauth::protocol::is_registered;

use super::authority::Desk;

pub const WORDS: &[&str] = &[
    "https://",
    "http://127.0.0.1",
    "http://[::1]",
    "localhost",
    ":8000",
    ":0",
    "@",
    "evil.example",
    "/cb",
    "/../",
    "%2e",
    "?",
    "#",
    "javascript:",
    "data:",
    "\n",
    "\\",
    ".",
    "//",
];

thread_local! {
    static DESK: Desk = Desk::open();
}

/// What is registered and what is asked for, each on a line of its own.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.lines();
    let [registered, wanted] = [lines.next(), lines.next()].map(Option::unwrap_or_default);
    DESK.with(|desk| {
        for any_port in [false, true] {
            if desk.register(registered, any_port) {
                cannot_run_script(registered);
                assert!(desk.lets_through(registered), "{registered:?} is registered");
                let passes = desk.lets_through(wanted);
                assert_eq!(passes, is_registered(registered, wanted, any_port));
                assert!(!passes || wanted == registered || any_port && same_but_for_the_port(registered, wanted));
            }
        }
    });
}

impl Desk {
    fn register(&self, uri: &str, any_port: bool) -> bool {
        self.runtime.block_on(async {
            let mut client = (*self.client().await).clone();
            client.redirect_uris = vec![uri.to_owned()];
            client.loopback_any_port = any_port;
            clients::update(&self.authority, &client).await.is_ok()
        })
    }

    /// Whether an answer, be it an error, would be sent there.
    fn lets_through(&self, uri: &str) -> bool {
        let request = AuthorizationRequest {
            client_id: Some("app"),
            redirect_uri: Some(uri),
            response_type: Some("code"),
            ..AuthorizationRequest::default()
        };
        match self.runtime.block_on(judge(&self.authority, &request)) {
            Ok(interaction) => interaction.redirect_uri == uri,
            Err(Refused::Respond(response, _)) => {
                assert_eq!(response.redirect_uri, uri);
                true
            }
            Err(Refused::Page(_)) => false,
        }
    }
}

/// As a browser reads it, which forgives much.
fn cannot_run_script(uri: &str) {
    if let Ok(read) = Url::parse(uri) {
        assert!(!["javascript", "data", "file", "blob", "about", "vbscript"].contains(&read.scheme()), "{uri:?}");
        assert_eq!(read.fragment(), None, "{uri:?}");
    }
}

fn same_but_for_the_port(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|uri| {
        let mut read = Url::parse(uri).unwrap();
        let is_loopback = match read.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            _ => false,
        };
        assert!(is_loopback && read.scheme() == "http" && read.username().is_empty(), "{uri:?}");
        read.set_port(None).unwrap();
        read
    });
    one == other
}
