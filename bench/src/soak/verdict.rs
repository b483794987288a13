//! Does anything grow? The first third of a run warms up; the second is compared with the last.

use serde_json::{Value, json};

use crate::measure::median;

/// Growth that is too little to tell from noise, in megabytes.
const NOISE: f64 = 16.0;
/// The same as a share of what there is.
const SHARE: f64 = 0.15;
/// So many handles more are connections that come and go.
const HANDLES: usize = 12;
/// From fewer looks nothing can be said.
pub const FEWEST: usize = 6;
/// So many looks tell how it ends.
const LAST: usize = 5;
/// Milliseconds that a p99 may vary by, however small it is.
const LATENCY: f64 = 20.0;

/// What was seen at one moment.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// Seconds since the beginning.
    pub at: f64,
    /// Bytes of its own.
    pub memory: u64,
    pub handles: usize,
    /// Milliseconds.
    pub p99: f64,
    pub answered: u64,
    pub wrong: u64,
    pub complaint: Option<String>,
}

impl Sample {
    #[expect(clippy::cast_precision_loss)]
    pub fn megabytes(&self) -> f64 {
        self.memory as f64 / 1e6
    }

    pub fn json(&self) -> Value {
        json!({
            "seconds": self.at, "memory_mb": self.megabytes(), "handles": self.handles, "p99_ms": self.p99,
            "answered": self.answered, "wrong": self.wrong,
        })
    }
}

/// What it comes to; pairs are after warm-up and at the end.
#[derive(Debug)]
pub struct Verdict {
    /// Megabytes an hour.
    pub slope: f64,
    pub memory: [f64; 2],
    pub handles: [usize; 2],
    pub p99: [f64; 2],
    pub complaints: Vec<String>,
}

impl Verdict {
    pub fn is_good(&self) -> bool {
        self.complaints.is_empty()
    }
}

/// `slower`: so many times slower the answers may become.
pub fn judge(samples: &[Sample], slower: f64) -> Verdict {
    let third = samples.len() / 3;
    let (warm, late) = (&samples[third..], &samples[samples.len() - third.min(samples.len())..]);
    let early = &warm[..third.min(warm.len())];
    let middle = |part: &[Sample], of: fn(&Sample) -> f64| median(part.iter().map(of).collect());
    // One look may meet connections that are just being closed; most looks do not.
    let usual = |part: &[Sample]| {
        let mut handles: Vec<usize> = part.iter().map(|sample| sample.handles).collect();
        handles.sort_unstable();
        handles.get(handles.len() / 2).copied().unwrap_or_default()
    };
    let last = &late[late.len().saturating_sub(LAST)..];
    let slope = slope(warm);
    let memory = [middle(early, Sample::megabytes), middle(late, Sample::megabytes)];
    let handles = [usual(early), usual(late).max(usual(last))];
    let p99 = [middle(early, |sample| sample.p99), middle(late, |sample| sample.p99)];
    let mut complaints = Vec::new();
    if samples.len() < FEWEST {
        complaints.push("the run was too short to say anything".to_owned());
    }
    let wrong: u64 = samples.iter().map(|sample| sample.wrong).sum();
    if let Some(first) = samples.iter().find_map(|sample| sample.complaint.as_ref()) {
        complaints.push(format!("{wrong} wrong answers, the first: {first}"));
    }
    let span = warm.last().zip(warm.first()).map_or(0.0, |(last, first)| last.at - first.at);
    let grown = (slope * span).min(memory[1] - memory[0]);
    if grown > NOISE.max(memory[0] * SHARE) {
        complaints.push(format!("memory grows by {:.1} MB an hour", slope * 3600.0));
    }
    if handles[1] > handles[0] + HANDLES {
        complaints.push(format!("file handles grow from {} to {}", handles[0], handles[1]));
    }
    if p99[1] > p99[0] * slower + LATENCY {
        complaints.push(format!("answers become slower: p99 from {:.1} to {:.1} ms", p99[0], p99[1]));
    }
    Verdict { slope: slope * 3600.0, memory, handles, p99, complaints }
}

/// Megabytes a second, by least squares.
fn slope(samples: &[Sample]) -> f64 {
    #[expect(clippy::cast_precision_loss)]
    let count = samples.len().max(1) as f64;
    let mean = |of: fn(&Sample) -> f64| samples.iter().map(of).sum::<f64>() / count;
    let (time, memory) = (mean(|sample| sample.at), mean(Sample::megabytes));
    let above: f64 = samples.iter().map(|sample| (sample.at - time) * (sample.megabytes() - memory)).sum();
    let below: f64 = samples.iter().map(|sample| (sample.at - time).powi(2)).sum();
    if below > 0.0 { above / below } else { 0.0 }
}

#[cfg(test)]
mod tests;
