//! `/device`: what a person sees before a device is let in, and what nobody can decide for them.

use crate::answer::{header, refused};
use crate::both_engines;
use crate::device_code::Television;
use crate::house::House;
use crate::person::{PASSWORD, Person};
use crate::token::succeeds;

both_engines! {
    async fn a_person_sees_what_asks_and_from_where(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let question = tv.ask(&house).await;

        let page = ada.type_code(&question.user_code.to_lowercase().replace('-', "")).await;

        for words in [
            "Harbour TV",
            "ada",
            &question.user_code,
            "127.0.0.1",
            "HarbourTV/4.2",
            "UTC",
            "See your profile",
            "See orders",
            "read:orders",
            "If someone sent you this code, deny",
        ] {
            assert!(page.text.contains(words), "{words}: {}", page.text);
        }
        assert!(page.shows("consent-approve") && page.shows("consent-deny"));
        assert!(!page.text.contains("mark-new"), "the first time, all is new");
        refused(tv.poll(&house, &question), 400, "authorization_pending").await;
    }

    async fn what_was_agreed_to_is_remembered_and_what_is_new_stands_out(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let body = succeeds(tv.ask_with(&house, &[("scope", "openid profile")])).await;
        let page = ada.type_code(body["user_code"].as_str().unwrap()).await;
        ada.answer_device(&page, "approve").await;

        let more = ada.type_code(&tv.ask(&house).await.user_code).await;

        assert!(more.shows("consent-approve"), "a device always asks");
        assert_eq!(more.text.matches("mark-new").count(), 1, "{}", more.text);
    }

    async fn a_link_with_the_code_fills_the_field_and_approves_nothing(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let question = tv.ask(&house).await;
        let link = format!("/device?user_code={}&decision=approve", question.user_code);

        let login = ada.open(&link).await;
        let field = ada.sign_in(&login).await;
        let again = ada.open(&link).await;

        assert!(login.shows("login-submit"));
        for page in [&field, &again] {
            assert_eq!(page.field("user_code").as_deref(), Some(question.user_code.as_str()));
            assert!(page.shows("device-submit") && !page.shows("consent-approve"), "{}", page.text);
        }
        refused(tv.poll(&house, &question), 400, "authorization_pending").await;
    }

    async fn a_form_of_another_site_or_person_decides_nothing(house: House) {
        let (tv, ada, bob) = (Television::new(&house, "tv"), Person::new(&house, "ada"), Person::new(&house, "bob"));
        let question = tv.ask(&house).await;
        let page = ada.type_code(&question.user_code).await;
        bob.sign_in(&bob.open("/login").await).await;
        let (csrf, code) = (page.field("csrf").unwrap(), question.user_code.as_str());
        let form = |person: &Person, csrf: &str, decision: &str| {
            person.post("/device", &[("csrf", csrf), ("user_code", code), ("decision", decision)])
        };

        for decision in ["approve", "deny", ""] {
            let attempts = [
                ada.send(form(&ada, "", decision)).await,
                ada.send(form(&ada, "vk_ft_x", decision)).await,
                ada.send(form(&ada, &csrf, decision).header("origin", "https://evil.example")).await,
                ada.send(form(&ada, &csrf, decision).header("sec-fetch-site", "cross-site")).await,
                bob.send(form(&bob, &csrf, decision)).await,
            ];
            for attempt in attempts {
                assert_eq!(attempt.status, 400, "{}", attempt.text);
                assert!(attempt.shows("device-submit"));
            }
        }
        let nobody = Person::at(&house, "nobody");
        let sent_away = nobody.send(form(&nobody, &csrf, "approve")).await;
        assert_eq!(sent_away.location(), Some(format!("/login?next=device+{code}").as_str()));

        refused(tv.poll(&house, &question), 400, "authorization_pending").await;
        assert!(ada.answer_device(&page, "approve").await.text.contains("is connected"), "her own form still works");
    }

    async fn who_is_not_the_one_signed_in_may_change_that_and_comes_back(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada.king"));
        let question = tv.ask(&house).await;
        let page = ada.type_code(&question.user_code).await;

        let login = ada.answer_device(&page, "switch").await;
        let mut browser = ada;
        browser.name = Person::new(&house, "bob").name;
        let page = browser.follow(login).await;
        assert!(page.shows("login-submit"));
        let field = browser.sign_in(&page).await;

        assert_eq!(field.field("user_code"), Some(question.user_code.clone()));
        let page = browser.type_code(&question.user_code).await;
        assert!(page.text.contains("bob") && !page.text.contains("ada.king"), "{}", page.text);
    }

    async fn wrong_codes_cost_more_and_more_time(house: House) {
        let (tv, ada, bob) = (Television::new(&house, "tv"), Person::new(&house, "ada"), Person::new(&house, "bob"));
        let question = tv.ask(&house).await;
        let own = ada.type_code(&question.user_code).await;

        let mut throttled = None;
        for _ in 0..16 {
            let page = ada.type_code("BBBB-BBBB").await;
            if page.status == 429 {
                throttled = Some(page);
                break;
            }
            assert_eq!(page.status, 400);
            assert!(page.text.contains("not known") && page.shows("device-submit"), "{}", page.text);
        }

        let page = throttled.expect("a budget");
        assert!(page.text.contains("Too many attempts"), "{}", page.text);
        assert!(page.header("retry-after").parse::<u64>().unwrap() >= 1);
        assert_eq!(ada.answer_device(&own, "approve").await.status, 429, "a decision is a look at a code too");
        assert!(bob.type_code(&question.user_code).await.shows("consent-approve"), "and bob is not locked out");
    }
}

#[tokio::test]
async fn sign_in_goes_on_to_words_of_ours_and_to_no_address() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");
    for next in [
        "https://evil.example",
        "//evil.example",
        "/device",
        "device%20//evil.example",
        "device%20%0d%0aSet-Cookie:x=y",
        "device:BCDFGHJK",
        "account%20https://evil.example",
    ] {
        let page = ada.open(&format!("/login?next={next}")).await;
        let csrf = page.field("csrf").unwrap();
        let raw = url::form_urlencoded::parse(format!("n={next}").as_bytes()).next().unwrap().1.into_owned();
        let form = [("csrf", csrf.as_str()), ("next", &raw), ("username", "ada"), ("password", PASSWORD)];
        let browser = Person::at(&house, "ada");
        browser.plant("vk_browser", &ada.cookie("vk_browser").unwrap());

        let sent = browser.send(browser.post("/login", &form)).await;

        assert!(["/login", "/device", "/account"].contains(&sent.location().unwrap()), "{next}: {sent:?}");
    }
}

#[tokio::test]
async fn what_a_link_brings_is_shown_as_text_and_cut() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");
    ada.sign_in(&ada.open("/login").await).await;

    let page = ada.open(&format!("/device?user_code=%22%3E%3Cscript%3E{}", "x".repeat(500))).await;

    assert!(!page.text.contains("<script"), "{}", page.text);
    assert!(page.field("user_code").unwrap().len() <= 32);
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert_eq!(page.header("x-frame-options"), "DENY");
}

#[tokio::test]
async fn the_picture_holds_our_own_link_and_runs_nothing() {
    let house = House::embedded().await;
    let tv = Television::new(&house, "tv");
    let question = tv.ask(&house).await;
    let path = question.body["verification_qr_uri"].as_str().unwrap().strip_prefix(&house.origin).unwrap().to_owned();

    let picture = house.get(&path).send().await.unwrap();

    assert_eq!(header(&picture, "content-type"), "image/svg+xml");
    assert!(header(&picture, "content-security-policy").starts_with("default-src 'none'"));
    assert_eq!(header(&picture, "x-content-type-options"), "nosniff");
    assert_eq!(header(&picture, "set-cookie"), "", "other sites show it");
    let text = picture.text().await.unwrap();
    assert!(text.contains("<svg") && !text.contains("<script") && text.len() < 40_000);
    let made_up = house.get("/device/qr?user_code=BCDF-GHJK").send().await.unwrap();
    assert_eq!(made_up.status(), 200, "whether a code waits is not told");
    for wrong in ["", "?user_code=", "?user_code=https://evil.example", &format!("?user_code={}", "B".repeat(5000))] {
        assert_eq!(house.get(&format!("/device/qr{wrong}")).send().await.unwrap().status(), 404, "{wrong}");
    }
}
