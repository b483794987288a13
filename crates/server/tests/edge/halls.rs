//! Which threads answer.

use crate::world::{World, client};

#[tokio::test]
async fn a_connection_is_served_by_one_thread_of_its_own_kind() {
    let world = World::start(|_| {}).await;
    let client = client().build().unwrap();
    let ask = async || client.get(world.url("/thread")).send().await.unwrap().text().await.unwrap();

    let first = ask().await;

    assert!(first.starts_with("hall-"), "{first}");
    assert_eq!(ask().await, first);
}

#[tokio::test]
async fn what_comes_over_one_http2_connection_is_not_left_to_the_thread_that_reads_it() {
    let world = World::start(|_| {}).await;
    let client = client().http2_prior_knowledge().build().unwrap();

    let answer = client.get(world.url("/thread")).send().await.unwrap();

    assert_eq!(answer.version(), http::Version::HTTP_2);
    let thread = answer.text().await.unwrap();
    assert!(!thread.starts_with("hall-"), "{thread}");
}
