//! Whoever asks for a list that looks like another asks for its own rows.

use valetkey_resources::model::{Api, Cell};
use valetkey_resources::ports::{By, Condition, Direction, ListPlan, Order, Place, Position, Sight, Test, Window};
use valetkey_testkit::api::{ORDERS, shop};
use valetkey_testkit::build::id;

use super::*;
use crate::statement::alike;

/// What is asked for the beginning of a list.
fn asked_for(asked: &Asked, api: &Api, plan: &ListPlan) -> Question {
    let sight = Sight::default();
    let list = List::new(Dialect::Postgres, api.resource(ORDERS).unwrap(), &sight, plan, Place::After).unwrap();
    Question::beside(asked, &list, &list.beyond(None).unwrap(), &Page::of(&plan.window)).unwrap()
}

fn by_id(conditions: Vec<Condition>, limit: u32) -> ListPlan {
    let window = Window::Beside { position: None, place: Place::After, limit };
    let order = vec![Order { by: By::Id, direction: Direction::Up }];
    ListPlan { conditions, search: Vec::new(), in_sight: None, order, window }
}

#[test]
fn a_list_that_looks_like_another_is_asked_with_its_own_values() {
    let (api, sight) = (shop(), Sight { owner: Some("ada".to_owned()), ..Sight::default() });
    let of = api.resource(ORDERS).unwrap();
    let asked = Asked::default();
    let mut texts = Vec::new();

    for (number, plan) in (0..).zip(&alike(of)) {
        let page = Page::of(&plan.window);
        let list = List::new(Dialect::Postgres, of, &sight, plan, Place::After).unwrap();
        let spans = list.beyond(Some(&Position(vec![Cell::Integer(number), Cell::Id(id(1))]))).unwrap();
        assert!(spans.len() > 1);

        let question = Question::beside(&asked, &list, &spans, &page).unwrap();
        let anew = Question::new(&list.joined(&spans, page.wanted()).unwrap(), &page).unwrap();

        assert_eq!(question.text.whole, anew.text.whole);
        assert_eq!(question.values, anew.values);
        texts.push(question.text);
    }

    assert!(texts.windows(2).all(|two| Arc::ptr_eq(&two[0], &two[1])), "it is written anew each time");
}

#[test]
fn a_list_of_another_length_is_another_statement() {
    let (api, asked) = (shop(), Asked::default());

    let [first, other, again] = [20, 21, 20].map(|limit| asked_for(&asked, &api, &by_id(Vec::new(), limit)));

    assert_ne!(first.text.whole, other.text.whole);
    assert!(Arc::ptr_eq(&first.text, &again.text));
}

#[test]
fn a_list_by_many_values_takes_no_memory() {
    let (api, asked) = (shop(), Asked::default());
    let is_kept = |count: u128| {
        let any = Test::AnyOf((0..count).map(|number| Cell::Id(id(number))).collect());
        let plan = by_id(vec![Condition { by: By::Id, test: any }], 20);
        let [first, again] = [(); 2].map(|()| asked_for(&asked, &api, &plan));
        assert_eq!(first.values, again.values);
        Arc::ptr_eq(&first.text, &again.text)
    };

    assert!(is_kept(64));
    assert!(!is_kept(65));
}
