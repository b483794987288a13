//! Rules for actions that take time: none is lost, none is done by two, and the row knows.

use std::collections::BTreeMap;

use serde_json::json;
use valetkey_resources::ports::{
    Change, Changing, Edited, Kept, Key, OperationState, Removing, Task, TaskId, TaskStep,
};

use super::Shop;
use super::shop::{answer, edited, keyed};
use crate::api::ORDERS;
use crate::build::id;
use crate::clock::moment;
use crate::conformance::race;

pub(super) fn task(number: u128, row: u128, key: Option<Key>) -> Task {
    Task {
        id: TaskId(id(number)),
        resource: ORDERS.into(),
        row: id(row),
        action: "refund".into(),
        input: json!({"why": "broken\0"}),
        client: "app".into(),
        subject: Some("alice".into()),
        version: "1".into(),
        key,
        created_at: moment(10),
        due_at: moment(10),
        until: moment(1000),
    }
}

pub(super) fn begin(shop: &Shop, task: Task) -> Change {
    let keyed = task.key.as_ref().map(|key| keyed(&key.word, 1, 1));
    let row = task.row;
    let step = move |_: &_| Ok(Edited { draft: None, task: TaskStep::Begin(Box::new(task.clone())), answer: None });
    Change { keyed, ..shop.edit(ORDERS, row, step) }
}

pub(super) fn finish(shop: &Shop, number: u128, row: u128) -> Change {
    let draft = shop.draft(ORDERS, json!({"amount": 2}));
    shop.edit(ORDERS, id(row), move |_| {
        let task = TaskStep::Finish(TaskId(id(number)));
        Ok(Edited { task, answer: Some(answer("done")), ..edited(draft.clone()) })
    })
}

async fn begun(shop: &Shop, number: u128, key: Option<Key>) -> Task {
    let task = task(number, number + 1000, key);
    shop.create(ORDERS, task.row, json!({"amount": 1})).await;
    assert!(matches!(shop.apply(begin(shop, task.clone())).await, Changing::Changed(_)));
    task
}

async fn claim(shop: &Shop, now: i64, until: i64) -> Vec<(TaskId, u32)> {
    let claimed = shop.ports.operations.claim(moment(now), moment(until), 100).await.unwrap();
    let mut found: Vec<_> = claimed.into_iter().map(|claimed| (claimed.task.id, claimed.attempts)).collect();
    found.sort_by_key(|(task, _)| task.0);
    found
}

pub async fn a_task_begins_and_ends_with_its_row(shop: Shop) {
    let task = begun(&shop, 1, None).await;
    let waiting = shop.ports.operations.operation(task.id).await.unwrap().unwrap();
    let row = shop.find(ORDERS, task.row).await.unwrap();

    let ended = shop.apply(finish(&shop, 1, 1001)).await;
    let again = shop.apply(finish(&shop, 1, 1001)).await;

    assert_eq!((row.task, row.revision), (Some(task.id), 2));
    assert_eq!((waiting.task, waiting.state, waiting.attempts), (task.clone(), OperationState::Pending, 0));
    assert!(matches!(ended, Changing::Changed(row) if row.task.is_none() && row.revision == 3), "{again:?}");
    assert!(matches!(again, Changing::Missing));
    assert_eq!(shop.document(ORDERS, task.row).await["amount"], 2);
    let done = shop.ports.operations.operation(task.id).await.unwrap().unwrap();
    assert_eq!((done.state, done.updated_at), (OperationState::Succeeded, moment(1)));
    assert_eq!(claim(&shop, 500, 600).await, []);
}

pub async fn what_whoever_began_a_task_does_is_its_first_attempt(shop: Shop) {
    let own = Task { created_at: moment(1), ..task(1, 1001, None) };
    shop.create(ORDERS, own.row, json!({"amount": 1})).await;
    assert!(matches!(shop.apply(begin(&shop, own.clone())).await, Changing::Changed(_)));

    assert_eq!(shop.ports.operations.operation(own.id).await.unwrap().unwrap().attempts, 1);
    assert_eq!(claim(&shop, 10, 20).await, [(own.id, 2)]);
}

pub async fn each_due_task_is_handed_to_one(shop: Shop) {
    for number in 0..30 {
        begun(&shop, number, None).await;
    }
    assert_eq!(claim(&shop, 9, 20).await, []);

    let taken = race(12, |_| {
        let operations = shop.ports.operations.clone();
        async move {
            let mut own = Vec::new();
            for _ in 0..12 {
                own.extend(operations.claim(moment(10), moment(60), 3).await.unwrap());
            }
            own
        }
    })
    .await;

    let mut seen: BTreeMap<_, u32> = BTreeMap::new();
    for claimed in taken.into_iter().flatten() {
        assert_eq!(claimed.attempts, 1);
        *seen.entry(claimed.task.id.0).or_default() += 1;
    }
    assert_eq!(seen.len(), 30);
    assert!(seen.values().all(|times| *times == 1));
}

pub async fn a_task_of_one_who_never_came_back_is_handed_out_again(shop: Shop) {
    let task = begun(&shop, 1, None).await;

    assert_eq!(claim(&shop, 10, 20).await, [(task.id, 1)]);
    assert_eq!(claim(&shop, 19, 30).await, []);
    assert_eq!(claim(&shop, 20, 30).await, [(task.id, 2)]);
    shop.ports.operations.postpone(task.id, moment(100)).await.unwrap();
    assert_eq!(claim(&shop, 99, 200).await, []);
    assert_eq!(claim(&shop, 100, 200).await, [(task.id, 3)]);
    shop.ports.operations.put_back(task.id, moment(150)).await.unwrap();
    assert_eq!(claim(&shop, 149, 200).await, []);
    assert_eq!(claim(&shop, 150, 200).await, [(task.id, 3)], "what was put back was no attempt");
}

pub async fn a_task_that_is_given_up_frees_its_row_and_its_key(shop: Shop) {
    let key = keyed("k", 1, 1).key;
    let task = begun(&shop, 1, Some(key)).await;
    let running = shop.ports.answers.kept(&keyed("k", 1, 2)).await.unwrap();

    for _ in 0..2 {
        shop.ports.operations.give_up(task.id, 502, "nobody\0 answers", moment(5)).await.unwrap();
    }

    assert_eq!(running, Some(Kept::Running));
    let row = shop.find(ORDERS, task.row).await.unwrap();
    assert_eq!((row.task, row.revision, row.updated_at), (None, 3, moment(5)));
    let failed = shop.ports.operations.operation(task.id).await.unwrap().unwrap();
    assert!(matches!(failed.state, OperationState::Failed { status: 502, .. }), "{:?}", failed.state);
    assert_eq!(shop.ports.answers.kept(&keyed("k", 1, 2)).await.unwrap(), None);
    assert!(matches!(shop.apply(finish(&shop, 1, 1001)).await, Changing::Missing));
}

pub async fn the_answer_of_a_task_is_kept_under_its_key(shop: Shop) {
    let key = keyed("k", 1, 1).key;
    begun(&shop, 1, Some(key)).await;

    let twin = shop.apply(begin(&shop, task(2, 1001, Some(keyed("k", 1, 1).key)))).await;
    shop.apply(finish(&shop, 1, 1001)).await;
    let after = shop.apply(begin(&shop, task(3, 1001, Some(keyed("k", 1, 1).key)))).await;

    assert!(matches!(twin, Changing::Kept(Kept::Running)), "{twin:?}");
    assert!(matches!(after, Changing::Kept(Kept::Answer(told)) if told == answer("done")));
}

pub async fn a_task_outlives_its_row_and_is_given_up(shop: Shop) {
    let task = begun(&shop, 1, None).await;

    assert_eq!(shop.remove(ORDERS, task.row).await, Removing::Removed);

    assert_eq!(claim(&shop, 10, 20).await, [(task.id, 1)]);
    assert!(matches!(shop.apply(finish(&shop, 1, 1001)).await, Changing::Missing));
    shop.ports.operations.give_up(task.id, 404, "It is gone.", moment(5)).await.unwrap();
    assert_eq!(claim(&shop, 100, 200).await, []);
}

pub async fn of_an_end_and_giving_up_one_comes_first(shop: Shop) {
    for number in 0..10 {
        let task = begun(&shop, number, None).await;
        race(8, |at| {
            let shop = shop.clone();
            async move {
                if at % 2 == 0 {
                    shop.apply(finish(&shop, number, number + 1000)).await;
                } else {
                    shop.ports.operations.give_up(TaskId(id(number)), 500, "no", moment(5)).await.unwrap();
                }
            }
        })
        .await;

        let row = shop.find(ORDERS, task.row).await.unwrap();
        let state = shop.ports.operations.operation(task.id).await.unwrap().unwrap().state;
        let changed = shop.document(ORDERS, task.row).await["amount"] == 2;
        assert_eq!((row.task, row.revision), (None, 3));
        assert_eq!(changed, state == OperationState::Succeeded);
        assert_ne!(state, OperationState::Pending);
    }
}

pub async fn only_tasks_that_ended_are_swept(shop: Shop) {
    for number in 1..5 {
        begun(&shop, number, None).await;
    }
    for number in 1..4 {
        shop.apply(finish(&shop, number, number + 1000)).await;
    }

    let early = shop.ports.operations.sweep_operations(moment(999), 10).await.unwrap();
    let few = shop.ports.operations.sweep_operations(moment(1000), 2).await.unwrap();
    let rest = shop.ports.operations.sweep_operations(moment(1000), 10).await.unwrap();

    assert_eq!((early, few, rest), (0, 2, 1));
    assert!(shop.ports.operations.operation(TaskId(id(4))).await.unwrap().is_some());
}
