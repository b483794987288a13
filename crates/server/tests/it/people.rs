//! What an operator does to accounts: listing, changing and removing them, and how far each may go.

use std::time::Duration;

use serde_json::json;

use crate::answer::refused;
use crate::app::App;
use crate::both_engines;
use crate::device_code::Television;
use crate::house::eventually;
use crate::person::{PASSWORD, Person};
use crate::token::succeeds;

const BOTH: (&str, &str) = ("scope", "openid read:orders write:orders");

both_engines! {
    async fn a_person_gives_an_app_no_more_than_an_operator_lets_them(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let changed = house.json(&["user", "edit", "ada", "--scope", "read:orders"]);
        assert_eq!(changed["scope"], "read:orders");

        let page = ada.sign_in(&ada.arrive(&app, &[BOTH]).await).await;
        let code = ada.decide(&page, "approve").await.answer().code().to_owned();
        let tokens = succeeds(app.redeem(&house, &code)).await;

        assert!(page.text.contains("read:orders") && !page.text.contains("write:orders"), "{}", page.text);
        assert_eq!(tokens["scope"], "openid read:orders");
        let beyond = ada.arrive(&app, &[("scope", "write:orders")]).await.answer();
        assert_eq!((beyond.error(), beyond.get("state")), ("access_denied", Some("s1")));
    }

    async fn a_device_gets_no_more_than_an_operator_lets_its_owner_have(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        house.json(&["user", "edit", "ada", "--scope", ""]);
        let question = tv.ask(&house).await;

        let page = ada.type_code(&question.user_code).await;
        ada.answer_device(&page, "approve").await;

        assert!(!page.text.contains("read:orders"), "{}", page.text);
        assert_eq!(succeeds(tv.poll(&house, &question)).await["scope"], "openid profile");
    }

    async fn a_lower_ceiling_is_felt_at_once_and_the_app_may_ask_again(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let code = ada.allow(&app, &[BOTH]).await.code().to_owned();
        let tokens = succeeds(app.redeem(&house, &code)).await;
        let access = tokens["access_token"].as_str().unwrap();
        assert_eq!(house.introspect(&app.client, access).await["active"], true);

        house.json(&["user", "edit", "ada", "--scope", "read:orders"]);

        eventually(Duration::from_secs(10), async || house.introspect(&app.client, access).await["active"] == false).await;
        let refresh = [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"].as_str().unwrap())];
        refused(house.post("/token", &app.client, &refresh), 400, "invalid_grant").await;
        let code = ada.allow(&app, &[BOTH]).await.code().to_owned();
        assert_eq!(succeeds(app.redeem(&house, &code)).await["scope"], "openid read:orders");
        house.json(&["user", "edit", "ada", "--any-scope"]);
        let code = ada.allow(&app, &[BOTH]).await.code().to_owned();
        assert_eq!(succeeds(app.redeem(&house, &code)).await["scope"], BOTH.1);
    }

    async fn a_removed_person_is_signed_out_and_their_apps_are_too(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let code = ada.allow(&app, &[BOTH]).await.code().to_owned();
        let tokens = succeeds(app.redeem(&house, &code)).await;
        let access = tokens["access_token"].as_str().unwrap();

        assert_eq!(house.json(&["user", "remove", "ADA"])["removed"], true);

        eventually(Duration::from_secs(10), async || house.introspect(&app.client, access).await["active"] == false).await;
        let login = ada.arrive(&app, &[BOTH]).await;
        assert!(login.shows("login-submit"), "{}", login.text);
        assert!(ada.type_password(&login, PASSWORD).await.shows("login-submit"), "the password is worth nothing any more");
        assert_eq!(house.json(&["user", "list"]), json!([]));
    }

    async fn people_are_listed_and_changed_without_their_secrets(house: House) {
        Person::new(&house, "bob");
        Person::new(&house, "ada");
        let terms = ["--name", "Ada L.", "--email", "ada@example.com", "--admin", "on", "--claim", "locale=fr"];

        let changed = house.json(&[&["user", "edit", "ada"][..], &terms].concat());

        assert_eq!((&changed["name"], &changed["admin"], &changed["scope"]), (&json!("Ada L."), &json!(true), &json!(null)));
        let listed = house.json(&["user", "list"]);
        assert_eq!((&listed[0]["username"], &listed[1]["username"]), (&json!("ada"), &json!("bob")));
        assert_eq!(house.json(&["user", "list", "--after", "ada"])[0]["username"], "bob");
        assert_eq!(house.json(&["user", "list", "--limit", "1"]).as_array().unwrap().len(), 1);
        assert!(!listed.to_string().contains("argon2"), "{listed}");
        for (arguments, hint) in [
            (&["user", "edit", "nobody"][..], "user list"),
            (&["user", "remove", "nobody"], "user list"),
            (&["user", "edit", "ada", "--email", "x"], "e-mail"),
            (&["user", "edit", "ada", "--admin", "maybe"], "on or off"),
            (&["user", "edit", "ada", "--scope", "a", "--any-scope"], "--any-scope"),
        ] {
            let (_, words) = house.fail(arguments);
            assert!(words.contains(hint), "{arguments:?}: {words}");
        }
    }
}
