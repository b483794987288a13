//! Each way of writing, there and back, and what it refuses.

use proptest::prelude::*;
use serde_json::json;

use crate::model::Codec;

#[test]
fn cents_become_a_decimal_text_and_come_back() {
    let codec = Codec::Decimal(2);
    for (number, text) in [(1234, "12.34"), (5, "0.05"), (-5, "-0.05"), (-1234, "-12.34"), (0, "0.00"), (100, "1.00")] {
        assert_eq!(codec.down(&json!(number), "string"), Some(json!(text)));
        assert_eq!(codec.up(&json!(text), "integer"), Some(json!(number)));
    }
    assert_eq!(codec.up(&json!("7"), "integer"), Some(json!(700)));
    assert_eq!(codec.up(&json!(12.34), "integer"), Some(json!(1234)));
    assert_eq!(codec.down(&json!(1234), "number"), Some(json!(12.34)));
}

#[test]
fn what_is_no_amount_is_refused() {
    for text in ["", ".", "1.", ".5", "1.234", "1e2", "+1", "1,5", "12345678901234567", " 1", "--1", "1.2.3"] {
        assert_eq!(Codec::Decimal(2).up(&json!(text), "integer"), None, "{text}");
    }
}

#[test]
fn moments_numbers_and_words_are_rewritten() {
    assert_eq!(Codec::Epoch.down(&json!("2026-11-15T08:00:00Z"), "integer"), Some(json!(1_794_729_600)));
    assert_eq!(Codec::Epoch.up(&json!(1_794_729_600), "string"), Some(json!("2026-11-15T08:00:00Z")));
    assert_eq!(Codec::Epoch.down(&json!("2026-11-15T08:00:00.5Z"), "integer"), Some(json!(1_794_729_600)));
    assert_eq!(Codec::EpochMillis.up(&json!(1_500), "string"), Some(json!("1970-01-01T00:00:01.5Z")));
    assert_eq!(Codec::Text.up(&json!("7"), "integer"), Some(json!(7)));
    assert_eq!(Codec::Text.up(&json!("07"), "integer"), None);
    assert_eq!(Codec::Text.down(&json!(true), "string"), Some(json!("true")));
    assert_eq!(Codec::List.up(&json!("a"), "array"), Some(json!(["a"])));
    assert_eq!(Codec::List.down(&json!(["a"]), "string"), Some(json!("a")));
    let map = Codec::Map(vec![(json!(true), json!("yes")), (json!(false), json!("no"))]);
    assert_eq!(map.up(&json!(true), "string"), Some(json!("yes")));
    assert_eq!(map.down(&json!("no"), "boolean"), Some(json!(false)));
}

#[test]
fn nothing_stays_nothing() {
    for codec in [Codec::Decimal(2), Codec::Text, Codec::Epoch, Codec::EpochMillis, Codec::List] {
        assert_eq!(codec.up(&json!(null), "integer"), Some(json!(null)));
    }
}

proptest! {
    #[test]
    fn every_count_of_cents_comes_back(number in -9_007_199_254_740_991_i64..=9_007_199_254_740_991, digits in 0_u32..=6) {
        let codec = Codec::Decimal(digits);
        let text = codec.down(&json!(number), "string").unwrap();
        prop_assert_eq!(codec.up(&text, "integer"), Some(json!(number)));
    }

    #[test]
    fn no_text_makes_a_codec_fall(text in ".*", digits in 0_u32..=20) {
        for kind in ["integer", "number", "string", "boolean", "array"] {
            for codec in [Codec::Decimal(digits), Codec::Text, Codec::Epoch, Codec::EpochMillis, Codec::List] {
                let _ = codec.up(&json!(text), kind);
                let _ = codec.down(&json!(text), kind);
            }
        }
    }
}
