//! Answers in pieces, with a length and in chunks.

use super::{Answer, measure};

#[test]
fn an_answer_is_whole_when_its_last_byte_is_there() {
    let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nx: y\r\n\r\nhello";

    let early = measure(&bytes[..bytes.len() - 1]);
    let whole = measure(bytes);

    assert_eq!(early, None);
    assert_eq!(whole, Some((bytes.len() - 5, bytes.len())));
}

#[test]
fn chunks_end_with_an_empty_one() {
    let bytes = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";

    let early = measure(&bytes[..bytes.len() - 4]);
    let whole = measure(bytes);

    assert_eq!(early, None);
    assert_eq!(whole.map(|(_, whole)| whole), Some(bytes.len()));
}

#[test]
fn a_member_is_found_by_its_name() {
    let answer = Answer { status: 200, head: b"", body: br#"{"a":1,"refresh_token": "vk_rt_x","b":"c"}"# };

    assert_eq!(answer.member("refresh_token"), Some("vk_rt_x"));
    assert_eq!(answer.member("a"), None);
}
