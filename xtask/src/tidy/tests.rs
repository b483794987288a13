//! Each rule against a small tree that breaks it, and against one that does not.

use std::fs;
use std::path::Path;

use super::*;

/// A workspace on disk with every wall in place; each test spoils one thing.
struct House(tempfile::TempDir);

impl House {
    fn in_order() -> Self {
        let house = Self(tempfile::tempdir().unwrap());
        house
            .with("Cargo.toml", "[workspace]\n[workspace.dependencies]\nvalet = { package = \"valetkey-store\" }\n")
            .with("crates/oauth/Cargo.toml", "[package]\nname = \"valetkey-oauth\"\n")
            .with("crates/oauth/src/lib.rs", "//! The rules.\n")
            .with("crates/store/Cargo.toml", "[dependencies]\nrusqlite = \"1\"\nvaletkey-oauth.workspace = true\n")
            .with("crates/store/src/sqlite/mod.rs", "//! One engine.\nuse rusqlite::Connection;\n")
            .with("crates/store/src/postgres/mod.rs", "//! The other.\nuse valetkey_oauth::ports;\n")
    }

    fn with(self, path: &str, text: &str) -> Self {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn report(&self) -> Report {
        inspect(self.0.path()).unwrap()
    }

    /// `path:line rule` of each finding.
    fn findings(&self) -> Vec<String> {
        self.report().findings.iter().map(|f| format!("{}:{} {}", f.path, f.line, f.rule)).collect()
    }
}

#[test]
fn a_house_in_order_has_no_findings() {
    assert_eq!(House::in_order().findings(), [""; 0]);
}

#[test]
fn this_workspace_is_in_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();

    let report = inspect(root).unwrap();

    assert!(report.is_clean(), "{}", report.to_text());
}

#[test]
fn a_forbidden_dependency_is_found_on_its_line() {
    let house = House::in_order().with(
        "crates/rest/Cargo.toml",
        "[package]\nname = \"valetkey-rest\"\n\n[dependencies]\naxum = \"1\"\nvaletkey-oauth.workspace = true\n",
    );

    assert_eq!(house.findings(), ["crates/rest/Cargo.toml:6 arrow"]);
}

#[test]
fn a_rename_does_not_hide_an_arrow() {
    let here = "[dependencies]\nfriend = { package = \"valetkey-oauth\", path = \"../oauth\" }\n";
    let in_workspace = "[dependencies.valet]\nworkspace = true\n";
    let for_one_target = "[target.'cfg(unix)'.dependencies]\nvaletkey-pages = \"1\"\n";

    for (manifest, line) in [(here, 2), (in_workspace, 1), (for_one_target, 2)] {
        let house = House::in_order().with("crates/resources/Cargo.toml", manifest);

        assert_eq!(house.findings(), [format!("crates/resources/Cargo.toml:{line} arrow")], "{manifest}");
    }
}

#[test]
fn dev_dependencies_are_free() {
    let house = House::in_order()
        .with("crates/rest/Cargo.toml", "[dev-dependencies]\nvaletkey-testkit = \"1\"\ntokio-postgres = \"1\"\n");

    assert_eq!(house.findings(), [""; 0]);
}

#[test]
fn testkit_is_no_normal_dependency_of_anyone() {
    let house = House::in_order().with("crates/server/Cargo.toml", "[dependencies]\nvaletkey-testkit = \"1\"\n");

    assert_eq!(house.findings(), ["crates/server/Cargo.toml:2 arrow"]);
}

#[test]
fn the_server_may_use_every_room_and_xtask_none() {
    let rooms = ["oauth", "rest", "resources", "store", "endpoints", "pages"];
    let manifest: String = std::iter::once("[dependencies]\n".into())
        .chain(rooms.map(|room| format!("valetkey-{room} = \"1\"\n")))
        .collect();
    let house = House::in_order().with("crates/server/Cargo.toml", &manifest).with("xtask/Cargo.toml", &manifest);

    let expected: Vec<_> = (2..8).map(|line| format!("xtask/Cargo.toml:{line} arrow")).collect();

    assert_eq!(house.findings(), expected);
}

#[test]
fn a_new_room_must_choose_its_arrows() {
    let house = House::in_order().with("crates/attic/Cargo.toml", "[package]\nname = \"valetkey-attic\"\n");

    assert_eq!(house.findings(), ["crates/attic/Cargo.toml:1 arrow"]);
}

#[test]
fn a_forbidden_path_in_code_is_found_and_one_in_tests_is_not() {
    let house = House::in_order()
        .with("crates/pages/src/login.rs", "//! Login.\n\nfn f(x: &valetkey_store::Pool) {}\nuse valetkey::app;\n")
        .with(
            "crates/pages/src/view.rs",
            "//! View of `valetkey_store::Pool`.\nuse valetkey_oauth::model;\nlet valetkey_rest = 1;\n",
        )
        .with("crates/pages/src/view/tests.rs", "//! Tests.\nuse valetkey_store::Pool;\n")
        .with("crates/pages/src/inline.rs", "//! I.\n#[cfg(test)]\nmod tests {\n    use valetkey_testkit::World;\n}\n");

    assert_eq!(house.findings(), ["crates/pages/src/login.rs:3 arrow", "crates/pages/src/login.rs:4 arrow"]);
}

#[test]
fn databases_are_spoken_to_in_the_store_alone_and_oauth_knows_no_http() {
    let house = House::in_order()
        .with("crates/server/Cargo.toml", "[dependencies]\ntokio-postgres = \"1\"\naxum = \"1\"\n")
        .with("crates/server/src/cli.rs", "//! C.\nuse rusqlite::Connection;\nuse axum::Router;\n")
        .with(
            "crates/oauth/src/wire.rs",
            "//! W.\nuse axum::Router;\n\nfn f(_: crate::axum::Own, _: ::tokio_postgres::Row) {}\n",
        );

    assert_eq!(
        house.findings(),
        [
            "crates/oauth/src/wire.rs:2 arrow",
            "crates/oauth/src/wire.rs:4 arrow",
            "crates/server/Cargo.toml:2 arrow",
            "crates/server/src/cli.rs:2 arrow",
        ]
    );
}

#[test]
fn a_file_that_does_not_say_what_it_owns_is_found() {
    let house = House::in_order()
        .with("crates/oauth/src/a.rs", "// not this\n//! too late\n")
        .with("crates/oauth/src/b.rs", "//!\n")
        .with("crates/oauth/src/c.rs", "");

    let expected = ["a", "b", "c"].map(|name| format!("crates/oauth/src/{name}.rs:1 first-line"));
    assert_eq!(house.findings(), expected);
}

#[test]
fn a_file_of_one_engine_without_its_twin_is_found() {
    let house = House::in_order()
        .with("crates/store/src/sqlite/sessions.rs", "//! S.\n")
        .with("crates/store/src/postgres/clients.rs", "//! C.\n")
        .with("crates/store/src/sqlite/keys.rs", "//! K.\n")
        .with("crates/store/src/postgres/keys.rs", "//! K.\n");

    assert_eq!(
        house.findings(),
        ["crates/store/src/postgres/clients.rs:1 twin", "crates/store/src/sqlite/sessions.rs:1 twin"]
    );
}

#[test]
fn drawers_are_found_as_files_folders_and_blocks() {
    let house = House::in_order()
        .with("crates/oauth/src/utils.rs", "//! U.\n")
        .with("crates/oauth/tests/common/mod.rs", "//! C.\n")
        .with("crates/oauth/src/token_manager.rs", "//! T.\n")
        .with("crates/oauth/src/keys.rs", "//! K.\nmod helpers {\n}\nmod uncommon {}\n");

    assert_eq!(
        house.findings(),
        [
            "crates/oauth/src/keys.rs:2 name",
            "crates/oauth/src/token_manager.rs:1 name",
            "crates/oauth/src/utils.rs:1 name",
            "crates/oauth/tests/common/mod.rs:1 name",
        ]
    );
}

#[test]
fn unfinished_work_is_found_also_in_tests() {
    let house = House::in_order()
        .with(
            "crates/oauth/src/a.rs",
            "//! A: no todo!() here.\nfn f() {\n    todo!()\n}\nfn g(s: &str) { s != \"dbg!\"; }\n",
        )
        .with(
            "crates/oauth/tests/b.rs",
            "//! B.\nfn f() { unimplemented!(\"x\"); std::dbg!(1); }\nfn g(dbg: u8) { dbg != 1; }\n",
        );

    assert_eq!(
        house.findings(),
        [
            "crates/oauth/src/a.rs:3 unfinished",
            "crates/oauth/tests/b.rs:2 unfinished",
            "crates/oauth/tests/b.rs:2 unfinished",
        ]
    );
}

#[test]
fn the_engine_is_asked_for_in_one_place_only() {
    let questions = "//! Q.\nfn f() {\n    if sqlite {}\n    if db.is_postgres() {}\n    match e { Engine::Sqlite => {} }\n}\nmod sqlite;\n";
    let house = House::in_order()
        .with("crates/server/src/app/engine.rs", questions)
        .with("crates/server/src/app/engine/tests.rs", questions)
        .with("crates/server/src/cli.rs", questions);

    let expected: Vec<_> = (3..6).map(|line| format!("crates/server/src/cli.rs:{line} engine")).collect();
    assert_eq!(house.findings(), expected);
}

#[test]
fn a_long_file_fails_and_a_long_test_warns() {
    let of_lines = |lines: usize| format!("//! L.\n{}", "\n".repeat(lines - 1));
    let house = House::in_order()
        .with("crates/oauth/src/fits.rs", &of_lines(400))
        .with("crates/oauth/src/long.rs", &of_lines(401))
        .with("crates/oauth/tests/long.rs", &of_lines(500));

    let report = house.report();

    assert_eq!(house.findings(), ["crates/oauth/src/long.rs:401 size"]);
    assert_eq!(report.warnings.iter().map(|w| w.path.as_str()).collect::<Vec<_>>(), ["crates/oauth/tests/long.rs"]);
    assert_eq!(report.longest[0].path, "crates/oauth/tests/long.rs");
    assert_eq!((report.counts.test_files, report.counts.test_lines), (1, 500));
}

#[test]
fn what_is_built_or_hidden_is_not_looked_at() {
    let house = House::in_order().with("target/debug/build/out.rs", "fn f() {}").with(".git/utils.rs", "fn f() {}");

    assert_eq!(house.findings(), [""; 0]);
}

#[test]
fn both_forms_of_the_report_name_the_place_and_the_remedy() {
    let report = House::in_order().with("crates/oauth/src/helpers.rs", "//! H.\n").report();

    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();

    assert!(report.to_text().starts_with("crates/oauth/src/helpers.rs:1: `helpers` says nothing: name the module"));
    assert_eq!(json["findings"][0]["path"], "crates/oauth/src/helpers.rs");
    assert_eq!(json["findings"][0]["rule"], "name");
    assert_eq!(json["counts"]["crates"], 2);
}

#[test]
fn a_row_of_the_specification_names_a_test_that_exists() {
    let page =
        "| a | `it::token::it_works` |\n| b | `it::token::it_is_gone` and `it::other::it_works` |\n| c | `x` |\n";
    let house = House::in_order()
        .with("crates/server/Cargo.toml", "[package]\nname = \"valetkey\"\n")
        .with("crates/server/tests/it/token.rs", "//! Tokens.\nasync fn it_works() {}\n// fn it_is_gone() {}\n")
        .with("docs/specification.md", page);

    let findings = house.findings();

    assert_eq!(findings, ["docs/specification.md:2 specification", "docs/specification.md:2 specification"]);
}

#[test]
fn a_row_of_the_specification_may_name_a_test_in_a_folder_or_a_whole_file() {
    let page = "Tests are written as `file::name`.\n\
                | a | `it::versions::life::it_works`, `it::token` |\n\
                | b | `it::versions::life::it_is_gone` |\n\
                | c | `it::versions::death::it_works` |\n\
                | d | `it::tokens` |\n";
    let house = House::in_order()
        .with("crates/server/Cargo.toml", "[package]\nname = \"valetkey\"\n")
        .with("crates/server/tests/it/token.rs", "//! Tokens.\nasync fn it_works() {}\n")
        .with("crates/server/tests/it/api/versions/life.rs", "//! Life.\nasync fn it_works() {}\n")
        .with("docs/specification.md", page);

    let findings = house.findings();

    assert_eq!(findings, [3, 4, 5].map(|line| format!("docs/specification.md:{line} specification")));
}
