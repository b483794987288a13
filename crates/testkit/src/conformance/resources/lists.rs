//! Rules for lists: what they hold and in which order, whichever engine is asked and however it is read.

use serde_json::json;
use uuid::Uuid;
use valetkey_resources::model::Cell;
use valetkey_resources::ports::{
    By, Condition, Counted, Direction, Ends, ListPlan, Listing, Order, Place, Sight, Test, Window,
};

use super::Shop;
use super::model::{Dice, Model};
use super::shop::object;
use crate::api::ORDERS;
use crate::build::id;

/// A shop with so many orders, and the same by hand.
async fn filled(shop: &Shop, dice: &Dice, rows: u128) -> Model {
    let mut model = Model::default();
    for number in 0..rows {
        let document = dice.order();
        shop.create(ORDERS, id(number * 7919 % 10_007), document.clone()).await;
        model.0.push((id(number * 7919 % 10_007), object(document)));
    }
    model
}

/// One part of a list: ids, whether there are more, and where it goes on.
pub async fn part(shop: &Shop, plan: &ListPlan) -> (Vec<Uuid>, bool, Ends) {
    match shop.ports.rows.list(&shop.resource(ORDERS), &Sight::default(), plan).await.unwrap() {
        Listing::Rows { rows, more, ends } => (rows.into_iter().map(|row| row.id).collect(), more, ends),
        Listing::TooExpensive => panic!("too expensive: {plan:?}"),
    }
}

/// A whole list, part by part.
pub async fn walk(shop: &Shop, plan: &ListPlan, place: Place, limit: u32) -> Vec<Uuid> {
    let mut plan = plan.clone();
    let (mut ids, mut position) = (Vec::new(), None);
    loop {
        plan.window = Window::Beside { position, place, limit };
        let (found, more, ends) = part(shop, &plan).await;
        assert!(found.len() <= limit as usize && (!more || found.len() == limit as usize));
        match place {
            Place::After => ids.extend(found),
            Place::Before => ids.splice(..0, found).for_each(drop),
        }
        if !more {
            return ids;
        }
        position = if place == Place::After { ends.last } else { ends.first };
        assert!(position.is_some(), "{plan:?}");
    }
}

pub async fn filters_and_orders_are_those_of_the_model(shop: Shop) {
    let dice = Dice::new(1);
    let model = filled(&shop, &dice, 150).await;
    let orders = shop.resource(ORDERS);

    for _ in 0..150 {
        let plan = dice.plan(&orders, &model);
        let expected = model.list(&orders, &plan);
        assert_eq!(part(&shop, &plan).await.0, expected, "{plan:?}");
        let counted = shop.ports.rows.count(&orders, &Sight::default(), &plan, 1000).await.unwrap();
        assert_eq!(counted, Counted::Exactly(expected.len() as u64), "{plan:?}");
    }
}

pub async fn a_walk_by_position_meets_each_row_once_in_order(shop: Shop) {
    let dice = Dice::new(2);
    let model = filled(&shop, &dice, 120).await;
    let orders = shop.resource(ORDERS);

    for round in 0..60 {
        let plan = dice.plan(&orders, &model);
        let expected = model.list(&orders, &plan);
        let limit = u32::try_from(1 + dice.roll(30)).unwrap();
        let place = if round % 2 == 0 { Place::After } else { Place::Before };
        assert_eq!(walk(&shop, &plan, place, limit).await, expected, "{place:?} {limit} {plan:?}");
    }
}

pub async fn an_offset_leaves_out_as_many_as_it_says(shop: Shop) {
    let dice = Dice::new(3);
    let model = filled(&shop, &dice, 60).await;
    let orders = shop.resource(ORDERS);

    for _ in 0..40 {
        let mut plan = dice.plan(&orders, &model);
        let expected = model.list(&orders, &plan);
        let (offset, limit) = (dice.roll(70), u32::try_from(1 + dice.roll(20)).unwrap());
        plan.window = Window::Offset { offset, limit };
        let rest: Vec<_> = expected.iter().copied().skip(usize::try_from(offset).unwrap()).collect();
        let (found, more, _) = part(&shop, &plan).await;
        assert_eq!(found, rest.iter().copied().take(limit as usize).collect::<Vec<_>>(), "{plan:?}");
        assert_eq!(more, rest.len() > limit as usize, "{plan:?}");
    }
}

pub fn by_id() -> ListPlan {
    let order = vec![Order { by: By::Id, direction: Direction::Up }];
    ListPlan {
        conditions: vec![],
        search: vec![],
        in_sight: None,
        order,
        window: Window::Offset { offset: 0, limit: 100 },
    }
}

pub async fn a_list_shows_what_is_in_sight(shop: Shop) {
    for number in 1..3 {
        shop.create(crate::api::USERS, id(number), super::shop::user(&number.to_string())).await;
    }
    for (number, owner, above) in [(10, "alice", 1), (11, "bob", 1), (12, "alice", 2)] {
        let mut creation = shop.creation(ORDERS, id(number), json!({"user_id": id(above)}));
        creation.owner = Some(owner.into());
        shop.ports.rows.create(creation).await.unwrap();
    }
    let orders = shop.resource(ORDERS);
    let seen = async |owner: Option<&str>, under: Option<u128>| {
        let under = under.map(|number| (orders.column("user_id").unwrap(), id(number)));
        let sight = Sight { owner: owner.map(Into::into), under };
        let count = shop.ports.rows.count(&orders, &sight, &by_id(), 100).await.unwrap();
        let Listing::Rows { rows, .. } = shop.ports.rows.list(&orders, &sight, &by_id()).await.unwrap() else {
            panic!()
        };
        assert_eq!(count, Counted::Exactly(rows.len() as u64));
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };

    assert_eq!(seen(None, None).await, [10, 11, 12].map(id));
    assert_eq!(seen(Some("alice"), None).await, [10, 12].map(id));
    assert_eq!(seen(Some("alice"), Some(1)).await, [10].map(id));
    assert_eq!(seen(None, Some(3)).await, Vec::<Uuid>::new());
}

pub async fn ids_are_filtered_and_changes_are_followed(shop: Shop) {
    for number in 0..4 {
        shop.create(ORDERS, id(number), json!({"amount": number as u64})).await;
    }
    let orders = shop.resource(ORDERS);
    let amount = By::Column(orders.column("amount").unwrap());
    let listed = async |by, test| {
        let plan = ListPlan { conditions: vec![Condition { by, test }], ..by_id() };
        part(&shop, &plan).await.0
    };

    shop.apply(shop.change(ORDERS, id(0), json!({"amount": 3}))).await;
    shop.remove(ORDERS, id(3)).await;

    assert_eq!(listed(amount, Test::AnyOf(vec![Cell::Integer(3)])).await, [id(0)]);
    assert_eq!(listed(amount, Test::AnyOf(vec![])).await, Vec::<Uuid>::new());
    assert_eq!(listed(By::Id, Test::AnyOf(vec![Cell::Id(id(1)), Cell::Id(id(9))])).await, [id(1)]);
    assert_eq!(listed(By::Id, Test::Above(Cell::Id(id(1)))).await, [id(2)]);
}

pub async fn a_count_goes_as_far_as_it_is_told(shop: Shop) {
    for number in 0..20 {
        shop.create(ORDERS, id(number), json!({"gift": number % 2 == 0})).await;
    }
    let orders = shop.resource(ORDERS);
    let gifts =
        Condition { by: By::Column(orders.column("gift").unwrap()), test: Test::AnyOf(vec![Cell::Boolean(true)]) };
    let count = async |conditions: Vec<Condition>, cap| {
        let plan = ListPlan { conditions, ..by_id() };
        shop.ports.rows.count(&orders, &Sight::default(), &plan, cap).await.unwrap()
    };

    for cap in [20, 21, 100_000, u64::MAX] {
        assert_eq!(count(vec![], cap).await, Counted::Exactly(20));
        assert_eq!(count(vec![gifts.clone()], cap).await, Counted::Exactly(10));
    }
    assert_eq!(count(vec![], 19).await, Counted::AtLeast(19));
    assert_eq!(count(vec![gifts.clone()], 9).await, Counted::AtLeast(9));
    assert_eq!(count(vec![gifts], 0).await, Counted::AtLeast(0));
}
