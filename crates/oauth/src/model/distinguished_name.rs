//! Distinguished names (RFC 4514): the subject of a certificate, in one form that two writers of the same name agree on.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The short names of RFC 4514 §3, and the two that certificates for machines often have.
const SHORT: [(&str, &str); 12] = [
    ("CN", "2.5.4.3"),
    ("SERIALNUMBER", "2.5.4.5"),
    ("C", "2.5.4.6"),
    ("L", "2.5.4.7"),
    ("ST", "2.5.4.8"),
    ("STREET", "2.5.4.9"),
    ("O", "2.5.4.10"),
    ("OU", "2.5.4.11"),
    ("DC", "0.9.2342.19200300.100.1.25"),
    ("UID", "0.9.2342.19200300.100.1.1"),
    ("EMAILADDRESS", "1.2.840.113549.1.9.1"),
    ("ORGANIZATIONIDENTIFIER", "2.5.4.97"),
];

/// Longer names are written by nobody.
const LONGEST: usize = 2048;

/// One part of a name: object identifiers in dots, with their values.
type Part = Vec<(String, String)>;

/// A name, the most special part first. Values are compared byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DistinguishedName(Vec<Part>);

impl DistinguishedName {
    /// A name from its parts, the most special first. `None` for an empty one, which would be anybody's.
    pub fn new(parts: Vec<Part>) -> Option<Self> {
        let is_sound = !parts.is_empty() && parts.iter().all(|part| !part.is_empty());
        is_sound.then(|| {
            Self(
                parts
                    .into_iter()
                    .map(|mut part| {
                        // The order within one part means nothing.
                        part.sort();
                        part
                    })
                    .collect(),
            )
        })
    }

    /// Reads `CN=till,O=Example`, as RFC 4514 writes it and `openssl x509 -subject -nameopt RFC2253` prints it.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut rest = text.trim_start();
        let (mut parts, mut part) = (Vec::new(), Part::new());
        loop {
            let (kind, after) = rest.split_once('=')?;
            let (value, end, after) = value(after)?;
            part.push((object(kind.trim())?, value));
            rest = after;
            if end != Some('+') {
                parts.push(std::mem::take(&mut part));
            }
            if end.is_none() {
                // It is kept as it is written, which may take more than it came with, and must be read again.
                return Self::new(parts).filter(|name| name.to_string().len() <= LONGEST);
            }
        }
    }
}

/// The object identifier behind a short name, or one in dots.
fn object(kind: &str) -> Option<String> {
    let short = SHORT.iter().find(|(name, _)| name.eq_ignore_ascii_case(kind));
    let is_dotted = || {
        kind.split('.').count() > 1
            && kind.split('.').all(|arc| !arc.is_empty() && arc.bytes().all(|b| b.is_ascii_digit()))
    };
    match short {
        Some((_, dotted)) => Some((*dotted).to_owned()),
        None => is_dotted().then(|| kind.to_owned()),
    }
}

/// A value up to the next separator that is not escaped, that separator, and what follows.
fn value(text: &str) -> Option<(String, Option<char>, &str)> {
    // A value in hexadecimal is no text, and there is nothing to compare it with.
    let text = text.trim_start_matches(' ');
    if text.starts_with('#') {
        return None;
    }
    let mut bytes = Vec::new();
    // Spaces at the end do not count, unless they are escaped.
    let mut kept = 0;
    let mut characters = text.char_indices();
    let mut found = (None, "");
    while let Some((at, character)) = characters.next() {
        match character {
            ',' | '+' => {
                found = (Some(character), &text[at + 1..]);
                break;
            }
            '\\' => {
                bytes.push(escaped(&mut characters)?);
                kept = bytes.len();
            }
            '"' | ';' | '<' | '>' | '\0' => return None,
            ' ' => bytes.push(b' '),
            other => {
                bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
                kept = bytes.len();
            }
        }
    }
    bytes.truncate(kept);
    let value = String::from_utf8(bytes).ok()?;
    (!value.is_empty()).then_some((value, found.0, found.1))
}

/// What stands behind a backslash: two hexadecimal digits, or a character that would mean something else.
fn escaped(characters: &mut std::str::CharIndices<'_>) -> Option<u8> {
    let (_, first) = characters.next()?;
    if let Some(high) = first.to_digit(16) {
        let low = characters.next()?.1.to_digit(16)?;
        return u8::try_from(high * 16 + low).ok();
    }
    " \"#+,;<=>\\".contains(first).then_some(first as u8)
}

impl fmt::Display for DistinguishedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            for (within, (object, value)) in part.iter().enumerate() {
                let separator = match (at, within) {
                    (0, 0) => "",
                    (_, 0) => ",",
                    _ => "+",
                };
                let short = SHORT.iter().find(|(_, dotted)| dotted == object).map_or(object.as_str(), |(name, _)| name);
                write!(f, "{separator}{short}=")?;
                write_value(f, value)?;
            }
        }
        Ok(())
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: &str) -> fmt::Result {
    let last = value.chars().count().saturating_sub(1);
    for (at, character) in value.chars().enumerate() {
        match character {
            '"' | '+' | ',' | ';' | '<' | '>' | '\\' => write!(f, "\\{character}")?,
            '#' if at == 0 => write!(f, "\\#")?,
            ' ' if at == 0 || at == last => write!(f, "\\ ")?,
            control if control.is_ascii_control() => write!(f, "\\{:02X}", control as u32)?,
            other => write!(f, "{other}")?,
        }
    }
    Ok(())
}

impl TryFrom<String> for DistinguishedName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not a distinguished name")
    }
}

impl From<DistinguishedName> for String {
    fn from(name: DistinguishedName) -> Self {
        name.to_string()
    }
}

#[cfg(test)]
mod tests;
