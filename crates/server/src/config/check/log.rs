//! Whether the log will say what was meant.

use super::{Config, Report};
use crate::telemetry::log::check_level;

const REMEDY: &str = "Write error, warn, info, debug or trace, also per module: `info,valetkey=debug`.";

impl Config {
    pub(super) fn check_log(&self, report: &mut Report) {
        if let Err(why) = check_level(&self.log.level) {
            return report.error("log.level", format!("`{}` cannot be read: {why}.", self.log.level), REMEDY);
        }
        let words = ["off", "error", "warn", "info", "debug", "trace"];
        let bare = self.log.level.split(',').map(str::trim).filter(|part| !part.contains(['=', '[']));
        if let Some(odd) = bare.into_iter().find(|part| !words.contains(&part.to_ascii_lowercase().as_str())) {
            report.warning(
                "log.level",
                format!("`{odd}` is no level; it is taken for the name of a module, and all others fall silent."),
                REMEDY,
            );
        }
    }
}
