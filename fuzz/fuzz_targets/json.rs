//! libFuzzer's door to the property of the same name.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| valetkey_fuzz::targets::json::check(data));
