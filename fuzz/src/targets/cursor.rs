//! Cursors: opened as they were sealed, where they were sealed, and in no other way.

use super::lines;
use valetkey_rest::page::cursor::{CursorKey, MAX_LENGTH};

pub const WORDS: &[&str] = &["\n", "AAAA", "-_", "=", "amount=12"];

/// The context, the content and what an attacker sends, each on a line of its own.
pub fn check(data: &[u8]) {
    let mut lines = lines(data);
    let [context, content, sent] = [lines.next(), lines.next(), lines.next()].map(Option::unwrap_or_default);
    let key = CursorKey::new([7; 32]);
    let sealed = key.seal(context, content);
    if sealed.len() > MAX_LENGTH {
        assert_eq!(key.open(context, &sealed), None);
        return;
    }
    assert_eq!(key.open(context, &sealed).as_deref(), Some(content));
    assert_eq!(key.seal(context, content), sealed, "the same place has the same cursor");
    assert_eq!(CursorKey::new([8; 32]).open(context, &sealed), None);
    let elsewhere = [context, b"!"].concat();
    assert_eq!(key.open(&elsewhere, &sealed), None);

    let sent = String::from_utf8_lossy(sent);
    assert_eq!(key.open(context, &sent), None, "{sent:?} was not sealed here");
    assert_eq!(key.open(context, &format!("{sealed}{sent}")).is_some(), sent.is_empty());
    // What is sent stands in the place of a part of a good one.
    let at = context.len() % sealed.len();
    let end = (at + sent.len()).min(sealed.len());
    let wounded = format!("{}{sent}{}", &sealed[..at], &sealed[end..]);
    assert_eq!(key.open(context, &wounded).is_some(), wounded == sealed, "{wounded:?}");
}
