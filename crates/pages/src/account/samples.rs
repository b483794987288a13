//! The states in which a person can see their account.

use std::sync::Arc;

use jiff::Timestamp;

use super::{AccountNotice, AccountPage, AlertRow, AppRow, LinkedRow, PasswordFault, SessionRow, SignInRow};
use crate::{Language, ScopeRow, View};

/// A moment some days after the first of March 2026.
fn day(number: i64) -> Timestamp {
    Timestamp::from_second(1_772_355_900 + number * 86_400).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn sign_in(id: &str, agent: &str, address: &str, at: i64) -> SignInRow {
    SignInRow {
        id: id.into(),
        agent: agent.into(),
        address: address.into(),
        since: day(at),
        last_used: day(at + 1),
        current: false,
    }
}

fn session(id: &str, agent: &str, at: i64) -> SessionRow {
    let address = "203.0.113.7".into();
    SessionRow { id: id.into(), agent: agent.into(), address, since: day(at - 2), last_used: day(at) }
}

impl View for AccountPage {
    fn samples() -> Vec<Self> {
        let new = Self {
            brand: Arc::default(),
            language: Language::English,
            csrf: "c5rf".into(),
            username: "ada@example.org".into(),
            notice: None,
            alerts: Vec::new(),
            apps: Vec::new(),
            links: Vec::new(),
            has_password: true,
            sign_ins: vec![SignInRow { current: true, ..sign_in("1", "Firefox on Linux", "203.0.113.7", 20) }],
            has_more_sign_ins: false,
            password_fault: None,
            least_password: 8,
        };
        let app = AppRow {
            client_name: "Harbour Photos".into(),
            client_id: "photos".into(),
            scopes: ScopeRow::samples(),
            since: day(1),
            sessions: vec![session("7", "Safari on an iPhone", 19), session("8", "A television", 12)],
        };
        let tool =
            AppRow { client_name: "Command line".into(), client_id: "cli".into(), sessions: Vec::new(), ..app.clone() };
        let alert = AlertRow {
            when: day(18),
            text: "A token of Harbour Photos was used twice. We ended that access; please connect the app again."
                .into(),
        };
        let mut full = Self { apps: vec![app, tool], alerts: vec![alert], has_more_sign_ins: true, ..new.clone() };
        full.sign_ins.push(sign_in("2", "Safari on an iPhone", "2001:db8:85a3:8d3:1319:8a2e:370:7348", 3));
        full.sign_ins.push(sign_in("3", "Chrome on Windows", "198.51.100.24", 0));
        let link = |name: &str, last_used| LinkedRow {
            issuer: "https://id.corp.example".into(),
            name: name.into(),
            since: day(2),
            last_used,
        };
        full.links = vec![link("Example Corp", Some(day(19))), link("Universität am Meer", None)];
        let links = vec![link("Example Corp", Some(day(19)))];
        let elsewhere = Self { links, has_password: false, notice: Some(AccountNotice::LastWay), ..new.clone() };
        let notices = [AccountNotice::PasswordChanged, AccountNotice::Expired];
        let said = notices.map(|notice| Self { notice: Some(notice), ..new.clone() });
        let faults = [
            PasswordFault::Wrong,
            PasswordFault::Differ,
            PasswordFault::Weak,
            PasswordFault::Throttled { seconds: 60 },
        ];
        let refused = faults.map(|fault| Self { password_fault: Some(fault), ..new.clone() });
        [new, full, elsewhere].into_iter().chain(said).chain(refused).collect()
    }
}
