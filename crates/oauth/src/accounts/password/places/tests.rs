//! Who goes first, and that nothing gets lost between threads that come and go.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use super::*;

const NEVER: Duration = Duration::from_hours(1);

fn take(places: &Places) -> Arc<Place> {
    Arc::new(places.take().unwrap())
}

/// What is said by the thread of a place.
fn ask<T: Send + 'static>(place: &Arc<Place>, what: impl Fn(&mut Memory) -> T + Send + Sync + 'static) -> Option<T> {
    let (said, heard) = sync_channel(1);
    place.give(work(said, what), 1).unwrap();
    heard.recv().ok()
}

fn work<T: Send + 'static>(said: SyncSender<T>, what: impl Fn(&mut Memory) -> T + Send + Sync + 'static) -> Arc<Work> {
    Arc::new(move |memory| {
        let (said, outcome) = (said.clone(), what(memory));
        Some(Box::new(move || said.send(outcome).unwrap()))
    })
}

/// What is said by the guard.
fn ask_guard<T: Send + 'static>(places: &Places, what: impl Fn() -> T + Send + Sync + 'static) -> Option<T> {
    let (said, heard) = sync_channel(1);
    places.give(work(said, move |_| what())).unwrap();
    heard.recv().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_works_when_nobody_else_does_and_the_guard_keeps_a_share() {
    let priority = || rustix::process::getpriority_process(None).unwrap();
    let class = || format!("{:?}", thread_priority::thread_schedule_policy().unwrap());
    let places = Places::with(2, STAYS, NEVER);
    for place in [take(&places), take(&places)] {
        assert_eq!(ask(&place, move |_| class()).as_deref(), Some("Normal(Idle)"));
    }

    // The weakest there is is 19.
    let expected = (class(), (priority() + STEP_BACK).min(19));
    assert_eq!(ask_guard(&places, move || (class(), priority())), Some(expected));
}

#[test]
fn what_a_place_does_not_come_to_is_done_by_the_guard() {
    let places = Places::with(1, STAYS, Duration::from_millis(1));
    let (go_on, stuck) = channel::<()>();
    let (begin, begun) = channel::<()>();
    let (stuck, begun, is_first) = (Mutex::new(stuck), Mutex::new(begun), AtomicBool::new(true));
    let (said, heard) = sync_channel(2);

    // The guard has something else to do until the place has begun.
    let (free, _kept) = sync_channel(1);
    places.give(work(free, move |_| lock(&begun).recv().unwrap())).unwrap();
    let is_first = move |_: &mut Memory| {
        let is_first = is_first.swap(false, Ordering::SeqCst);
        if is_first {
            begin.send(()).unwrap();
            let _ = lock(&stuck).recv();
        }
        is_first
    };
    take(&places).give(work(said, is_first), 1).unwrap();

    assert_eq!(heard.recv(), Ok(false));
    assert!(places.take().is_none(), "it is not free before it is done there as well");
    go_on.send(()).unwrap();
    assert_eq!(heard.recv(), Ok(true));
    assert!(places.take().is_some());
}

#[test]
fn what_is_done_in_time_is_not_done_again_and_not_kept() {
    let places = Places::with(1, STAYS, Duration::from_millis(1));
    let times = Arc::new(AtomicUsize::new(0));
    let (go_on, stuck) = channel::<()>();
    let stuck = Mutex::new(stuck);

    // The guard comes when all is done.
    let (said, heard) = sync_channel(1);
    places.give(work(said, move |_| lock(&stuck).recv().unwrap())).unwrap();
    for _ in 0..100 {
        let times = times.clone();
        ask(&take(&places), move |_| times.fetch_add(1, Ordering::SeqCst));
    }
    assert_eq!(Arc::strong_count(&times), 1, "nothing has it any more that was done with it");
    go_on.send(()).unwrap();

    assert_eq!(heard.recv(), Ok(()));
    assert_eq!(ask_guard(&places, || ()), Some(()));
    assert_eq!(times.load(Ordering::SeqCst), 100);
}

#[test]
fn what_takes_long_anyway_is_late_later() {
    let places = Places::with(1, STAYS, Duration::from_millis(1));
    assert_eq!(places.0.late(1000), Duration::from_millis(1), "nothing is known yet");

    places.0.note(1000, Duration::from_millis(50));
    places.0.note(1000, Duration::from_secs(5));

    assert_eq!(places.0.late(1000), Duration::from_millis(400));
    assert_eq!(places.0.late(4000), Duration::from_millis(1600));
    assert_eq!(places.0.late(1), Duration::from_millis(1));
}

#[test]
fn the_lowest_free_place_is_taken() {
    let places = Places::new(2);
    let (first, second) = (places.take().unwrap(), places.take().unwrap());
    assert!(places.take().is_none());
    drop(second);
    drop(first);

    assert_eq!(places.take().unwrap().number, 0);
}

#[test]
fn a_thread_is_used_again_with_its_memory() {
    let places = Places::with(1, NEVER, NEVER);
    let mark = |memory: &mut Memory| (std::thread::current().id(), memory.blocks(64).as_ptr() as usize);
    let before = ask(&take(&places), mark);

    assert_eq!(ask(&take(&places), mark), before);
}

#[test]
fn what_comes_while_a_thread_leaves_is_done() {
    let places = Places::with(1, Duration::ZERO, NEVER);

    let done = (0..2000).filter(|number| {
        ask(&take(&places), {
            let number = *number;
            move |_| number
        })
        .is_some()
    });

    assert_eq!(done.count(), 2000);
}

#[test]
fn whoever_works_outlives_work_that_panics() {
    let places = Places::with(1, NEVER, NEVER);

    assert_eq!(ask(&take(&places), |_| panic!("on purpose")), None::<()>);
    assert_eq!(ask(&take(&places), |_| ()), Some(()));
    assert_eq!(ask_guard(&places, || panic!("on purpose")), None::<()>);
    assert_eq!(ask_guard(&places, || ()), Some(()));
}

#[test]
fn more_memory_than_usual_is_given_back() {
    let mut memory = Memory::default();
    memory.blocks(65);

    memory.shrink_to(64);

    assert_eq!(memory.0.len(), 0);
    assert_eq!(memory.blocks(64).len(), 64);
}
