//! The targets of what is measured apart from the works.

use super::Verdict;
use crate::subject::{Expiry, Findings, Storm, Worst};

/// Sign-ins against what the cores can hash.
const SIGN_INS: f64 = 0.85;
/// How many times longer the slowest in a hundred may wait, in a storm and during a sweep.
const SLOWER: f64 = 3.0;
/// Processor time that any request may take, in milliseconds.
const DEAREST: f64 = 50.0;
/// The longest that anyone may wait during a sweep, in milliseconds.
const PAUSE: f64 = 100.0;

/// Judges what was measured.
pub(super) fn judge(findings: &Findings) -> Vec<Verdict> {
    let storm = findings.storm.iter().flat_map(judge_storm);
    let worst = findings.worst.iter().flat_map(judge_worst);
    let expiry = findings.expiry.iter().flat_map(judge_expiry);
    storm.chain(worst).chain(expiry).collect()
}

fn judge_storm(storm: &Storm) -> Vec<Verdict> {
    let is_valid = storm.complaint.is_none();
    vec![
        Verdict {
            target: format!("storm of passwords: sign-ins/s ≥ {SIGN_INS}× what the cores can hash"),
            measured: format!("{:.2}×", storm.share()),
            held: is_valid && storm.share() >= SIGN_INS,
        },
        slower("storm of passwords: introspection p99", storm.slower(), "of a quiet time", is_valid),
    ]
}

fn slower(what: &str, times: f64, of: &str, is_valid: bool) -> Verdict {
    let target = format!("{what} ≤ {SLOWER}× {of}");
    Verdict { target, measured: format!("{times:.2}×"), held: is_valid && times <= SLOWER }
}

fn judge_worst(worst: &Worst) -> Option<Verdict> {
    let dearest = worst.costs.first()?;
    Some(Verdict {
        target: format!("the worst request ≤ {DEAREST} ms CPU"),
        measured: format!("{:.1} ms ({})", dearest.whole(), dearest.name),
        held: worst.complaint().is_none() && dearest.whole() <= DEAREST,
    })
}

fn judge_expiry(expiry: &Expiry) -> Vec<Verdict> {
    let is_valid = expiry.complaint.is_none();
    let most = expiry.introspection.during.most.max(expiry.refresh.during.most);
    let (asked, renewed) = (expiry.introspection.slower(), expiry.refresh.slower());
    vec![
        slower("expiry: introspection p99", asked, "of the time before", is_valid),
        slower("expiry: refresh p99", renewed, "of the time before", is_valid),
        Verdict {
            target: format!("expiry: nobody waits longer than {PAUSE} ms"),
            measured: format!("{most:.1} ms"),
            held: is_valid && most <= PAUSE,
        },
    ]
}
