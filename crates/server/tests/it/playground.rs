//! `/playground`: there for a demonstration, and nowhere else.

use std::collections::BTreeSet;

use crate::answer::{header, problem};
use crate::house::{Engine, House};

async fn demonstration() -> House {
    House::with(Engine::Sqlite, &[("VALETKEY_DEMO", "1")]).await.unwrap()
}

#[tokio::test]
async fn without_a_demonstration_there_is_no_playground() {
    let house = House::embedded().await;

    for path in ["/playground", "/playground/callback?code=x&state=y"] {
        let answer = house.get(path).send().await.unwrap();
        assert_eq!(answer.status(), 404, "{path}");
        problem(answer).await;
    }
    let front = house.get("/").send().await.unwrap().text().await.unwrap();
    assert!(!front.contains("/playground"));
}

#[tokio::test]
async fn a_demonstration_has_one_and_the_landing_page_leads_there() {
    let house = demonstration().await;

    let front = house.get("/").send().await.unwrap().text().await.unwrap();
    assert!(front.contains("href=\"/playground\""));
    for path in ["/playground", "/playground/callback?code=vk_ac_x&state=y&iss=z"] {
        let answer = house.get(path).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        let policy = header(&answer, "content-security-policy");
        assert!(policy.contains("script-src 'self'; connect-src 'self'; style-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("://"), "{policy}");
        assert_eq!(header(&answer, "referrer-policy"), "no-referrer");
        assert_eq!(header(&answer, "cache-control"), "no-store");
        let text = answer.text().await.unwrap();
        assert!(text.contains(&format!("data-redirect=\"{}/playground/callback\"", house.origin)));
        assert!(!text.contains("vk_ac_x"), "the code is not repeated by the server");
    }
    assert!(!house.log().contains("vk_ac_x"), "{}", house.log());
}

#[tokio::test]
async fn the_page_and_its_script_load_nothing_from_elsewhere() {
    let house = demonstration().await;
    let text = house.get("/playground").send().await.unwrap().text().await.unwrap();

    let loaded = text.split("<link ").chain(text.split("<script ")).chain(text.split("<img ")).skip(1);
    let addresses: BTreeSet<&str> = loaded
        .filter_map(|tag| {
            tag.split('>').next().unwrap().split(['"']).find(|part| part.contains('/') && !part.contains("image/"))
        })
        .collect();

    assert!(addresses.len() > 3, "{addresses:?}");
    for address in addresses.into_iter().chain(["/static/playground/code.js"]) {
        assert!(address.starts_with("/static/"), "{address}");
        assert_eq!(house.get(address).send().await.unwrap().status(), 200, "{address}");
    }
}

#[tokio::test]
async fn the_playground_speaks_the_language_of_the_reader() {
    let house = demonstration().await;

    for (accepted, word) in
        [("de-AT", "Spielwiese"), ("fr", "Terrain d’essai"), ("es", "Campo de pruebas"), ("tlh", "Playground")]
    {
        let answer = house.get("/playground").header("accept-language", accepted).send().await.unwrap();
        assert!(answer.text().await.unwrap().contains(&format!("<h1>{word}</h1>")), "{accepted}");
    }
}

#[tokio::test]
async fn a_demonstration_that_moves_to_another_port_takes_its_callback_along() {
    let mut house = demonstration().await;
    let before = house.origin.clone();
    house.json(&[
        "client",
        "edit",
        "demo-app",
        "--redirect-uri",
        "https://other.example/cb",
        "--redirect-uri",
        &format!("{before}/playground/callback"),
    ]);

    house.kill();
    // The port that is free again might be given out again; another address is another origin for sure.
    house.set("VALETKEY_PUBLIC_URL", "http://localhost:9");
    house.start().await;

    let clients = house.json(&["client", "list"]).to_string();
    assert!(clients.contains("http://localhost:9/playground/callback"), "{clients}");
    assert!(clients.contains("https://other.example/cb") && !clients.contains(&before), "{clients}");
}
