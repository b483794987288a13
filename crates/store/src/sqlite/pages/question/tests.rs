//! Whoever asks for a list that looks like another asks for its own rows.

use valetkey_resources::model::Cell;
use valetkey_resources::ports::{Place, Position, Sight};
use valetkey_testkit::api::{ORDERS, shop};
use valetkey_testkit::build::id;

use super::*;
use crate::statement::{Familiar, alike};

#[test]
fn a_list_that_looks_like_another_is_read_with_its_own_values() {
    let (api, sight) = (shop(), Sight::default());
    let of = api.resource(ORDERS).unwrap();
    let familiar = Familiar::default();

    for (number, (plan, limit)) in (0..).zip(alike(of).iter().zip([21, 3, 9])) {
        let list = List::new(Dialect::Sqlite, of, &sight, plan, Place::After).unwrap();
        for span in list.beyond(Some(&Position(vec![Cell::Integer(number), Cell::Id(id(1))]))).unwrap() {
            let paths = familiar.paths(&list, &span);
            assert_eq!(paths[0].text.get().is_some(), number > 0);
            for path in paths.iter() {
                let anew = render(&list, &list.rows(&span, path.access, limit).unwrap(), path.along()).unwrap();
                assert_eq!(written(&list, &span, path, limit).unwrap(), anew);
                assert!(path.text.get().unwrap().is_some(), "{:?} is written anew each time", path.access);
            }
        }
    }
}
