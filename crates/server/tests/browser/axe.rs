//! What people with disabilities would stumble over: axe-core finds nothing, on a phone and on a desk, by day and by night.

use serde_json::{Value, json};
use valetkey_testkit::services;

use crate::account::refreshes;
use crate::api_docs;
use crate::device;
use crate::tab::Setup;
use crate::world::{PASSWORD, World, browse, browse_demonstration};

const PHONE: u32 = 390;
const DESK: u32 = 1280;
/// Everything that axe-core knows of WCAG 2.2 AA and of good practice.
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/// The rules whose outcome depends on colours and on the width of the screen.
const LOOKS: [&str; 4] = ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"];

/// Looks at the page that is open in every way, and collects what is wrong.
async fn inspect(world: &World, axe: &str, name: &str, findings: &mut Vec<String>) {
    world.tab.run(axe).await;
    for (width, dark) in [(PHONE, false), (PHONE, true), (DESK, false), (DESK, true)] {
        world.tab.look(width, dark).await;
        // What is not a matter of colour or width is the same in every look.
        let rules =
            if (width, dark) == (PHONE, false) { json!(TAGS) } else { json!({ "type": "rule", "values": LOOKS }) };
        let script = "const [rules, done] = arguments; \
            axe.run(document, { runOnly: rules, resultTypes: ['violations'], elementRef: false }) \
            .then((found) => done(found.violations), (why) => done(String(why)));";
        let found = world.tab.web.execute_async(script, vec![rules]).await.unwrap().json().clone();
        let Value::Array(found) = found else { panic!("axe did not run on {name}: {found}") };
        for violation in found {
            let places: Vec<_> =
                violation["nodes"].as_array().unwrap().iter().map(|node| node["html"].to_string()).collect();
            findings.push(format!(
                "{name}, {width} px, {}: {}: {}",
                if dark { "dark" } else { "light" },
                violation["help"],
                places.join(" ")
            ));
        }
        let wide = world.tab.run("return document.documentElement.scrollWidth").await;
        if wide.as_u64() > Some(u64::from(width)) {
            findings.push(format!("{name}, {width} px: the page is {wide} px wide, and must be scrolled sideways"));
        }
    }
}

fn script() -> Option<String> {
    let file = services::axe()?;
    Some(std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}")))
}

#[tokio::test]
async fn nothing_is_in_the_way_on_the_pages_for_people() {
    let Some(axe) = script() else { return };
    browse(Setup::default(), async |world| {
        let (tab, mut findings) = (&world.tab, Vec::new());
        for path in ["/", "/problems", "/problems/invalid-grant", "/no/such/page", "/login"] {
            tab.go(path).await;
            inspect(world, &axe, path, &mut findings).await;
        }
        tab.go(&world.request(&[("redirect_uri", &world.app.at("/stay")), ("response_mode", "form_post")])).await;
        world.sign_in("ada", "wrong").await;
        tab.see("#fault").await;
        inspect(world, &axe, "a failed sign-in", &mut findings).await;
        tab.fill("#password", PASSWORD).await;
        tab.press("#login-submit").await;
        tab.see("#consent-approve").await;
        inspect(world, &axe, "consent", &mut findings).await;
        tab.press("#consent-approve").await;
        // The app answers 204, so that the page which posted itself stays.
        tab.see("#form-post").await;
        inspect(world, &axe, "the answer by form", &mut findings).await;
        let (user_code, device_code) = device::ask(world).await;
        tab.go("/device").await;
        tab.fill("[name=user_code]", &user_code).await;
        tab.press("#device-submit").await;
        tab.see("#consent-approve").await;
        inspect(world, &axe, "the question about a device", &mut findings).await;
        tab.press("#consent-approve").await;
        tab.reads("h1", "is connected").await;
        inspect(world, &axe, "a connected device", &mut findings).await;
        let token = device::poll(world, &device_code).await["refresh_token"].as_str().unwrap().to_owned();
        assert!(refreshes(&world.house, &token).await && !refreshes(&world.house, &token).await);
        tab.go("/account").await;
        tab.reads("main", "was used twice").await;
        inspect(world, &axe, "an account with an alert", &mut findings).await;
        for path in ["/login", "/device", "/device?user_code=BCDF-GHJK", "/logout"] {
            tab.go(path).await;
            inspect(world, &axe, path, &mut findings).await;
        }
        tab.press("#logout-confirm").await;
        tab.reads("h1", "signed out").await;
        inspect(world, &axe, "signed out", &mut findings).await;

        assert!(findings.is_empty(), "{}", findings.join("\n"));
    })
    .await;
}

#[tokio::test]
async fn nothing_is_in_the_way_on_the_playground() {
    let Some(axe) = script() else { return };
    browse_demonstration(Setup::default(), async |world| {
        let (tab, mut findings) = (&world.tab, Vec::new());
        tab.go("/").await;
        inspect(world, &axe, "the landing page of a demonstration", &mut findings).await;
        tab.go("/playground").await;
        inspect(world, &axe, "the playground", &mut findings).await;
        tab.press("#pkce-start").await;
        world.sign_in("demo", PASSWORD).await;
        tab.press("#consent-approve").await;
        tab.press("#pkce-wrong-verifier").await;
        tab.see("[data-slot=what-if] .notice-bad").await;
        tab.press("#pkce-exchange").await;
        tab.press("#id-token-check").await;
        tab.press("#userinfo-run").await;
        tab.see("[data-slot=userinfo] .exchange").await;
        inspect(world, &axe, "the playground with tokens", &mut findings).await;
        tab.press(".play-tabs a[href='#refresh']").await;
        tab.press("#refresh-run").await;
        tab.press("#refresh-replay").await;
        tab.see("[data-slot=replay-then] .exchange").await;
        inspect(world, &axe, "a refresh token used twice", &mut findings).await;
        for flow in ["revoke", "device", "service"] {
            tab.press(&format!(".play-tabs a[href='#{flow}']")).await;
            if flow == "device" {
                tab.press("#device-start").await;
                tab.see("[data-slot=device] .exchange").await;
            }
            inspect(world, &axe, flow, &mut findings).await;
        }

        assert!(findings.is_empty(), "{}", findings.join("\n"));
    })
    .await;
}

#[tokio::test]
async fn nothing_is_in_the_way_on_the_documentation_of_the_api() {
    let Some(axe) = script() else { return };
    browse_demonstration(Setup::default(), async |world| {
        let (tab, mut findings) = (&world.tab, Vec::new());
        tab.go("/api/docs").await;
        // Each kind of operation once, and everything that folds in the sign-in; the others are made of the same parts.
        let folded = "#try details, #r-orders .ops:first-of-type .op";
        tab.run(&format!("for (const part of document.querySelectorAll('{folded}')) part.open = true")).await;
        inspect(world, &axe, "the documentation, unfolded", &mut findings).await;
        tab.go("/api/docs#createOrder").await;
        tab.press("#createOrder [data-try]").await;
        tab.press("#createOrder [data-send]").await;
        tab.see("#createOrder [data-status='401'] .notice-bad").await;
        inspect(world, &axe, "an operation without a token", &mut findings).await;
        api_docs::sign_in(world).await;
        tab.press("#createOrder [data-send]").await;
        tab.see("#createOrder [data-status='201']").await;
        tab.run("location.hash = '#listOrders'").await;
        tab.press("#listOrders [data-try]").await;
        tab.press("#listOrders [data-send]").await;
        tab.see("#listOrders [data-status='200']").await;
        inspect(world, &axe, "operations with a token", &mut findings).await;
        tab.look(360, false).await;
        let wide = tab.run("return document.documentElement.scrollWidth").await;

        assert_eq!(wide, json!(360), "the page must be scrolled sideways on the smallest phone");
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    })
    .await;
}
