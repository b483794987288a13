//! Words for both engines.

use super::*;

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn both_engines_get_the_same_words() {
    let words = words("red blue red");

    assert_eq!(text(&words), "red blue red");
    assert_eq!(vector(&words), "'blue':2 'red':1,3 ");
    assert_eq!(match_all(&words), "\"red\" AND \"blue\" AND \"red\"");
    assert_eq!(query_all(&words), "'red' & 'blue' & 'red'");
}

#[test]
fn nothing_in_a_word_is_an_operator() {
    let words = words("it's a\"b c\\d");

    assert_eq!(match_all(&words), "\"it's\" AND \"a\"\"b\" AND \"c\\d\"");
    assert_eq!(query_all(&words), "'it''s' & 'a\"b' & 'c\\\\d'");
}

#[test]
fn no_more_is_kept_than_both_engines_take() {
    let many = vec!["w".to_owned(); 100_000];
    let long = vec!["x".repeat(1_000_000); 1_000];

    assert_eq!(kept(&many).count(), MOST_WORDS);
    assert!(kept(&long).map(str::len).sum::<usize>() <= BYTES);
    assert!(kept(&long).all(|word| word.len() <= LONGEST));
}

#[test]
fn of_many_different_words_the_first_are_found() {
    let mut many: Vec<String> = (0..10_000).map(|number| format!("w{number}")).collect();
    many.push("w7".to_owned());

    let found: Vec<&str> = kept(&many).collect();

    assert_eq!(found.len(), DIFFERENT + 1);
    assert_eq!(found[DIFFERENT - 1], format!("w{}", DIFFERENT - 1));
    // Where a word stands says how much it matters, also after the last new one.
    assert_eq!(found[DIFFERENT], "w7");
}
