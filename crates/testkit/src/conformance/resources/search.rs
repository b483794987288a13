//! Rules for the search: words are found wherever they stand, and best where they stand most.

use serde_json::json;
use uuid::Uuid;
use valetkey_resources::ports::{By, Direction, Ends, InSight, ListPlan, Order, Window};

use super::Shop;
use super::lists::{by_id, part};
use crate::api::ORDERS;
use crate::build::id;

fn words(text: &str) -> Vec<String> {
    valetkey_resources::model::words(text).collect()
}

async fn found(shop: &Shop, text: &str) -> Vec<Uuid> {
    part(shop, &ListPlan { search: words(text), ..by_id() }).await.0
}

pub async fn every_word_must_be_there(shop: Shop) {
    let notes =
        ["Red shoes, size 44", "red hat", "blue SHOES", "shoe", "rot \"AND\" grün NOT near* -x", "日本語 テキスト"];
    for (number, note) in notes.iter().enumerate() {
        shop.create(ORDERS, id(number as u128), json!({"note": note})).await;
    }

    assert_eq!(found(&shop, "shoes").await, [id(0), id(2)]);
    assert_eq!(found(&shop, "SHOES red").await, [id(0)]);
    assert_eq!(found(&shop, "shoes hat").await, Vec::<Uuid>::new());
    assert_eq!(found(&shop, "44").await, [id(0)]);
    assert_eq!(found(&shop, "and not near GRÜN").await, [id(4)]);
    assert_eq!(found(&shop, "grun").await, Vec::<Uuid>::new());
    assert_eq!(found(&shop, "テキスト").await, [id(5)]);
}

pub async fn of_a_text_of_many_different_words_the_first_are_found(shop: Shop) {
    let text: Vec<String> = (0..5000).map(|number| format!("w{number}")).collect();
    shop.create(ORDERS, id(0), json!({"note": text.join(" ")})).await;

    for number in [0, 3071] {
        assert_eq!(found(&shop, &format!("w{number}")).await, [id(0)], "w{number}");
    }
    for number in [3072, 4999] {
        assert_eq!(found(&shop, &format!("w{number}")).await, Vec::<Uuid>::new(), "w{number}");
    }
}

pub async fn the_search_follows_changes(shop: Shop) {
    for number in 0..3 {
        shop.create(ORDERS, id(number), json!({"note": "old words"})).await;
    }

    shop.apply(shop.change(ORDERS, id(0), json!({"note": "new words"}))).await;
    shop.apply(shop.change(ORDERS, id(1), json!({"note": null}))).await;
    shop.remove(ORDERS, id(2)).await;
    shop.create(ORDERS, id(3), json!({"note": "words"})).await;

    assert_eq!(found(&shop, "old").await, Vec::<Uuid>::new());
    assert_eq!(found(&shop, "words").await, [id(0), id(3)]);
}

pub async fn the_best_come_first_and_equals_by_id(shop: Shop) {
    let notes = ["tea and many other words that are long", "tea tea tea", "coffee", "tea tea tea", "tea tea tea"];
    for (number, note) in notes.iter().enumerate() {
        shop.create(ORDERS, id(number as u128), json!({"note": note})).await;
    }
    let best = |direction, offset, limit| {
        let order = vec![Order { by: By::Relevance, direction }, Order { by: By::Id, direction: Direction::Up }];
        ListPlan { search: words("tea"), order, window: Window::Offset { offset, limit }, ..by_id() }
    };

    let (ids, more, ends) = part(&shop, &best(Direction::Down, 0, 10)).await;
    let (page, page_more, _) = part(&shop, &best(Direction::Down, 1, 2)).await;
    let (worst, _, _) = part(&shop, &best(Direction::Up, 0, 1)).await;

    assert_eq!((ids, more, ends), ([1, 3, 4, 0].map(id).to_vec(), false, Ends::default()));
    assert_eq!((page, page_more), ([3, 4].map(id).to_vec(), true));
    assert_eq!(worst, [id(0)]);
}

pub async fn words_that_a_version_does_not_see_find_nothing(shop: Shop) {
    let rows = [
        json!({"note": "Übung red", "currency": "EUR"}),
        json!({"note": "eur", "currency": "Übung"}),
        json!({"note": "eur übung red", "currency": "x"}),
        json!({"note": "eur", "currency": "red-EUR, übungen ÜBUNG"}),
    ];
    for (number, row) in rows.into_iter().enumerate() {
        shop.create(ORDERS, id(number as u128), row).await;
    }
    let seen = async |text: &str, fields: &[&str]| {
        let fields = fields.iter().map(|field| (*field).to_owned()).collect();
        let in_sight = Some(InSight { fields, words: words(text) });
        part(&shop, &ListPlan { search: words(text), in_sight, ..by_id() }).await.0
    };

    assert_eq!(seen("eur", &["note", "currency"]).await, [1, 2, 3].map(id));
    assert_eq!(seen("eur", &["currency"]).await, [id(3)]);
    assert_eq!(seen("red übung", &["note"]).await, [0, 2].map(id));
    assert_eq!(seen("eur", &[]).await, Vec::<Uuid>::new());
    shop.create(ORDERS, id(9), json!({"note": "İstanbul STRAẞE 5\u{212a} ǅ ΟΔΟΣ"})).await;
    for word in ["İstanbul", "straße", "5k", "ǆ", "ΟΔΟΣ", "οδος"] {
        assert_eq!(seen(word, &["note"]).await, [id(9)], "{word}");
    }
}

pub async fn a_word_beyond_all_measure_is_cut_on_both_sides(shop: Shop) {
    let long = "ö".repeat(3_000);
    shop.create(ORDERS, id(1), json!({"note": format!("{long} end")})).await;

    assert_eq!(found(&shop, &long).await, [id(1)]);
    assert_eq!(found(&shop, "end").await, [id(1)]);
    assert_eq!(found(&shop, &"ö".repeat(500)).await, Vec::<Uuid>::new());
}
