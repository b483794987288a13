//! The bytes inside a sealed access token: short, versioned, and read without trust.

use jiff::Timestamp;
use uuid::Uuid;

use crate::model::{AccessToken, ClientId, SessionId, TokenId};
use crate::protocol::Scope;

/// Changes when the layout does; an unknown layout is no token.
const LAYOUT: u8 = 1;

const HAS_SESSION: u8 = 1;
const SUBJECT_IS_CLIENT: u8 = 2;
const HAS_PIN: u8 = 4;
const HAS_BINDING: u8 = 8;
const HAS_SIGN_IN: u8 = 16;

/// Appends the token.
pub(super) fn encode(token: &AccessToken, out: &mut Vec<u8>) {
    let own_subject = token.subject == token.client.as_str();
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    out.push(LAYOUT);
    out.push(
        flag(token.session.is_some(), HAS_SESSION)
            | flag(own_subject, SUBJECT_IS_CLIENT)
            | flag(token.version_pin.is_some(), HAS_PIN)
            | flag(token.key_binding.is_some(), HAS_BINDING)
            | flag(token.authenticated_at.is_some(), HAS_SIGN_IN),
    );
    out.extend_from_slice(token.id.0.as_bytes());
    out.extend_from_slice(&token.issued_at.as_millisecond().to_be_bytes());
    out.extend_from_slice(&token.expires_at.as_millisecond().to_be_bytes());
    if let Some(session) = token.session {
        out.extend_from_slice(session.0.as_bytes());
    }
    if let Some(moment) = token.authenticated_at {
        out.extend_from_slice(&moment.as_millisecond().to_be_bytes());
    }
    put(token.client.as_str(), out);
    if !own_subject {
        put(&token.subject, out);
    }
    put(token.scope.as_str(), out);
    put(&token.audience, out);
    for text in [&token.version_pin, &token.key_binding].into_iter().flatten() {
        put(text, out);
    }
}

/// Reads what [`encode`] wrote; `None` for anything else.
pub(super) fn decode(bytes: &[u8]) -> Option<AccessToken> {
    let mut reader = Reader(bytes);
    if reader.byte()? != LAYOUT {
        return None;
    }
    let flags = reader.byte()?;
    let id = TokenId(Uuid::from_bytes(reader.array()?));
    let issued_at = reader.moment()?;
    let expires_at = reader.moment()?;
    let session = if flags & HAS_SESSION != 0 { Some(SessionId(Uuid::from_bytes(reader.array()?))) } else { None };
    let authenticated_at = if flags & HAS_SIGN_IN != 0 { Some(reader.moment()?) } else { None };
    let client = ClientId::new(reader.text()?);
    let subject = if flags & SUBJECT_IS_CLIENT != 0 { client.as_str() } else { reader.text()? }.to_owned();
    let scope = Scope::parse(reader.text()?).ok()?;
    let audience = reader.text()?.to_owned();
    let version_pin = if flags & HAS_PIN != 0 { Some(reader.text()?.to_owned()) } else { None };
    let key_binding = if flags & HAS_BINDING != 0 { Some(reader.text()?.to_owned()) } else { None };
    reader.0.is_empty().then_some(AccessToken {
        id,
        session,
        client,
        subject,
        scope,
        audience,
        issued_at,
        expires_at,
        version_pin,
        key_binding,
        authenticated_at,
    })
}

/// Two bytes of length, then the text. Scopes, ids and subjects are bounded far below 64 KiB where they come in.
fn put(text: &str, out: &mut Vec<u8>) {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(&text.as_bytes()[..usize::from(length)]);
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(length)?;
        self.0 = tail;
        Some(head)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn moment(&mut self) -> Option<Timestamp> {
        Timestamp::from_millisecond(i64::from_be_bytes(self.array()?)).ok()
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = u16::from_be_bytes(self.array()?);
        std::str::from_utf8(self.take(usize::from(length))?).ok()
    }
}
