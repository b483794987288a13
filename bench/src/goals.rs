//! The targets, as data, and whether a run held them. What a run did not measure is not judged.

mod found;

use crate::options::Engine;
use crate::report::{Report, Row};
use crate::work::Work;

/// One line of the table of targets.
struct Goal {
    work: Work,
    of: Of,
    /// A bound from above or from below.
    bound: Bound,
}

#[derive(Clone, Copy)]
enum Of {
    /// Processor time for each request against the floor.
    Cpu,
    /// The same against the floor and one signature.
    CpuSigned,
    /// Requests a second against the floor.
    Rate,
    /// Requests a second against the ceiling of commits.
    Commits,
    /// Requests a second against raw point reads.
    Reads,
    /// Requests a second against the same server with an empty store.
    Grown,
    /// How many times less processor time than a peer.
    Less(&'static str),
}

#[derive(Clone, Copy)]
enum Bound {
    Most(f64),
    Least(f64),
}

use Bound::{Least, Most};
use Of::{Commits, Cpu, CpuSigned, Grown, Less, Rate, Reads};

const NODE: &str = "node-oidc-provider";
const KINTO: &str = "Kinto";

const fn goal(work: Work, of: Of, bound: Bound) -> Goal {
    Goal { work, of, bound }
}

const SQLITE: [Goal; 29] = [
    goal(Work::Discovery, Cpu, Most(1.0)),
    goal(Work::Discovery, Less(NODE), Least(10.0)),
    goal(Work::Jwks, Cpu, Most(1.0)),
    goal(Work::Jwks, Less(NODE), Least(10.0)),
    goal(Work::Introspection, Cpu, Most(1.5)),
    goal(Work::Introspection, Rate, Least(0.7)),
    goal(Work::Introspection, Less(NODE), Least(12.0)),
    goal(Work::Opaque, Cpu, Most(2.0)),
    goal(Work::Opaque, Less(NODE), Least(10.0)),
    goal(Work::Es256, CpuSigned, Most(1.25)),
    goal(Work::Es256, Less(NODE), Least(8.0)),
    goal(Work::Refresh, Cpu, Most(6.0)),
    goal(Work::Refresh, Commits, Least(0.45)),
    goal(Work::Refresh, Less(NODE), Least(4.0)),
    goal(Work::Code, Cpu, Most(6.0)),
    goal(Work::Code, Commits, Least(0.45)),
    goal(Work::Code, Less(NODE), Least(4.0)),
    goal(Work::GetOne, Cpu, Most(1.5)),
    goal(Work::GetOne, Less(KINTO), Least(100.0)),
    goal(Work::GetNew, Cpu, Most(1.5)),
    goal(Work::GetNew, Less(KINTO), Least(100.0)),
    goal(Work::List, Cpu, Most(3.0)),
    goal(Work::List, Less(KINTO), Least(100.0)),
    goal(Work::ListNew, Cpu, Most(3.0)),
    goal(Work::ListNew, Less(KINTO), Least(100.0)),
    goal(Work::Create, Cpu, Most(4.0)),
    goal(Work::Create, Commits, Least(0.6)),
    goal(Work::CreateOnce, Cpu, Most(5.0)),
    goal(Work::CreateOnce, Commits, Least(0.45)),
];

const POSTGRES: [Goal; 2] = [goal(Work::Introspection, Reads, Least(0.6)), goal(Work::Refresh, Commits, Least(0.5))];

/// On either engine.
const BOTH: [Goal; 5] = [
    goal(Work::Introspection, Grown, Least(0.9)),
    goal(Work::Refresh, Grown, Least(0.9)),
    goal(Work::GetOne, Grown, Least(0.9)),
    goal(Work::List, Grown, Least(0.9)),
    goal(Work::ListNew, Grown, Least(0.9)),
];

/// Start-up to the first 200, in seconds.
const START: f64 = 0.1;
/// The same on ten million sessions.
const GROWN_START: f64 = 1.0;
/// Memory of the server's own, idle and at most, in bytes.
const IDLE: f64 = 15e6;
const BUSIEST: f64 = 120e6;

/// A target, what was found, and whether that is enough.
pub struct Verdict {
    pub target: String,
    pub measured: String,
    pub held: bool,
}

/// Judges everything that was measured.
pub fn judge(report: &Report) -> Vec<Verdict> {
    let goals: &[Goal] = match report.engine {
        Engine::Sqlite => &SQLITE,
        Engine::Postgres => &POSTGRES,
    };
    let mut verdicts: Vec<Verdict> = goals.iter().chain(&BOTH).filter_map(|goal| goal.judge(report)).collect();
    #[expect(clippy::cast_precision_loss)]
    let (idle, busiest) = (report.memory.idle as f64, report.memory.busiest as f64);
    let plain = |target: &str, value: f64, most: f64, unit: &str, scale: f64| Verdict {
        target: format!("{target} ≤ {} {unit}", most * scale),
        measured: format!("{:.1} {unit}", value * scale),
        held: value <= most,
    };
    verdicts.push(plain("start-up to the first 200", report.started_in, START, "ms", 1e3));
    verdicts.push(plain("memory, idle", idle, IDLE, "MB", 1e-6));
    verdicts.push(plain("memory, under load", busiest, BUSIEST, "MB", 1e-6));
    if report.memory.empty.is_some() {
        verdicts.push(plain("start-up on a store that has grown", report.started_in, GROWN_START, "ms", 1e3));
    }
    verdicts.extend(found::judge(&report.findings));
    verdicts
}

impl Goal {
    fn judge(&self, report: &Report) -> Option<Verdict> {
        let row = report.rows.iter().find(|row| row.work == self.work)?;
        let value = self.of.measure(report, row)?;
        let (mark, bound, held) = match self.bound {
            Most(bound) => ('≤', bound, value <= bound),
            Least(bound) => ('≥', bound, value >= bound),
        };
        let title = self.work.title();
        let target = match self.of {
            Cpu => format!("{title}: CPU {mark} {bound}× the floor"),
            CpuSigned => format!("{title}: CPU {mark} {bound}× (the floor and one signature)"),
            Rate => format!("{title}: requests/s {mark} {bound}× the floor"),
            Commits => format!("{title}: requests/s {mark} {bound}× the ceiling of commits"),
            Reads => format!("{title}: requests/s {mark} {bound}× raw point reads"),
            Grown => format!("{title}: requests/s {mark} {bound}× those of an empty store"),
            Less(peer) => format!("{title}: {mark} {bound}× less CPU than {peer}"),
        };
        Some(Verdict { target, measured: format!("{value:.2}×"), held: held && row.server().wrong() == 0 })
    }
}

impl Of {
    fn measure(self, report: &Report, row: &Row) -> Option<f64> {
        let rate = row.server().median(|sample| sample.rate);
        match self {
            Cpu => row.cpu_against("floor"),
            CpuSigned => {
                let floor = row.of("floor")?.median(|sample| sample.cpu);
                Some(row.server().median(|sample| sample.cpu) / (floor + report.ceilings.signature))
            }
            Rate => row.rate_against("floor"),
            Commits => Some(rate / report.ceilings.sqlite_inserts.or(report.ceilings.postgres_inserts)?),
            Reads => Some(rate / report.ceilings.postgres_reads?),
            Grown => row.rate_against("empty store"),
            Less(peer) => row.cpu_against(peer).map(|ratio| 1.0 / ratio),
        }
    }
}
