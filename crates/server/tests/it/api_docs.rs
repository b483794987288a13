//! `/api/docs`: the declared API for people, whatever is declared.

use std::fs;

use reqwest::header::{ACCEPT_LANGUAGE, IF_NONE_MATCH};
use serde_json::Value;

use crate::answer::header;
use crate::house::{Engine, House};

const SMALL: &str = "\
api: { name: garden, title: The garden, description: What grows where. }
scopes: { tend:beds: Tend the beds }
resources:
  beds:
    scopes: { read: tend:beds, write: tend:beds }
    fields:
      plant: { type: string, required: true, search: true, description: 'By its `botanical` name.' }
    operations: [list, read, create]
";

async fn page(house: &House) -> String {
    house.get("/api/docs").send().await.unwrap().text().await.unwrap()
}

/// The name of every operation in the description for machines.
async fn described(house: &House) -> Vec<String> {
    let document: Value = house.get("/api/openapi.json").send().await.unwrap().json().await.unwrap();
    let items = document["paths"].as_object().unwrap().values().filter_map(Value::as_object).flatten();
    items.filter_map(|(_, operation)| operation.get("operationId")?.as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn anyone_can_read_it_and_it_is_strict_about_what_runs() {
    let house = House::embedded().await;

    let answer = house.get("/api/docs").send().await.unwrap();

    assert_eq!(answer.status(), 200);
    assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8");
    let policy = header(&answer, "content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && !policy.contains("://") && !policy.contains('*'), "{policy}");
    assert_eq!(header(&answer, "referrer-policy"), "no-referrer");
    assert_eq!(header(&answer, "cache-control"), "no-cache");
    let text = answer.text().await.unwrap();
    assert!(text.contains("data-client=\"\""), "there is no client outside a demonstration");
    let command = format!("--redirect-uri {}/api/docs", house.origin);
    assert!(text.contains(&command), "{command}");
}

#[tokio::test]
async fn nothing_is_loaded_from_elsewhere() {
    let house = House::embedded().await;
    let text = page(&house).await;

    let addresses = ["href=\"", "src=\""].into_iter().flat_map(|attribute| text.split(attribute).skip(1));
    let addresses: Vec<_> = addresses.map(|rest| rest.split('"').next().unwrap()).collect();

    for address in &addresses {
        let ours = address.starts_with(['/', '#']) || address.starts_with(&house.origin);
        assert!(ours && !address.starts_with("//"), "{address}");
    }
    let scripts = ["main", "answer", "form", "ids", "memory", "request", "settings", "sign_in", "token"];
    let scripts = scripts.map(|name| format!("/static/docs/{name}.js"));
    let linked = addresses.iter().filter(|address| address.starts_with('/')).map(|address| (*address).to_owned());
    for address in linked.chain(scripts) {
        assert_eq!(house.get(&address).send().await.unwrap().status(), 200, "{address}");
    }
    for forbidden in ["<script>", "<style", " style=", " onclick=", "javascript:"] {
        assert!(!text.contains(forbidden), "{forbidden}");
    }
}

#[tokio::test]
async fn every_operation_that_is_described_is_on_the_page_once_and_every_link_leads_somewhere() {
    let house = House::embedded().await;

    let (text, names) = (page(&house).await, described(&house).await);

    assert_eq!(names.len(), 30);
    for name in names {
        assert_eq!(text.matches(&format!(" id=\"{name}\"")).count(), 1, "{name}");
    }
    for anchor in text.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(text.contains(&format!(" id=\"{anchor}\"")), "{anchor}");
    }
}

#[tokio::test]
async fn another_declaration_has_another_page() {
    let mut house = House::unstarted(Engine::Sqlite, &[("VALETKEY_API", "api.yaml")]).await.unwrap();
    fs::write(house.folder().join("api.yaml"), SMALL).unwrap();
    house.start().await;

    let text = page(&house).await;

    for part in
        ["<h1>The garden</h1>", "What grows where.", "Tend the beds", "<code>botanical</code>", "/api/beds/{id}"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    for (name, is_there) in [("createBed", true), ("listBeds", true), ("deleteBed", false), ("createOrder", false)] {
        assert_eq!(text.contains(&format!(" id=\"{name}\"")), is_there, "{name}");
    }
    assert!(!text.contains("id=\"r-operations\""), "nothing takes time there");
}

#[tokio::test]
async fn a_browser_that_has_it_gets_304_in_its_own_language() {
    let house = House::embedded().await;
    let ask = async |language: &str, tag: &str| {
        let request = house.get("/api/docs").header(ACCEPT_LANGUAGE, language);
        if tag.is_empty() { request } else { request.header(IF_NONE_MATCH, tag) }.send().await.unwrap()
    };

    let english = ask("en", "").await;
    let tag = header(&english, "etag");
    let again = ask("en", &tag).await;
    let german = ask("de", &tag).await;

    assert_eq!(again.status(), 304);
    assert_eq!(header(&again, "etag"), tag);
    assert_eq!(header(&again, "cache-control"), "no-cache");
    assert_eq!(header(&again, "vary"), "Accept-Language, Accept, X-API-Version, Authorization, X-API-Key");
    assert_eq!(german.status(), 200);
    assert_eq!(header(&german, "vary"), "Accept-Language, Accept, X-API-Version, Authorization, X-API-Key");
    let text = german.text().await.unwrap();
    assert!(text.contains("<html lang=\"de\">") && text.contains("Ausprobieren"), "{text}");
}

#[tokio::test]
async fn a_code_that_comes_back_to_it_is_neither_repeated_nor_logged() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_DEMO", "1")]).await.unwrap();

    let answer = house.get("/api/docs?code=vk_ac_x&state=y&iss=z").send().await.unwrap();

    assert_eq!(answer.status(), 200);
    let text = answer.text().await.unwrap();
    assert!(text.contains("data-client=\"demo-app\""));
    assert!(!text.contains("vk_ac_x"));
    assert!(!house.log().contains("vk_ac_x"), "{}", house.log());
    let clients = house.json(&["client", "list"]).to_string();
    assert!(clients.contains(&format!("{}/api/docs", house.origin)), "{clients}");
}

#[tokio::test]
async fn a_demonstration_that_serves_another_api_may_ask_for_its_scopes() {
    let mut house = House::with(Engine::Sqlite, &[("VALETKEY_DEMO", "1")]).await.unwrap();
    house.kill();
    fs::write(house.folder().join("api.yaml"), SMALL).unwrap();
    house.set("VALETKEY_API", "api.yaml");

    let kept = house.json(&["client", "list"]).to_string();
    assert!(!kept.contains("tend:beds"), "{kept}");
    house.start().await;

    let clients = house.json(&["client", "list"]);
    let clients = clients.as_array().or_else(|| clients["clients"].as_array()).unwrap();
    let app = clients.iter().find(|client| client["client_id"] == "demo-app").unwrap();
    assert!(app.to_string().contains("tend:beds"), "{app}");
}

#[tokio::test]
async fn it_answers_head_and_refuses_to_be_written() {
    let house = House::embedded().await;

    let head = house.http.head(format!("{}/api/docs", house.origin)).send().await.unwrap();
    let post = house.bare("/api/docs").send().await.unwrap();

    assert_eq!(head.status(), 200);
    assert!(!header(&head, "etag").is_empty());
    assert_eq!(post.status(), 405);
}
