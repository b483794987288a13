//! What the numbers were measured on.

use std::fs;

/// Cores, processor and system in one line.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor =
        processor.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|pair| pair.1));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{cores} cores, {}, Linux {}, the load generator on the same machine",
        processor.unwrap_or("processor unknown"),
        kernel.trim()
    )
}
