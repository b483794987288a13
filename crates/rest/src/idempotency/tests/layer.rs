//! Requests that come again: after the first, beside the first, and after the first went wrong.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::State,
    response::{IntoResponse, Response},
    routing::post,
};
use http::{Request, StatusCode};
use tokio::sync::Semaphore;
use tower::ServiceExt;

use super::super::{Claim, IdempotencyLayer, KeptAnswer, MemoryStore, Slot, Store};
use crate::CatchPanicLayer;

#[derive(Clone)]
struct World {
    done: Arc<AtomicUsize>,
    /// The work waits for a permit; tests that do not care give many.
    gate: Arc<Semaphore>,
    /// A permit for each piece of work that has begun.
    begun: Arc<Semaphore>,
    seconds: Arc<AtomicU64>,
    store: Arc<MemoryStore>,
}

impl World {
    fn new(permits: usize) -> Self {
        Self {
            done: Arc::default(),
            gate: Arc::new(Semaphore::new(permits)),
            begun: Arc::new(Semaphore::new(0)),
            seconds: Arc::default(),
            store: Arc::new(MemoryStore::new(3)),
        }
    }

    fn app(&self) -> Router {
        let seconds = self.seconds.clone();
        let layer = IdempotencyLayer::new(
            self.store.clone(),
            Arc::new(|parts| parts.headers.get("x-client").map(|client| format!("{client:?}"))),
            Arc::new(move || Duration::from_secs(seconds.load(Ordering::Relaxed))),
        );
        Router::new()
            .route("/", post(work).get(work))
            .layer(layer)
            .layer(CatchPanicLayer::new(Arc::new(|_| ())))
            .with_state(self.clone())
    }

    async fn post(&self, client: &str, key: &str, body: &'static str) -> Response {
        let request = Request::post("/").header("x-client", client).header("idempotency-key", key);
        self.app().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()
    }

    fn done(&self) -> usize {
        self.done.load(Ordering::SeqCst)
    }
}

async fn work(State(world): State<World>, body: String) -> Response {
    world.begun.add_permits(1);
    let _permit = world.gate.acquire().await.unwrap();
    let number = world.done.fetch_add(1, Ordering::SeqCst) + 1;
    match body.as_str() {
        "refuse" => StatusCode::UNPROCESSABLE_ENTITY.into_response(),
        "panic" => panic!("the work broke"),
        _ => (
            StatusCode::CREATED,
            [("location", "/1"), ("etag", "\"1\""), ("x-moment", "now")],
            format!("{number} {body}"),
        )
            .into_response(),
    }
}

async fn text(response: Response) -> String {
    String::from_utf8(to_bytes(response.into_body(), 1000).await.unwrap().to_vec()).unwrap()
}

#[tokio::test]
async fn a_repeat_gets_the_kept_answer_with_200_and_nothing_is_done() {
    let world = World::new(9);
    let first = world.post("a", "k", "order").await;
    assert_eq!(first.status(), 201);
    assert!(!first.headers().contains_key("idempotent-replayed"));

    let again = world.post("a", "\"k\"", "order").await;

    assert_eq!(again.status(), 200);
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert_eq!(
        (&again.headers()["location"], &again.headers()["etag"]),
        (&"/1".parse().unwrap(), &"\"1\"".parse().unwrap())
    );
    assert!(!again.headers().contains_key("x-moment"));
    assert_eq!(text(again).await, "1 order");
    assert_eq!(world.done(), 1);
}

#[tokio::test]
async fn another_body_under_the_same_key_is_refused() {
    let world = World::new(9);
    world.post("a", "k", "order").await;

    assert_eq!(world.post("a", "k", "other").await.status(), 422);
    assert_eq!(world.post("b", "k", "other").await.status(), 201);
}

#[tokio::test]
async fn of_many_at_once_one_does_the_work_and_the_others_are_told_to_wait() {
    let world = World::new(0);
    let first = tokio::spawn({
        let world = world.clone();
        async move { world.post("a", "k", "order").await }
    });
    world.begun.acquire().await.unwrap().forget();

    let beside = world.post("a", "k", "order").await;
    world.gate.add_permits(1);

    assert_eq!((beside.status().as_u16(), &beside.headers()["retry-after"]), (409, &"1".parse().unwrap()));
    assert_eq!(first.await.unwrap().status(), 201);
    assert_eq!(world.done(), 1);
}

fn slot(client: &str, key: &str) -> Slot {
    Slot { owner: format!("{client:?}"), key: key.to_owned() }
}

#[tokio::test]
async fn a_client_that_hangs_up_does_not_stop_the_work() {
    let world = World::new(0);
    tokio::select! {
        _ = world.post("a", "k", "order") => panic!("nothing is done before the gate opens"),
        begun = world.begun.acquire() => begun.unwrap().forget(),
    }
    world.gate.add_permits(9);

    let mut again = world.post("a", "k", "order").await;
    while again.status() == 409 {
        tokio::task::yield_now().await;
        again = world.post("a", "k", "order").await;
    }

    assert_eq!(again.status(), 200);
    assert_eq!(world.done(), 1);
}

#[tokio::test]
async fn what_was_refused_or_broke_may_be_tried_again() {
    let world = World::new(9);

    assert_eq!(world.post("a", "k", "refuse").await.status(), 422);
    assert_eq!(world.post("a", "k", "panic").await.status(), 500);
    assert_eq!(world.post("a", "k", "order").await.status(), 201);
}

#[tokio::test]
async fn a_kept_answer_ends_after_a_day() {
    let world = World::new(9);
    world.post("a", "k", "order").await;
    world.seconds.store(24 * 60 * 60 - 1, Ordering::Relaxed);
    assert_eq!(world.post("a", "k", "order").await.status(), 200);

    world.seconds.store(24 * 60 * 60, Ordering::Relaxed);

    assert_eq!(world.post("a", "k", "order").await.status(), 201);
}

#[tokio::test]
async fn without_a_key_and_for_other_methods_the_layer_does_nothing() {
    let world = World::new(9);
    for _ in 0..2 {
        let get = Request::get("/").header("idempotency-key", "k").body(Body::empty()).unwrap();
        assert_eq!(world.app().oneshot(get).await.unwrap().status(), 201);
        assert_eq!(world.app().oneshot(Request::post("/").body(Body::empty()).unwrap()).await.unwrap().status(), 201);
    }

    assert_eq!(world.done(), 4);
    assert_eq!(world.post("a", "a b", "order").await.status(), 400);
}

#[tokio::test]
async fn a_required_key_is_asked_for() {
    let layer = IdempotencyLayer::new(Arc::new(MemoryStore::new(1)), Arc::new(|_| None), Arc::new(|| Duration::ZERO))
        .required();
    let app = Router::new().route("/", post(|| async {})).layer(layer);

    assert_eq!(app.oneshot(Request::post("/").body(Body::empty()).unwrap()).await.unwrap().status(), 400);
}

#[tokio::test]
async fn a_store_that_is_full_forgets_the_oldest() {
    let store = MemoryStore::new(2);
    let kept = KeptAnswer { headers: Vec::new(), body: "x".into() };
    for key in ["1", "2", "3"] {
        assert_eq!(store.claim(&slot("a", key), &[0; 32], Duration::ZERO).await.unwrap(), Claim::Granted);
        store.keep(&slot("a", key), kept.clone(), Duration::MAX).await.unwrap();
    }

    assert_eq!(store.claim(&slot("a", "3"), &[0; 32], Duration::ZERO).await.unwrap(), Claim::Kept(kept.clone()));
    assert_eq!(store.claim(&slot("a", "2"), &[0; 32], Duration::ZERO).await.unwrap(), Claim::Kept(kept));
    assert_eq!(store.claim(&slot("a", "1"), &[0; 32], Duration::ZERO).await.unwrap(), Claim::Granted);
}
