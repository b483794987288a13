//! Links with targets that try to leave their brackets.

use super::LinkHeader;

fn one(target: &str, rel: &str) -> String {
    let mut links = LinkHeader::new();
    links.push(target, rel);
    links.to_value().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_target_cannot_leave_its_brackets() {
    assert_eq!(one("/a>; rel=\"x\", </b", "next"), "</a%3E;%20rel=%22x%22,%20%3C/b>; rel=\"next\"");
    assert_eq!(one("/a\r\nSet-Cookie: x", "next"), "</a%0D%0ASet-Cookie:%20x>; rel=\"next\"");
    assert_eq!(one("/é?q=%20", "next"), "</%C3%A9?q=%20>; rel=\"next\"");
}

#[test]
fn a_relation_cannot_leave_its_quotes() {
    assert_eq!(one("/a", "x\"; y=\"\\\n"), r#"</a>; rel="x\"; y=\"\\?""#);
}

#[test]
fn no_links_make_no_header() {
    assert_eq!(LinkHeader::new().to_value(), None);
    assert!(LinkHeader::new().is_empty());
}

#[test]
fn what_an_address_may_have_stays_and_nothing_else_does() {
    for byte in 0..128_u8 {
        let letter = char::from(byte).to_string();
        let may_stand = byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);

        let expected = if may_stand { letter.clone() } else { format!("%{byte:02X}") };
        assert_eq!(one(&letter, "next"), format!("<{expected}>; rel=\"next\""));
    }
}
