//! The binary: hands the command line to `valetkey::cli`.

fn main() {}
