//! What is written can be used as it is.

use valetkey_resources::declaration::read;

use super::*;

#[test]
fn the_declaration_to_begin_with_is_sound_and_without_a_doubt() {
    let declared = read(DECLARATION).unwrap();

    assert_eq!(declared.warnings, []);
    assert_eq!(declared.api.resources.len(), 2);
}

#[test]
fn each_line_that_is_commented_out_can_be_used() {
    let mut tried = 0;
    for (number, line) in DECLARATION.lines().enumerate() {
        // `#:` in front of a line means that it does something once it is there.
        let Some((indent, rest)) = line.split_once("#: ") else { continue };
        let mut lines: Vec<String> = DECLARATION.lines().map(str::to_owned).collect();
        lines[number] = format!("{indent}{rest}");
        assert!(read(&lines.join("\n")).is_ok(), "{line}: {:?}", read(&lines.join("\n")));
        tried += 1;
    }
    assert!(tried > 5, "{tried}");
}

#[test]
fn the_settings_name_the_declaration() {
    let settings = settings();

    assert!(settings.contains("\napi = \"api.yaml\"\n"), "{settings}");
}
