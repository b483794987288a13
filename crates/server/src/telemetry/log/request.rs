//! The line of a request: at which level, with which fields. There is one for each request, so it goes straight into a buffer
//! of its thread and from there into the sink; levels are still those that the operator set for all lines.

use std::cell::RefCell;

use tracing::{Level, enabled};
use uuid::Uuid;

use super::address::Address;
use super::line::{Fields, Line};
use super::{REQUEST, Sink};
use crate::telemetry::Finished;

/// Routes that machines ask every few seconds.
const PROBES: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

thread_local! {
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Writes lines of requests without a detour.
pub struct Straight {
    pub(super) line: Line,
    pub(super) sink: Sink,
}

impl Straight {
    /// Where the lines go.
    pub fn sink(&self) -> &Sink {
        &self.sink
    }

    fn write(&self, level: Level, request: &Finished<'_>, cause: Option<&str>) {
        TEXT.with_borrow_mut(|text| {
            text.clear();
            // Writing into memory does not fail.
            let _ = self.line.write(text, (level, REQUEST), |fields| write(fields, request, cause));
            self.sink.take(text.as_bytes());
        });
    }
}

fn write(fields: &mut Fields<'_, String>, request: &Finished<'_>, cause: Option<&str>) {
    fields.plain("message", "request");
    if let Some(id) = request.request_id {
        fields.plain("request_id", id.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
    }
    fields.plain("method", request.method);
    // A pattern of ours, and nothing that a client sent.
    fields.plain("route", request.route);
    fields.bare("status", itoa::Buffer::new().format(request.status));
    fields.number("elapsed_ms", milliseconds(request));
    if let Some(address) = request.client_address {
        fields.plain("client_address", Address::default().write(address));
    }
    if let Some(problem) = request.problem {
        fields.plain("problem", problem.slug);
    }
    if let Some(cause) = cause {
        fields.field("cause", true, |out| out.write_str(cause));
    }
}

pub(super) fn finished(request: &Finished<'_>, straight: &Straight) {
    if request.is_server_error() {
        // The client is not told the cause of a 5xx, so it must stand here. That of a 4xx may quote what the client sent.
        let cause = request.problem.and_then(|problem| problem.detail);
        if enabled!(target: REQUEST, Level::ERROR) {
            straight.write(Level::ERROR, request, cause);
        }
    } else if request.status < 400 && PROBES.contains(&request.route) {
        if enabled!(target: REQUEST, Level::DEBUG) {
            straight.write(Level::DEBUG, request, None);
        }
    } else if enabled!(target: REQUEST, Level::INFO) {
        straight.write(Level::INFO, request, None);
    }
}

#[expect(clippy::cast_precision_loss, reason = "no request takes so long that it matters")]
fn milliseconds(request: &Finished<'_>) -> f64 {
    request.elapsed.as_micros() as f64 / 1000.0
}
