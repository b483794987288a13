//! Requests that HTTP can read, with contents that nobody asked for.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::chance::Chance;
use crate::house::Registered;

/// A request with its framing in order, so that the connection can be used again.
pub struct Sound {
    pub bytes: Vec<u8>,
    /// Its answer has no body.
    pub head: bool,
    pub has_body: bool,
}

pub const PATHS: [&str; 24] = [
    "/",
    "/token",
    "/introspect",
    "/revoke",
    "/authorize",
    "/jwks",
    "/healthz",
    "/readyz",
    "/metrics",
    "/problems",
    "/problems/invalid-client",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/api",
    "/api",
    "/api/orders",
    "/api/v1/users/1",
    "/static/style.css",
    "/login",
    "/device",
    "/device/code",
    "/userinfo",
    "/logout",
];
const METHODS: [&str; 14] =
    ["GET", "GET", "GET", "POST", "POST", "POST", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"];
const TOKEN_CHARACTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const URL_CHARACTERS: &str = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-._~!$&'()*+,;=:@/";
const NAMES: [&str; 14] = [
    "grant_type",
    "client_id",
    "client_secret",
    "token",
    "scope",
    "resource",
    "redirect_uri",
    "response_type",
    "state",
    "code",
    "refresh_token",
    "token_type_hint",
    "nonce",
    "code_challenge",
];
const VALUES: [&str; 12] = [
    "client_credentials",
    "authorization_code",
    "refresh_token",
    "password",
    "till",
    "read:orders",
    "openid",
    "code",
    "http://127.0.0.1/",
    "..",
    "null",
    "%00",
];

/// So many of a hundred requests are forms where forms are expected, to get past the first checks.
const AIMED: usize = 40;

pub fn request(chance: &mut Chance, client: &Registered) -> Sound {
    if chance.percent(AIMED) { aimed(chance, client) } else { astray(chance, client) }
}

fn aimed(chance: &mut Chance, client: &Registered) -> Sound {
    let path = chance.pick(&["/token", "/introspect", "/introspect", "/revoke", "/authorize"]);
    let kind = "application/x-www-form-urlencoded";
    let mut text = format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\n");
    if chance.percent(80) {
        text += &format!("authorization: {}\r\n", authorization(chance, client));
    }
    let body = if chance.percent(20) { body(chance) } else { distinct_form(chance).into_bytes() };
    if chance.percent(30) {
        return Sound { bytes: chunked(chance, text, &body), head: false, has_body: true };
    }
    let mut bytes = format!("{text}content-length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend(body);
    Sound { bytes, head: false, has_body: true }
}

fn astray(chance: &mut Chance, client: &Registered) -> Sound {
    let method =
        if chance.percent(5) { chance.text("ABCXYZ!#$%&'*+-.^_`|~", 1..20) } else { chance.pick(&METHODS).to_owned() };
    let head = method == "HEAD";
    let mut text = format!(
        "{method} {} HTTP/1.1\r\nhost: {}\r\n",
        target(chance),
        chance.pick(&["x", "127.0.0.1:1", "[::1]", "localhost"])
    );
    headers(chance, client, &mut text);
    let share = if matches!(method.as_str(), "POST" | "PUT" | "PATCH") { 90 } else { 4 };
    let body = if chance.percent(share) { body(chance) } else { Vec::new() };
    let has_body = !body.is_empty();
    if has_body && chance.percent(30) {
        return Sound { bytes: chunked(chance, text, &body), head, has_body };
    }
    if has_body || chance.percent(30) {
        text += &format!("content-length: {}\r\n", body.len());
    }
    let mut bytes = text.into_bytes();
    bytes.extend(b"\r\n");
    bytes.extend(body);
    Sound { bytes, head, has_body }
}

/// The same body in pieces.
fn chunked(chance: &mut Chance, mut head: String, body: &[u8]) -> Vec<u8> {
    head += "transfer-encoding: chunked\r\n\r\n";
    let mut bytes = head.into_bytes();
    for piece in body.chunks(chance.among(1..2000).max(body.len() / 50)) {
        bytes.extend(format!("{:x}\r\n", piece.len()).bytes());
        bytes.extend(piece);
        bytes.extend(b"\r\n");
    }
    bytes.extend(b"0\r\n\r\n");
    bytes
}

fn target(chance: &mut Chance) -> String {
    let mut path = chance.pick(&PATHS).to_owned();
    match chance.among(0..10) {
        0 => path += &escapes(chance),
        1 => path = format!("/{}", chance.text(URL_CHARACTERS, 0..3000)),
        2 => path = path.replace('/', "//"),
        3 => {
            path += chance.pick(&["/../../etc/passwd", "/.", "/..", "/%2e%2e/%2e%2e/", ";a=b", "/%00", "/%ff%fe", "//"])
        }
        _ => {}
    }
    if chance.percent(30) {
        path.push('?');
        for _ in 0..chance.among(0..6) {
            path += &format!("{}={}&", chance.pick(&NAMES), escapes(chance));
        }
        if chance.percent(10) {
            path += &chance.text(URL_CHARACTERS, 0..3000);
        }
        if chance.percent(10) {
            path += chance.pick(&["access_token=x", "%74oken=x", "=", "&&&&", "%", "%zz", "a[]=1", "a[b][c]=1"]);
        }
    }
    path
}

/// Percent escapes of any bytes, some of them cut off.
fn escapes(chance: &mut Chance) -> String {
    let mut text: String = chance.bytes(0..30).iter().map(|byte| format!("%{byte:02x}")).collect();
    if chance.percent(20) {
        text.pop();
    }
    text
}

fn headers(chance: &mut Chance, client: &Registered, text: &mut String) {
    if chance.percent(70) {
        let kinds = [
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded",
            "application/json",
            "text/plain",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded; charset=latin1",
            "application/x-www-form-urlencoded;charset=\"utf-8\";;;",
            "",
            ";;;",
            "*/*",
        ];
        *text += &format!("content-type: {}\r\n", chance.pick(&kinds));
    }
    if chance.percent(60) {
        *text += &format!("authorization: {}\r\n", authorization(chance, client));
    }
    if chance.percent(40) {
        let kinds = [
            "*/*",
            "text/html",
            "application/json",
            "application/problem+json",
            "text/html;q=0",
            ",,,",
            "a/b;q=9",
            "text/*;q=nan",
        ];
        *text += &format!("accept: {}\r\n", chance.pick(&kinds));
    }
    for _ in 0..chance.among(0..4) {
        let names = [
            "origin",
            "cookie",
            "range",
            "if-match",
            "if-none-match",
            "x-forwarded-for",
            "forwarded",
            "idempotency-key",
            "traceparent",
            "access-control-request-method",
            "access-control-request-headers",
            "x-request-id",
            "te",
            "content-encoding",
            "accept-encoding",
            "x-api-version",
            "prefer",
            "authorization",
            "referer",
        ];
        let value = match chance.among(0..3) {
            0 => chance.text(URL_CHARACTERS, 0..200),
            1 => chance.text("\"\\,;= \tabc%()<>@{}[]*", 0..60),
            _ => chance.text("0123456789-:.,", 0..60),
        };
        *text += &format!("{}: {value}\r\n", chance.pick(&names));
    }
}

fn authorization(chance: &mut Chance, client: &Registered) -> String {
    let basic = |id: &str, secret: &str| format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
    match chance.among(0..9) {
        0..3 => basic(&client.id, &client.secret),
        3 => basic(&client.id, &chance.text(TOKEN_CHARACTERS, 0..100)),
        4 => basic(&chance.text(URL_CHARACTERS, 0..200), &chance.text("%:\u{1}abc", 0..200)),
        5 => format!("Basic {}", chance.text(TOKEN_CHARACTERS, 0..400)),
        6 => format!("Bearer {}", token(chance)),
        7 => chance.pick(&["Basic", "Basic ", "Basic =", "basic ====", "Digest a=b", "Negotiate", "", " "]).to_owned(),
        _ => format!("{} {}", chance.text(TOKEN_CHARACTERS, 0..30), chance.text(URL_CHARACTERS, 0..300)),
    }
}

/// Something in the place of a token: cut, nested, of the wrong kind, or with claims of its own.
pub fn token(chance: &mut Chance) -> String {
    let jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ0aWxsIiwiZXhwIjo5OTk5OTk5OTk5OX0.";
    match chance.among(0..8) {
        0 => format!("vk_at_{}", chance.text(TOKEN_CHARACTERS, 0..400)),
        1 => format!("vk_at_1.{}", chance.text(TOKEN_CHARACTERS, 0..400)),
        2 => format!("vk_rt_{}", chance.text(TOKEN_CHARACTERS, 0..400)),
        3 => jwt[..chance.among(0..jwt.len() + 1)].to_owned(),
        4 => format!("{jwt}{}", chance.text(TOKEN_CHARACTERS, 0..200)),
        5 => (0..3).map(|_| chance.text(TOKEN_CHARACTERS, 0..300)).collect::<Vec<_>>().join("."),
        6 => ".".repeat(chance.among(0..3000)),
        _ => "eyJ".repeat(chance.among(0..2000)),
    }
}

fn body(chance: &mut Chance) -> Vec<u8> {
    match chance.among(0..12) {
        0 => chance.bytes(0..2000),
        1 => b"{\"a\":".repeat(chance.among(0..5000)),
        2 => b"[".repeat(chance.among(0..30_000)),
        // Ten thousand parameters, below and above what a body may hold.
        3 if chance.percent(20) => (0..10_000).flat_map(|number| format!("{number:x}=&").into_bytes()).collect(),
        3 => b"a=b&".repeat(chance.among(0..200)),
        4 => format!("grant_type=client_credentials&scope={}", escapes(chance)).into_bytes(),
        5 => vec![b'x'; chance.among(60_000..70_000)],
        _ => form(chance).into_bytes(),
    }
}

/// Each parameter once, as it should be, with whatever value.
fn distinct_form(chance: &mut Chance) -> String {
    let mut pairs = vec![format!("token={}", token(chance)), "grant_type=client_credentials".to_owned()];
    for name in ["scope", "resource", "state", "redirect_uri", "token_type_hint", "nonce", "unheard_of"] {
        if chance.percent(20) {
            pairs.push(format!("{name}={}", chance.text(URL_CHARACTERS, 0..300).replace('&', "+")));
        }
    }
    pairs.join("&")
}

fn form(chance: &mut Chance) -> String {
    let mut pairs = Vec::new();
    for _ in 0..chance.among(0..8) {
        let value = match chance.among(0..4) {
            0 => token(chance),
            1 => escapes(chance),
            2 => chance.text(URL_CHARACTERS, 0..300),
            _ => chance.pick(&VALUES).to_owned(),
        };
        pairs.push(format!("{}={value}", chance.pick(&NAMES)));
    }
    if chance.percent(50) {
        pairs.push(format!("token={}", token(chance)));
    }
    pairs.join("&")
}
