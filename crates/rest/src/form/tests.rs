//! Forms as clients send them, and forms as attackers do.

use http::HeaderValue;

use super::{Form, FormError, MAX_PARAMETERS, Malformation, is_form};

#[test]
fn names_and_values_are_decoded() {
    let form = Form::parse("a%5Fb=x%20y+z&empty&caf%C3%A9=%e2%82%ac&raw=grün&e=a=b".as_bytes()).unwrap();

    assert_eq!(form.get("a_b"), Some("x y z"));
    assert_eq!(form.get("café"), Some("€"));
    assert_eq!(form.get("raw"), Some("grün"));
    assert_eq!(form.get("e"), Some("a=b"));
    assert_eq!(form.get("empty"), None);
    assert_eq!(form.iter().count(), 4);
}

#[test]
fn an_empty_body_has_no_parameters() {
    assert_eq!(Form::parse(b"").unwrap().iter().count(), 0);
    assert_eq!(Form::parse(b"&&").unwrap().iter().count(), 0);
}

#[test]
fn a_name_given_twice_is_refused_however_it_is_spelled() {
    for body in ["code=1&code=2", "code=1&code=1", "code=&code=1", "code&code=", "code=1&x=2&c%6Fde=3"] {
        assert_eq!(Form::parse(body.as_bytes()).unwrap_err(), FormError::Duplicate("code".into()), "{body}");
    }
}

#[test]
fn what_cannot_be_decoded_is_refused_with_its_place() {
    let cases: [(&[u8], usize, Malformation); 8] = [
        (b"a=%", 0, Malformation::PercentEscape),
        (b"a=1&b=%4", 4, Malformation::PercentEscape),
        (b"a=%zz", 0, Malformation::PercentEscape),
        (b"a=%+1", 0, Malformation::PercentEscape),
        (b"a=%C3", 0, Malformation::Utf8),
        (b"a=\xff", 0, Malformation::Utf8),
        (b"a=x%00y", 0, Malformation::Nul),
        (b"a=1&=2", 4, Malformation::NoName),
    ];
    for (body, position, reason) in cases {
        let refusal = Form::parse(body).unwrap_err();
        assert_eq!(refusal, FormError::Malformed { position, reason }, "{}", body.escape_ascii());
    }
}

#[test]
fn parameters_beyond_the_limit_are_refused() {
    let body = |count: usize| (0..count).map(|n| format!("p{n}=1")).collect::<Vec<_>>().join("&");

    assert!(Form::parse(body(MAX_PARAMETERS).as_bytes()).is_ok());
    assert_eq!(Form::parse(body(MAX_PARAMETERS + 1).as_bytes()).unwrap_err(), FormError::TooMany);
}

#[test]
fn no_body_makes_the_reader_panic_or_return_a_nul() {
    // A small congruential generator: the same hostile bodies on every run.
    let mut seed: u32 = 1;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % below
    };
    let pieces: [&[u8]; 14] =
        [b"%", b"%0", b"%00", b"%C3", b"%A9", b"\xc3", b"\xff", b"&", b"=", b"+", b"a", b"b", b"\0", b"%25"];
    for _ in 0..20_000 {
        let body: Vec<u8> = (0..next(12)).flat_map(|_| pieces[next(pieces.len())]).copied().collect();
        if let Ok(form) = Form::parse(&body) {
            assert!(form.iter().all(|(name, value)| !name.is_empty() && !name.contains('\0') && !value.contains('\0')));
        }
    }
}

#[test]
fn every_text_survives_encoding_and_reading() {
    for text in ["ü€𝄞", "a&b=c%d+e", "\u{1}\n\r\t", " ", "'\"<script>"] {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let body = format!("v={encoded}");

        assert_eq!(Form::parse(body.as_bytes()).unwrap().get("v"), Some(text));
    }
}

#[test]
fn values_do_not_show_in_debug() {
    let shown = format!("{:?}", Form::parse(b"client_secret=hush").unwrap());

    assert_eq!(shown, r#"["client_secret"]"#);
}

#[test]
fn a_form_is_told_by_its_media_type() {
    let yes = [
        "application/x-www-form-urlencoded",
        "Application/X-WWW-Form-Urlencoded;charset=UTF-8",
        "application/x-www-form-urlencoded ; Charset=\"utf-8\"",
        "application/x-www-form-urlencoded; x=y",
    ];
    let no = [
        "",
        "application/json",
        "application/x-www-form-urlencoded2",
        "application/x-www-form-urlencoded;charset=latin1",
    ];

    assert!(yes.iter().all(|value| is_form(Some(&HeaderValue::from_static(value)))));
    assert!(!no.iter().any(|value| is_form(Some(&HeaderValue::from_static(value)))));
    assert!(!is_form(None));
}

#[test]
fn what_is_encoded_decodes_to_itself() {
    let text = "a b&c=d%+é~-._";

    let encoded = super::encode_component(text);

    assert_eq!(encoded, "a%20b%26c%3Dd%25%2B%C3%A9~-._");
    assert_eq!(super::decode_component(&encoded).unwrap(), text);
}
