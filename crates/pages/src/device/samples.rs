//! The states in which a person can see the pages for devices.

use std::sync::Arc;

use jiff::Timestamp;

use super::{DeviceConfirmPage, DeviceDonePage, DeviceFault, DevicePage};
use crate::{Language, ScopeRow, View};

impl View for DevicePage {
    fn samples() -> Vec<Self> {
        let empty = Self {
            brand: Arc::default(),
            language: Language::English,
            csrf: "c5rf".into(),
            user_code: String::new(),
            fault: None,
        };
        let filled = Self { user_code: "WDJB-MJHT".into(), ..empty.clone() };
        let faults = [DeviceFault::Unknown, DeviceFault::Throttled { seconds: 300 }, DeviceFault::Expired];
        let failed = faults.map(|fault| Self { fault: Some(fault), ..filled.clone() });
        [empty, filled.clone()].into_iter().chain(failed).collect()
    }
}

impl View for DeviceConfirmPage {
    fn samples() -> Vec<Self> {
        let full = Self {
            brand: Arc::default(),
            language: Language::English,
            csrf: "c5rf".into(),
            user_code: "WDJB-MJHT".into(),
            client_name: "Harbour for television".into(),
            username: "ada@example.org".into(),
            scopes: ScopeRow::samples(),
            address: Some("203.0.113.7".into()),
            agent: Some("HarbourTV/4.2 (Living room; tvOS 19.1; like Mozilla/5.0 AppleWebKit/605.1.15)".into()),
            asked_at: Timestamp::from_second(1_794_658_500).unwrap_or_default(),
            is_first_time: true,
        };
        let more = Self { is_first_time: false, ..full.clone() };
        let bare = Self { scopes: Vec::new(), address: None, agent: None, ..full.clone() };
        vec![full, more, bare]
    }
}

impl View for DeviceDonePage {
    fn samples() -> Vec<Self> {
        let approved = Self {
            brand: Arc::default(),
            language: Language::English,
            client_name: "Harbour for television".into(),
            is_approved: true,
        };
        vec![approved.clone(), Self { is_approved: false, ..approved }]
    }
}
