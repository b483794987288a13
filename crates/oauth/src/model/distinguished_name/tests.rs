//! Names that are the same, and names that only look so.

use super::*;

fn canonical(text: &str) -> Option<String> {
    DistinguishedName::parse(text).map(|name| name.to_string())
}

#[test]
fn spaces_case_of_types_and_dotted_types_make_no_other_name() {
    let name = "CN=till 7,OU=Shops,O=Example,C=DE";

    for same in ["cn=till 7, ou=Shops,  O=Example , C=DE", "2.5.4.3=till 7,OU=Shops,O=Example,C=DE"] {
        assert_eq!(canonical(same).as_deref(), Some(name));
    }
}

#[test]
fn order_case_and_number_of_parts_do() {
    let name = DistinguishedName::parse("CN=till,O=Example").unwrap();

    for other in ["O=Example,CN=till", "CN=Till,O=Example", "CN=till", "CN=till,O=Example,C=DE", "CN=till+O=Example"] {
        assert_ne!(DistinguishedName::parse(other).unwrap(), name, "{other}");
    }
}

#[test]
fn a_separator_within_a_value_separates_nothing() {
    let one = DistinguishedName::new(vec![vec![("2.5.4.3".to_owned(), "a,O=b".to_owned())]]).unwrap();

    assert_eq!(one.to_string(), "CN=a\\,O=b");
    assert_eq!(DistinguishedName::parse("CN=a\\,O=b").unwrap(), one);
    assert_eq!(DistinguishedName::parse("CN=a\\2cO=b").unwrap(), one);
    assert_ne!(DistinguishedName::parse("CN=a,O=b").unwrap(), one);
}

#[test]
fn what_is_written_is_read_again() {
    for value in [" a ", "#a", "ä\"+;<>\\", "a\0b", "=", "a b"] {
        let name = DistinguishedName::new(vec![vec![("2.5.4.3".to_owned(), value.to_owned())]]).unwrap();

        assert_eq!(DistinguishedName::parse(&name.to_string()), Some(name), "{value:?}");
    }
}

#[test]
fn what_is_no_name_is_refused() {
    for text in ["", "CN", "CN=", "=a", "XX=a", "CN=a,", "CN=a\\", "CN=a\\q", "CN=#0401", "CN=\"a\"", "CN=a,,O=b"] {
        assert_eq!(canonical(text), None, "{text:?}");
    }
    assert_eq!(canonical(&format!("CN={}", "a".repeat(3000))), None);
}

#[test]
fn a_name_that_was_taken_can_be_kept_and_read_again() {
    // A control character is one byte here, and three once it is written.
    let long = format!("CN={}", "\n".repeat(1000));

    assert_eq!(DistinguishedName::parse(&long), None);

    let fits = DistinguishedName::parse(&format!("CN={}", "\n".repeat(600))).unwrap();
    assert_eq!(DistinguishedName::parse(&fits.to_string()), Some(fits));
}
