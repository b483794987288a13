//! Who goes together with whom, and whom that harms.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use valetkey_oauth::ports::StoreError;

use super::{Bounds, Gathering};

const ONE: Bounds = Bounds { ways: 1, most: 100, commits: false };

/// Adds one to each, as soon as it is let through; notes how many came together.
struct Door {
    gathering: Gathering<u32, u32>,
    open: Arc<Semaphore>,
    sizes: Arc<std::sync::Mutex<Vec<usize>>>,
}

impl Door {
    fn new(bounds: Bounds) -> Arc<Self> {
        let (open, sizes) = (Arc::new(Semaphore::new(0)), Arc::<std::sync::Mutex<Vec<usize>>>::default());
        let (through, seen) = (open.clone(), sizes.clone());
        let gathering = Gathering::new(bounds, move |asked: Vec<u32>| {
            let through = through.clone();
            seen.lock().unwrap().push(asked.len());
            async move {
                through.acquire().await.unwrap().forget();
                if asked.contains(&13) {
                    return Err(StoreError::Failed("thirteen".to_owned()));
                }
                Ok(asked.into_iter().map(|number| number + 1).collect())
            }
        });
        Arc::new(Self { gathering, open, sizes })
    }

    fn ask(self: &Arc<Self>, number: u32) -> tokio::task::JoinHandle<Result<u32, StoreError>> {
        let door = self.clone();
        tokio::spawn(async move { door.gathering.ask(number).await })
    }

    fn sizes(&self) -> Vec<usize> {
        self.sizes.lock().unwrap().clone()
    }
}

/// Lets everything happen that can happen without the clock.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn who_comes_while_others_are_under_way_goes_with_the_next() {
    let door = Door::new(ONE);
    let first = door.ask(0);
    settle().await;

    let others: Vec<_> = (100..120).map(|number| door.ask(number)).collect();
    settle().await;
    door.open.add_permits(2);

    assert_eq!(first.await.unwrap().unwrap(), 1);
    for (number, other) in (100..).zip(others) {
        assert_eq!(other.await.unwrap().unwrap(), number + 1);
    }
    assert_eq!(door.sizes(), [1, 20]);
}

#[tokio::test(start_paused = true)]
async fn one_statement_carries_no_more_than_its_bound() {
    let door = Door::new(Bounds { ways: 2, most: 8, commits: false });
    let all: Vec<_> = (20..40).map(|number| door.ask(number)).collect();
    settle().await;
    assert_eq!(door.sizes(), [8, 8]);

    door.open.add_permits(3);

    for (number, asked) in (20..).zip(all) {
        assert_eq!(asked.await.unwrap().unwrap(), number + 1);
    }
    assert_eq!(door.sizes(), [8, 8, 4]);
}

#[tokio::test(start_paused = true)]
async fn one_that_takes_long_does_not_keep_the_others_waiting() {
    let door = Door::new(ONE);
    let _stuck = door.ask(1);
    settle().await;

    let later = door.ask(2);
    settle().await;
    assert_eq!(door.sizes(), [1]);
    tokio::time::sleep(Duration::from_millis(101)).await;
    settle().await;

    assert_eq!(door.sizes(), [1, 1]);
    door.open.add_permits(2);
    assert_eq!(later.await.unwrap().unwrap(), 3);
}

/// A door through which ten went, for so long.
async fn after_ten(took: Duration) -> Arc<Door> {
    let door = Door::new(Bounds { ways: 2, most: 100, commits: true });
    let ten: Vec<_> = (100..110).map(|number| door.ask(number)).collect();
    settle().await;
    tokio::time::sleep(took).await;
    door.open.add_permits(1);
    for asked in ten {
        asked.await.unwrap().unwrap();
    }
    assert_eq!(door.sizes(), [10]);
    door
}

/// So many more ask.
async fn ask_more(door: &Arc<Door>, count: u32) {
    (200..200 + count).for_each(|number| drop(door.ask(number)));
    settle().await;
}

#[tokio::test(start_paused = true)]
async fn where_commits_take_long_the_next_one_stays_for_as_many_as_there_were() {
    let door = after_ten(Duration::from_millis(3)).await;

    ask_more(&door, 9).await;
    assert_eq!(door.sizes(), [10]);
    ask_more(&door, 1).await;

    assert_eq!(door.sizes(), [10, 10]);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_waited_for_longer_than_a_moment() {
    let door = after_ten(Duration::from_millis(8)).await;

    ask_more(&door, 9).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    settle().await;
    assert_eq!(door.sizes(), [10], "a quarter of eight is two");
    tokio::time::sleep(Duration::from_millis(2)).await;
    settle().await;

    assert_eq!(door.sizes(), [10, 9]);
    // Whoever comes long after the last one came back finds nobody to wait for.
    tokio::time::sleep(Duration::from_millis(3)).await;
    door.open.add_permits(1);
    tokio::time::sleep(Duration::from_millis(20)).await;
    ask_more(&door, 1).await;
    assert_eq!(door.sizes(), [10, 9, 1]);
}

#[tokio::test(start_paused = true)]
async fn where_commits_are_quick_nobody_is_waited_for_and_two_go_at_once() {
    let door = after_ten(Duration::from_millis(1)).await;

    ask_more(&door, 3).await;
    assert_eq!(door.sizes(), [10, 3]);
    ask_more(&door, 4).await;

    assert_eq!(door.sizes(), [10, 3, 4]);
}

#[tokio::test(start_paused = true)]
async fn where_commits_take_long_one_goes_at_a_time() {
    let door = after_ten(Duration::from_millis(3)).await;

    ask_more(&door, 10).await;
    ask_more(&door, 4).await;

    assert_eq!(door.sizes(), [10, 10]);
}

#[tokio::test(start_paused = true)]
async fn more_than_one_statement_carries_go_in_two_ways_however_long_it_takes() {
    let door = after_ten(Duration::from_millis(3)).await;
    ask_more(&door, 10).await;
    ask_more(&door, 100).await;
    assert_eq!(door.sizes(), [10, 10]);

    tokio::time::sleep(Duration::from_millis(3)).await;
    door.open.add_permits(1);
    settle().await;
    ask_more(&door, 5).await;

    assert_eq!(door.sizes(), [10, 10, 100, 5]);
}

#[tokio::test(start_paused = true)]
async fn after_one_that_is_stuck_nobody_is_waited_for_and_two_go_at_once() {
    let door = after_ten(Duration::from_millis(3)).await;
    ask_more(&door, 10).await;

    tokio::time::sleep(Duration::from_millis(101)).await;
    ask_more(&door, 1).await;
    ask_more(&door, 2).await;

    assert_eq!(door.sizes(), [10, 10, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_goes_away_takes_nobody_along() {
    let door = Door::new(ONE);
    let (first, second) = (door.ask(1), door.ask(2));
    settle().await;
    first.abort();
    let (third, fourth) = (door.ask(3), door.ask(4));
    settle().await;
    third.abort();
    settle().await;

    door.open.add_permits(2);

    assert_eq!((second.await.unwrap().unwrap(), fourth.await.unwrap().unwrap()), (3, 5));
    assert_eq!(door.sizes(), [2, 1], "who does not wait any more is not asked for");
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_told_to_all_who_shared_it_and_to_nobody_else() {
    let door = Door::new(ONE);
    let (one, thirteen) = (door.ask(1), door.ask(13));
    settle().await;
    let later = door.ask(2);
    door.open.add_permits(2);

    assert!(one.await.unwrap().is_err() && thirteen.await.unwrap().is_err());
    assert_eq!(later.await.unwrap().unwrap(), 3);
}

#[tokio::test(start_paused = true)]
async fn after_a_panic_the_others_are_still_answered() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let gathering = Gathering::new(ONE, move |asked: Vec<u32>| {
        let number = counted.fetch_add(1, Ordering::Relaxed);
        async move {
            assert!(number > 0, "the first one panics");
            Ok(asked)
        }
    });

    let first = gathering.ask(1).await;
    let second = gathering.ask(2).await;

    assert!(matches!(first, Err(StoreError::Unavailable(_))), "{first:?}");
    assert_eq!(second.unwrap(), 2);
}

#[test]
fn a_runtime_that_ends_leaves_nothing_stuck() {
    let gathering = Arc::new(Gathering::new(ONE, |asked: Vec<u32>| async move {
        if asked.contains(&1) {
            std::future::pending::<()>().await;
        }
        Ok(asked)
    }));
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let first = runtime();
    first.block_on(async {
        for number in [1, 2] {
            let gathering = gathering.clone();
            tokio::spawn(async move { gathering.ask(number).await });
            settle().await;
        }
    });
    drop(first);

    let answer = runtime().block_on(gathering.ask(3));

    assert_eq!(answer.unwrap(), 3);
}
