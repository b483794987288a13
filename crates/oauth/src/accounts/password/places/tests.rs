//! Who goes first, and that nothing gets lost between threads that come and go.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use super::*;

/// Places whose threads wait for so long before they go, and are never late.
fn that_stay(count: usize, stays: Duration) -> Places {
    Places { stays, late: Duration::from_hours(1), ..Places::new(count) }
}

fn take(places: &Places) -> Arc<Place> {
    Arc::new(places.take().unwrap())
}

/// What is said by the thread of a place.
fn ask<T: Send + 'static>(place: &Arc<Place>, what: impl Fn(&mut Memory) -> T + Send + Sync + 'static) -> Option<T> {
    let (said, heard) = sync_channel(1);
    place.give(job(said, what)).unwrap();
    heard.recv().ok()
}

fn job<T: Send + 'static>(said: SyncSender<T>, what: impl Fn(&mut Memory) -> T + Send + Sync + 'static) -> Job {
    Arc::new(move |memory| {
        let (said, outcome) = (said.clone(), what(memory));
        Box::new(move || said.send(outcome).unwrap())
    })
}

#[cfg(target_os = "linux")]
fn class() -> String {
    format!("{:?}", thread_priority::thread_schedule_policy().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_works_when_nobody_else_does_and_who_looks_after_all_keeps_a_share() {
    let priority = || rustix::process::getpriority_process(None).unwrap();
    let places = that_stay(2, STAYS);
    for place in [take(&places), take(&places)] {
        assert_eq!(ask(&place, move |_| class()).as_deref(), Some("Normal(Idle)"));
    }

    let (said, heard) = sync_channel(1);
    places.give(job(said, move |_| (class(), priority()))).unwrap();

    // The weakest there is is 19.
    assert_eq!(heard.recv(), Ok((class(), (priority() + STEP_BACK).min(19))));
}

#[test]
fn what_a_place_does_not_come_to_is_done_by_another() {
    let places = Places { late: Duration::from_millis(1), ..Places::new(1) };
    let (go_on, stuck) = channel::<()>();
    let (stuck, is_first) = (Mutex::new(stuck), AtomicBool::new(true));
    let (said, heard) = sync_channel(2);

    let is_first = move |_: &mut Memory| {
        let is_first = is_first.swap(false, Ordering::SeqCst);
        if is_first {
            let _ = lock(&stuck).recv();
        }
        is_first
    };
    take(&places).give(job(said, is_first)).unwrap();

    assert_eq!(heard.recv(), Ok(false));
    assert!(places.take().is_none(), "it is not free before it is done there as well");
    go_on.send(()).unwrap();
    assert_eq!(heard.recv(), Ok(true));
    assert!(places.take().is_some());
}

#[test]
fn what_is_done_in_time_is_not_done_again() {
    let places = that_stay(1, STAYS);
    let times = Arc::new(AtomicUsize::new(0));
    for _ in 0..100 {
        let times = times.clone();
        ask(&take(&places), move |_| times.fetch_add(1, Ordering::SeqCst));
    }

    // After all that it was to look after.
    let (said, heard) = sync_channel(1);
    places.give(job(said, |_| ())).unwrap();

    assert_eq!(heard.recv(), Ok(()));
    assert_eq!(times.load(Ordering::SeqCst), 100);
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
    let places = that_stay(1, Duration::from_hours(1));
    let mark = |memory: &mut Memory| (std::thread::current().id(), memory.blocks(64).as_ptr() as usize);
    let before = ask(&take(&places), mark);

    assert_eq!(ask(&take(&places), mark), before);
}

#[test]
fn what_comes_while_a_thread_leaves_is_done() {
    let places = that_stay(1, Duration::ZERO);

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
fn a_place_outlives_a_job_that_panics() {
    let places = that_stay(1, Duration::from_hours(1));

    assert_eq!(ask(&take(&places), |_| panic!("on purpose")), None::<()>);

    // The thread may still be on its way out, and takes what it is given along; whoever asks again is answered.
    let answered = (0..1000).find_map(|_| ask(&take(&places), |_| ()));
    assert_eq!(answered, Some(()));
}

#[test]
fn more_memory_than_usual_is_given_back() {
    let mut memory = Memory::default();
    memory.blocks(65);

    memory.shrink_to(64);

    assert_eq!(memory.0.len(), 0);
    assert_eq!(memory.blocks(64).len(), 64);
}
