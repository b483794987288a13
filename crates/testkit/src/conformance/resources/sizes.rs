//! Rules for pages of large rows: they end early, and nothing is lost.

use serde_json::json;
use uuid::Uuid;
use valetkey_resources::ports::{
    By, Direction, Ends, ListPlan, Listing, Order, PAGE_BYTES, Place, Shown, Sight, Window,
};

use super::Shop;
use super::lists::by_id;
use crate::api::ORDERS;
use crate::build::id;

/// Orders whose notes have so many bytes, each of another amount.
async fn large(shop: &Shop, rows: u128, bytes: usize) -> Vec<Uuid> {
    let note = "x".repeat(bytes);
    for number in 0..rows {
        shop.create(ORDERS, id(number), json!({ "amount": number as u64 / 2, "note": note })).await;
    }
    (0..rows).map(id).collect()
}

async fn listed(shop: &Shop, plan: &ListPlan) -> (Vec<Uuid>, bool, Option<valetkey_resources::ports::Position>) {
    let outcome = shop.ports.rows.list(&shop.resource(ORDERS), &Sight::default(), plan).await.unwrap();
    let Listing::Rows { rows, more, ends } = outcome else { panic!("too expensive: {plan:?}") };
    let bytes: usize = rows.iter().map(|row| row.document.len()).sum();
    assert!(rows.len() == 1 || bytes <= PAGE_BYTES, "{bytes}");
    let next = match &plan.window {
        Window::Beside { place: Place::Before, .. } => ends.first,
        _ => ends.last,
    };
    (rows.into_iter().map(|row| row.id).collect(), more, next)
}

pub async fn a_page_of_large_rows_ends_early_and_goes_on(shop: Shop) {
    let all = large(&shop, 11, PAGE_BYTES / 4).await;
    let amount = By::Column(shop.resource(ORDERS).column("amount").unwrap());
    let keys = |direction| vec![Order { by: amount, direction: Direction::Up }, Order { by: By::Id, direction }];
    for order in [by_id().order, keys(Direction::Up)] {
        for place in [Place::After, Place::Before] {
            let (mut met, mut position, mut pages) = (Vec::new(), None, 0);
            loop {
                let window = Window::Beside { position, place, limit: 100 };
                let plan = ListPlan { order: order.clone(), window, ..by_id() };
                let (ids, more, next) = listed(&shop, &plan).await;
                assert!(!ids.is_empty());
                match place {
                    Place::After => met.extend(ids),
                    Place::Before => met.splice(..0, ids).for_each(drop),
                }
                (position, pages) = (next, pages + 1);
                if !more {
                    break;
                }
            }
            assert_eq!((met, pages), (all.clone(), 4), "{place:?}");
        }
    }
    // Groups in another order, and rows that are left out, which take no room.
    let order = keys(Direction::Down);
    let (mut met, mut more) = (Vec::new(), true);
    while more {
        let window = Window::Offset { offset: met.len() as u64, limit: 100 };
        let page = listed(&shop, &ListPlan { order: order.clone(), window, ..by_id() }).await;
        more = page.1;
        met.extend(page.0);
    }
    assert_eq!(met, [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 10].map(id));
}

pub async fn one_row_has_room_however_large_it_is(shop: Shop) {
    large(&shop, 2, PAGE_BYTES + 1).await;

    assert_eq!(listed(&shop, &by_id()).await.0, [id(0)]);
    let window = Window::Offset { offset: 1, limit: 100 };
    let (ids, more, _) = listed(&shop, &ListPlan { window, ..by_id() }).await;
    assert_eq!((ids, more), (vec![id(1)], false));
}

pub async fn documents_are_whole_whatever_size_the_others_have(shop: Shop) {
    let mut wanted = large(&shop, 3, 10).await;
    let sizes = [6_000, 70_000, 300_000, 2_000_000];
    for (number, bytes) in (10..).zip(sizes) {
        shop.create(ORDERS, id(number), json!({ "amount": 0, "note": "y".repeat(bytes) })).await;
        wanted.push(id(number));
        are_whole(&shop, &wanted).await;
    }
    for _ in sizes {
        shop.remove(ORDERS, wanted.pop().unwrap()).await;
        are_whole(&shop, &wanted).await;
    }
}

/// Whether a list of all orders, asked for twice, has each as it is when it is asked for alone.
async fn are_whole(shop: &Shop, wanted: &[Uuid]) {
    for _ in 0..2 {
        let outcome = shop.ports.rows.list(&shop.resource(ORDERS), &Sight::default(), &by_id()).await.unwrap();
        let Listing::Rows { rows, more: false, .. } = outcome else { panic!("more, or too expensive") };
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), wanted);
        for row in rows {
            assert_eq!(Some(&row), shop.find(ORDERS, row.id).await.map(|row| row.shown).as_ref());
        }
    }
}

pub async fn rows_by_id_end_early_and_say_so(shop: Shop) {
    large(&shop, 6, PAGE_BYTES / 4).await;
    let (orders, sight) = (shop.resource(ORDERS), Sight::default());
    let asked = [5, 77, 1, 0, 4, 2].map(id);

    let some = shop.ports.rows.find_all(&orders, &asked, &sight).await.unwrap();
    let rest = shop.ports.rows.find_all(&orders, &asked[4..], &sight).await.unwrap();

    let ids = |rows: &[valetkey_resources::ports::Stored]| rows.iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!((ids(&some.rows), some.is_all), ([5, 1, 0].map(id).to_vec(), false));
    assert_eq!((ids(&rest.rows), rest.is_all), ([4, 2].map(id).to_vec(), true));
}

pub async fn a_position_is_that_of_the_ends(shop: Shop) {
    large(&shop, 3, 1).await;
    let orders = shop.resource(ORDERS);
    let amount = By::Column(orders.column("amount").unwrap());
    let order = [amount, By::Id].map(|by| Order { by, direction: Direction::Down }).to_vec();
    let mut plan = ListPlan { order, ..by_id() };
    let position = |plan: &ListPlan, row: &Shown| shop.ports.rows.position(&orders, plan, row).unwrap();
    let Listing::Rows { rows, .. } = shop.ports.rows.list(&orders, &Sight::default(), &plan).await.unwrap() else {
        panic!()
    };
    let beside = |row, place| Window::Beside { position: Some(position(&plan, row)), place, limit: 1 };
    let windows = [beside(&rows[0], Place::After), beside(&rows[2], Place::Before)];

    for window in windows {
        plan.window = window;
        let listing = shop.ports.rows.list(&orders, &Sight::default(), &plan).await.unwrap();

        let Listing::Rows { rows, more, ends } = listing else { panic!() };
        let here = Some(position(&plan, &rows[0]));
        assert_eq!((more, ends), (true, Ends { first: here.clone(), last: here }));
    }
}
