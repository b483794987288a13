//! The pages where a person connects a device that has no browser (RFC 8628): the code, the question, the outcome.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;

use crate::{Brand, Language, ScopeRow, respond, view::spoken};

mod samples;

/// Asks for the code that a device shows. Posts `csrf` and `user_code` to `/device`.
#[derive(Debug, Clone, Template)]
#[template(path = "device.html")]
pub struct DevicePage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// Comes back as `csrf`.
    pub csrf: String,
    /// What stands in the field: from the link that the device showed, or what was typed before.
    pub user_code: String,
    /// What went wrong the last time.
    pub fault: Option<DeviceFault>,
}

/// Why a code was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceFault {
    /// No device waits with this code, or not any more.
    Unknown,
    /// Too many attempts.
    Throttled {
        /// How long to wait.
        seconds: u64,
    },
    /// The form was older than its token.
    Expired,
}

impl DevicePage {
    /// A code that was not typed is to be compared.
    fn lead(&self) -> String {
        let is_brought = self.fault.is_none() && !self.user_code.is_empty();
        self.language.say(if is_brought { "device-compare" } else { "device-text" })
    }

    fn fault_text(&self) -> Option<String> {
        Some(match self.fault? {
            DeviceFault::Unknown => self.language.say("device-unknown"),
            DeviceFault::Throttled { seconds } => {
                self.language.fill("device-throttled", &[("wait", &self.language.wait(seconds))])
            }
            DeviceFault::Expired => self.language.say("device-expired"),
        })
    }

    fn is_unknown(&self) -> bool {
        self.fault == Some(DeviceFault::Unknown)
    }
}

/// Answers with the page that asks for a code.
pub fn page(view: &DevicePage) -> Response {
    let status = match view.fault {
        None => StatusCode::OK,
        Some(DeviceFault::Unknown | DeviceFault::Expired) => StatusCode::BAD_REQUEST,
        Some(DeviceFault::Throttled { .. }) => StatusCode::TOO_MANY_REQUESTS,
    };
    let response = respond::html(status, view);
    match view.fault {
        Some(DeviceFault::Throttled { seconds }) => respond::asking_to_wait(response, seconds),
        _ => response,
    }
}

/// Asks whether to connect the device. Posts `csrf`, `user_code` and `decision` (`approve`, `deny` or `switch`) to `/device`.
#[derive(Debug, Clone, Template)]
#[template(path = "device_confirm.html")]
pub struct DeviceConfirmPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// Comes back as `csrf`.
    pub csrf: String,
    /// The code, as the device shows it; comes back as `user_code`.
    pub user_code: String,
    /// What runs on the device.
    pub client_name: String,
    /// Who is asked.
    pub username: String,
    /// What is asked for.
    pub scopes: Vec<ScopeRow>,
    /// The address from which the device asked, so that a request from elsewhere can be noticed.
    pub address: Option<String>,
    /// What the device calls itself.
    pub agent: Option<String>,
    /// When the device asked.
    pub asked_at: Timestamp,
    /// Whether the person never consented to this client before.
    pub is_first_time: bool,
}

impl DeviceConfirmPage {
    /// Marks are for what is new since the last time; on the first, all is.
    fn marks(&self, scope: &ScopeRow) -> bool {
        scope.is_new && !self.is_first_time
    }
}

/// Answers with the question.
pub fn confirm(view: &DeviceConfirmPage) -> Response {
    respond::html(StatusCode::OK, view)
}

/// Says what became of the device.
#[derive(Debug, Clone, Template)]
#[template(path = "device_done.html")]
pub struct DeviceDonePage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// What runs on the device.
    pub client_name: String,
    /// Whether it was allowed.
    pub is_approved: bool,
}

/// Answers with the outcome.
pub fn done(view: &DeviceDonePage) -> Response {
    respond::html(StatusCode::OK, view)
}

spoken!(DevicePage, DeviceConfirmPage, DeviceDonePage);
