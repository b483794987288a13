//! What happens on a server before it moves, and what must be so afterwards.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::answer::{header, refused};
use crate::api::{Caller, SCOPES, register, status_of};
use crate::app::{App, Tokens};
use crate::house::{House, Registered};
use crate::person::Person;
use crate::refresh::renewed;

/// Sessions, codes and rows of a server.
pub struct Life {
    app: App,
    till: Registered,
    live: Tokens,
    spent: Tokens,
    code: String,
    revoked: String,
    order: String,
    begun: Instant,
}

/// A code lives for a minute; on a busy machine, a move may take longer.
const CODE_LIVES: Duration = Duration::from_secs(55);

impl Life {
    pub async fn begin(house: &House) -> Self {
        let begun = Instant::now();
        let (app, ada) = (App::new(house, "app"), Person::new(house, "ada"));
        let answer = ada.allow(&app, &[]).await;
        let live = renewed(app.redeem(house, answer.code())).await;
        let spent = app.tokens(house, &ada, &[]).await;
        renewed(app.refresh(house, &spent.refresh)).await;
        let till = register(house, "till", SCOPES);
        let revoked = house.token(&till).await;
        house.post("/revoke", &till, &[("token", &revoked)]).send().await.unwrap();
        let caller = Caller::with(house, house.token(&till).await);
        let order = status_of(make_order(&caller), 201).await;
        Self {
            app,
            till,
            live,
            spent,
            code: answer.code().to_owned(),
            revoked,
            order: header(&order, "location"),
            begun,
        }
    }

    pub async fn goes_on(&self, house: &House) {
        // Whoever is let in twice was let in by a thief: what was spent stays spent.
        refused(self.app.refresh(house, &self.spent.refresh), 400, "invalid_grant").await;
        let alerts = house.json(&["audit", "list"]);
        assert!(alerts.to_string().contains("refresh_reused"), "{alerts}");
        let live = renewed(self.app.refresh(house, &self.live.refresh)).await;
        assert!(self.app.is_active(house, &live.access).await);
        assert_eq!(house.introspect(&self.till, &self.revoked).await["active"], false);

        let caller = Caller::with(house, house.token(&self.till).await);
        let again = status_of(make_order(&caller), 200).await;
        assert_eq!(header(&again, "idempotent-replayed"), "true");
        assert_eq!(header(&again, "location"), self.order);
        let found = status_of(caller.get("/api/orders?q=parcel"), 200).await.text().await.unwrap();
        assert!(found.contains("Parcel for Zoë"), "{found}");
        assert_eq!(status_of(caller.get(&self.order), 200).await.status(), 200);

        let ada = Person::at(house, "ada");
        assert!(!ada.allow(&self.app, &[]).await.code().is_empty());
        // The code was used before the move; a second use ends what it brought, also after it, as long as a code lives.
        refused(self.app.redeem(house, &self.code), 400, "invalid_grant").await;
        if self.begun.elapsed() < CODE_LIVES {
            assert!(!self.app.is_active(house, &live.access).await);
        }
    }
}

fn make_order(caller: &Caller) -> reqwest::RequestBuilder {
    let order = json!({ "amount": 5, "note": "Parcel for Zoë" });
    caller.post("/api/orders", &order).header("idempotency-key", "k-1")
}
