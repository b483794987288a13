//! Pairwise subjects: two apps cannot find out that they have a user in common.

use serde_json::Value;

use crate::app::{App, Tokens, userinfo};
use crate::both_engines;
use crate::house::House;
use crate::jwks::verify_for;
use crate::person::Person;
use crate::token::succeeds;

/// An app whose names for people are its sector's own.
fn app(house: &House, id: &str, sector: &str) -> App {
    let app = App::new(house, id);
    house.json(&["client", "edit", id, "--subject", "pairwise", "--sector", sector]);
    app
}

async fn id_token(house: &House, tokens: &Tokens, client: &str) -> Value {
    verify_for(house, tokens.body["id_token"].as_str().unwrap(), client).await.1
}

both_engines! {
    async fn an_app_hears_one_name_for_its_user_everywhere_and_another_sector_hears_another(house: House) {
        let (one, twin, other) = (app(&house, "one", "a.example"), app(&house, "twin", "a.example"), app(&house, "other", "b.example"));
        let (public, ada, bob) = (App::new(&house, "public"), Person::new(&house, "ada"), Person::new(&house, "bob"));

        let tokens = one.tokens(&house, &ada, &[]).await;
        let name = id_token(&house, &tokens, "one").await["sub"].clone();

        assert_eq!(userinfo(&house, &tokens.access).await.1["sub"], name);
        assert_eq!(house.introspect(&one.client, &tokens.access).await["sub"], name);
        assert_eq!(house.introspect(&one.client, &tokens.refresh).await["sub"], name);
        let refreshed = Tokens::read(succeeds(one.refresh(&house, &tokens.refresh)).await);
        assert_eq!(id_token(&house, &refreshed, "one").await["sub"], name);
        assert_eq!(id_token(&house, &twin.tokens(&house, &ada, &[]).await, "twin").await["sub"], name);
        let elsewhere = id_token(&house, &other.tokens(&house, &ada, &[]).await, "other").await["sub"].clone();
        let seats = [id_token(&house, &tokens, "one").await, id_token(&house, &other.tokens(&house, &ada, &[]).await, "other").await];
        assert_ne!(seats[0]["sid"], seats[1]["sid"], "nor does the sign-in join them");
        let in_public = id_token(&house, &public.tokens(&house, &ada, &[]).await, "public").await["sub"].clone();
        let of_bob = id_token(&house, &one.tokens(&house, &bob, &[]).await, "one").await["sub"].clone();
        assert!(name != elsewhere && name != in_public && elsewhere != in_public && name != of_bob);
    }

    async fn a_signed_access_token_names_its_user_as_its_client_does_and_still_works(house: House) {
        let (one, ada) = (app(&house, "one", "a.example"), Person::new(&house, "ada"));
        house.json(&["client", "edit", "one", "--access-token", "es256"]);

        let tokens = one.tokens(&house, &ada, &[]).await;

        let name = id_token(&house, &tokens, "one").await["sub"].clone();
        let claims = verify_for(&house, &tokens.access, &format!("{}/api", house.origin)).await.1;
        assert_eq!(claims["sub"], name);
        let (status, info) = userinfo(&house, &tokens.access).await;
        assert_eq!((status, &info["sub"]), (200, &name));
        assert_eq!(info["email"], "ada@example.org");
        assert_eq!(house.introspect(&one.client, &tokens.access).await["sub"], name);
    }

    async fn a_hint_with_a_pairwise_name_means_its_user(house: House) {
        let (one, ada) = (app(&house, "one", "a.example"), Person::new(&house, "ada"));
        let tokens = one.tokens(&house, &ada, &[]).await;
        let hint = tokens.body["id_token"].as_str().unwrap();

        let silent = ada.arrive(&one, &[("prompt", "none"), ("id_token_hint", hint)]).await.answer();
        let bob = Person::new(&house, "bob");
        one.tokens(&house, &bob, &[]).await;
        let wrong = bob.arrive(&one, &[("prompt", "none"), ("id_token_hint", hint)]).await.answer();

        assert!(silent.get("code").is_some(), "{silent:?}");
        assert_eq!(wrong.error(), "login_required");
    }

    async fn a_resource_server_hears_the_name_that_belongs_to_it(house: House) {
        let (one, ada) = (app(&house, "one", "a.example"), Person::new(&house, "ada"));
        let guard = house.client("guard", &["--introspect", "any"]);
        let private = house.client("private", &["--introspect", "any", "--subject", "pairwise", "--sector", "c.example"]);
        let tokens = one.tokens(&house, &ada, &[]).await;
        let own = house.introspect(&one.client, &tokens.access).await["sub"].clone();

        let told = house.introspect(&guard, &tokens.access).await["sub"].clone();
        let hidden = house.introspect(&private, &tokens.access).await["sub"].clone();

        assert!(told != own && hidden != own && hidden != told);
        let service = house.token(&private).await;
        assert_eq!(house.introspect(&private, &service).await["sub"], "private", "a client that speaks for itself has one name");
    }
}

#[tokio::test]
async fn a_sector_follows_from_the_addresses_or_must_be_named() {
    let house = House::embedded().await;
    let add = |id: &str, uris: &[&str], more: &[&str]| {
        let mut arguments = vec!["client", "add", "--name", "x", "--id", id, "--subject", "pairwise"];
        arguments.extend(uris.iter().flat_map(|uri| ["--redirect-uri", uri]));
        arguments.extend(more);
        arguments.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let borrowed = |arguments: &[String]| arguments.to_vec();

    let one = borrowed(&add("one", &["https://App.example/a", "https://App.example:444/b"], &[]));
    let made = house.json(&one.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((&made["subject"], &made["sector"]), (&"pairwise".into(), &"app.example".into()));

    let refused = [
        (add("two", &["https://a.example/a", "https://b.example/b"], &[]), "--sector"),
        (add("app", &["com.example.app:/cb"], &[]), "--sector"),
        (add("odd", &["https://a.example/a"], &["--sector", "a b"]), "host name"),
    ];
    for (arguments, word) in refused {
        let (_, said) = house.fail(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(said.contains(word), "{said}");
    }
    let (_, said) = house.fail(&["client", "edit", "one", "--sector", "x.example"]);
    assert!(said.contains("--subject pairwise"), "{said}");
    let (_, said) = house.fail(&["client", "edit", "one", "--subject", "secret"]);
    assert!(said.contains("public or pairwise"), "{said}");
    let moved = house.json(&["client", "edit", "one", "--redirect-uri", "https://new.example/cb"]);
    assert_eq!(moved["sector"], "app.example", "a new address renames nobody");
}
