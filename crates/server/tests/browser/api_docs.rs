//! `/api/docs`: someone reads about the API, signs in there, and tries it.

use serde_json::{Value, json};
use thirtyfour::Key;

use crate::tab::Setup;
use crate::world::{PASSWORD, World, browse, browse_demonstration};

/// Signs in from the page as the user of the demonstration, and comes back to it.
pub async fn sign_in(world: &World) {
    world.tab.press("#try-sign-in").await;
    world.sign_in("demo", PASSWORD).await;
    world.tab.press("#consent-approve").await;
    world.tab.see("#try-signed").await;
}

/// Opens the form of an operation.
async fn open(world: &World, operation: &str) {
    world.tab.run(&format!("location.hash = '#{operation}'")).await;
    world.tab.press(&format!("#{operation} [data-try]")).await;
}

/// Sends it, and answers the body that is shown with this status.
async fn send(world: &World, operation: &str, status: u16) -> Value {
    world.tab.press(&format!("#{operation} [data-send]")).await;
    world.tab.see(&format!("#{operation} .told[data-status='{status}']")).await;
    let shown = world.tab.run(&format!("return document.querySelector('#{operation} .told pre').textContent")).await;
    serde_json::from_str(shown.as_str().unwrap()).unwrap_or_default()
}

async fn write(world: &World, operation: &str, body: &Value) {
    let field = world.tab.see(&format!("#{operation} textarea")).await;
    field.clear().await.unwrap();
    field.send_keys(body.to_string()).await.unwrap();
}

async fn kept(world: &World) -> String {
    let kept = world.tab.run("return JSON.stringify(sessionStorage) + JSON.stringify(localStorage)").await;
    kept.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn someone_signs_in_with_pkce_makes_an_order_and_goes_on_with_it() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;
        assert_eq!(tab.property("#try-client", "value").await.as_deref(), Some("demo-app"));

        sign_in(world).await;
        let address = tab.address().await;
        assert_eq!((address.path(), address.query()), ("/api/docs", None), "the code does not stay in the address");
        tab.reads("#docs-who", "Signed in").await;
        open(world, "createOrder").await;
        write(world, "createOrder", &json!({ "amount": 1250, "note": "fragile" })).await;
        let made = send(world, "createOrder", 201).await;
        tab.press("#createOrder [data-use-id]").await;
        open(world, "payOrder").await;
        let id = tab.property("#payOrder [data-name=id]", "value").await;
        let paid = send(world, "payOrder", 200).await;
        open(world, "listOrders").await;
        tab.fill("#listOrders [data-name=amount]", "1000").await;
        tab.run("document.querySelector('#listOrders [data-name=amount]').previousElementSibling.value = 'gte'").await;
        let list = send(world, "listOrders", 200).await;

        assert_eq!(id.as_deref(), made["id"].as_str());
        assert_eq!((&made["status"], &paid["status"]), (&json!("pending"), &json!("paid")));
        assert_eq!(list["data"][0]["id"], made["id"]);
        let curl = tab.run("return document.querySelector('#listOrders .told').textContent").await;
        assert!(curl.as_str().unwrap().contains("amount%5Bgte%5D=1000"), "{curl}");
        assert_eq!(tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn the_token_is_neither_shown_nor_kept_and_can_be_given_back() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;
        sign_in(world).await;
        open(world, "listUsers").await;
        send(world, "listUsers", 200).await;

        let seen = tab.web.source().await.unwrap();
        assert!(seen.contains("Bearer $ACCESS_TOKEN") && !seen.contains("vk_at_"), "the token stands in the page");
        let remembered = kept(world).await;
        assert!(remembered.contains("demo-app") && !remembered.contains("vk_"), "{remembered}");
        assert!(!remembered.contains("verifier"), "an attempt that is over is forgotten: {remembered}");
        tab.press("#docs-who").await;
        tab.press("#try-forget").await;
        tab.see("#try-sign-in").await;
        tab.run("location.hash = '#listUsers'").await;
        send(world, "listUsers", 401).await;
        tab.reads("#listUsers .told .notice-bad", "Authorization: Bearer").await;
    })
    .await;
}

#[tokio::test]
async fn a_problem_names_each_field_that_is_wrong() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;
        sign_in(world).await;
        open(world, "createOrder").await;
        write(world, "createOrder", &json!({ "amount": -5, "curency": "EUR" })).await;

        let problem = send(world, "createOrder", 422).await;

        assert_eq!(problem["errors"].as_array().unwrap().len(), 2, "{problem}");
        let notice = tab.text("#createOrder .told .notice-bad").await;
        for part in ["amount OUT_OF_RANGE", "curency UNKNOWN"] {
            assert!(notice.contains(part), "{notice}");
        }
        let link = tab.property("#createOrder .told .notice-bad a", "href").await.unwrap();
        assert_eq!(link, format!("{}/problems/unprocessable", world.house.origin));
    })
    .await;
}

#[tokio::test]
async fn a_patch_is_sent_in_the_media_type_that_was_chosen() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;
        sign_in(world).await;
        open(world, "createOrder").await;
        send(world, "createOrder", 201).await;
        tab.press("#createOrder [data-use-id]").await;
        open(world, "updateOrder").await;

        tab.fill("#updateOrder [data-type]", "application/json-patch+json").await;
        let example = tab.property("#updateOrder textarea", "value").await.unwrap();
        write(world, "updateOrder", &json!([{ "op": "replace", "path": "/amount", "value": 77 }])).await;
        let changed = send(world, "updateOrder", 200).await;
        tab.fill("#updateOrder [data-name=If-Match]", "\"9-v1\"").await;
        let stale = send(world, "updateOrder", 412).await;

        assert!(example.starts_with('['), "the example follows the media type: {example}");
        assert_eq!((&changed["amount"], &stale["status"]), (&json!(77), &json!(412)));
    })
    .await;
}

#[tokio::test]
async fn the_keyboard_is_enough() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;
        sign_in(world).await;

        tab.run("document.querySelector('#createUser summary').focus()").await;
        tab.keys(Key::Enter).await;
        tab.see("#createUser [data-try]").await;
        tab.keys(Key::Tab).await;
        tab.keys(Key::Enter).await;
        tab.see("#createUser textarea").await;
        let focused = tab.run("return document.activeElement.dataset.name").await;
        // From the key over the media type to the body.
        tab.keys(Key::Tab).await;
        tab.keys(Key::Tab).await;
        let body = tab.run("return 'body' in document.activeElement.dataset").await;
        tab.keys(Key::Control + Key::Enter).await;

        assert_eq!((focused, body), (json!("Idempotency-Key"), json!(true)));
        tab.see("#createUser .told[data-status='201']").await;
        tab.reads("#docs-live", "Answer 201").await;
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_was_not_asked_for_goes_no_further() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        let issuer = &world.house.origin;

        let words = "error=x&error_description=Call+0800+1234";
        for answer in ["code=vk_ac_x", words] {
            tab.go(&format!("/api/docs?{answer}&state=forged&iss={issuer}")).await;
            tab.reads("#try-fault", "did not ask for").await;
            assert!(tab.address().await.query().is_none());
            assert!(!tab.text("main").await.contains("0800"), "a stranger's words are not repeated");
            assert!(!tab.sees("#try-signed").await);
        }
    })
    .await;
}

#[tokio::test]
async fn whoever_refuses_comes_back_to_the_page_and_reads_why() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;
        tab.press("#try-sign-in").await;
        world.sign_in("demo", PASSWORD).await;

        tab.press("#consent-deny").await;

        tab.reads("#try-fault", "Signing in did not work").await;
        assert!(!tab.sees("#try-signed").await);
        tab.see("#try-sign-in").await;
    })
    .await;
}

#[tokio::test]
async fn the_command_of_the_page_registers_a_client_that_works() {
    browse(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;
        // Where no client is known, the command is shown at once.
        let command = tab.see("#try-register pre").await.text().await.unwrap().replace("\\\n", " ");
        let arguments: Vec<_> = command
            .split('"')
            .enumerate()
            .flat_map(|(number, part)| {
                let is_quoted = number % 2 == 1;
                if is_quoted { vec![part] } else { part.split_whitespace().collect() }
            })
            .skip(1)
            .collect();
        let made = world.house.json(&arguments);

        tab.fill("#try-client", made["client_id"].as_str().unwrap()).await;
        tab.press("#try-form label.check:last-child").await;
        tab.press("#try-sign-in").await;
        world.sign_in("ada", PASSWORD).await;
        tab.press("#consent-approve").await;

        tab.reads("#try-scope", "read:users write:users read:orders write:orders read:payments").await;
        assert!(!tab.text("#try-scope").await.contains("write:payments"), "only what was chosen");
    })
    .await;
}

#[tokio::test]
async fn a_token_that_someone_has_can_be_pasted() {
    browse(Setup::default(), async |world| {
        let tab = &world.tab;
        let client = world.house.client("till", &[]);
        let token = world.house.token(&client).await;
        tab.go("/api/docs").await;

        tab.press("#try-paste summary").await;
        tab.fill("#paste-token", &token).await;
        tab.press("#paste-use").await;
        tab.see("#try-signed").await;
        open(world, "listOrders").await;
        send(world, "listOrders", 200).await;

        assert!(!tab.web.source().await.unwrap().contains(&token));
        assert!(!kept(world).await.contains(&token));
    })
    .await;
}

#[tokio::test]
async fn a_sign_in_from_an_operation_comes_back_to_it() {
    browse_demonstration(Setup::default(), async |world| {
        world.tab.go("/api/docs").await;
        open(world, "createUser").await;
        world.tab.press("#createUser .notice-plain a").await;

        sign_in(world).await;

        assert_eq!(world.tab.address().await.fragment(), Some("createUser"));
        world.tab.see("#createUser [data-send]").await;
        assert!(!world.tab.sees("#createUser .notice-plain").await);
    })
    .await;
}

#[tokio::test]
async fn a_sign_in_from_the_pages_of_a_version_comes_back_to_them() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/v1/docs").await;

        sign_in(world).await;

        let address = tab.address().await;
        assert_eq!((address.path(), address.query()), ("/api/v1/docs", None), "the code does not stay in the address");
        assert!(!kept(world).await.contains("verifier"), "an attempt that is over is forgotten");
        open(world, "createOrder").await;
        write(world, "createOrder", &json!({ "total": "12.50" })).await;
        let made = send(world, "createOrder", 201).await;
        assert_eq!(made["total"], "12.50");
        assert_eq!(tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn what_changed_between_versions_is_told_and_leads_to_the_other_version() {
    browse_demonstration(Setup::default(), async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;

        let newest = tab.text("#versions li.docs-version-shown").await;
        for part in ["Version 2", "active", "creation_date", "created_at", "total", "amount", "2026-06-01"] {
            assert!(newest.contains(part), "{part}: {newest}");
        }
        assert_eq!(tab.run("return document.querySelectorAll('#versions > ol > li').length").await, json!(3));
        assert!(tab.text("#versions").await.contains("removed"), "version 0 is told to be gone");
        tab.press("#versions a[href='/api/v1/docs']").await;
        tab.reads("#versions li.docs-version-shown", "Version 1").await;

        assert_eq!(tab.address().await.path(), "/api/v1/docs");
        tab.reads("#versions li.docs-version-shown", "deprecated").await;
        tab.reads("main", "2036-06-01").await;
        tab.see("#versions a[href='/api/v2/docs']").await;
        tab.reads("#createOrder", "/api/v1/orders").await;
        assert_eq!(tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn under_another_name_of_the_server_it_says_where_to_sign_in() {
    browse_demonstration(Setup::default(), async |world| {
        world.tab.go(&format!("{}/api/docs", world.house.origin.replace("127.0.0.1", "localhost"))).await;

        let link = world.tab.property("#try-elsewhere a", "href").await;

        assert_eq!(link, Some(format!("{}/api/docs", world.house.origin)));
        assert_eq!(world.tab.property("#try-sign-in", "disabled").await.as_deref(), Some("true"));
    })
    .await;
}

#[tokio::test]
async fn without_scripts_it_is_a_whole_reference() {
    let setup = Setup { without_script: true, ..Setup::default() };
    browse_demonstration(setup, async |world| {
        let tab = &world.tab;
        tab.go("/api/docs").await;

        assert!(!tab.sees("#try").await && !tab.sees("[data-needs-script]").await);
        tab.press("#createOrder summary").await;
        tab.reads("#createOrder", "curl -X POST").await;
        assert!(!tab.sees("#createOrder [data-try]").await);
        tab.see("a[href='/api/openapi.json']").await;
    })
    .await;
}
