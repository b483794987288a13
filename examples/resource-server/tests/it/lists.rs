//! Lists: the envelope, the three ways of paging, and cursors in the wrong hands.

use reqwest::Method;
use serde_json::Value;

use crate::world::{Server, send};

async fn shop(count: usize) -> Server {
    let server = Server::start().await;
    for n in 0..count {
        server.user(&format!("user{n}")).await;
    }
    server
}

fn names(list: &Value) -> Vec<String> {
    let rows = list["data"].as_array().unwrap().iter();
    rows.map(|row| row["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn a_walk_by_cursor_meets_each_user_once_there_and_back() {
    let server = shop(7).await;
    let mut path = "/api/users?limit=3".to_owned();
    let (mut seen, mut pages) = (Vec::new(), Vec::new());
    loop {
        let list = server.get(&path).await.json();
        assert_eq!((&list["links"]["self"], &list["meta"]["total"]), (&Value::from(path.clone()), &Value::Null));
        seen.extend(names(&list));
        pages.push(names(&list));
        let Some(next) = list["links"]["next"].as_str() else { break };
        path = next.to_owned();
    }
    assert_eq!(seen, (0..7).map(|n| format!("user{n}")).collect::<Vec<_>>());

    let last = server.get(&path).await.json();
    let back = server.get(last["links"]["prev"].as_str().unwrap()).await.json();

    assert_eq!(names(&back), pages[1]);
    assert_eq!(names(&server.get(back["links"]["prev"].as_str().unwrap()).await.json()), pages[0]);
}

#[tokio::test]
async fn pages_and_offsets_tell_the_total_and_their_neighbours() {
    let server = shop(5).await;

    let page = server.get("/api/users?page=2&size=2").await;
    assert_eq!(names(&page.json()), ["user2", "user3"]);
    assert_eq!(page.json()["meta"], serde_json::json!({"total": 5, "page": 2, "per_page": 2}));
    assert_eq!(page.json()["links"]["next"], "/api/users?size=2&page=3");
    assert_eq!(page.json()["links"]["prev"], "/api/users?size=2&page=1");
    assert!(page.header("link").contains("</api/users?size=2&page=3>; rel=\"next\""));
    let offset = server.get("/api/users?offset=4&limit=500").await.json();
    assert_eq!(
        (names(&offset), &offset["meta"]["per_page"], &offset["links"]["next"]),
        (vec!["user4".into()], &Value::from(100), &Value::Null)
    );
}

#[tokio::test]
async fn a_count_is_made_for_those_who_prefer_it() {
    let server = shop(2).await;

    let counted = send(server.request(Method::GET, "/api/users?limit=1").header("prefer", "count=exact")).await;

    assert_eq!(
        (&counted.json()["meta"]["total"], counted.header("preference-applied")),
        (&Value::from(2), "count=exact")
    );
}

#[tokio::test]
async fn sparse_fields_leave_the_rest_out() {
    let server = shop(1).await;

    let list = server.get("/api/users?fields=name").await.json();

    let members: Vec<_> = list["data"][0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(members, ["name"]);
}

#[tokio::test]
async fn a_cursor_of_someone_else_or_of_nobody_is_refused() {
    let server = shop(3).await;
    let next = server.get("/api/users?limit=1").await.json()["links"]["next"].as_str().unwrap().to_owned();
    assert_eq!(server.get(&next).await.status, 200);

    let other = send(server.bare(Method::GET, &next).bearer_auth("ada.read_users")).await;

    assert_eq!(other.status, 400);
    assert_eq!(other.errors(), [("cursor".to_owned(), "INVALID_FORMAT".to_owned())]);
    assert_eq!(server.get(&format!("{next}x")).await.status, 400);
    assert_eq!(server.get("/api/users?cursor=abc").await.status, 400);
}

#[tokio::test]
async fn a_query_that_cannot_be_used_names_each_parameter() {
    let server = shop(1).await;
    for (query, fields) in [
        ("name=x&sort=name&q=x&include=orders&fields=age", vec!["name", "sort", "q", "include", "fields"]),
        ("limit=0&a[like]=1", vec!["a[like]", "limit"]),
        ("cursor=a&offset=1", vec!["cursor", "offset"]),
        ("a=%ff", vec!["a"]),
    ] {
        let refused = server.get(&format!("/api/users?{query}")).await;

        assert_eq!(refused.status, 400, "{query}");
        assert_eq!(refused.errors().into_iter().map(|(field, _)| field).collect::<Vec<_>>(), fields, "{query}");
    }
    assert_eq!(server.get("/api/users?token=secret").await.status, 400);
    let many = (0..2000).map(|n| format!("f{n}=1")).collect::<Vec<_>>().join("&");
    assert_eq!(server.get(&format!("/api/users?{many}")).await.status, 400);
}
