//! What is written down is read again, and nothing else is.

use super::*;

fn all() -> Row {
    let texts = ["", "a", "zero \0 and one \u{1}", "ünïcode"].map(|text| Value::Text(text.to_owned()));
    let numbers = [0.0, -0.0, 1.5, f64::MAX].map(Value::Number);
    let others = [Value::Null, Value::Integer(i64::MIN), Value::Integer(-1), Value::Bytes(Vec::new())];
    texts.into_iter().chain(numbers).chain(others).chain([Value::Bytes(vec![0, 255])]).collect()
}

#[test]
fn what_is_written_is_read_again() {
    let (row, mut written) = (all(), Vec::new());

    encode(&row, &mut written);
    let mut rest = written.as_slice();
    let read = decode(row.len(), &mut rest).unwrap();

    assert!(read == row);
    assert!(rest.is_empty());
}

#[test]
fn no_two_values_are_written_alike() {
    let mut written: Vec<Vec<u8>> = Vec::new();
    for value in all() {
        let mut one = Vec::new();
        value.encode(&mut one);
        written.push(one);
    }
    let count = written.len();

    written.sort();
    written.dedup();

    assert_eq!(written.len(), count);
}

#[test]
fn a_row_that_ends_early_anywhere_is_refused() {
    let (row, mut written) = (all(), Vec::new());
    encode(&row, &mut written);

    for end in 0..written.len() {
        assert!(decode(row.len(), &mut &written[..end]).is_err(), "{end}");
    }
}

#[test]
fn a_length_beyond_all_memory_is_refused() {
    let mut written = vec![TEXT];
    written.extend(u64::MAX.to_le_bytes());

    assert!(Value::decode(&mut written.as_slice()).is_err());
}
