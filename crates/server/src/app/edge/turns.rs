//! Turns: in a hall, requests that are there at the same moment go on side by side, stage by stage.
//!
//! All that have arrived are read before the first is answered, and answered before the first is written: under load that takes less of
//! a processor (decision 0022). Where nobody else is there, nobody waits.

use std::future::poll_fn;
use std::task::Poll;

/// Lets everybody in this hall go first who could go on now. The system is not asked for more meanwhile.
pub(super) async fn after_the_others() {
    let mut has_waited = false;
    poll_fn(|context| {
        if has_waited {
            return Poll::Ready(());
        }
        has_waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[tokio::test]
    async fn those_who_are_there_go_on_stage_by_stage() {
        let stages = Arc::new(Mutex::new(Vec::new()));
        let visit = |name: u32| {
            let stages = stages.clone();
            async move {
                for stage in ["read", "answered", "written"] {
                    stages.lock().unwrap().push((stage, name));
                    after_the_others().await;
                }
            }
        };

        let visits = [1, 2, 3].map(|name| tokio::spawn(visit(name)));
        for visit in visits {
            visit.await.unwrap();
        }

        let expected: Vec<_> =
            ["read", "answered", "written"].into_iter().flat_map(|stage| [1, 2, 3].map(|name| (stage, name))).collect();
        assert_eq!(*stages.lock().unwrap(), expected);
    }
}
