//! The bytes of a request.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A request under construction.
#[derive(Clone)]
pub struct Request(Vec<u8>);

impl Request {
    /// Starts with its first line. The host is a word: no server here looks at it.
    pub fn new(method: &str, path: &str, host: &str) -> Self {
        Self(format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\n").into_bytes())
    }

    /// One header more.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.0.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        self
    }

    /// Who asks, by id and secret.
    #[must_use]
    pub fn basic(self, id: &str, secret: &str) -> Self {
        let pair = STANDARD.encode(format!("{id}:{secret}"));
        self.header("authorization", &format!("Basic {pair}"))
    }

    /// Who asks, by token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// Nothing more to say.
    pub fn bare(mut self) -> Vec<u8> {
        self.0.extend_from_slice(b"\r\n");
        self.0
    }

    /// A body of this kind.
    pub fn body(self, kind: &str, body: &str) -> Vec<u8> {
        let mut bytes = self.header("content-type", kind).header("content-length", &body.len().to_string()).0;
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body.as_bytes());
        bytes
    }

    /// A form.
    pub fn form(self, pairs: &[(&str, &str)]) -> Vec<u8> {
        self.body("application/x-www-form-urlencoded", &encode(pairs))
    }

    /// A JSON document.
    pub fn json(self, document: &serde_json::Value) -> Vec<u8> {
        self.body("application/json", &document.to_string())
    }
}

/// Pairs as a form or a query writes them.
pub fn encode(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
