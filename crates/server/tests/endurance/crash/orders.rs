//! Someone who writes orders until the lights go out, and knows what each of them may look like afterwards.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::told::{Answer, Counts, calm};

/// Where the shop is, and who calls.
#[derive(Clone)]
pub struct Counter {
    pub http: reqwest::Client,
    pub origin: String,
    pub token: String,
}

impl Counter {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.origin)).bearer_auth(&self.token)
    }
}

/// What an order may look like.
#[derive(Debug, Clone, PartialEq)]
enum Look {
    Gone,
    There { amount: u64, status: &'static str },
}

/// An order, or the attempt at one.
#[derive(Debug)]
struct Order {
    /// A word that stands in no other order.
    mark: String,
    body: Value,
    key: Option<String>,
    /// The answer to its creation, if there was one.
    made: Option<Answer>,
    /// Each state it may be in; more than one once a change was left open.
    looks: Vec<Look>,
    /// An action whose answer never came, and its key.
    open_action: Option<(String, &'static str)>,
}

impl Order {
    fn id(&self) -> Option<String> {
        Some(self.made.as_ref()?.word("id"))
    }
}

/// Someone with orders of their own.
pub struct Clerk {
    name: String,
    chance: Chance,
    orders: Vec<Order>,
    pub counts: Counts,
}

impl Clerk {
    pub fn new(name: String, chance: Chance) -> Self {
        Self { name, chance, orders: Vec::new(), counts: Counts::default() }
    }

    /// Does one thing; answers whether it was answered.
    pub async fn work(&mut self, at: &Counter) -> bool {
        // An order with a change left open is not touched again, so that there are two possibilities at most.
        let settled: Vec<usize> = (0..self.orders.len())
            .filter(|at| matches!(&self.orders[*at].looks[..], [Look::There { .. }]) && self.orders[*at].made.is_some())
            .collect();
        if settled.is_empty() || self.chance.percent(35) {
            return self.create(at).await;
        }
        let index = settled[self.chance.among(0..settled.len())];
        match self.chance.among(0..10) {
            0..6 => self.patch(at, index).await,
            6..9 => self.act(at, index).await,
            _ => self.delete(at, index).await,
        }
    }

    async fn create(&mut self, at: &Counter) -> bool {
        let mark = format!("{}n{}", self.name, self.orders.len());
        let amount = u64::try_from(self.chance.among(0..1_000_000)).unwrap();
        let body = json!({ "amount": amount, "currency": "EUR", "note": mark });
        let key = self.chance.percent(80).then(|| format!("key-{mark}"));
        let made = self.counts.ask(creation(at, &body, key.as_deref())).await;
        let made = made.map(|answer| answer.expect(&[201]));
        let looks = vec![Look::There { amount, status: "pending" }];
        let answered = made.is_some();
        self.orders.push(Order { mark, body, key, made, looks, open_action: None });
        answered
    }

    async fn patch(&mut self, at: &Counter, index: usize) -> bool {
        let amount = u64::try_from(self.chance.among(0..1_000_000)).unwrap();
        let order = &mut self.orders[index];
        let path = format!("/api/orders/{}", order.id().unwrap());
        let asked = at.request(Method::PATCH, &path).json(&json!({ "amount": amount }));
        let answer = self.counts.ask(asked).await;
        let Look::There { status, .. } = order.looks[0] else { unreachable!() };
        settle(order, answer.is_some(), Look::There { amount, status });
        answer.map(|answer| answer.expect(&[200])).is_some()
    }

    async fn act(&mut self, at: &Counter, index: usize) -> bool {
        let order = &mut self.orders[index];
        let Look::There { amount, status: "pending" } = order.looks[0] else { return true };
        let (action, status) = if self.chance.percent(50) { ("pay", "paid") } else { ("cancel", "cancelled") };
        let path = format!("/api/orders/{}/{action}", order.id().unwrap());
        let key = format!("{action}-{}", order.mark);
        let asked = at.request(Method::POST, &path).header("idempotency-key", &key);
        let answer = self.counts.ask(asked).await;
        settle(order, answer.is_some(), Look::There { amount, status });
        if answer.is_none() {
            order.open_action = Some((key, action));
        }
        answer.map(|answer| answer.expect(&[200])).is_some()
    }

    async fn delete(&mut self, at: &Counter, index: usize) -> bool {
        let order = &mut self.orders[index];
        let path = format!("/api/orders/{}", order.id().unwrap());
        let answer = self.counts.ask(at.request(Method::DELETE, &path)).await;
        settle(order, answer.is_some(), Look::Gone);
        answer.map(|answer| answer.expect(&[204])).is_some()
    }

    /// Looks at every order again; answers how many writes were proven.
    pub async fn prove(&mut self, at: &Counter) -> usize {
        let mut proven = 0;
        for order in &mut self.orders {
            match order.made.clone() {
                Some(made) => prove_made(at, order, &made).await,
                None => prove_open(at, order).await,
            }
            proven += 1;
        }
        proven
    }
}

/// What an order may look like after a change.
fn settle(order: &mut Order, answered: bool, look: Look) {
    if answered {
        order.looks.clear();
    }
    order.looks.push(look);
}

fn creation(at: &Counter, body: &Value, key: Option<&str>) -> RequestBuilder {
    let asked = at.request(Method::POST, "/api/orders").json(body);
    match key {
        Some(key) => asked.header("idempotency-key", key),
        None => asked,
    }
}

/// How many rows the search finds for a mark.
async fn found(at: &Counter, mark: &str) -> usize {
    let answer = calm(at.request(Method::GET, &format!("/api/orders?q={mark}"))).await.expect(&[200]);
    answer.json()["data"].as_array().unwrap().len()
}

async fn look(at: &Counter, id: &str) -> Look {
    let answer = calm(at.request(Method::GET, &format!("/api/orders/{id}"))).await.expect(&[200, 404]);
    if answer.status == 404 {
        return Look::Gone;
    }
    let body = answer.json();
    let status = ["pending", "paid", "cancelled"].into_iter().find(|word| body["status"] == *word).unwrap();
    Look::There { amount: body["amount"].as_u64().unwrap(), status }
}

async fn prove_made(at: &Counter, order: &mut Order, made: &Answer) {
    let id = made.word("id");
    if let Some((key, action)) = order.open_action.take() {
        // At most once, whether it had happened or not; from here on it has.
        let path = format!("/api/orders/{id}/{action}");
        for _ in 0..2 {
            calm(at.request(Method::POST, &path).header("idempotency-key", &key)).await.expect(&[200]);
        }
        order.looks.remove(0);
    }
    let now = look(at, &id).await;
    assert!(order.looks.contains(&now), "an answered write is not there: {order:?} is {now:?}");
    order.looks = vec![now.clone()];
    assert_eq!(found(at, &order.mark).await, usize::from(now != Look::Gone), "{order:?}");
    if let Some(key) = &order.key {
        let again = calm(creation(at, &order.body, Some(key))).await.expect(&[200]);
        assert_eq!(again.header("idempotent-replayed"), "true", "{again:?}");
        assert_eq!((&again.text, again.header("location")), (&made.text, made.header("location")));
        assert_eq!(found(at, &order.mark).await, usize::from(now != Look::Gone), "made twice: {order:?}");
    }
}

/// One whose answer never came: there at most once, and with its key exactly once after a retry.
async fn prove_open(at: &Counter, order: &mut Order) {
    let before = found(at, &order.mark).await;
    assert!(before <= 1, "made twice: {order:?}");
    let Some(key) = &order.key else { return };
    let first = calm(creation(at, &order.body, Some(key))).await.expect(&[200, 201]);
    assert_eq!(first.status == 200, before == 1, "the key and the row do not agree: {order:?} {first:?}");
    let again = calm(creation(at, &order.body, Some(key))).await.expect(&[200]);
    assert_eq!(again.text, first.text);
    assert_eq!(found(at, &order.mark).await, 1, "made twice: {order:?}");
    order.made = Some(first);
}
