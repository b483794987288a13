//! What a run measures, by the names that were asked for.

use anyhow::bail;

use crate::options::Bench;
use crate::subject::Subject;
use crate::work::Work;

/// What must not become slower when a store grows.
const GROWING: [Work; 5] = [Work::Introspection, Work::Refresh, Work::GetOne, Work::List, Work::ListNew];

/// Works and subjects, in the order in which they are measured.
pub fn chosen(options: &Bench) -> anyhow::Result<(Vec<Work>, Vec<Subject>)> {
    let names: Vec<&str> = Work::ALL.map(Work::name).into_iter().chain(Subject::ALL.map(Subject::name)).collect();
    if let Some(unknown) = options.only.iter().find(|name| !names.contains(&name.as_str())) {
        bail!("there is no work called `{unknown}`. There are: {}", names.join(", "));
    }
    let is_named = |name: &str| options.only.iter().any(|only| only == name);
    let is_all = options.only.is_empty();
    let works = Work::ALL.into_iter().filter(|work| match (is_all, options.growth) {
        (true, true) => GROWING.contains(work),
        (true, false) => true,
        (false, _) => is_named(work.name()),
    });
    let is_usual = |subject: Subject| is_all && !options.growth && subject.is_usual();
    let subjects = Subject::ALL.into_iter().filter(|subject| is_usual(*subject) || is_named(subject.name()));
    Ok((works.collect(), subjects.collect()))
}
