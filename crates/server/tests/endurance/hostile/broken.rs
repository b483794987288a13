//! Bytes that are no request, or should not be taken for one.

use super::sound::{self, PATHS};
use crate::chance::Chance;
use crate::house::Registered;

pub fn request(chance: &mut Chance, client: &Registered) -> Vec<u8> {
    match chance.among(0..14) {
        0 => chance.bytes(0..600),
        1 => flipped(chance, client),
        2 => cut(chance, client),
        3 => large_header(chance),
        4 => many_headers(chance),
        5 => wrong_length(chance),
        6 => wrong_chunks(chance),
        7 => both_lengths(chance),
        8 => second_protocol(chance),
        9 => odd_version(chance),
        10 => odd_target(chance),
        11 => control_characters(chance),
        12 => doubled(chance),
        _ => long_target(chance),
    }
}

const FORM: &str = "content-type: application/x-www-form-urlencoded\r\n";

fn line(chance: &mut Chance) -> String {
    format!("{} {} HTTP/1.1\r\nhost: x\r\n", chance.pick(&["GET", "POST", "POST", "PUT", "HEAD"]), chance.pick(&PATHS))
}

/// A sound request in which a few bytes are others.
fn flipped(chance: &mut Chance, client: &Registered) -> Vec<u8> {
    let mut bytes = sound::request(chance, client).bytes;
    for _ in 0..chance.among(1..12) {
        let at = chance.among(0..bytes.len().min(400));
        bytes[at] = chance.byte();
    }
    bytes
}

fn cut(chance: &mut Chance, client: &Registered) -> Vec<u8> {
    let mut bytes = sound::request(chance, client).bytes;
    bytes.truncate(chance.among(0..bytes.len()));
    bytes
}

fn large_header(chance: &mut Chance) -> Vec<u8> {
    let size = chance.among(16_000..200_000);
    format!("{}{}: {}\r\n\r\n", line(chance), chance.pick(&["cookie", "authorization", "x"]), "a".repeat(size))
        .into_bytes()
}

fn many_headers(chance: &mut Chance) -> Vec<u8> {
    let mut text = line(chance);
    for number in 0..chance.among(90..2000) {
        text += &format!("h{number}: \r\n");
    }
    (text + "\r\n").into_bytes()
}

fn wrong_length(chance: &mut Chance) -> Vec<u8> {
    let lengths = [
        "-1",
        "0x10",
        "1e99",
        "abc",
        "",
        " ",
        "+5",
        "5,5",
        "5, 6",
        "9223372036854775807",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999999",
        "4294967296",
        "1.5",
        "\u{661}",
        "00000000000000000000005",
    ];
    let mut text = format!("{}{FORM}content-length: {}\r\n", line(chance), chance.pick(&lengths));
    if chance.percent(30) {
        text += &format!("content-length: {}\r\n", chance.pick(&lengths));
    }
    format!("{text}\r\ngrant_type=client_credentials").into_bytes()
}

fn wrong_chunks(chance: &mut Chance) -> Vec<u8> {
    let chunks = [
        "zz\r\nabc\r\n0\r\n\r\n",
        "ffffffffffffffff\r\nabc",
        "fffffffffffffffff\r\nabc",
        "-1\r\nabc\r\n0\r\n\r\n",
        "3\r\nabcdef\r\n0\r\n\r\n",
        "3\nabc\n0\n\n",
        "3;ext=\"a\r\nabc\r\n0\r\n\r\n",
        " 3\r\nabc\r\n0\r\n\r\n",
        "\r\n\r\n",
        "0\r\nx: y\r\nz",
        "0x3\r\nabc\r\n0\r\n\r\n",
        "3\r\nabc\r\n",
        "0;",
        "7fffffff\r\n",
    ];
    let coding = chance.pick(&[
        "chunked",
        "chunked",
        "gzip, chunked",
        "chunked, chunked",
        "identity",
        "chunked, identity",
        "\u{b}chunked",
    ]);
    let mut bytes =
        format!("{}{FORM}transfer-encoding: {coding}\r\n\r\n{}", line(chance), chance.pick(&chunks)).into_bytes();
    if chance.percent(20) {
        bytes.extend(format!("3;{}\r\nabc\r\n", "e".repeat(chance.among(0..40_000))).bytes());
    }
    if chance.percent(20) {
        bytes.extend(b"0\r\n");
        bytes.extend(b"trailer: x\r\n".repeat(chance.among(0..3000)));
    }
    bytes
}

/// Where the request ends is a matter of opinion: the beginning of every smuggling.
fn both_lengths(chance: &mut Chance) -> Vec<u8> {
    let head = line(chance);
    let (one, other) = ("content-length: 5\r\n", "transfer-encoding: chunked\r\n");
    let (one, other) = if chance.percent(50) { (one, other) } else { (other, one) };
    format!("{head}{FORM}{one}{other}\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n").into_bytes()
}

/// The preface of HTTP/2, and then frames that make little sense.
fn second_protocol(chance: &mut Chance) -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    if chance.percent(20) {
        bytes.truncate(chance.among(1..bytes.len()));
        return bytes;
    }
    if chance.percent(70) {
        bytes.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    }
    for _ in 0..chance.among(0..30) {
        let payload = chance.bytes(0..200);
        bytes.extend([
            0,
            0,
            u8::try_from(payload.len()).unwrap(),
            chance.byte() % 12,
            chance.byte(),
            0,
            0,
            0,
            chance.byte() % 8,
        ]);
        bytes.extend(payload);
    }
    bytes
}

fn odd_version(chance: &mut Chance) -> Vec<u8> {
    let versions =
        ["HTTP/1.0", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/3.7", "HTTP/1.2", "http/1.1", "HTTP/11", "RTSP/1.0", ""];
    let path = chance.pick(&PATHS);
    let method = chance.pick(&["GET", "POST", "HEAD"]);
    format!("{method} {path} {}\r\n{FORM}content-length: 3\r\n\r\na=b", chance.pick(&versions)).into_bytes()
}

fn odd_target(chance: &mut Chance) -> Vec<u8> {
    let lines = [
        "OPTIONS *",
        "GET *",
        "POST *",
        "CONNECT 127.0.0.1:1",
        "CONNECT /token",
        "CONNECT http://127.0.0.1/",
        "TRACE /",
        "GET http://other.example/jwks",
        "POST https://other.example/token",
        "GET ftp://x/",
        "GET //other.example/",
        "GET http://",
        "GET http:///jwks",
        "GET ://",
        "GET a",
        "GET ?token=x",
        "GET #",
        "GET /#fragment",
        "GET /a b",
        "GET http://user:password@x/",
        "GET http://[::1/",
        "GET \\token",
        "GET /token\\..\\",
        "GET /{id}",
        "GET /<>\"|^`",
        "DELETE http://x:99999/",
        "GET mailto:a@b",
        "GET  /",
        "GET",
    ];
    let body = if chance.percent(30) { "content-length: 3\r\n\r\na=b" } else { "\r\n" };
    format!("{} HTTP/1.1\r\nhost: x\r\n{body}", chance.pick(&lines)).into_bytes()
}

/// Control characters, zero bytes and invalid UTF-8 in a target, a name or a value.
fn control_characters(chance: &mut Chance) -> Vec<u8> {
    let mut junk = chance.bytes(1..40);
    if chance.percent(50) {
        junk.retain(|byte| *byte < 32 || *byte > 126);
    }
    let mut bytes = Vec::new();
    let parts: [&[u8]; 3] = match chance.among(0..4) {
        0 => [b"GET /", &junk, b" HTTP/1.1\r\nhost: x\r\n\r\n"],
        1 => {
            [b"POST /introspect HTTP/1.1\r\nhost: x\r\nauthorization: Basic ", &junk, b"\r\ncontent-length: 0\r\n\r\n"]
        }
        2 => [b"GET / HTTP/1.1\r\nhost: x\r\nx", &junk, b": y\r\n\r\n"],
        _ => [b"GET / HTTP/1.1\r\nhost: ", &junk, b"\r\naccept: \xff\xfe\r\n\r\n"],
    };
    parts.iter().for_each(|part| bytes.extend(*part));
    bytes
}

fn doubled(chance: &mut Chance) -> Vec<u8> {
    let lines = [
        "host: y\r\n",
        "host: x\r\nhost: y\r\n",
        "authorization: Basic dGlsbDp4\r\nauthorization: Bearer x\r\n",
        "content-type: text/plain\r\ncontent-type: application/json\r\n",
        "content-length: 3\r\ncontent-length: 3\r\n",
        "accept: text/html\r\naccept: application/json\r\n",
        "connection: close\r\nconnection: keep-alive\r\n",
        "connection: upgrade\r\nupgrade: websocket\r\n",
        "connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: x\r\n",
        "expect: 100-continue\r\n",
        "expect: 200-maybe\r\n",
        " folded: x\r\n",
        "a: b\r\n c\r\n",
        "no colon\r\n",
        ": nameless\r\n",
        "forwarded: for=\"[::1\";;proto=\r\nforwarded: for=_x\r\n",
        "x-forwarded-for: 1.2.3.4, , ::::, unknown\r\n",
    ];
    let mut text = line(chance) + FORM;
    for _ in 0..chance.among(1..4) {
        text += chance.pick(&lines);
    }
    (text + "\r\na=b").into_bytes()
}

fn long_target(chance: &mut Chance) -> Vec<u8> {
    let size = chance.among(5_000..90_000);
    let path = chance.pick(&["/", "/token?", "/introspect?token=", "/problems/", "/%"]);
    format!("GET {path}{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(size)).into_bytes()
}
