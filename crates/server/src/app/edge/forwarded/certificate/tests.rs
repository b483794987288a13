//! Headers with a few wrong bytes, by the thousand.

use base64::engine::general_purpose::STANDARD as PADDED;
use http::HeaderValue;
use valetkey_oauth::ports::Random;
use valetkey_testkit::SeededRandom;

use super::*;

/// Bytes that the reader looks at, and some that nobody expects.
const BYTES: &[u8] = b"::,,==  \tAMIB9/+-_\"\\;\xe9\xff";

fn headers(own: &[u8], above: &[u8]) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(CLIENT_CERT, HeaderValue::from_bytes(own).ok()?);
    headers.append(CLIENT_CERT_CHAIN, HeaderValue::from_bytes(above).ok()?);
    Some(headers)
}

/// A few bytes are changed, put in or taken out.
fn mutated(text: &[u8], random: &SeededRandom) -> Vec<u8> {
    let mut bytes = [0; 16];
    random.fill(&mut bytes);
    let mut text = text.to_vec();
    for change in bytes.chunks_exact(4).take(usize::from(bytes[15] % 4)) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % (text.len() + 1);
        let byte = BYTES[usize::from(change[2]) % BYTES.len()];
        match change[3] % 3 {
            0 => text.insert(at, byte),
            1 if at < text.len() => text[at] = byte,
            _ if at < text.len() => drop(text.remove(at)),
            _ => {}
        }
    }
    text
}

#[test]
fn whatever_stands_in_the_headers_is_a_chain_that_reads_the_same_again_or_refused() {
    let made = rcgen::generate_simple_self_signed(vec!["client".to_owned()]).unwrap();
    let good = format!(":{}:", PADDED.encode(made.cert.der())).into_bytes();
    let several = [&good[..], b", ", &good[..], b",::,", &good[..]].concat();
    let random = SeededRandom::new(9440);
    let (mut read, mut refused) = (0, 0);

    for _ in 0..4_000 {
        let (own, above) = (mutated(&good, &random), mutated(&several, &random));
        let Some(headers_once) = headers(&own, &above) else { continue };
        match chain(&headers_once) {
            Err(_) => refused += 1,
            Ok(found) => {
                read += 1;
                assert!(found.len() <= MOST + 1);
                let written: Vec<_> = found.iter().map(|der| format!(":{}:", PADDED.encode(der))).collect();
                let (own, above) = written
                    .split_first()
                    .map_or((String::new(), String::new()), |(own, above)| (own.clone(), above.join(", ")));
                let again = chain(&headers(own.as_bytes(), above.as_bytes()).unwrap()).unwrap();
                assert_eq!(again, found);
            }
        }
    }

    assert!(read > 100 && refused > 100, "{read} were read and {refused} refused: this tries nothing");
}
