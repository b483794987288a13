//! The table, the structure, the page and the example file say the same.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Config, Flags};
use super::*;

#[test]
fn the_committed_page_is_the_generated_one() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/configuration.md");

    let committed = std::fs::read_to_string(page).unwrap_or_default();

    assert!(
        committed == reference(),
        "docs/reference/configuration.md is out of date; write it with `valetkey config reference`"
    );
}

#[test]
fn every_documented_default_is_the_typed_default() {
    let config = Config::default();

    for setting in SETTINGS {
        assert_eq!((setting.get)(&config), setting.default, "{}", setting.key);
    }
}

#[test]
fn the_table_lists_exactly_the_fields_of_the_structure() {
    // The derived `Debug` is the only witness of the structure that does not come from the table's rows.
    let printed = format!("{:#?}", Config::default());
    let mut group = "";
    let mut fields = BTreeSet::new();
    for line in printed.lines() {
        let Some((name, value)) = line.trim().split_once(": ") else { continue };
        match line.len() - line.trim_start().len() {
            4 if GROUPS.iter().any(|(known, _)| *known == name) && value.ends_with('{') => group = name,
            // How many there are is not known here; their settings have a table of their own.
            4 if name == "providers" => {}
            4 => _ = fields.insert(name.to_owned()),
            8 => _ = fields.insert(format!("{group}.{name}")),
            _ => {}
        }
    }

    let keys: BTreeSet<_> = SETTINGS.iter().map(|setting| setting.key.to_owned()).collect();
    assert_eq!(keys.len(), SETTINGS.len());
    assert_eq!(fields, keys);
}

#[test]
fn the_environment_name_of_a_setting_follows_from_its_key() {
    for setting in SETTINGS {
        assert_eq!(setting.env, format!("VALETKEY_{}", setting.key.to_uppercase().replace('.', "_")));
        if let Some(flag) = setting.flag {
            assert_eq!(flag, format!("--{}", setting.key.replace('_', "-")));
        }
    }
}

#[test]
fn every_setting_is_explained_in_whole_sentences() {
    for Setting { key, doc, .. } in SETTINGS {
        assert!(doc.ends_with('.') && !doc.contains("  ") && !doc.contains('|'), "{key}: {doc}");
    }
}

#[test]
fn the_example_file_reads_as_the_defaults_with_and_without_its_comments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.toml");
    let flags = Flags { config: Some(path.display().to_string()), ..Flags::default() };
    let bare: String = to_toml_commented()
        .lines()
        .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line).to_owned() + "\n")
        .collect();

    std::fs::write(&path, to_toml_commented()).unwrap();
    let commented = Config::load(&flags, &BTreeMap::new(), folder.path()).unwrap();
    std::fs::write(&path, bare).unwrap();
    let uncommented = Config::load(&flags, &BTreeMap::new(), folder.path()).unwrap();

    assert_eq!(commented.config, Config::default());
    assert_eq!(uncommented.origins.len(), SETTINGS.len());
    let moved = Config { data: folder.path().join("./valetkey-data"), ..Config::default() };
    assert_eq!(uncommented.config, moved);
}
