//! Medians and ratios.

use super::{Sample, Series, median};

fn series(cpu: &[f64]) -> Series {
    let sample = |cpu: &f64| Sample {
        rate: 1.0,
        p50: 0.0,
        p99: 0.0,
        most: 0.0,
        cpu: *cpu,
        database_cpu: 0.0,
        answered: 1,
        wrong: 0,
        complaint: None,
    };
    Series { samples: cpu.iter().map(sample).collect() }
}

#[test]
fn the_median_does_not_follow_one_bad_round() {
    assert!((median(vec![1.0, 2.0, 100.0]) - 2.0).abs() < 1e-9);
    assert!((median(vec![4.0, 2.0]) - 3.0).abs() < 1e-9);
}

#[test]
fn a_ratio_compares_rounds_that_stood_beside_each_other() {
    let (mine, floor) = (series(&[10.0, 30.0, 20.0]), series(&[5.0, 15.0, 10.0]));

    let ratio = mine.ratio(&floor, |sample| sample.cpu);

    assert!((ratio - 2.0).abs() < 1e-9);
}
