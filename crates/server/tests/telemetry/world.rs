//! Telemetry whose lines can be read back.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use tracing::subscriber::DefaultGuard;
use valetkey::telemetry::{LogFormat, Settings, Telemetry, log};
use valetkey_testkit::FixedClock;

/// Where lines end up.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Telemetry, and the lines of this thread.
pub struct World {
    pub telemetry: Telemetry,
    page: Page,
    sink: log::Sink,
    _subscribed: DefaultGuard,
}

impl World {
    pub fn settings() -> Settings {
        Settings { log_format: LogFormat::Json, ..Settings::default() }
    }

    pub fn new() -> Self {
        Self::with(Self::settings())
    }

    pub fn with(settings: Settings) -> Self {
        let clock = Arc::new(FixedClock::default());
        let page = Page::default();
        let sink = log::Sink::start(page.clone(), Default::default()).unwrap();
        let subscriber = log::subscriber(&settings, clock.clone(), sink.clone()).unwrap();
        let subscribed = tracing::subscriber::set_default(subscriber);
        let telemetry = Telemetry::writing(&settings, clock, sink.clone()).unwrap();
        Self { telemetry, page, sink, _subscribed: subscribed }
    }

    pub fn text(&self) -> String {
        assert!(self.sink.flush(Duration::from_secs(20)));
        String::from_utf8(self.page.0.lock().unwrap().clone()).unwrap()
    }

    pub fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub fn only_line(&self) -> Value {
        let lines = self.lines();
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines[0].clone()
    }

    pub fn counts(&self, line: &str) {
        let text = self.telemetry.metrics().unwrap().render();
        assert!(text.lines().any(|shown| shown == line), "no line `{line}` in\n{text}");
    }
}
