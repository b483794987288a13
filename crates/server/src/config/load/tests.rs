//! Which source wins, and what a person reads when one of them is wrong.

use tempfile::TempDir;

use super::*;
use crate::config::Database;

struct World {
    folder: TempDir,
    env: BTreeMap<String, String>,
    flags: Flags,
}

impl World {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), env: BTreeMap::new(), flags: Flags::default() }
    }

    fn file(self, text: &str) -> Self {
        std::fs::write(self.folder.path().join("valetkey.toml"), text).unwrap();
        self
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    fn load(&self) -> Result<Loaded, ConfigError> {
        Config::load(&self.flags, &self.env, self.folder.path())
    }

    fn refused(&self) -> String {
        self.load().unwrap_err().to_string().replace(&format!("{}/", self.folder.path().display()), "")
    }
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let mut world = World::new().file("listen = '127.0.0.1:1'\ndatabase_pool = 2\napi = 'a.yaml'");
    world = world.env("VALETKEY_LISTEN", "127.0.0.1:2").env("VALETKEY_DATABASE_POOL", "3");
    world.flags.listen = Some("127.0.0.1:3".to_owned());

    let loaded = world.load().unwrap();

    assert_eq!(loaded.config.listen.port(), 3);
    assert_eq!(loaded.config.database_pool, 3);
    assert_eq!(loaded.origins["listen"], Source::Flag);
    assert_eq!(loaded.origins["database_pool"], Source::Environment);
    assert_eq!(loaded.origins["api"], Source::File { line: 3 });
    assert_eq!(loaded.origins.len(), 3);
}

#[test]
fn without_a_file_the_defaults_hold_and_the_demonstration_is_on() {
    let loaded = World::new().load().unwrap();

    assert_eq!(loaded.config, Config::default());
    assert!(loaded.demo() && loaded.file.is_none() && loaded.origins.is_empty() && loaded.warnings.is_empty());
    assert_eq!(loaded.config.origin().as_str(), "http://127.0.0.1:8080");
    assert_eq!(loaded.config.database_or_default(), Database::Sqlite("./valetkey-data/valetkey.db".into()));
    assert_eq!(loaded.config.root_key_path(), Some("./valetkey-data/root.key".into()));
}

#[test]
fn the_demonstration_is_off_with_a_file_or_when_told_so() {
    assert!(!World::new().file("").load().unwrap().demo());
    assert!(!World::new().env("VALETKEY_DEMO", "0").load().unwrap().demo());
    assert!(World::new().file("").env("VALETKEY_DEMO", "1").load().unwrap().demo());
}

#[test]
fn without_a_file_there_is_no_demonstration_where_others_can_reach_it() {
    let is_made = |settings: &[(&str, &str)]| {
        let world = settings.iter().fold(World::new(), |world, (name, value)| world.env(name, value));
        world.load().unwrap().demo()
    };
    let public = ("VALETKEY_PUBLIC_URL", "https://id.example.com");

    assert!(!is_made(&[public]));
    assert!(!is_made(&[public, ("VALETKEY_LISTEN", "0.0.0.0:8443")]));
    assert!(!is_made(&[("VALETKEY_LISTEN", "192.0.2.1:8443")]));
    assert!(!is_made(&[("VALETKEY_PUBLIC_URL", "https://localhost:8443"), ("VALETKEY_LISTEN", "0.0.0.0:8443")]));
    assert!(is_made(&[("VALETKEY_LISTEN", "127.0.0.1:9000")]));
    assert!(is_made(&[("VALETKEY_LISTEN", "[::1]:9000")]));
    assert!(is_made(&[("VALETKEY_PUBLIC_URL", "http://localhost:9000")]));
    assert!(is_made(&[public, ("VALETKEY_DEMO", "1")]));
}

#[test]
fn paths_in_the_file_start_at_its_folder() {
    let mut world = World::new();
    let sub = world.folder.path().join("etc");
    std::fs::create_dir(&sub).unwrap();
    std::fs::write(sub.join("my.toml"), "data = 'd'\ndatabase = 'sqlite:x.db'\ntls.key = '/k.pem'").unwrap();
    world.flags.config = Some("etc/my.toml".to_owned());

    let loaded = world.load().unwrap();

    assert_eq!(loaded.config.data, sub.join("d"));
    assert_eq!(loaded.config.database, Some(Database::Sqlite(sub.join("x.db"))));
    assert_eq!(loaded.config.tls.key, Some("/k.pem".into()));
    assert_eq!(loaded.file, Some(sub.join("my.toml")));
}

#[test]
fn a_named_file_that_is_missing_is_refused_with_what_to_do() {
    let refused = World::new().env("VALETKEY_CONFIG", "my.toml").refused();

    assert!(refused.starts_with("there is no file my.toml, which VALETKEY_CONFIG names"), "{refused}");
    assert!(refused.contains("valetkey config example"), "{refused}");
}

#[test]
fn an_unknown_key_is_refused_with_its_place_and_the_key_that_was_meant() {
    let refused =
        World::new().file("data = 'x'\n  lisen = '127.0.0.1:1'\n[tsl]\nkey = 'k'\n[tls]\ncertficate = 'c'").refused();

    let expected = [
        "valetkey.toml:2:3: unknown key `lisen`; did you mean `listen`?",
        "valetkey.toml:3:2: unknown key `tsl`; did you mean `tls`?",
        "valetkey.toml:6:1: unknown key `tls.certficate`; did you mean `tls.certificate`?",
    ];
    assert_eq!(refused, expected.join("\n"));
}

#[test]
fn a_key_outside_its_group_is_answered_with_the_group() {
    let refused = World::new().file("access_lifetime = '15m'").refused();

    assert!(refused.ends_with("unknown key `access_lifetime`; did you mean `tokens.access_lifetime`?"), "{refused}");
}

#[test]
fn all_bad_values_are_reported_with_their_places() {
    let mut world = World::new()
        .file("[tokens]\naccess_format = 'jtw'\naccess_lifetime = 15\n[limits]\nheaders = 'many'\ndrain = ['1s']")
        .env("VALETKEY_DATABASE_POOL", "few")
        .env("VALETKEY_CORS_ORIGINS", "https://a.example *");
    world.flags.listen = Some("8080".to_owned());

    let refused = world.refused();

    let expected = [
        "valetkey.toml:2:17: `tokens.access_format`: `jtw` is not known; did you mean `jwt`?",
        "valetkey.toml:3:19: `tokens.access_lifetime`: `15` is not a length of time such as `15m`; the units are d, h, m, s and ms",
        "valetkey.toml:5:11: `limits.headers`: `many` is not a whole number",
        "valetkey.toml:6:9: `limits.drain`: takes one value, not a list",
        "--listen: `8080` is not an address with a port; did you mean `127.0.0.1:8080`?",
        "environment variable VALETKEY_DATABASE_POOL: `few` is not a whole number",
        "environment variable VALETKEY_CORS_ORIGINS: `*` would let every site call with a user's token; name each origin",
    ];
    assert_eq!(refused, expected.join("\n"));
}

#[test]
fn a_file_that_is_not_toml_is_refused_with_the_place() {
    let refused = World::new().file("data = 'x'\nlisten = ").refused();

    assert!(refused.starts_with("valetkey.toml:2:"), "{refused}");
}

#[test]
fn lists_are_lists_in_the_file_and_spaced_in_the_environment() {
    let world = World::new()
        .file("trusted_proxies = ['10.0.0.0/8', '::1']\n[brand]\nlinks = ['Privacy policy=https://example.com/p']")
        .env("VALETKEY_CORS_ORIGINS", "https://a.example  https://b.example:8443/");

    let config = world.load().unwrap().config;

    assert_eq!(config.trusted_proxies.len(), 2);
    assert_eq!(config.brand.links[0].label, "Privacy policy");
    let origins: Vec<_> = config.cors_origins.iter().map(|origin| origin.as_str()).collect();
    assert_eq!(origins, ["https://a.example", "https://b.example:8443"]);
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let loaded = World::new().file("database_pool = 3").env("VALETKEY_DATABASE_POOL", "").load().unwrap();

    assert_eq!(loaded.config.database_pool, 3);
}

#[test]
fn a_variable_that_nothing_reads_is_a_warning_with_a_suggestion() {
    let loaded = World::new().env("VALETKEY_LISTN", "x").env("VALETKEY_CONFIG", "").env("PATH", "x").load().unwrap();

    assert_eq!(loaded.warnings, ["environment variable VALETKEY_LISTN is not read; did you mean VALETKEY_LISTEN?"]);
}

#[test]
fn every_flag_reaches_its_setting() {
    let given = || Some("given".to_owned());
    let flags =
        Flags { config: None, data: given(), listen: given(), public_url: given(), api: given(), database: given() };

    for flag in SETTINGS.iter().filter_map(|setting| setting.flag) {
        assert_eq!(flags.given(flag), Some("given"), "{flag}");
    }
}
