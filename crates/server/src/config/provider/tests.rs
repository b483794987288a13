//! Tables of providers, from the file and from the environment.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::{Config, Flags, Level};
use super::*;

fn load(file: &str, env: &[(&str, &str)]) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("valetkey.toml"), file).unwrap();
    let env: BTreeMap<_, _> = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let loaded = Config::load(&Flags::default(), &env, folder.path()).map_err(|error| error.to_string())?;
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    Ok(loaded.config)
}

const CORP: &str = r#"
[providers.corp]
name = "Example Corp"
issuer = "https://id.corp.example/realms/main"
client_id = "valetkey"
client_secret = "s3cr3t"
linking = "admin"
create_accounts = true
email_domains = ["corp.example"]
claims = ["username=upn", "picture="]
"#;

#[test]
fn a_provider_is_a_table_and_a_second_one_another() {
    let config = load(&format!("{CORP}\n[providers.other]\nissuer = 'https://other.example'"), &[]).unwrap();

    let [corp, other] = config.providers.as_slice() else { panic!("{:?}", config.providers) };
    assert_eq!((corp.id.as_str(), corp.label()), ("corp", "Example Corp"));
    assert_eq!(corp.issuer, "https://id.corp.example/realms/main");
    assert_eq!((corp.linking, corp.create_accounts), (LinkingRule::Admin, true));
    assert_eq!(corp.claims.iter().map(Value::show).collect::<Vec<_>>(), ["username=upn", "picture="]);
    assert_eq!((other.label(), other.linking), ("other", LinkingRule::VerifiedEmail));
    assert_eq!(other.scopes, ["openid", "email", "profile"]);
}

#[test]
fn the_environment_adds_to_the_file_and_can_stand_alone() {
    let env = [
        ("VALETKEY_PROVIDERS_CORP_CLIENT_SECRET", "better"),
        ("VALETKEY_PROVIDERS_MY_IDP_ISSUER", "https://idp.example"),
        ("VALETKEY_PROVIDERS_MY_IDP_CLIENT_ID", "me"),
        ("VALETKEY_PROVIDERS_MY_IDP_EMAIL_DOMAINS", "a.example b.example"),
    ];

    let config = load(CORP, &env).unwrap();

    let secret = config.providers[0].client_secret.as_ref().unwrap();
    assert_eq!(secret.expose(), "better");
    let other = &config.providers[1];
    assert_eq!((other.id.as_str(), other.client_id.as_str()), ("my_idp", "me"));
    assert_eq!(other.email_domains, ["a.example", "b.example"]);
}

#[test]
fn a_slip_is_told_with_its_place_and_what_was_meant() {
    for (file, expected) in [
        ("[providers.corp]\nisuer = 'x'", "did you mean `providers.corp.issuer`?"),
        ("[providers.Corp]\nissuer = 'x'", "named with small letters"),
        ("[providers]\ncorp = 'x'", "takes a table"),
        ("[providers.corp]\nlinking = 'email'", "verified_email"),
        ("[providers.corp]\nclaims = ['sub=oid']", "`sub` is no attribute"),
        ("[providers.corp]\nclaims = ['email_verified=yes']", "`email_verified` is no attribute"),
        ("[providers.corp]\ncreate_accounts = 'perhaps'", "neither `true` nor `false`"),
    ] {
        let told = load(file, &[]).unwrap_err();
        assert!(told.contains("valetkey.toml:") && told.contains(expected), "{file}: {told}");
    }
    let told = load("", &[("VALETKEY_PROVIDERS_CORP_LINKING", "all")]).unwrap_err();
    assert!(told.contains("environment variable VALETKEY_PROVIDERS_CORP_LINKING"), "{told}");
}

#[test]
fn a_provider_without_what_it_needs_does_not_start() {
    let sound = load(CORP, &[]).unwrap();
    assert_eq!(sound.check(), []);

    let broken = |change: fn(&mut Config)| {
        let mut config = sound.clone();
        change(&mut config);
        let findings = config.check();
        assert!(findings.iter().any(|finding| finding.level == Level::Error), "{findings:?}");
        findings.iter().map(ToString::to_string).collect::<String>()
    };
    assert!(broken(|config| config.providers[0].issuer.clear()).contains("`corp` has no issuer"));
    assert!(broken(|config| config.providers[0].issuer = "id.example".into()).contains("no issuer"));
    assert!(broken(|config| config.providers[0].issuer = "https://a.example/?x".into()).contains("no issuer"));
    assert!(broken(|config| config.providers[0].issuer = "http://a.example".into()).contains("plain HTTP"));
    assert!(broken(|config| config.providers[0].client_id.clear()).contains("client_id"));
    assert!(broken(|config| config.providers[0].scopes = vec!["email".into()]).contains("openid"));
    assert!(broken(|config| config.providers[0].client_secret_file = Some("x".into())).contains("twice"));
    assert!(broken(|config| config.providers.push(config.providers[0].clone())).contains("same issuer"));
    assert!(
        broken(|config| {
            config.providers.clear();
            config.sign_in.passwords = false;
        })
        .contains("Nobody could sign in")
    );
}

#[test]
fn the_secret_never_prints_itself() {
    let config = load(CORP, &[]).unwrap();

    assert!(!format!("{config:?}").contains("s3cr3t"));
}

#[test]
fn a_file_beside_the_settings_holds_the_secret() {
    let config = load("[providers.corp]\nclient_secret_file = 'corp.secret'", &[]).unwrap();

    let path = config.providers[0].client_secret_file.as_deref();
    assert!(path.is_some_and(|path| path.is_absolute() && path.ends_with(Path::new("corp.secret"))));
}

#[test]
fn every_setting_is_explained_in_whole_sentences() {
    for ProviderSetting { name, doc, .. } in PROVIDER_SETTINGS {
        assert!(doc.ends_with('.') && !doc.contains("  ") && !doc.contains('|'), "{name}: {doc}");
    }
}
