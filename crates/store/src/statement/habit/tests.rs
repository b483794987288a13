//! What was cheap is tried first, and is given up once it is not.

use uuid::Uuid;
use valetkey_resources::ports::{Condition, ListPlan, Order, Place, Sight};
use valetkey_testkit::api::{ORDERS, shop};

use super::*;
use crate::statement::Dialect;

const SOME: Duration = Duration::from_micros(10);
const MUCH: Duration = Duration::from_micros(500);

fn plan(tests: &[Test], direction: Direction) -> ListPlan {
    let api = shop();
    let by = By::Column(api.resource(ORDERS).unwrap().column("currency").unwrap());
    ListPlan {
        conditions: tests.iter().map(|test| Condition { by, test: test.clone() }).collect(),
        search: vec![],
        in_sight: None,
        order: vec![Order { by: By::Id, direction }],
        window: Window::Beside { position: None, place: Place::After, limit: 20 },
    }
}

fn look(plan: &ListPlan, sight: &Sight) -> Look {
    let api = shop();
    List::new(Dialect::Sqlite, api.resource(ORDERS).unwrap(), sight, plan, Place::After).unwrap().look(&Span::default())
}

fn is(currency: &str) -> Test {
    Test::AnyOf(vec![Cell::Text(currency.to_owned())])
}

#[test]
fn a_list_goes_the_way_that_was_good_for_its_values_and_else_for_others() {
    let (habits, sight) = (Habits::default(), Sight::default());
    let in_currency = |currency: &str| look(&plan(&[is(currency)], Direction::Up), &sight);
    assert_eq!(habits.recall(in_currency("EUR")), None);

    habits.note(in_currency("ISK"), 2, SOME);
    habits.note(in_currency("EUR"), 1, SOME);

    assert_eq!(habits.recall(in_currency("ISK")), Some(Habit { path: 2, rivals: None }));
    assert_eq!(habits.recall(in_currency("EUR")), Some(Habit { path: 1, rivals: None }));
    assert_eq!(habits.recall(in_currency("USD")), Some(Habit { path: 1, rivals: None }));
}

#[test]
fn lists_that_differ_in_more_than_values_know_nothing_of_each_other() {
    let (habits, sight) = (Habits::default(), Sight::default());
    habits.note(look(&plan(&[is("EUR")], Direction::Up), &sight), 1, SOME);
    let own = Sight { owner: Some("anna".to_owned()), under: None };
    let under = Sight { owner: None, under: Some((0, Uuid::nil())) };
    let skipping =
        ListPlan { window: Window::Offset { offset: 10_000, limit: 20 }, ..plan(&[is("EUR")], Direction::Up) };

    for (plan, sight) in [
        (plan(&[], Direction::Up), &sight),
        (plan(&[is("EUR")], Direction::Down), &sight),
        (plan(&[Test::AtLeast(Cell::Text("EUR".to_owned()))], Direction::Up), &sight),
        (plan(&[is("EUR")], Direction::Up), &own),
        (plan(&[is("EUR")], Direction::Up), &under),
        (skipping, &sight),
    ] {
        assert_eq!(habits.recall(look(&plan, sight)), None, "{plan:?} {sight:?}");
    }
}

#[test]
fn a_way_that_costs_much_has_rivals_at_once_and_then_seldom() {
    let (habits, sight) = (Habits::default(), Sight::default());
    let look = look(&plan(&[is("EUR")], Direction::Up), &sight);
    habits.note(look, 0, MUCH);
    let rivals = || {
        let habit = habits.recall(look).unwrap();
        habits.note(look, 0, MUCH);
        habit.rivals
    };

    assert_eq!(rivals(), Some(MUCH / 2));
    assert_eq!((1..SELDOM).filter_map(|_| rivals()).count(), 0);
    assert_eq!(rivals(), Some(MUCH / 2));
}

#[test]
fn a_way_that_costs_little_has_no_rivals() {
    let (habits, sight) = (Habits::default(), Sight::default());
    let look = look(&plan(&[is("EUR")], Direction::Up), &sight);
    habits.note(look, 3, SOME);

    assert!((0..3 * SELDOM).all(|_| habits.recall(look) == Some(Habit { path: 3, rivals: None })));
}
