//! Forms: what is read can be written and read again, no name comes twice, and what was encoded is decoded to itself.

use valetkey_rest::form::{Form, FormError, MAX_PARAMETERS, decode_component, encode_component, spells};

pub const WORDS: &[&str] = &["&", "=", "%26", "%3D", "%00", "%C3%A9", "%c3", "+", "client_id=", "scope=a+b", "%2", "%"];

pub fn check(data: &[u8]) {
    match Form::parse(data) {
        Ok(form) => reads_again(&form),
        Err(FormError::Duplicate(name)) => assert!(!name.is_empty()),
        Err(FormError::Malformed { position, .. }) => assert!(position < data.len()),
        Err(FormError::TooMany) => assert!(data.iter().filter(|byte| **byte == b'&').count() >= MAX_PARAMETERS),
    }
    let text = String::from_utf8_lossy(data).replace('\0', "");
    let encoded = encode_component(&text);
    assert_eq!(decode_component(&encoded).unwrap(), text);
    assert!(spells(encoded.as_bytes(), &text));
    if let Ok(decoded) = decode_component(&text) {
        assert!(spells(text.as_bytes(), &decoded));
    }
}

fn reads_again(form: &Form<'_>) {
    let pairs: Vec<_> = form.iter().collect();
    let written: Vec<_> =
        pairs.iter().map(|(name, value)| format!("{}={}", encode_component(name), encode_component(value))).collect();
    let written = written.join("&");
    let again = Form::parse(written.as_bytes()).unwrap();
    assert_eq!(again.iter().collect::<Vec<_>>(), pairs);
    for (at, (name, value)) in pairs.iter().enumerate() {
        assert!(!name.is_empty() && !value.is_empty() && !value.contains('\0'));
        assert_eq!(form.get(name), Some(*value));
        assert!(pairs[..at].iter().all(|(before, _)| before != name), "{name:?} came twice");
        let twice = format!("{written}&{}=", encode_component(name));
        if pairs.len() < MAX_PARAMETERS {
            assert_eq!(Form::parse(twice.as_bytes()).unwrap_err(), FormError::Duplicate((*name).to_owned()));
        }
    }
}
