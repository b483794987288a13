//! Each property, for a moment: long enough to see a parser that has become careless, short enough for every run.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

use std::time::Duration;

use valetkey_fuzz::{run, target, targets};

/// A number from the environment, as the tests of endurance take theirs.
#[expect(clippy::disallowed_methods, reason = "whoever runs a test says with which seed and for how long")]
fn chosen(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

fn holds(name: &str) {
    let (seed, length) = (chosen("VALETKEY_TEST_SEED", 1), chosen("VALETKEY_TEST_LENGTH", 2000));

    let outcome = run(target(name).unwrap(), seed, Duration::from_millis(length));

    match outcome {
        Ok(report) => println!("{report}"),
        Err(failure) => panic!("{failure}"),
    }
}

macro_rules! properties {
    ($($name:ident),+) => {
        $(#[test]
        fn $name() {
            holds(stringify!($name));
        })+

        #[test]
        fn no_property_is_left_out() {
            let names = [$(stringify!($name)),+];
            assert!(targets::ALL.iter().map(|target| target.name).eq(names));
        }
    };
}

properties!(accept, certificate, cursor, declaration, form, json, json_patch, query, redirect_uri, token, version);
