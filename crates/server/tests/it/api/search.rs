//! `q`: whole words, the same on both engines.

use serde_json::json;

use super::{Caller, sent, status_of};
use crate::both_engines;

both_engines! {
    async fn all_words_must_be_there_whatever_their_case(house: House) {
        let caller = Caller::client(&house).await;
        for note in ["Gift for Zoë, wrapped", "gift card", "for zoe", "GIFT! wrapped? gift", ""] {
            caller.make("/api/orders", json!({ "amount": 1, "note": note })).await;
        }
        let found = async |q: &str| caller.column(&format!("/api/orders?q={q}"), "note").await.len();

        assert_eq!(found("gift").await, 3);
        assert_eq!(found("wrapped+GIFT").await, 2);
        assert_eq!(found("zo%C3%AB").await, 1);
        assert_eq!(found("gif").await, 0);
        assert_eq!(found("%22gift%22+OR+card").await, 0);
        assert_eq!(found("!!!").await, 0);
        assert_eq!(found("").await, 5);
        for hostile in ["*", "a*+b", "NEAR(a+b)", "%27)%3B+DROP", "note:gift", "-gift", "%5C", "a:%26|!b"] {
            status_of(caller.get(&format!("/api/orders?q={hostile}")), 200).await;
        }
    }

    async fn what_changes_or_goes_is_found_by_its_new_words_only(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_order(json!({ "amount": 1, "note": "old words" })).await;

        sent(caller.patch(&path, &json!({ "note": "new words" })), 200).await;
        let (old, new) = (caller.column("/api/orders?q=old", "id").await, caller.column("/api/orders?q=new", "id").await);
        status_of(caller.delete(&path), 204).await;

        assert_eq!((old.len(), new.len()), (0, 1));
        assert_eq!(caller.column("/api/orders?q=words", "id").await.len(), 0);
    }

    async fn what_fits_best_can_come_first(house: House) {
        let caller = Caller::client(&house).await;
        for note in ["apple and many other fruits of the season in a basket", "apple apple apple", "pear"] {
            caller.make("/api/orders", json!({ "amount": 1, "note": note })).await;
        }

        let best = caller.column("/api/orders?q=apple&sort=-relevance&page=1", "note").await;

        assert_eq!((best.len(), &best[0]), (2, &json!("apple apple apple")));
    }
}
