//! Where the services stand that `./test` starts, and what else tests are told. Without a service, what needs it says so
//! and is skipped.

use std::io::{Write, stderr};

/// The URL of a PostgreSQL whose databases tests may make and drop; `None` says why on standard error.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which services are there")]
pub fn postgres() -> Option<String> {
    let url = std::env::var("VALETKEY_TEST_POSTGRES").ok().filter(|url| !url.is_empty());
    if url.is_none() {
        // Past the capture of the test runner, which shows nothing of tests that pass.
        let _ = writeln!(stderr(), "skipped: needs PostgreSQL; ./test starts one, or set VALETKEY_TEST_POSTGRES");
    }
    url
}

/// The URL of a Redis or Valkey; `None` says on standard error that tests go on without.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which services are there")]
pub fn redis() -> Option<String> {
    let url = std::env::var("VALETKEY_TEST_REDIS").ok().filter(|url| !url.is_empty());
    if url.is_none() {
        let _ =
            writeln!(stderr(), "without Redis: each node counts alone; ./test starts one, or set VALETKEY_TEST_REDIS");
    }
    url
}

/// The program that drives a browser; `None` says why on standard error.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which services are there")]
pub fn chromedriver() -> Option<String> {
    let program = std::env::var("VALETKEY_TEST_CHROMEDRIVER").ok().filter(|program| !program.is_empty());
    if program.is_none() {
        let _ = writeln!(stderr(), "skipped: needs a browser; ./test finds one, or set VALETKEY_TEST_CHROMEDRIVER");
    }
    program
}

/// The script of axe-core, which finds what people with disabilities would stumble over; `None` says why on standard error.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which services are there")]
pub fn axe() -> Option<String> {
    let file = std::env::var("VALETKEY_TEST_AXE").ok().filter(|file| !file.is_empty());
    if file.is_none() {
        let _ = writeln!(stderr(), "skipped: needs axe-core; ./test installs it with npm, or set VALETKEY_TEST_AXE");
    }
    file
}

/// A number that whoever runs the tests has chosen: a seed, or how many rounds.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment how they are to be run")]
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}
