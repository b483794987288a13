//! Tells those who shared a commit how it ended. To wake somebody who waits in another thread takes a call of the system; so all
//! who wait in one runtime are woken with one, and there each of them is told.

use tokio::runtime::Handle;
use valetkey_oauth::ports::StoreError;

use super::job::Job;

/// Those who wait in one runtime. They are told when this is dropped: by the runtime, or by whoever finds that it has ended.
struct Waiting {
    jobs: Vec<Box<dyn Job>>,
    committed: Result<(), StoreError>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.jobs.drain(..).for_each(|job| job.answer(self.committed.clone()));
    }
}

/// Tells all of them.
pub(super) fn tell(jobs: &mut Vec<Box<dyn Job>>, committed: &Result<(), StoreError>) {
    let mut rooms: Vec<(Handle, Waiting)> = Vec::new();
    for job in jobs.drain(..) {
        let Some(home) = job.home() else {
            job.answer(committed.clone());
            continue;
        };
        match rooms.iter_mut().find(|(handle, _)| handle.id() == home.id()) {
            Some((_, waiting)) => waiting.jobs.push(job),
            None => rooms.push((home.clone(), Waiting { jobs: vec![job], committed: committed.clone() })),
        }
    }
    for (home, waiting) in rooms {
        if waiting.jobs.len() > 1 {
            home.spawn(async move { drop(waiting) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread::{self, ThreadId};
    use std::time::Duration;

    use rusqlite::Connection;
    use tokio::runtime::{Builder, Runtime};

    use super::super::Touches;
    use super::*;

    /// Says who told whom.
    struct Guest {
        number: u8,
        home: Option<Handle>,
        told: Sender<(u8, ThreadId, Result<(), StoreError>)>,
    }

    impl Job for Guest {
        fn work(&mut self, _: &Connection) -> bool {
            true
        }

        fn touches(&self) -> Touches {
            Touches::Nothing
        }

        fn home(&self) -> Option<&Handle> {
            self.home.as_ref()
        }

        fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
            self.told.send((self.number, thread::current().id(), committed)).unwrap();
        }
    }

    fn runtime() -> Runtime {
        Builder::new_multi_thread().worker_threads(1).build().unwrap()
    }

    /// Tells guests who wait in these places, and answers who told each of them.
    fn told(homes: &[Option<&Handle>], committed: &Result<(), StoreError>) -> Vec<(u8, ThreadId)> {
        let (told, heard): (_, Receiver<_>) = channel();
        let guest = |(number, home): (u8, &Option<&Handle>)| {
            Box::new(Guest { number, home: home.cloned(), told: told.clone() }) as Box<dyn Job>
        };
        let mut jobs: Vec<_> = (0..).zip(homes).map(guest).collect();
        tell(&mut jobs, committed);
        assert!(jobs.is_empty());
        let mut heard: Vec<_> = homes.iter().map(|_| heard.recv_timeout(Duration::from_secs(20)).unwrap()).collect();
        heard.sort_by_key(|(number, ..)| *number);
        assert!(heard.iter().all(|(_, _, outcome)| outcome.is_ok() == committed.is_ok()));
        heard.into_iter().map(|(number, thread, _)| (number, thread)).collect()
    }

    #[test]
    fn those_who_wait_in_one_runtime_are_told_there_and_others_at_once() {
        let (one, other) = (runtime(), runtime());
        let [here, of_one] =
            [thread::current().id(), one.block_on(one.spawn(async { thread::current().id() })).unwrap()];

        let told = told(&[Some(one.handle()), None, Some(other.handle()), Some(one.handle()), None], &Ok(()));

        assert_eq!(told, [(0, of_one), (1, here), (2, here), (3, of_one), (4, here)]);
    }

    #[test]
    fn whoever_waits_where_a_runtime_has_ended_is_told() {
        let ended = runtime();
        let home = ended.handle().clone();
        drop(ended);

        let told = told(&[Some(&home), Some(&home)], &Err(StoreError::Failed("the disk is full".to_owned())));

        assert_eq!(told.len(), 2);
    }
}
