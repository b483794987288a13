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

#[tokio::test]
async fn a_large_body_and_one_of_unknown_length_are_not_read_in_a_hall() {
    let world = World::start(|_| {}).await;
    let send = async |head: &str, body: &str| {
        let request = format!("POST /thread HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{head}\r\n\r\n{body}");
        world.talk(&request).await.rsplit_once("\r\n").unwrap().1.to_owned()
    };

    assert!(send("content-length: 5", "small").await.starts_with("hall-"));
    let large = "x".repeat(64 * 1024 + 1);
    assert!(!send(&format!("content-length: {}", large.len()), &large).await.starts_with("hall-"));
    assert!(!send("transfer-encoding: chunked", "1\r\nx\r\n0\r\n\r\n").await.starts_with("hall-"));
}
