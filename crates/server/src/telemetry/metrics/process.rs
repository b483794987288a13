//! What the system says of this process, asked anew each time someone collects. Says nothing where the system is silent.

use std::fmt;
use std::fs;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::{counter::ConstCounter, gauge::ConstGauge};

/// Linux counts time for programs in hundredths of a second, whatever its own clock does.
const TICKS_A_SECOND: f64 = 100.0;

/// Under the names that other programs use for the same.
#[derive(Debug)]
pub(super) struct Process;

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let mut tell = |name: &str, help: &str, value: Option<u64>| match value {
            Some(value) => {
                let gauge = ConstGauge::new(value);
                gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)
            }
            None => Ok(()),
        };
        tell(
            "process_resident_memory_bytes",
            "Memory in use, in bytes.",
            file("status").and_then(|text| memory(&text)),
        )?;
        tell("process_open_fds", "Open files and connections.", open_files())?;
        tell("process_max_fds", "How many may be open.", file("limits").and_then(|text| most_files(&text)))?;
        if let Some(seconds) = file("stat").and_then(|text| busy(&text)) {
            let counter = ConstCounter::new(seconds);
            let help = "Processor time used, in seconds.";
            counter.encode(encoder.encode_descriptor("process_cpu_seconds", help, None, counter.metric_type())?)?;
        }
        Ok(())
    }
}

fn file(name: &str) -> Option<String> {
    fs::read_to_string(format!("/proc/self/{name}")).ok()
}

fn open_files() -> Option<u64> {
    // The folder is itself open while it is read.
    let open = fs::read_dir("/proc/self/fd").ok()?.count();
    u64::try_from(open.saturating_sub(1)).ok()
}

fn memory(status: &str) -> Option<u64> {
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    kilobytes.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

fn most_files(limits: &str) -> Option<u64> {
    limits.lines().find_map(|line| line.strip_prefix("Max open files"))?.split_whitespace().next()?.parse().ok()
}

/// User and system time are the 14th and 15th field. The second is the name of the program, which may hold anything.
fn busy(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (u32, u32) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((f64::from(user) + f64::from(system)) / TICKS_A_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_read_from_its_place() {
        let stat = "42 (a) (b) c) S 1 42 42 0 -1 4194560 2000 0 0 0 250 50 0 0 20 0 9 0 700 1 2 3";
        let limits = "Max processes             93911    93911    processes\nMax open files            1024     524288    files\n";

        assert_eq!(busy(stat), Some(3.0));
        assert_eq!(memory("VmPeak:\t 9 kB\nVmRSS:\t    2048 kB\n"), Some(2 * 1024 * 1024));
        assert_eq!(most_files(limits), Some(1024));
    }

    #[test]
    fn what_cannot_be_read_is_not_told() {
        for text in ["", "42 (a", "Max open files unlimited unlimited files", "VmRSS: much"] {
            assert_eq!((busy(text), memory(text), most_files(text)), (None, None, None), "{text}");
        }
    }

    #[test]
    fn this_process_has_memory_and_files() {
        assert!(file("status").and_then(|text| memory(&text)).unwrap() > 1024 * 1024);
        assert!(open_files().unwrap() >= 3);
        assert!(file("stat").and_then(|text| busy(&text)).is_some());
    }
}
