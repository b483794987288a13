//! `/authz`, asked directly and by a real nginx in front of a service that knows nothing of tokens.

mod nginx;

use reqwest::{Method, RequestBuilder};

use crate::answer::{header, problem};
use crate::api_keys::key;
use crate::app::{App, Tokens};
use crate::both_engines;
use crate::house::House;
use crate::person::Person;
use crate::token::succeeds;

fn ask(house: &House, query: &str, token: &str) -> RequestBuilder {
    house.get(&format!("/authz{query}")).bearer_auth(token)
}

both_engines! {
    async fn a_good_token_passes_and_names_its_caller(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let answer = ada.allow(&app, &[]).await;
        let tokens = Tokens::read(succeeds(app.redeem(&house, answer.code())).await);
        let shown = house.introspect(&app.client, &tokens.access).await;

        let passed = ask(&house, "", &tokens.access).send().await.unwrap();

        assert_eq!(passed.status(), 200);
        assert_eq!(header(&passed, "x-auth-client"), "app");
        assert_eq!(header(&passed, "x-auth-subject"), shown["sub"].as_str().unwrap());
        assert_eq!(header(&passed, "x-auth-scope"), shown["scope"].as_str().unwrap());
        assert_eq!(header(&passed, "cache-control"), "no-store");
        assert_eq!(passed.text().await.unwrap(), "");
    }

    async fn who_speaks_for_nobody_has_an_empty_subject(house: House) {
        let till = house.client("till", &[]);
        let (id, key) = key(&house, &["--scope", "read:orders"]);

        let token = ask(&house, "", &house.token(&till).await).send().await.unwrap();
        let key = house.get("/authz").header("x-api-key", key).header("x-auth-subject", "admin").send().await.unwrap();

        for (passed, client) in [(token, "till".to_owned()), (key, format!("apikey:{id}"))] {
            assert_eq!(passed.status(), 200);
            assert_eq!(passed.headers()["x-auth-subject"], "");
            assert_eq!(header(&passed, "x-auth-client"), client);
        }
    }

    async fn a_refusal_is_one_that_every_proxy_understands(house: House) {
        let till = house.client("till", &[]);
        let token = house.token(&till).await;
        let twice = ask(&house, "", &token).header("authorization", format!("Bearer {token}"));
        let both = ask(&house, "", &token).header("x-api-key", "vk_ak_x");
        let in_url = ask(&house, "", &token).header("x-original-uri", format!("/files?access_token={token}"));
        let forwarded = ask(&house, "", &token).header("x-forwarded-uri", "/files?a=b&%74oken=x");
        let preflight = house.http.request(Method::OPTIONS, format!("{}/authz", house.origin));

        for (request, status) in [
            (house.get("/authz"), 401),
            (preflight, 401),
            (ask(&house, "", "vk_at_guess"), 401),
            (twice, 401),
            (both, 401),
            (in_url, 401),
            (forwarded, 401),
            (ask(&house, "?scope=read:users", &token), 403),
            (ask(&house, "?scope=read:orders%20read:users", &token), 403),
            (ask(&house, "?scope=read:orders&scope=read:users", &token), 403),
        ] {
            let refusal = request.send().await.unwrap();
            assert_eq!(refusal.status(), status);
            assert!(header(&refusal, "www-authenticate").starts_with("Bearer realm="));
            problem(refusal).await;
        }
        for scopes in ["?scope=read:orders", "?scope=read:orders+write:orders", "?scope=read:orders&scope=write:orders"] {
            assert_eq!(ask(&house, scopes, &token).send().await.unwrap().status(), 200, "{scopes}");
        }
    }

    async fn a_mistake_in_the_settings_of_a_proxy_opens_no_door(house: House) {
        let token = house.token(&house.client("till", &[])).await;

        for query in ["?scopes=read:users", "?scope=", "?scope=%20", "?role=admin"] {
            let refusal = ask(&house, query, &token).send().await.unwrap();
            assert_eq!(refusal.status(), 400, "{query}");
            assert!(problem(refusal).await["detail"].as_str().unwrap().contains("settings of the proxy"));
        }
    }

    async fn a_revoked_token_is_refused_at_once(house: House) {
        let till = house.client("till", &[]);
        let token = house.token(&till).await;
        assert_eq!(ask(&house, "", &token).send().await.unwrap().status(), 200);

        let revoked = house.post("/revoke", &till, &[("token", &token)]).send().await.unwrap();

        assert_eq!(revoked.status(), 200);
        assert_eq!(ask(&house, "", &token).send().await.unwrap().status(), 401);
    }
}
