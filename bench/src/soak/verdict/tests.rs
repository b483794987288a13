//! What grows is found, and what only varies is not.

use super::*;

/// A run of an hour, a sample each minute.
fn run(change: impl Fn(f64, &mut Sample)) -> Vec<Sample> {
    let sample = |minute: u32| {
        let mut sample = Sample {
            at: f64::from(minute) * 60.0,
            memory: 60_000_000,
            handles: 50,
            p99: 5.0,
            answered: 1000,
            ..Sample::default()
        };
        change(f64::from(minute), &mut sample);
        sample
    };
    (0..60).map(sample).collect()
}

#[test]
fn a_run_that_warms_up_and_then_varies_is_good() {
    let samples = run(|minute, sample| {
        sample.memory = 30_000_000 + if minute < 15.0 { 0 } else { 50_000_000 };
        sample.p99 = if minute < 15.0 { 90.0 } else { 5.0 + minute % 7.0 };
        sample.handles += if minute % 2.0 == 0.0 { 0 } else { 8 };
    });

    let verdict = judge(&samples, 2.0);

    assert_eq!(verdict.complaints, [""; 0]);
    assert!(verdict.slope.abs() < 0.1, "{verdict:?}");
}

#[test]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn memory_that_grows_is_told_by_the_hour() {
    let samples = run(|minute, sample| sample.memory += (minute * 1e6) as u64);

    let verdict = judge(&samples, 2.0);

    assert_eq!(verdict.complaints, ["memory grows by 60.0 MB an hour"]);
}

#[test]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn handles_latency_and_wrong_answers_are_told_too() {
    let samples = run(|minute, sample| {
        sample.handles += minute as usize;
        sample.p99 += minute * minute;
        sample.complaint = (minute == 30.0).then(|| "500".to_owned());
        sample.wrong = u64::from(minute == 30.0);
    });

    let complaints = judge(&samples, 2.0).complaints;

    assert_eq!(complaints.len(), 3, "{complaints:?}");
    assert!(complaints[0].starts_with("1 wrong answers"));
}

#[test]
fn connections_that_were_not_yet_closed_at_one_look_are_not_growth() {
    let samples = run(|minute, sample| sample.handles += if minute == 57.0 { 40 } else { 0 });

    assert_eq!(judge(&samples, 2.0).complaints, [""; 0]);
}

#[test]
fn handles_that_begin_to_grow_at_the_very_end_are_told() {
    let samples = run(|minute, sample| sample.handles += if minute >= 57.0 { 40 } else { 0 });

    assert_eq!(judge(&samples, 2.0).complaints, ["file handles grow from 50 to 90"]);
}

#[test]
fn a_run_that_is_too_short_is_not_called_good() {
    assert!(!judge(&[], 2.0).is_good());
    assert!(!judge(&run(|_, _| {})[..3], 2.0).is_good());
}
