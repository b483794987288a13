//! Who goes first, and that nothing gets lost between threads that come and go.

use std::sync::mpsc::sync_channel;

use super::*;

/// What is said by the thread of a place.
fn ask<T: Send + 'static>(place: &Place, what: impl FnOnce(&mut Memory) -> T + Send + 'static) -> Option<T> {
    let (said, heard) = sync_channel(1);
    let job = move |memory: &mut Memory| said.send(what(memory)).unwrap();
    place.give(Box::new(job)).unwrap();
    heard.recv().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn the_first_place_keeps_a_share_and_the_others_run_when_nobody_else_does() {
    let priority = || rustix::process::getpriority_process(None).unwrap();
    let class = || format!("{:?}", thread_priority::thread_schedule_policy().unwrap());
    let places = Places::new(3);
    let (first, second, third) = (places.take().unwrap(), places.take().unwrap(), places.take().unwrap());

    // The weakest there is is 19.
    assert_eq!(ask(&first, move |_| priority()), Some((priority() + STEP_BACK).min(19)));
    assert_eq!(ask(&first, move |_| class()), Some(class()));
    for further in [second, third] {
        assert_eq!(ask(&further, move |_| class()).as_deref(), Some("Normal(Idle)"));
    }
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
    let places = Places::that_stay(1, Duration::from_hours(1));
    let mark = |memory: &mut Memory| (std::thread::current().id(), memory.blocks(64).as_ptr() as usize);
    let before = ask(&places.take().unwrap(), mark);

    assert_eq!(ask(&places.take().unwrap(), mark), before);
}

#[test]
fn what_comes_while_a_thread_leaves_is_done() {
    let places = Places::that_stay(1, Duration::ZERO);

    let done = (0..2000).filter(|number| {
        ask(&places.take().unwrap(), {
            let number = *number;
            move |_| number
        })
        .is_some()
    });

    assert_eq!(done.count(), 2000);
}

#[test]
fn a_place_outlives_a_job_that_panics() {
    let places = Places::that_stay(1, Duration::from_hours(1));

    assert_eq!(ask(&places.take().unwrap(), |_| panic!("on purpose")), None::<()>);

    // The thread may still be on its way out, and takes what it is given along; whoever asks again is answered.
    let answered = (0..1000).find_map(|_| ask(&places.take().unwrap(), |_| ()));
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
