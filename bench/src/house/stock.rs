//! What a busy server holds: sessions and orders made over the wire, spread among many more that are written into its
//! tables. Those over the wire are the ones that are asked for again and again, so that no work looks only at the newest rows.

use anyhow::{Context as _, bail};
use futures_util::future::try_join_all;
use serde_json::json;

use super::House;
use crate::fill::Fill;
use crate::wire::Line;
use crate::work;

/// A session that was opened over the wire.
#[derive(Debug, Clone)]
pub struct Session {
    pub access: String,
    pub refresh: String,
}

/// How much there is to be.
#[derive(Debug, Clone, Copy)]
pub struct Stock {
    /// Sessions in the store.
    pub sessions: u64,
    /// Orders in the store.
    pub resources: u64,
    /// So many of each are made over the wire, and used.
    pub used: u64,
}

/// In so many layers: some over the wire, the others below them.
const LAYERS: u64 = 64;
/// Connections that make them.
const HANDS: u64 = 8;

impl House {
    /// Fills the store; tells how much of it is done.
    pub async fn fill(&mut self, stock: Stock, fill: &mut Fill, tell: &dyn Fn(u64)) -> anyhow::Result<()> {
        let used = stock.used.max(HANDS);
        let mut done = 0;
        fill.hurry().await?;
        for layer in 0..LAYERS {
            let share = |whole: u64| whole * (layer + 1) / LAYERS - whole * layer / LAYERS;
            let hands = share(used).div_ceil(HANDS);
            self.make_sessions(hands).await?;
            self.make_orders(hands).await?;
            let (sessions, orders) =
                (share(stock.sessions.saturating_sub(used)), share(stock.resources.saturating_sub(used)));
            fill.sessions(sessions).await.context("filling sessions")?;
            self.others.extend(fill.orders(orders).await.context("filling orders")?);
            done += sessions + orders + 2 * hands * HANDS;
            tell(done);
        }
        fill.settle().await
    }

    /// A token for the declared API.
    pub(super) async fn api_token(&self) -> anyhow::Result<String> {
        let client = &self.clients.shop;
        let form = [("grant_type", "client_credentials")];
        let mut line = Line::open(self.address, None).await?;
        let answer = line.ask(&self.post("/token").basic(&client.id, &client.secret).form(&form)).await?;
        answer.member("access_token").map(str::to_owned).with_context(|| answer.text())
    }

    /// So many sessions more over the wire, by each of a few hands.
    pub async fn make_sessions(&self, each: u64) -> anyhow::Result<()> {
        let one = |_| async move {
            let mut line = Line::open(self.address, None).await?;
            for _ in 0..each {
                let code = self.code(&mut line).await?;
                let answer = line.ask(&work::redemption(self, &self.clients.web, &code)).await?;
                let token = |name| answer.member(name).map(str::to_owned).with_context(|| answer.text());
                let session = Session { access: token("access_token")?, refresh: token("refresh_token")? };
                self.sessions.borrow_mut().push(session);
            }
            anyhow::Ok(())
        };
        try_join_all((0..HANDS).map(one)).await?;
        Ok(())
    }

    async fn make_orders(&mut self, each: u64) -> anyhow::Result<()> {
        let house = &*self;
        let one = |hand| async move {
            let mut line = Line::open(house.address, None).await?;
            let mut made = Vec::new();
            for number in 0..each {
                // As those that are filled: a third of each currency, and amounts all over.
                let place = house.orders.len() as u64 + number * HANDS + hand;
                let currency = ["EUR", "USD", "GBP"][usize::try_from(place % 3).unwrap_or_default()];
                let amount = place * 7919 % 500_000;
                let document = json!({"amount": amount, "currency": currency, "note": "left at the door"});
                let answer = line.ask(&house.api("POST", "/orders").json(&document)).await?;
                if answer.status != 201 {
                    bail!("an order was refused: {}", answer.text());
                }
                made.push(answer.member("id").context("no id")?.to_owned());
            }
            anyhow::Ok(made)
        };
        let made = try_join_all((0..HANDS).map(one)).await?;
        self.orders.extend(made.into_iter().flatten());
        Ok(())
    }
}
