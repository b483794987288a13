//! Which files are pictures, and what the answer lets them do.

use http::header;

use super::{Logo, LogoError, MOST_LOGO_BYTES};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n....";
const SVG: &str =
    "<?xml version=\"1.0\"?>\n<!-- ours -->\n<!DOCTYPE svg>\n<svg xmlns=\"x\"><script>alert(1)</script></svg>";

#[test]
fn a_picture_is_known_by_its_first_bytes() {
    for (bytes, media_type) in [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0....", "image/jpeg"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (SVG.as_bytes(), "image/svg+xml"),
        (b"\xef\xbb\xbf<svg>", "image/svg+xml"),
    ] {
        let answer = Logo::new(bytes.to_vec()).unwrap().response(None);

        assert_eq!(answer.headers()[header::CONTENT_TYPE], media_type);
        assert_eq!(answer.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    }
}

#[test]
fn what_is_no_picture_is_refused() {
    for bytes in [
        &b""[..],
        b"GIF89a",
        b"<html><svg>",
        b"<svgx>",
        b"<!-- never closed <svg>",
        b"<?xml",
        b"RIFF\x10\0\0\0WAVE",
        b"\xff\xfe<svg>",
        b"svg",
    ] {
        assert_eq!(Logo::new(bytes.to_vec()), Err(LogoError::Unknown), "{bytes:?}");
    }
}

#[test]
fn a_picture_of_256_kib_is_taken_and_one_byte_more_is_not() {
    let mut bytes = PNG.to_vec();
    bytes.resize(MOST_LOGO_BYTES, 0);
    assert!(Logo::new(bytes.clone()).is_ok());

    bytes.push(0);

    assert_eq!(Logo::new(bytes), Err(LogoError::TooLarge));
}

#[test]
fn an_svg_that_is_opened_by_itself_runs_nothing() {
    let answer = Logo::new(SVG.into()).unwrap().response(None);

    let policy = answer.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none';") && policy.contains("sandbox"), "{policy}");
    assert!(!policy.contains("script") && !policy.contains("allow-"), "{policy}");
}

#[test]
fn a_new_picture_has_a_new_address() {
    let (one, two) = (Logo::new(PNG.to_vec()).unwrap(), Logo::new(SVG.into()).unwrap());

    assert_ne!(one.href(), two.href());
    let query = one.href().split_once('?').unwrap().1.to_owned();
    assert!(one.response(Some(&query)).headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
}
