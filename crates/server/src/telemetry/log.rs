//! Which events become lines, at which level, with which words. How a line looks and travels is `line`'s and `sink`'s business.
//!
//! Levels: what needs a person is an error, what a person may want to look into is a warning. One request is one line;
//! probes that succeed are left to `debug`, and so is what already stands in the line of its request.

mod address;
mod escape;
mod line;
mod moment;
mod request;
mod setup;
mod sink;

use tracing::{Level, debug, error, event, field, info, trace, warn};

use super::Event;
pub use request::Straight;
pub use setup::{check_level, install, straight, subscriber};
pub use sink::Sink;

/// Lines about requests; a level of their own can be set for each of these.
const REQUEST: &str = "valetkey::request";
/// Lines about who was granted what.
const OAUTH: &str = "valetkey::oauth";
/// Lines about what someone should know of.
const ALERT: &str = "valetkey::alert";
/// Lines about connections and certificates.
const EDGE: &str = "valetkey::edge";
/// Lines about the process, its store and its jobs.
const SERVER: &str = "valetkey::server";

/// Makes a line of an event. Those of requests need somebody who writes them `straight`.
pub(super) fn observe(event: &Event<'_>, straight: Option<&Straight>) {
    match event {
        Event::RequestFinished(request) => {
            if let Some(straight) = straight {
                request::finished(request, straight);
            }
        }
        Event::Panicked { message, request_id } => {
            error!(target: REQUEST, panic = message, request_id = request_id.map(field::display), "a request panicked");
        }
        Event::Oauth(event) => oauth(event),
        Event::ConnectionOpened => trace!(target: EDGE, "connection opened"),
        Event::ConnectionClosed => trace!(target: EDGE, "connection closed"),
        Event::ConnectionFailed { reason } => debug!(target: EDGE, reason, "connection failed"),
        // The internet is full of scanners that fail here; the metric tells when it is worth a closer look.
        Event::HandshakeFailed { reason } => debug!(target: EDGE, reason, "TLS handshake failed"),
        Event::CertificateReloaded => info!(target: EDGE, "new certificate in use"),
        Event::CertificateRefused { reason } => {
            error!(target: EDGE, reason, "new certificate refused, the old one stays in use");
        }
        Event::ForwardedCertificateRefused { reason } => {
            warn!(target: EDGE, reason, "the proxy passed on a client certificate that cannot be read");
        }
        Event::StoreAway { why } => error!(target: SERVER, why, "the store does not answer"),
        Event::StoreBack => info!(target: SERVER, "the store answers again"),
        Event::RedisAway { why, refuses: false } => {
            warn!(target: SERVER, why, "Redis does not answer, each node counts requests alone");
        }
        Event::RedisAway { why, refuses: true } => {
            error!(target: SERVER, why, "Redis does not answer, requests that cannot be counted are refused");
        }
        Event::RedisBack => info!(target: SERVER, "Redis answers again"),
        Event::ApiUsed { client, version, requests } => debug!(target: SERVER, client, version, requests, "API used"),
        Event::Swept(0) => debug!(target: SERVER, rows = 0, "nothing had expired"),
        Event::Swept(rows) => info!(target: SERVER, rows, "expired rows removed"),
        Event::KeysReloaded => info!(target: SERVER, "new keys in use"),
        Event::Started { listen, engine, version } => info!(target: SERVER, listen, engine, version, "started"),
        Event::Draining => info!(target: SERVER, "draining: no new connections"),
        Event::Stopped => info!(target: SERVER, "stopped"),
        Event::Delivered { kind, to, attempts } => info!(target: SERVER, kind, to, attempts, "message delivered"),
        Event::DeliveryFailed { kind, to, attempts, why, again_in } => {
            let again_in_s = again_in.as_secs();
            warn!(target: SERVER, kind, to, attempts, why, again_in_s, "message not delivered, it will be tried again");
        }
        Event::DeliveryGivenUp { kind, to, attempts, why } => {
            error!(target: SERVER, kind, to, attempts, why, "message given up");
        }
        Event::Preparing { what, done, total, rate, left } => {
            let percent = done.saturating_mul(100).checked_div(*total).unwrap_or(100);
            let (per_second, left_s) = (rate.map(f64::round), left.map(|left| left.as_secs_f64().ceil()));
            info!(target: SERVER, what, done, total, percent, per_second, left_s, "preparing the declared API");
        }
        Event::Prepared { elapsed } => {
            info!(target: SERVER, elapsed_s = elapsed.as_secs_f64().ceil(), "the declared API is prepared");
        }
        Event::JobFailed { job, why } => {
            warn!(target: SERVER, job, why, "background work failed, it will be tried again")
        }
    }
}

fn oauth(event: &valetkey_oauth::Event<'_>) {
    use valetkey_oauth::{Event as Told, model::SessionEnd, protocol::ErrorCode};
    match event {
        Told::TokensIssued { client, grant } => {
            debug!(target: OAUTH, client = client.as_str(), grant = grant.as_str(), "tokens issued");
        }
        Told::ClientRefused { client } => {
            warn!(target: OAUTH, client = client.map(|client| client.as_str()), "client authentication failed");
        }
        Told::Refused { code: code @ (ErrorCode::ServerError | ErrorCode::TemporarilyUnavailable), why } => {
            error!(target: OAUTH, code = code.as_str(), why, "could not answer");
        }
        // A device that polls is told no every few seconds until someone says yes.
        Told::Refused { code: code @ (ErrorCode::AuthorizationPending | ErrorCode::SlowDown), why } => {
            debug!(target: OAUTH, code = code.as_str(), why, "refused");
        }
        Told::Refused { code, why } => info!(target: OAUTH, code = code.as_str(), why, "refused"),
        Told::Introspected { client, active } => {
            debug!(target: OAUTH, client = client.as_str(), active, "token introspected");
        }
        Told::TokenRevoked { client } => info!(target: OAUTH, client = client.as_str(), "token revoked"),
        Told::SessionEnded { session, client, why } => match SessionEnd::parse(why) {
            Some(SessionEnd::RefreshReused | SessionEnd::CodeReplayed) => {
                warn!(target: OAUTH, %session, client = client.as_str(), why, "session ended: something that was void was used");
            }
            Some(SessionEnd::Revoked | SessionEnd::SignedOut | SessionEnd::Operator) | None => {
                info!(target: OAUTH, %session, client = client.as_str(), why, "session ended");
            }
        },
        Told::Alerted { alert } => alerted(alert),
        Told::AlertNotFiled { alert, why } => {
            alerted(alert);
            error!(target: ALERT, alert = %alert.id, why, "the alert is not on record");
        }
        Told::SignedIn { user, address } => info!(target: OAUTH, %user, address, "signed in"),
        Told::SignOutUnfinished { user, why } => {
            error!(target: OAUTH, %user, why, "signed out, but not every app was told");
        }
        Told::SignInFailed { address, failures } => {
            warn!(target: OAUTH, address, failures, "sign-in failed");
        }
        Told::LinkMade { user, issuer, maker } => info!(target: OAUTH, %user, issuer, maker, "account linked"),
        Told::LinkUsed { user, issuer } => info!(target: OAUTH, %user, issuer, "signed in through a provider"),
        Told::LinkRemoved { user, issuer } => info!(target: OAUTH, %user, issuer, "account unlinked"),
        Told::SignOnFailed { provider, address, why } => {
            warn!(target: OAUTH, provider, address, why, "sign-in through a provider failed");
        }
        Told::DeviceDecided { client, approved } => {
            info!(target: OAUTH, client = client.as_str(), approved, "device decided");
        }
        Told::ApiKeyMisplaced { key, address } => {
            warn!(target: OAUTH, %key, address = address.map(field::display), "API key from an address that it must not come from");
        }
        Told::UserCodeWrong { user, address, failures } => {
            warn!(target: OAUTH, %user, address, failures, "wrong user code");
        }
        Told::Withdrawn { user, client, sessions } => {
            info!(target: OAUTH, %user, client = client.as_str(), sessions, "access taken back");
        }
        Told::KeyMade { purpose, generation } => {
            info!(target: OAUTH, purpose = purpose.as_str(), generation, "key made");
        }
        Told::KeyRemoved { purpose, generation } => {
            info!(target: OAUTH, purpose = purpose.as_str(), generation, "key removed");
        }
    }
}

fn alerted(alert: &valetkey_oauth::model::Alert) {
    use valetkey_oauth::model::{AlertKind, ClientId};
    macro_rules! line {
        ($level:expr) => {
            event!(
                target: ALERT,
                $level,
                alert = %alert.id,
                kind = alert.kind.as_str(),
                client = alert.client.as_ref().map(ClientId::as_str),
                session = alert.session.map(field::display),
                user = alert.subject.as_deref(),
                address = alert.address.as_deref(),
                generation = alert.generation,
                current_generation = alert.current_generation,
                failures = alert.failures,
                key = alert.key.map(|key| key.as_str()),
                "alert"
            )
        };
    }
    match alert.kind {
        AlertKind::RefreshReused | AlertKind::CodeReplayed | AlertKind::SignInFailures => line!(Level::WARN),
        AlertKind::PasswordChanged
        | AlertKind::LinkMade
        | AlertKind::LinkRemoved
        | AlertKind::KeyMade
        | AlertKind::KeyRemoved => line!(Level::INFO),
    }
}
