//! A list is kept for those it was made for, and no longer than it is true.

use std::sync::atomic::AtomicUsize;

use valetkey_rest::problem::catalogue;

use super::*;
use crate::service::tests::{speaker, speaker_of};

/// Asks, and counts how often a list had to be made.
#[derive(Default)]
struct Kitchen {
    recent: Recent,
    made: AtomicUsize,
}

impl Kitchen {
    /// One that has answered a list in this generation already.
    async fn calm(generation: u64) -> Self {
        let kitchen = Self::default();
        kitchen.ask(&speaker(), "/api/others", None, generation).await;
        kitchen
    }

    /// Asks for a list that was asked for before.
    async fn ask_again(&self, speaker: &Speaker, target: &str, generation: u64) -> String {
        self.ask(speaker, target, None, generation).await;
        self.ask(speaker, target, None, generation).await
    }

    async fn ask(&self, speaker: &Speaker, target: &str, count: Option<CountPreference>, generation: u64) -> String {
        let number = || async { Ok(listed(&self.made.fetch_add(1, Ordering::Relaxed).to_string())) };
        let asked = self.recent.or_made(Asking::new(speaker, target, count), generation, number).await;
        String::from_utf8(asked.unwrap().body.to_vec()).unwrap()
    }
}

fn listed(body: &str) -> Listed {
    Listed { body: body.to_owned().into(), next: None, previous: None, counted: None }
}

fn with(change: impl FnOnce(&mut Caller)) -> Speaker {
    let speaker = speaker();
    let mut caller = Caller::clone(&speaker.caller);
    change(&mut caller);
    Speaker { caller: Arc::new(caller), ..speaker }
}

#[tokio::test]
async fn a_list_is_made_once_as_long_as_no_row_changes() {
    let kitchen = Kitchen::calm(4).await;
    let first = kitchen.ask_again(&speaker(), "/api/orders", 4).await;

    for _ in 0..3 {
        assert_eq!(kitchen.ask(&speaker(), "/api/orders", None, 4).await, first);
    }
}

#[tokio::test]
async fn a_list_is_made_anew_after_a_change() {
    let kitchen = Kitchen::calm(4).await;
    let before = kitchen.ask_again(&speaker(), "/api/orders", 4).await;

    for _ in 0..2 {
        assert_ne!(kitchen.ask(&speaker(), "/api/orders", None, 6).await, before);
    }
    // Whoever looked before the change and comes after it.
    assert_ne!(kitchen.ask(&speaker(), "/api/others", None, 4).await, before);
}

#[tokio::test]
async fn nothing_is_kept_where_each_list_finds_other_rows() {
    let kitchen = Kitchen::default();

    for generation in 0..50 {
        kitchen.ask(&speaker(), "/api/orders", None, generation * 2).await;
    }

    kitchen.recent.kept.run_pending_tasks();
    assert_eq!(kitchen.recent.kept.entry_count(), 0);
}

#[tokio::test]
async fn a_list_that_is_asked_for_once_is_not_kept() {
    let kitchen = Kitchen::calm(4).await;
    for number in 0..100 {
        kitchen.ask(&speaker(), &format!("/api/orders?offset={number}"), None, 4).await;
    }

    kitchen.recent.kept.run_pending_tasks();
    assert_eq!(kitchen.recent.kept.entry_count(), 0);
}

#[test]
fn of_lists_at_one_place_the_last_four_are_remembered() {
    let met = Met::default();

    assert!([1, 2, 3, 4].iter().all(|list| !met.again(*list)));
    assert!([1, 2, 3, 4].iter().all(|list| met.again(*list)));
    assert!(!met.again(5));
    assert_eq!([2, 3, 4, 5].map(|list| met.again(list)), [true; 4]);
    assert!(!met.again(1));
}

#[tokio::test]
async fn whoever_would_be_told_something_else_gets_their_own() {
    let kitchen = Kitchen::calm(4).await;
    let target = "/api/orders?limit=2";
    let first = kitchen.ask_again(&speaker(), target, 4).await;
    let others = [
        with(|caller| caller.client = "other".to_owned()),
        with(|caller| caller.subject = Some("ada".to_owned())),
        with(|caller| caller.scopes.push("write:orders".to_owned())),
        with(|caller| caller.scopes.clear()),
        with(|caller| caller.authenticated_at = Some(1)),
        with(|caller| caller.acr = Some("high".to_owned())),
    ];

    for other in &others {
        assert_ne!(kitchen.ask_again(other, target, 4).await, first, "{:?}", other.caller);
    }
    assert_ne!(kitchen.ask(&speaker(), "/api/orders?limit=3", None, 4).await, first);
    assert_ne!(kitchen.ask(&speaker(), target, Some(CountPreference::Exact), 4).await, first);
    // Another token of the same client that allows the same.
    let renewed = with(|caller| caller.expires_at = Some(7));
    let own = kitchen.ask_again(&speaker(), "/api/orders?limit=9", 4).await;
    assert_eq!(kitchen.ask(&renewed, "/api/orders?limit=9", None, 4).await, own);
}

#[tokio::test]
async fn a_refusal_is_not_kept() {
    let kitchen = Kitchen::calm(4).await;
    let speaker = speaker();
    let asking = Asking::new(&speaker, "/api/orders", None);
    let refused = kitchen.recent.or_made(asking, 4, || async { Err(Problem::new(&catalogue::UNPROCESSABLE)) }).await;

    assert!(refused.is_err());
    assert!(kitchen.recent.or_made(asking, 4, || async { Ok(listed("rows")) }).await.is_ok());
}

#[tokio::test]
async fn what_changes_with_time_is_not_kept() {
    let declared = |scopes: &str, versions: &str| {
        let text = format!(
            "{{ api: {{ name: bakery }}, versions: {versions}, scopes: {scopes}, \
             resources: {{ orders: {{ scopes: {{ read: read:orders, write: write:orders }}, fields: {{ note: {{ type: string }} }} }} }} }}"
        );
        speaker_of(crate::declaration::read(&text).unwrap().api)
    };
    let plain = declared("{ 'read:orders': See, 'write:orders': Do }", "{ 1: { released: 2025-01-01 } }");
    let stepping = declared(
        "{ 'read:orders': { description: See, max_age: 5m }, 'write:orders': Do }",
        "{ 1: { released: 2025-01-01 } }",
    );
    let losing = declared(
        "{ 'read:orders': See, 'write:orders': Do }",
        "{ 1: { released: 2025-01-01, deprecated: 2025-06-01, sunset: 2036-01-01, removed: 2037-01-01, gone: [orders.delete] }, \
         2: { released: 2026-01-01, changes: [] } }",
    );
    let first = losing.service.edition(1).unwrap().clone();
    let losing = Speaker { edition: first, ..losing };

    for (speaker, is_kept) in [(plain, true), (stepping, false), (losing, false)] {
        let kitchen = Kitchen::calm(4).await;
        let before = kitchen.ask_again(&speaker, "/api/orders", 4).await;
        assert_eq!(kitchen.ask(&speaker, "/api/orders", None, 4).await == before, is_kept);
    }
}

#[tokio::test(start_paused = true)]
async fn what_took_long_is_not_kept() {
    let kitchen = Kitchen::calm(4).await;
    let speaker = speaker();
    let asking = Asking::new(&speaker, "/api/orders", None);
    for _ in 0..2 {
        let slow = || async {
            tokio::time::sleep(LONGEST * 2).await;
            Ok(listed("slow"))
        };
        kitchen.recent.or_made(asking, 4, slow).await.unwrap();
    }

    let next = kitchen.recent.or_made(asking, 4, || async { Ok(listed("next")) }).await.unwrap();
    assert_eq!(next.body, "next");
}

#[tokio::test]
async fn nothing_is_kept_but_what_is_weighed() {
    let kitchen = Kitchen::calm(4).await;
    let speaker = speaker();
    let mut roomy = String::with_capacity(1 << 20);
    roomy.push_str("rows");

    kitchen.ask(&speaker, "/api/orders", None, 4).await;
    let made = || async { Ok(Listed { body: roomy.into(), ..listed("") }) };
    let kept = kitchen.recent.or_made(Asking::new(&speaker, "/api/orders", None), 4, made).await.unwrap();

    drop(kitchen);
    let body = Arc::into_inner(kept).unwrap().body;
    assert!(Vec::from(body).capacity() < 100);
}

#[tokio::test]
async fn what_is_kept_has_bounds() {
    let kitchen = Kitchen::calm(4).await;
    let speaker = speaker();
    for number in 0..200 {
        let target = format!("/api/orders?offset={number}");
        for _ in 0..2 {
            let large = listed(&"x".repeat(LARGEST + number % 2));
            let asked = kitchen.recent.or_made(Asking::new(&speaker, &target, None), 4, || async { Ok(large) }).await;
            assert!(asked.is_ok());
        }
    }

    kitchen.recent.kept.run_pending_tasks();
    let kept = kitchen.recent.kept.weighted_size();
    assert!((1..=MOST).contains(&kept), "{kept}");
    assert!(kitchen.recent.kept.iter().all(|(_, kept)| kept.listed.body.len() <= LARGEST));
}
