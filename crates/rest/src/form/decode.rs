//! Percent-decoding, strict and without a copy where the text stands as it is.

use std::{borrow::Cow, str};

use memchr::memchr3;

/// What is wrong with a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Malformation {
    /// A `%` without two hexadecimal digits after it.
    #[error("has a percent sign without two hexadecimal digits")]
    PercentEscape,
    /// The decoded bytes are not UTF-8.
    #[error("is not UTF-8")]
    Utf8,
    /// The decoded text has a NUL character, which databases and C libraries cut at.
    #[error("has a NUL character")]
    Nul,
    /// There is nothing before the equals sign.
    #[error("has no name")]
    NoName,
}

/// Decodes a name or a value.
pub(super) fn decode(raw: &[u8]) -> Result<Cow<'_, str>, Malformation> {
    if memchr3(b'%', b'+', 0, raw).is_none() {
        return str::from_utf8(raw).map(Cow::Borrowed).map_err(|_| Malformation::Utf8);
    }
    let bytes = octets(raw).collect::<Result<Vec<u8>, _>>()?;
    let text = String::from_utf8(bytes).map_err(|_| Malformation::Utf8)?;
    if text.contains('\0') { Err(Malformation::Nul) } else { Ok(Cow::Owned(text)) }
}

/// Decodes one form-encoded text that stands by itself, as the halves of HTTP Basic credentials do.
pub fn decode_component(raw: &str) -> Result<Cow<'_, str>, Malformation> {
    decode(raw.as_bytes())
}

/// What is not encoded. Cursors are long, and each byte is looked at.
const STAYS: [bool; 256] = {
    let mut stays = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        stays[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        byte += 1;
    }
    stays
};

/// Encodes a text for a query or a form: everything but letters, digits and `-._~`.
pub fn encode_component(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let stays = |byte: u8| STAYS[usize::from(byte)];
    if text.bytes().all(stays) {
        return text.to_owned();
    }
    let mut encoded = String::with_capacity(text.len() + 16);
    for byte in text.bytes() {
        if stays(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.push(char::from(DIGITS[usize::from(byte >> 4)]));
            encoded.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    encoded
}

/// Whether the encoded text is a spelling of `plain`.
pub fn spells(raw: &[u8], plain: &str) -> bool {
    octets(raw).eq(plain.bytes().map(Ok))
}

/// The bytes that an encoded text stands for.
fn octets(raw: &[u8]) -> impl Iterator<Item = Result<u8, Malformation>> {
    let mut rest = raw.iter().copied();
    std::iter::from_fn(move || match rest.next()? {
        b'+' => Some(Ok(b' ')),
        b'%' => {
            let digits = (rest.next().and_then(hex), rest.next().and_then(hex));
            let (Some(high), Some(low)) = digits else { return Some(Err(Malformation::PercentEscape)) };
            Some(Ok(high << 4 | low))
        }
        byte => Some(Ok(byte)),
    })
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
