//! Each method does what its name says, and refuses what is not a user.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Server, send};

#[tokio::test]
async fn a_new_user_is_where_its_location_says() {
    let server = Server::start().await;
    let body =
        json!({"name": "Ada", "email": "ada@example.com", "address": {"city": "London", "floor": 2}, "tags": ["a"]});

    let made = server.post(&body).await;

    let read = server.get(made.header("location")).await;
    assert_eq!((made.status.as_u16(), read.status.as_u16()), (201, 200));
    assert_eq!(made.json(), read.json());
    assert_eq!(read.json()["address"], json!({"city": "London", "floor": 2}));
    assert_eq!(read.json()["links"]["self"], made.header("location"));
    assert_eq!((read.header("etag"), read.header("x-api-version")), ("\"1-v1\"", "1"));
}

#[tokio::test]
async fn a_body_that_is_no_user_names_every_field_at_once() {
    let server = Server::start().await;
    for (body, status, errors) in [
        (json!({}), 400, vec![("name", "REQUIRED"), ("email", "REQUIRED")]),
        (json!({"name": 1}), 400, vec![("name", "INVALID_TYPE"), ("email", "REQUIRED")]),
        (json!({"name": "", "email": "x"}), 422, vec![("name", "TOO_SHORT"), ("email", "INVALID_FORMAT")]),
        (json!({"name": null, "email": "a@b.c"}), 422, vec![("name", "INVALID_TYPE")]),
        (
            json!({"name": "a", "email": "a@b.c", "age": 1, "id": "x"}),
            422,
            vec![("id", "READ_ONLY"), ("age", "UNKNOWN")],
        ),
        (
            json!({"name": "a", "email": "a@b.c", "tags": [1], "address": []}),
            422,
            vec![("address", "INVALID_TYPE"), ("tags.0", "INVALID_TYPE")],
        ),
        (
            json!({"name": "a", "email": "a@b.c", "address": {"n": 9007199254740992_u64}}),
            422,
            vec![("address.n", "OUT_OF_RANGE")],
        ),
        (json!([]), 422, vec![("", "INVALID_TYPE")]),
    ] {
        let refused = server.post(&body).await;

        let errors: Vec<_> = errors.into_iter().map(|(field, code)| (field.to_owned(), code.to_owned())).collect();
        assert_eq!((refused.status.as_u16(), refused.errors()), (status, errors), "{body}");
        assert_eq!(refused.header("content-type"), "application/problem+json");
    }
}

#[tokio::test]
async fn no_two_users_share_an_address() {
    let server = Server::start().await;
    server.user("ada").await;
    let eve = server.user("eve").await;
    let taken = json!({"name": "x", "email": "ada@example.com"});

    for refused in [server.post(&taken).await, send(server.request(Method::PUT, &eve).json(&taken)).await] {
        assert_eq!(refused.status, 409);
        assert_eq!(refused.errors(), [("email".to_owned(), "NOT_UNIQUE".to_owned())]);
    }
}

#[tokio::test]
async fn put_replaces_all_and_makes_nothing() {
    let server = Server::start().await;
    let path = server.user("ada").await;
    send(server.request(Method::PATCH, &path).json(&json!({"tags": ["x"]}))).await;

    let replaced = send(server.request(Method::PUT, &path).json(&json!({"name": "B", "email": "b@example.com"}))).await;

    assert_eq!((replaced.status.as_u16(), &replaced.json()["tags"]), (200, &Value::Null));
    let mut same = replaced.json();
    same["name"] = json!("C");
    assert_eq!(send(server.request(Method::PUT, &path).json(&same)).await.status, 200);
    let unknown = "/api/users/01900000-0000-7000-8000-000000000000";
    assert_eq!(
        send(server.request(Method::PUT, unknown).json(&json!({"name": "B", "email": "c@d.e"}))).await.status,
        404
    );
}

#[tokio::test]
async fn patch_changes_what_was_sent_in_three_media_types() {
    let server = Server::start().await;
    let path = server.user("ada").await;
    let patch = |kind: &'static str, body: Value| {
        send(server.request(Method::PATCH, &path).header("content-type", kind).body(body.to_string()))
    };

    let merged = patch("application/merge-patch+json", json!({"tags": ["a"], "address": {"city": "X"}})).await;
    assert_eq!((merged.json()["tags"].clone(), merged.header("etag")), (json!(["a"]), "\"2-v1\""));
    assert_eq!(patch("application/json", json!({"address": null})).await.json()["address"], Value::Null);
    let appended = patch("application/json-patch+json", json!([{"op": "add", "path": "/tags/-", "value": "b"}])).await;
    assert_eq!(appended.json()["tags"], json!(["a", "b"]));

    for (kind, body, status) in [
        ("application/json-patch+json", json!([{"op": "test", "path": "/name", "value": "x"}]), 409),
        ("application/json-patch+json", json!([{"op": "remove", "path": "/nothing"}]), 409),
        ("application/json-patch+json", json!([{"op": "replace", "path": "/id", "value": "x"}]), 422),
        ("application/json-patch+json", json!([{"op": "leap"}]), 400),
        ("application/json-patch+json", Value::Array(vec![json!({"op": "remove", "path": "/tags"}); 10_000]), 422),
        ("application/merge-patch+json", json!({"email": null}), 400),
        ("application/merge-patch+json", json!({"name": 7}), 422),
        ("application/merge-patch+json", json!([]), 400),
        ("text/plain", json!({}), 415),
    ] {
        let refused = patch(kind, body.clone()).await;

        assert_eq!(refused.status, status, "{kind} {body}");
    }
    assert_eq!(server.get(&path).await.header("etag"), "\"4-v1\"");
}

#[tokio::test]
async fn delete_is_done_once() {
    let server = Server::start().await;
    let path = server.user("ada").await;
    let delete = || send(server.request(Method::DELETE, &path));

    let (first, second) = (delete().await, delete().await);

    assert_eq!((first.status.as_u16(), first.body.as_str()), (204, ""));
    assert_eq!(second.status, 404);
    assert_eq!(server.get(&path).await.status, 404);
}

#[tokio::test]
async fn head_options_and_other_methods_are_answered() {
    let server = Server::start().await;
    let path = server.user("ada").await;

    let head = send(server.request(Method::HEAD, &path)).await;
    assert_eq!((head.status.as_u16(), head.header("etag"), head.body.as_str()), (200, "\"1-v1\"", ""));
    let options = send(server.bare(Method::OPTIONS, &path)).await;
    assert_eq!((options.status.as_u16(), options.header("allow")), (204, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"));
    assert!(options.header("accept-patch").contains("json-patch+json"));
    let wrong = send(server.request(Method::DELETE, "/api/users")).await;
    assert_eq!(wrong.status, 405);
    assert!(wrong.header("allow").contains("POST"));
}
