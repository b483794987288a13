//! Each rule over the whole of the settings, broken on purpose.

use super::super::Setting;
use super::*;

fn findings(settings: &[(&str, &str)]) -> Vec<(Level, &'static str)> {
    let mut config = Config::default();
    for (key, text) in settings {
        (Setting::find(key).unwrap().set)(&mut config, text).unwrap();
    }
    config.check().into_iter().map(|finding| (finding.level, finding.key)).collect()
}

#[test]
fn the_defaults_have_no_findings() {
    assert_eq!(findings(&[]), []);
}

#[test]
fn plain_http_on_a_public_address_is_refused_with_reason_and_remedy() {
    let config = Config { listen: "192.0.2.1:8080".parse().unwrap(), ..Config::default() };

    let findings = config.check();

    let text = findings[0].to_string();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(text.contains("in the clear") && text.contains("tls.certificate"), "{text}");
    assert!(text.contains("trusted_proxies") && text.contains("127.0.0.1"), "{text}");
}

#[test]
fn a_public_address_is_fine_with_tls_or_behind_a_named_proxy() {
    let public = ("public_url", "https://id.example.com");
    let anywhere = ("listen", "0.0.0.0:8443");

    assert_eq!(findings(&[anywhere, public, ("tls.certificate", "c.pem"), ("tls.key", "k.pem")]), []);
    assert_eq!(findings(&[anywhere, public, ("trusted_proxies", "10.0.0.0/8")]), []);
}

#[test]
fn an_address_that_names_no_host_needs_a_public_url() {
    let found = findings(&[("listen", "0.0.0.0:8443"), ("tls.certificate", "c.pem"), ("tls.key", "k.pem")]);

    assert_eq!(found, [(Level::Error, "public_url")]);
}

#[test]
fn plain_http_as_public_url_is_for_loopback_only() {
    assert_eq!(findings(&[("public_url", "http://localhost:9000")]), []);
    assert_eq!(findings(&[("public_url", "http://id.example.com")]), [(Level::Error, "public_url")]);
    assert_eq!(findings(&[("public_url", "https://id.example.com")]), [(Level::Warning, "trusted_proxies")]);
}

#[test]
fn an_authority_for_a_database_that_is_reached_in_the_clear_is_refused() {
    let found = |url: &str| findings(&[("database", url), ("database_ca", "ca.pem"), ("root_key_file", "root.key")]);

    assert_eq!(found("postgres://db/x?sslmode=disable"), [(Level::Error, "database_ca")]);
    assert_eq!(found("postgresql://db/x?connect_timeout=3&sslmode=d%69sable"), [(Level::Error, "database_ca")]);
    assert_eq!(found("postgres://db/x?sslmode=require"), []);
    assert_eq!(found("postgres://db/x"), []);
    assert_eq!(findings(&[("database", "postgres://db/x?sslmode=disable"), ("root_key_file", "root.key")]), []);
}

#[test]
fn certificate_and_key_go_together() {
    assert_eq!(findings(&[("tls.certificate", "c.pem")]), [(Level::Error, "tls.key")]);
    assert_eq!(findings(&[("tls.key", "k.pem")]), [(Level::Error, "tls.certificate")]);
    assert_eq!(findings(&[("tls.client_crl", "crl.pem")]), [(Level::Error, "tls.client_crl")]);
    assert_eq!(findings(&[("tls.client_ca", "ca.pem")]), [(Level::Error, "tls.client_ca")]);
    assert_eq!(findings(&[("tls.client_certificates", "optional")]), [(Level::Error, "tls.client_certificates")]);
    assert_eq!(findings(&[("tls.client_certificates", "optional"), ("trusted_proxies", "10.0.0.1")]), []);
}

#[test]
fn the_root_key_is_given_once_and_always_with_postgres() {
    let key = ("root_key", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
    let shared = ("database", "postgres://db/valetkey");

    assert_eq!(findings(&[key, ("root_key_file", "root.key")]), [(Level::Error, "root_key")]);
    assert_eq!(findings(&[shared]), [(Level::Error, "root_key")]);
    assert_eq!(findings(&[shared, key]), []);
}

#[test]
fn access_tokens_live_from_a_minute_to_a_day_and_better_in_between() {
    for (lifetime, expected) in [
        ("59s", Some(Level::Error)),
        ("1m", Some(Level::Warning)),
        ("5m", None),
        ("1h", None),
        ("24h", Some(Level::Warning)),
        ("25h", Some(Level::Error)),
    ] {
        let found = findings(&[("tokens.access_lifetime", lifetime)]);

        assert_eq!(found.first().map(|(level, _)| *level), expected, "{lifetime}");
    }
}

#[test]
fn everything_wrong_is_reported_at_once() {
    let found = findings(&[
        ("listen", "192.0.2.1:80"),
        ("tls.key", "k.pem"),
        ("limits.connections", "0"),
        ("limits.header_timeout", "0s"),
        ("keys.rotate_signing", "5m"),
        ("tokens.refresh_idle", "1m"),
        ("brand.accent", "green"),
    ]);

    let keys: Vec<_> = found.iter().map(|(_, key)| *key).collect();
    let expected = [
        "listen",
        "tls.certificate",
        "keys.rotate_signing",
        "tokens.refresh_idle",
        "limits.connections",
        "limits.header_timeout",
        "brand.accent",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn a_file_that_is_named_and_cannot_be_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, key) = (folder.path().join("empty"), folder.path().join("key"));
    std::fs::write(&empty, " \n").unwrap();
    std::fs::write(&key, "secret").unwrap();
    let unreadable = |settings: &[(&str, &str)]| {
        let mut config = Config::default();
        for (name, text) in settings {
            (Setting::find(name).unwrap().set)(&mut config, text).unwrap();
        }
        config.check_files().into_iter().map(|finding| finding.key).collect::<Vec<_>>()
    };
    let (empty, key) = (empty.to_str().unwrap(), key.to_str().unwrap());
    let shared = ("database", "postgres://db.example.com/x");

    assert_eq!(
        unreadable(&[("database_ca", "nowhere"), ("outbound.extra_ca", empty)]),
        ["database_ca", "outbound.extra_ca"]
    );
    assert_eq!(unreadable(&[shared, ("root_key_file", "nowhere")]), ["root_key_file"]);
    assert_eq!(unreadable(&[shared, ("root_key_file", key)]), [""; 0]);
    assert_eq!(unreadable(&[("root_key_file", "nowhere")]), [""; 0], "beside an embedded database it is made");
}

#[test]
fn a_level_that_cannot_be_read_keeps_the_server_from_starting() {
    assert_eq!(findings(&[("log.level", "info,valetkey=debug")]), []);
    assert_eq!(findings(&[("log.level", "info,valetkey=loud")]), [(Level::Error, "log.level")]);
    assert_eq!(findings(&[("log.level", "loud")]), [(Level::Warning, "log.level")]);
}
