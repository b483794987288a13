//! The line of a request: at which level, with which fields. There is one for each request, so it goes straight into a buffer
//! of its thread and from there into the sink; levels are still those that the operator set for all lines.

use std::cell::RefCell;
use std::fmt::{self, Write};

use jiff::Timestamp;
use tracing::{Level, enabled};
use uuid::Uuid;

use super::address::write_address;
use super::escape::Json;
use super::line::{Fields, Line, Look, word};
use super::moment::{write_moment, write_thousandths};
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
            let _ = match self.line.look {
                Look::Json => json(text, self.line.clock.now(), level, request, cause),
                Look::Pretty { .. } => self.line.write(text, (level, REQUEST), |fields| say(fields, request, cause)),
            };
            self.sink.take(text.as_bytes());
        });
    }
}

/// A line for programs, in as few pieces as there are. Nothing in it but the cause is anything that a client sent: methods
/// and routes are ours.
fn json(out: &mut String, now: Timestamp, level: Level, request: &Finished<'_>, cause: Option<&str>) -> fmt::Result {
    out.push_str(r#"{"time":""#);
    write_moment(out, now)?;
    out.push_str(r#"","level":""#);
    out.push_str(word(level));
    out.push_str(r#"","target":""#);
    out.push_str(REQUEST);
    out.push_str(r#"","message":"request","#);
    if let Some(id) = request.request_id {
        out.push_str(r#""request_id":""#);
        out.push_str(id.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
        out.push_str(r#"","#);
    }
    out.push_str(r#""method":""#);
    out.push_str(request.method);
    out.push_str(r#"","route":""#);
    out.push_str(request.route);
    out.push_str(r#"","status":"#);
    out.push_str(itoa::Buffer::new().format(request.status));
    out.push_str(r#","elapsed_ms":"#);
    write_thousandths(out, u64::try_from(request.elapsed.as_micros()).unwrap_or(u64::MAX))?;
    if let Some(address) = request.client_address {
        out.push_str(r#","client_address":""#);
        write_address(out, address);
        out.push('"');
    }
    if let Some(problem) = request.problem {
        out.push_str(r#","problem":""#);
        out.push_str(problem.slug);
        out.push('"');
    }
    if let Some(cause) = cause {
        out.push_str(r#","cause":""#);
        Json(out).write_str(cause)?;
        out.push('"');
    }
    out.push_str("}\n");
    Ok(())
}

/// The same for people.
fn say(fields: &mut Fields<'_, String>, request: &Finished<'_>, cause: Option<&str>) {
    fields.text("message", "request");
    if let Some(id) = request.request_id {
        fields.text("request_id", id.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
    }
    fields.text("method", request.method);
    fields.text("route", request.route);
    fields.field("status", false, |out| write!(out, "{}", request.status));
    fields.number("elapsed_ms", milliseconds(request));
    if let Some(address) = request.client_address {
        fields.field("client_address", true, |out| write!(out, "{address}"));
    }
    if let Some(problem) = request.problem {
        fields.text("problem", problem.slug);
    }
    if let Some(cause) = cause {
        fields.text("cause", cause);
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

#[cfg(test)]
mod tests;
