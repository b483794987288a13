//! `brand.logo`: the operator's picture on every page.

use std::fs;

use crate::answer::header;
use crate::house::{Engine, House};

const SVG: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"30\"><rect width=\"90\" height=\"30\"/></svg>";

async fn with_logo(bytes: &[u8]) -> House {
    let mut house = House::unstarted(Engine::Sqlite, &[("VALETKEY_BRAND_NAME", "Harbour \"Foods\"")]).await.unwrap();
    let file = house.folder().join("logo");
    fs::write(&file, bytes).unwrap();
    house.set("VALETKEY_BRAND_LOGO", file.to_str().unwrap());
    house
}

#[tokio::test]
async fn the_picture_stands_on_every_page_with_the_name_as_its_text() {
    let mut house = with_logo(SVG.as_bytes()).await;
    house.start().await;

    let mut address = String::new();
    for path in ["/", "/login", "/problems"] {
        let text = house.get(path).send().await.unwrap().text().await.unwrap();
        let picture = text.split("<img src=\"").nth(1).unwrap().split('>').next().unwrap();
        assert!(picture.contains("alt=\"Harbour &#34;Foods&#34;\""), "{path}: {picture}");
        picture.split('"').next().unwrap().clone_into(&mut address);
    }
    let answer = house.get(&address).send().await.unwrap();

    assert_eq!(answer.status(), 200);
    assert_eq!(header(&answer, "content-type"), "image/svg+xml");
    assert_eq!(header(&answer, "cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(header(&answer, "content-security-policy"), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    assert_eq!(answer.text().await.unwrap(), SVG);
}

#[tokio::test]
async fn a_file_that_cannot_be_shown_is_named_before_anything_starts() {
    let huge = [SVG.as_bytes(), &[b' '; 256 * 1024]].concat();
    for (bytes, why) in [(&b"<html>"[..], "no PNG, JPEG, WebP or SVG"), (&huge, "larger than 256 KiB")] {
        let house = with_logo(bytes).await;

        let (_, words) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
        let checked = house.run(&["config", "check"]);

        assert!(words.contains("brand.logo") && words.contains(why) && words.contains("Name another file"), "{words}");
        assert!(!house.data().exists());
        assert_eq!(checked.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&checked.stdout).contains(why));
    }
    let mut house = with_logo(b"").await;
    for missing in [house.folder().join("none"), house.folder().to_owned()] {
        house.set("VALETKEY_BRAND_LOGO", missing.to_str().unwrap());
        let (_, words) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
        assert!(words.contains("cannot be read") && words.contains(missing.to_str().unwrap()), "{words}");
    }
}

#[tokio::test]
async fn without_a_picture_there_is_ours_beside_the_name() {
    let house = House::embedded().await;

    let text = house.get("/login").send().await.unwrap().text().await.unwrap();

    assert!(text.contains("alt=\"\" width=\"28\" height=\"28\"><span>Valetkey</span>"));
    assert_eq!(house.get("/static/brand-logo").send().await.unwrap().status(), 404);
}
