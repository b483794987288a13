//! Whose account it is.

use serde_json::json;

use super::provider::{CLIENT, Provider, SECRET, object};
use super::{account, ada, come_back, leave, open, sign_on, way_back};
use crate::both_engines;
use crate::house::House;
use crate::person::Person;

const MAKES: (&str, &str) = ("VALETKEY_PROVIDERS_CORP_CREATE_ACCOUNTS", "true");

both_engines! {
    async fn an_account_is_linked_by_an_address_that_both_sides_verified(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[]).await;
        let person = Person::new(&house, "ada");

        assert_eq!(sign_on(&person, &provider).await.status, 303);
        provider.behave(|manner| _ = manner.person.insert("email".to_owned(), "new@elsewhere.example".into()));
        let again = Person::at(&house, "ada");
        assert_eq!(sign_on(&again, &provider).await.status, 303, "a link does not depend on the address");

        let links = house.json(&["user", "links", "ada"]);
        assert_eq!(links[0]["provider"], "corp");
        assert_eq!((&links[0]["subject"], &links[0]["made_by"]), (&json!("248289761001"), &json!("email")));
        assert!(links[0]["used_at"].is_string());
        let alerts = house.json(&["audit", "list", "--kind", "link_made"]);
        assert_eq!(alerts.as_array().unwrap().len(), 1);
        let page = account(&again).await.unwrap();
        assert!(page.text.contains("linked with another provider") && page.text.contains("Example Corp"), "{}", page.text);
    }

    async fn nobody_is_linked_on_half_a_proof(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[]).await;
        Person::new(&house, "ada");
        let half = ["user", "add", "bob", "--password-stdin", "--email", "bob@example.org", "--claim", "email_verified=false"];
        assert!(house.run_with_input(&half, "correct horse\n").status.success());
        let admin = ["user", "add", "root", "--password-stdin", "--email", "root@example.org", "--admin"];
        assert!(house.run_with_input(&admin, "correct horse\n").status.success());
        for name in ["one", "two"] {
            let twin = ["user", "add", name, "--password-stdin", "--email", "twin@example.org"];
            assert!(house.run_with_input(&twin, "correct horse\n").status.success());
        }

        for over in [
            json!({ "email_verified": false }),
            json!({ "email_verified": "true" }),
            json!({ "email_verified": 1 }),
            json!({ "email_verified": null }),
            json!({ "email": "nobody@example.org" }),
            json!({ "email": null }),
            json!({ "email": "ada@example.org.evil.example" }),
            json!({ "email": "bob@example.org" }),
            json!({ "email": "root@example.org" }),
            json!({ "email": "twin@example.org" }),
            json!({ "email": "ada@example.org\u{0}" }),
        ] {
            provider.behave(|manner| {
                manner.person = object(ada());
                manner.person.extend(object(over.clone()));
                manner.talks = true;
            });
            let person = Person::at(&house, "ada");
            let back = sign_on(&person, &provider).await;
            assert_eq!(back.status, 403, "{over}: {}", back.text);
            assert!(back.text.contains("No account here"), "{over}: {}", back.text);
            assert!(person.cookie("vk_sign_in").is_none());
        }
        // The one says whose address it is, the other that another one is verified.
        provider.behave(|manner| {
            manner.person = object(ada());
            manner.talks = false;
            manner.claims = object(json!({ "email": "ada@example.org" }));
            manner.userinfo = object(json!({ "email": "eve@example.org" }));
        });
        assert_eq!(sign_on(&Person::at(&house, "ada"), &provider).await.status, 403);
        // The one verified something and does not say what, the other says an address that nobody verified.
        provider.behave(|manner| {
            manner.person = object(json!({ "sub": "248289761001" }));
            manner.claims = object(json!({ "email_verified": true }));
            manner.userinfo = object(json!({ "email": "ada@example.org", "email_verified": false }));
        });
        assert_eq!(sign_on(&Person::at(&house, "ada"), &provider).await.status, 403);
        for name in ["ada", "bob", "root", "one", "two"] {
            assert_eq!(house.json(&["user", "links", name]), json!([]), "{name}");
        }
    }

    async fn an_address_that_was_given_to_someone_else_opens_nothing(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[MAKES]).await;
        let person = Person::new(&house, "ada");
        assert_eq!(sign_on(&person, &provider).await.status, 303);

        provider.behave(|manner| _ = manner.person.insert("sub".to_owned(), "a new colleague".into()));
        let colleague = Person::at(&house, "ada");

        assert_eq!(sign_on(&colleague, &provider).await.status, 403);
        assert_eq!(house.json(&["user", "links", "ada"])[0]["subject"], "248289761001");
    }

    async fn what_one_provider_says_of_an_address_is_no_proof_for_another(house: House) {
        let (lax, provider) = (Provider::knowing(ada()).await, Provider::knowing(ada()).await);
        let other = [
            ("VALETKEY_PROVIDERS_LAX_ISSUER", lax.issuer()),
            ("VALETKEY_PROVIDERS_LAX_CLIENT_ID", CLIENT),
            ("VALETKEY_PROVIDERS_LAX_CLIENT_SECRET", SECRET),
            ("VALETKEY_PROVIDERS_LAX_CREATE_ACCOUNTS", "true"),
        ];
        let house = open(house, &provider, &other).await;
        let (thief, owner) = (Person::at(&house, "ada"), Person::at(&house, "ada"));
        let csrf = thief.open("/login").await.field("csrf").unwrap();
        let left = thief.send(thief.post("/login/lax", &[("csrf", &csrf)])).await;
        assert_eq!(thief.send(thief.get(&way_back(&lax, &left))).await.status, 303, "an account with Ada's address");

        let back = sign_on(&owner, &provider).await;

        assert_eq!(back.status, 403, "{}", back.text);
        house.json(&["user", "edit", "ada.king", "--email", "ada@example.org"]);
        assert_eq!(sign_on(&owner, &provider).await.status, 303, "an operator vouches for it");
    }

    async fn who_was_removed_does_not_come_in_by_the_old_link(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[]).await;
        let person = Person::new(&house, "ada");
        let page = person.open("/login").await;
        assert_eq!(sign_on(&Person::at(&house, "ada"), &provider).await.status, 303);
        let left = leave(&person, &page).await;

        house.json(&["user", "remove", "ada"]);
        let back = person.send(person.get(&way_back(&provider, &left))).await;

        assert_eq!(back.status, 403, "{}", back.text);
        Person::new(&house, "ada");
        assert_eq!(house.json(&["user", "links", "ada"]), json!([]), "a new account of the same name is another");
    }

    async fn a_first_sign_in_makes_an_account_where_that_is_allowed(house: House) {
        let provider = Provider::knowing(ada()).await;
        let claims = ("VALETKEY_PROVIDERS_CORP_CLAIMS", "nickname=given_name zoneinfo=");
        let house = open(house, &provider, &[MAKES, claims]).await;
        provider.behave(|manner| _ = manner.person.insert("zoneinfo".to_owned(), "Europe/London".into()));
        let taken = ["user", "add", "ada.king", "--password-stdin", "--email", "other@example.org"];
        assert!(house.run_with_input(&taken, "correct horse\n").status.success());
        let (person, app) = (Person::at(&house, "ada@example.org"), crate::app::App::new(&house, "app"));

        let page = person.arrive(&app, &[("scope", "openid profile email")]).await;
        let back = come_back(&person, &provider, &page).await;
        let consent = person.follow(back).await;
        let answer = person.decide(&consent, "approve").await.answer();
        let tokens = crate::app::Tokens::read(crate::token::succeeds(app.redeem(&house, answer.code())).await);
        let claims = crate::app::userinfo(&house, &tokens.access).await.1;

        assert_eq!(claims["preferred_username"], "ada@example.org", "the other name was taken");
        assert_eq!((&claims["name"], &claims["email_verified"]), (&json!("Ada King"), &json!(true)));
        assert_eq!((&claims["nickname"], claims.get("zoneinfo")), (&json!("Ada"), None));
        let typed = Person::at(&house, "ada@example.org");
        for password in ["", "-", "correct horse"] {
            let page = typed.open("/login").await;
            assert_eq!(typed.type_password(&page, password).await.status, 403, "there is no password to guess");
        }
        assert_eq!(house.json(&["user", "links", "ada@example.org"])[0]["made_by"], "account");
    }

    async fn of_many_first_sign_ins_one_makes_the_account(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[MAKES]).await;
        let people: Vec<_> = (0..8).map(|_| Person::at(&house, "ada")).collect();
        let mut ways = Vec::new();
        for person in &people {
            let left = leave(person, &person.open("/login").await).await;
            ways.push(way_back(&provider, &left));
        }

        let backs = people.iter().zip(&ways).map(|(person, way)| person.send(person.get(way)));
        let backs = futures_util::future::join_all(backs).await;

        assert!(backs.iter().all(|back| back.status == 303), "{backs:?}");
        let mut seen = std::collections::BTreeSet::new();
        for person in &people {
            let page = account(person).await.unwrap();
            assert!(page.text.contains("ada.king"), "{}", page.text);
            seen.insert(house.json(&["user", "links", "ada.king"])[0]["user"].clone().to_string());
        }
        assert_eq!(seen.len(), 1);
        assert!(!house.run(&["user", "links", "ada@example.org"]).status.success(), "no second account");
    }

    async fn an_operator_links_and_unlinks(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[("VALETKEY_PROVIDERS_CORP_LINKING", "admin")]).await;
        let (person, _) = (Person::new(&house, "ada"), Person::new(&house, "bob"));

        assert_eq!(sign_on(&person, &provider).await.status, 403, "an address is not enough");
        let made = house.json(&["user", "link", "ada", "--provider", "corp", "--subject", "248289761001"]);
        assert_eq!(sign_on(&person, &provider).await.status, 303);
        let twice = house.fail(&["user", "link", "bob", "--provider", "corp", "--subject", "248289761001"]);
        let other = house.fail(&["user", "link", "ada", "--provider", "corp", "--subject", "7"]);
        let unknown = house.fail(&["user", "link", "ada", "--provider", "crop", "--subject", "7"]);
        let nobody = house.fail(&["user", "links", "carol"]);
        house.json(&["user", "unlink", "ada", "--provider", provider.issuer()]);
        let gone = house.fail(&["user", "unlink", "ada", "--provider", "corp"]);

        assert_eq!((&made["made_by"], &made["issuer"]), (&json!("operator"), &json!(provider.issuer())));
        assert!(twice.0 == 1 && twice.1.contains("linked already"), "{}", twice.1);
        assert!(other.1.contains("another subject") && unknown.0 == 2 && unknown.1.contains("corp"), "{}", unknown.1);
        assert!(nobody.1.contains("no user carol") && gone.1.contains("not linked"));
        assert_eq!(sign_on(&Person::at(&house, "ada"), &provider).await.status, 403);
        let kinds: Vec<_> = house.json(&["audit", "list"]).as_array().unwrap().iter().map(|alert| alert["type"].clone()).collect();
        assert_eq!(kinds, [json!("link_made"), json!("link_removed")]);
    }
}

#[tokio::test]
async fn only_verified_addresses_of_these_domains_come_in_by_themselves() {
    let provider = Provider::knowing(ada()).await;
    let domains = ("VALETKEY_PROVIDERS_CORP_EMAIL_DOMAINS", "corp.example");
    let house = open(House::embedded().await, &provider, &[MAKES, domains]).await;
    let try_with = async |email: &str, verified: bool| {
        provider.behave(|manner| {
            manner.person.extend(object(json!({ "email": email, "email_verified": verified, "sub": email })));
        });
        sign_on(&Person::at(&house, "ada"), &provider).await.status
    };

    assert_eq!(try_with("ada@example.org", true).await, 403);
    assert_eq!(try_with("ada@evil-corp.example", true).await, 403);
    assert_eq!(try_with("ada@sub.corp.example", true).await, 403);
    assert_eq!(try_with("ada@corp.example", false).await, 403);
    assert_eq!(try_with("ada@CORP.example", true).await, 303);
}

#[tokio::test]
async fn claims_follow_the_provider_where_they_are_to() {
    for (update, expected) in [("true", "Ada Lovelace-King"), ("false", "Ada King")] {
        let provider = Provider::knowing(ada()).await;
        let house =
            open(House::embedded().await, &provider, &[MAKES, ("VALETKEY_PROVIDERS_CORP_UPDATE_CLAIMS", update)]).await;
        let (person, app) = (Person::at(&house, "ada.king"), crate::app::App::new(&house, "app"));
        assert_eq!(sign_on(&person, &provider).await.status, 303);
        provider.behave(|manner| _ = manner.person.insert("name".to_owned(), "Ada Lovelace-King".into()));

        let again = Person::at(&house, "ada.king");
        assert_eq!(sign_on(&again, &provider).await.status, 303);
        let tokens = app.tokens(&house, &again, &[]).await;

        assert_eq!(crate::app::userinfo(&house, &tokens.access).await.1["name"], expected);
    }
}

#[tokio::test]
async fn nobody_takes_an_address_by_saying_that_it_is_theirs() {
    let provider =
        Provider::knowing(json!({ "sub": "mallory", "email": "eve@example.org", "email_verified": false })).await;
    let house =
        open(House::embedded().await, &provider, &[MAKES, ("VALETKEY_PROVIDERS_CORP_UPDATE_CLAIMS", "true")]).await;
    let root = ["user", "add", "root", "--password-stdin", "--email", "root@example.org", "--admin"];
    assert!(house.run_with_input(&root, "correct horse\n").status.success());
    let holders = |email: &str| {
        let all = house.json(&["user", "list"]);
        all.as_array().unwrap().iter().filter(|user| user["email"] == email).count()
    };
    assert_eq!(sign_on(&Person::at(&house, "mallory"), &provider).await.status, 303);

    for (email, verified) in [("dora@example.org", false), ("root@example.org", true)] {
        provider.behave(|manner| {
            manner.person = object(json!({ "sub": "mallory", "email": email, "email_verified": verified }));
        });
        assert_eq!(sign_on(&Person::at(&house, "mallory"), &provider).await.status, 303);
    }
    assert_eq!((holders("dora@example.org"), holders("root@example.org")), (0, 1));
    for (subject, email) in [("dora", "dora@example.org"), ("eve", "eve@example.org")] {
        provider.behave(|manner| {
            manner.person = object(json!({ "sub": subject, "email": email, "email_verified": true }));
        });
        assert_eq!(
            sign_on(&Person::at(&house, subject), &provider).await.status,
            303,
            "{subject} comes in all the same"
        );
    }
    for (subject, name) in [("one", "root@example.org"), ("two", "ro\u{200b}ot")] {
        provider.behave(|manner| manner.person = object(json!({ "sub": subject, "preferred_username": name })));
        assert_eq!(sign_on(&Person::at(&house, subject), &provider).await.status, 303);
        let names = house.json(&["user", "list"]);
        assert!(names.as_array().unwrap().iter().all(|user| user["username"] != name), "{names}");
    }
}
