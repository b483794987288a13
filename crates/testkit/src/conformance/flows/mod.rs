//! Whole flows in random order, against a model that fits on two screens: whatever people, apps and thieves do one after
//! the other, what is good and what is refused is what the model says, at two nodes and after a restart.
//!
//! `VALETKEY_TEST_SEED` chooses another run and `VALETKEY_TEST_ROUNDS` how many histories it has.

mod house;
mod model;
mod play;

use valetkey_oauth::ports::{Ports, Random};

use crate::SeededRandom;
use crate::services::number;
use house::House;
use play::play;

/// So many histories unless told otherwise.
const ROUNDS: u64 = 12;
/// So many steps in each.
const STEPS: usize = 40;

/// One step: what, and two numbers that say which and how.
#[derive(Debug, Clone, Copy)]
struct Step {
    act: Act,
    which: usize,
    how: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Authorize,
    Redeem,
    RedeemWrongly,
    Refresh,
    RefreshLatest,
    Revoke,
    EndSession,
    Withdraw,
    SignOut,
    Credentials,
    AskDevice,
    ApproveDevice,
    DenyDevice,
    Poll,
    Wait,
    Leap,
    RotateKeys,
    Sweep,
    Restart,
    RemoveClient,
}

/// What happens often stands here often.
const ACTS: [Act; 40] = {
    use Act::*;
    [
        Authorize,
        Authorize,
        Authorize,
        Authorize,
        Authorize,
        Redeem,
        Redeem,
        Redeem,
        Redeem,
        Redeem,
        Redeem,
        RedeemWrongly,
        Refresh,
        Refresh,
        Refresh,
        Refresh,
        RefreshLatest,
        RefreshLatest,
        RefreshLatest,
        Revoke,
        EndSession,
        Withdraw,
        SignOut,
        Credentials,
        AskDevice,
        AskDevice,
        ApproveDevice,
        ApproveDevice,
        DenyDevice,
        Poll,
        Poll,
        Poll,
        Wait,
        Wait,
        Wait,
        Leap,
        RotateKeys,
        Sweep,
        Restart,
        RemoveClient,
    ]
};

/// Histories that went wrong once, beside those that chance makes.
const KNOWN: [&[(Act, usize)]; 2] = [
    // A device code is replayed after its row was swept.
    &[
        (Act::AskDevice, 0),
        (Act::ApproveDevice, 0),
        (Act::Poll, 0),
        (Act::Wait, 10),
        (Act::Sweep, 0),
        (Act::Poll, 0),
        (Act::Poll, 0),
    ],
    // A clock that is a year ahead takes away the keys of tokens that are good.
    &[(Act::Credentials, 0), (Act::RotateKeys, 0), (Act::Leap, 2), (Act::Leap, 2)],
];

pub async fn what_happens_is_what_the_model_says(ports: Ports) {
    let (seed, rounds) = (number("VALETKEY_TEST_SEED").unwrap_or(1), number("VALETKEY_TEST_ROUNDS").unwrap_or(ROUNDS));
    let mut house = House::build(ports).await;
    for known in KNOWN {
        let steps: Vec<_> = known.iter().map(|(act, which)| Step { act: *act, which: *which, how: 1 }).collect();
        if let Err(why) = play(&mut house, &steps).await {
            panic!("{why}\nafter {steps:#?}");
        }
    }
    for round in 0..rounds {
        let steps = history(seed.wrapping_mul(1_000_003).wrapping_add(round));
        if let Err(first) = play(&mut house, &steps).await {
            let (steps, why) = shorten(&mut house, steps, first).await;
            panic!("seed {seed}, round {round}: {why}\nafter {steps:#?}");
        }
    }
}

fn history(seed: u64) -> Vec<Step> {
    let random = SeededRandom::new(seed);
    let mut bytes = [0; STEPS * 3];
    random.fill(&mut bytes);
    let step = |bytes: &[u8]| Step {
        act: ACTS[usize::from(bytes[0]) % ACTS.len()],
        which: bytes[1].into(),
        how: bytes[2].into(),
    };
    bytes.chunks(3).map(step).collect()
}

/// Leaves steps out for as long as something is still wrong.
async fn shorten(house: &mut House, mut steps: Vec<Step>, mut why: String) -> (Vec<Step>, String) {
    let mut size = steps.len().div_ceil(2);
    loop {
        let mut at = 0;
        while at < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(at..(at + size).min(steps.len()));
            match play(house, &fewer).await {
                Err(still) => (steps, why) = (fewer, still),
                Ok(()) => at += size,
            }
        }
        if size <= 1 {
            return (steps, why);
        }
        size = size.div_ceil(2);
    }
}
