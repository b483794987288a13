//! How a line looks: a JSON object for programs, words and colours for people. Writes straight into the line's buffer.

use std::{
    fmt::{self, Debug, Write},
    sync::Arc,
};

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};
use valetkey_oauth::ports::Clock;

use super::escape::{Json, Plain};
use super::moment::{write_moment, write_number};
use crate::telemetry::current;

/// Whom a line is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// Programs.
    Json,
    /// People.
    Pretty {
        /// Does their terminal know colours?
        colour: bool,
    },
}

/// Formats lines.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) look: Look,
    pub(super) clock: Arc<dyn Clock>,
}

impl Line {
    /// What every line begins with.
    fn begin(&self, out: &mut impl Write, level: Level, target: &str) -> fmt::Result {
        let now = self.clock.now();
        match self.look {
            Look::Json => {
                out.write_str(r#"{"time":""#)?;
                write_moment(out, now)?;
                for piece in [r#"","level":""#, word(level), r#"","target":""#, target, "\""] {
                    out.write_str(piece)?;
                }
                Ok(())
            }
            Look::Pretty { colour } => {
                let (on, off) = if colour { (paint(level), "\x1b[0m") } else { ("", "") };
                write!(out, "{now:.3} {on}{level:>5}{off}")
            }
        }
    }

    fn end(&self, out: &mut impl Write) -> fmt::Result {
        out.write_str(if matches!(self.look, Look::Json) { "}\n" } else { "\n" })
    }

    /// Writes a line whose fields are known without an event that carries them.
    pub(super) fn write(
        &self,
        out: &mut String,
        (level, target): (Level, &str),
        fields: impl FnOnce(&mut Fields<'_, String>),
    ) -> fmt::Result {
        self.begin(out, level, target)?;
        let mut written = Fields { look: self.look, out, id_seen: false, outcome: Ok(()) };
        fields(&mut written);
        written.outcome?;
        self.end(out)
    }
}

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        self.begin(&mut out, *event.metadata().level(), event.metadata().target())?;
        let mut fields = Fields { look: self.look, out: &mut out, id_seen: false, outcome: Ok(()) };
        event.record(&mut fields);
        // What is said in the middle of a request belongs to it, whoever says it.
        if let (false, Some(id)) = (fields.id_seen, current::request_id()) {
            fields.field("request_id", true, |out| write!(out, "{id}"));
        }
        fields.outcome?;
        self.end(&mut out)
    }
}

/// How programs know a level.
pub(super) fn word(level: Level) -> &'static str {
    match level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    }
}

fn paint(level: Level) -> &'static str {
    match level {
        Level::ERROR => "\x1b[31m",
        Level::WARN => "\x1b[33m",
        Level::INFO => "\x1b[32m",
        Level::DEBUG | Level::TRACE => "\x1b[2m",
    }
}

/// Appends each field to the line.
pub(super) struct Fields<'a, W> {
    look: Look,
    out: &'a mut W,
    id_seen: bool,
    outcome: fmt::Result,
}

impl<W: Write> Fields<'_, W> {
    /// A text.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.field(name, true, |out| out.write_str(text));
    }

    /// One field; `text` stands in quotes where there are any.
    pub(super) fn field(&mut self, name: &str, text: bool, value: impl FnOnce(&mut dyn Write) -> fmt::Result) {
        // Records of the `log` crate bring their place in the source along.
        if self.outcome.is_err() || name.starts_with("log.") && name != "log.target" {
            return;
        }
        self.id_seen |= name == "request_id";
        self.outcome = match self.look {
            Look::Json => self.json(name, text, value),
            Look::Pretty { .. } => self.pretty(name, value),
        };
    }

    /// A number. JSON has no word for what is none.
    pub(super) fn number(&mut self, name: &str, value: f64) {
        self.field(name, !value.is_finite(), |out| write_number(out, value));
    }

    fn json(&mut self, name: &str, text: bool, value: impl FnOnce(&mut dyn Write) -> fmt::Result) -> fmt::Result {
        self.out.write_str(",\"")?;
        Json(self.out).write_str(name)?;
        self.out.write_str(if text { "\":\"" } else { "\":" })?;
        if !text {
            return value(self.out);
        }
        value(&mut Json(self.out))?;
        self.out.write_char('"')
    }

    fn pretty(&mut self, name: &str, value: impl FnOnce(&mut dyn Write) -> fmt::Result) -> fmt::Result {
        match name {
            "message" => self.out.write_char(' ')?,
            _ => write!(self.out, " {name}=")?,
        }
        value(&mut Plain(self.out))
    }
}

impl<W: Write> Visit for Fields<'_, W> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.field(field.name(), true, |out| out.write_str(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.field(field.name(), false, |out| write!(out, "{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.field(field.name(), false, |out| write!(out, "{value}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.field(field.name(), false, |out| write!(out, "{value}"));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.number(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.field(field.name(), true, |out| write!(out, "{value:?}"));
    }
}
