//! A walk while others write: each row that was there throughout is met exactly once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use valetkey_resources::ports::Place;

use super::Shop;
use super::lists::walk;
use super::model::{Dice, Model};
use super::shop::object;
use crate::api::ORDERS;
use crate::build::id;

pub async fn a_walk_meets_what_was_there_throughout_once(shop: Shop) {
    let dice = Dice::new(5);
    let mut model = Model::default();
    for number in (0..200).step_by(2) {
        let document = dice.order();
        shop.create(ORDERS, id(number), document.clone()).await;
        model.0.push((id(number), object(document)));
    }
    let over = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..3_u64)
        .map(|seed| {
            let (shop, over) = (shop.clone(), over.clone());
            tokio::spawn(async move {
                let dice = Dice::new(100 + seed);
                while !over.load(Ordering::Relaxed) {
                    // Odd rows come and go; each writer has its own.
                    let number = u128::from(dice.roll(33) * 6 + 1 + seed * 2);
                    shop.try_create(ORDERS, id(number), dice.order()).await;
                    if dice.roll(2) == 0 {
                        shop.remove(ORDERS, id(number)).await;
                    }
                }
            })
        })
        .collect();

    for round in 0..25 {
        let orders = shop.resource(ORDERS);
        let plan = dice.plan(&orders, &model);
        let expected = model.list(&orders, &plan);
        let place = if round % 2 == 0 { Place::After } else { Place::Before };
        let met = walk(&shop, &plan, place, u32::try_from(1 + dice.roll(15)).unwrap()).await;

        // An odd row that went and came back elsewhere may be met twice: it is another one.
        let throughout: Vec<_> = met.into_iter().filter(|id| model.0.iter().any(|(known, _)| known == id)).collect();
        assert_eq!(throughout, expected, "{plan:?}");
    }
    over.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
}
