//! Callbacks: what an operation makes the server send to an address that the client named. Judged as webhooks are.

use super::{Pair, Work, members, webhooks};
use crate::diff::rule;

pub(super) fn compare(work: &mut Work<'_>, pair: &Pair<'_>) {
    let (old, new) = (pair.old.get("callbacks"), pair.new.get("callbacks"));
    for (name, before) in members(old) {
        let place = format!("{} callback {name}", pair.place);
        let Some(after) = new.and_then(|callbacks| callbacks.get(name)) else {
            work.tell(&rule::WEBHOOK_REMOVED, &place, format!("The callback `{name}` is gone."));
            continue;
        };
        let (before, after) = (work.old_part(before), work.new_part(after));
        for (address, before) in members(Some(before)).filter(|(address, _)| !address.starts_with("x-")) {
            match after.get(address) {
                Some(after) => {
                    let (before, after) = (work.old_part(before), work.new_part(after));
                    webhooks::one(work, &place, before, after);
                }
                None => {
                    work.tell(&rule::WEBHOOK_REMOVED, &place, format!("Nothing is sent to `{address}` any more."));
                }
            }
        }
    }
    for (name, _) in members(new).filter(|(name, _)| old.and_then(|callbacks| callbacks.get(*name)).is_none()) {
        let place = format!("{} callback {name}", pair.place);
        work.tell(&rule::WEBHOOK_ADDED, &place, format!("There is a callback `{name}`."));
    }
}
