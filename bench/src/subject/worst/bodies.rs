//! Bodies that are as large, as deep or as wrong as they may be, and patches that make much of little. Made on a few rows that
//! are as large as rows can be.

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::Request;
use crate::house::House;
use crate::wire::Line;

/// A little less than a document may have.
const LARGE: usize = 1_000_000;
/// A few less values than a body may be made of.
const VALUES: usize = 44_900;
/// The media type of patches that are steps.
const STEPS: &str = "application/json-patch+json";
const MERGE: &str = "application/merge-patch+json";

/// All of them.
pub async fn all(house: &House) -> anyhow::Result<Vec<Request>> {
    let mut all = posts(house);
    let text = make(
        house,
        "/users",
        &user("text@example.com", json!({"street": "x".repeat(LARGE / 2), "city": ""}), json!([])),
    )
    .await?;
    let many = make(house, "/users", &user("many@example.com", json!({}), Value::from(vec!["tag"; VALUES]))).await?;
    let wide: serde_json::Map<String, Value> = (0..VALUES).map(|at| (format!("k{at}"), json!(at))).collect();
    let wide = make(house, "/users", &user("wide@example.com", Value::Object(wide), json!([]))).await?;
    for _ in 0..100 {
        make(house, "/orders", &json!({"user_id": many, "amount": 1, "note": "n".repeat(35_000)})).await?;
    }
    for (name, path) in [
        ("row: a large text", format!("/users/{text}")),
        ("row: a large array", format!("/users/{many}")),
        ("row: many members", format!("/users/{wide}")),
        ("row: many members, one field", format!("/users/{wide}?fields=id")),
        ("list: the largest rows", "/users?limit=100".to_owned()),
        ("list: a large page with a large row along", format!("/users/{many}/orders?include=user&limit=100")),
        ("list: a hundred large orders, searched", format!("/orders?user_id={many}&limit=100&sort=-amount")),
    ] {
        all.push(Request::new(name, house.api("GET", &path).bare()));
    }
    all.extend(patches(house, &text, &many, &wide));
    Ok(all)
}

fn user(email: &str, address: Value, tags: Value) -> Value {
    json!({"name": "Ada", "email": email, "address": address, "tags": tags})
}

async fn make(house: &House, path: &str, document: &Value) -> anyhow::Result<String> {
    let mut line = Line::open(house.address, None).await?;
    let answer = line.ask(&house.api("POST", path).json(document)).await?;
    if answer.status != 201 {
        bail!("{path}: {} {}", answer.status, answer.text().chars().take(500).collect::<String>());
    }
    Ok(answer.member("id").context("no id")?.to_owned())
}

fn posts(house: &House) -> Vec<Request> {
    let post =
        |name, path: &str, body: &str| Request::new(name, house.api("POST", path).body("application/json", body));
    let order = |note: &str| json!({"amount": 1, "note": note}).to_string();
    let members =
        |count: usize, value: &str| (0..count).map(|at| format!("\"f{at}\":{value}")).collect::<Vec<_>>().join(",");
    let wrong_tags = |item: &str, count: usize| {
        format!("{{\"name\":\"Ada\",\"email\":\"a@example.com\",\"tags\":[{}]}}", vec![item; count].join(","))
    };
    let user = |email: &str| json!({"name": "Ada", "email": email}).to_string();
    let words = (0..LARGE / 8).map(|at| format!("w{at:06}")).collect::<Vec<_>>().join(" ");
    vec![
        post("body: a large text", "/orders", &order(&"x".repeat(LARGE))),
        post("body: many words to be found", "/orders", &order(&words)),
        post("body: escapes", "/orders", &format!("{{\"amount\":1,\"note\":\"{}\"}}", "\\u00e9".repeat(LARGE / 6))),
        post("body: many unknown fields", "/orders", &format!("{{{}}}", members(VALUES, "1"))),
        post(
            "body: many nearly known fields",
            "/orders",
            &format!("{{{}}}", members(VALUES, "1").replace("\"f", "\"amoun")),
        ),
        post("body: a field twice, at the end", "/orders", &format!("{{{},\"f0\":1}}", members(VALUES, "1"))),
        post("body: a number of a million digits", "/orders", &format!("{{\"amount\":{}}}", "1".repeat(LARGE))),
        post("body: a fraction of a million digits", "/orders", &format!("{{\"amount\":0.{}}}", "1".repeat(LARGE))),
        post("body: a large exponent", "/orders", "{\"amount\":1e308}"),
        post(
            "body: too deep",
            "/orders",
            &format!("{{\"amount\":{}1{}}}", "[".repeat(LARGE / 2), "]".repeat(LARGE / 2)),
        ),
        post("body: as deep as it may be, and wide", "/users", &deep()),
        post("body: many items of a wrong type", "/users", &wrong_tags("1", VALUES)),
        post("body: many objects as items", "/users", &wrong_tags("{}", VALUES)),
        post("body: many arrays as items", "/users", &wrong_tags("[]", VALUES)),
        post("body: more items than there may be", "/users", &wrong_tags("1", LARGE / 3)),
        post("body: many items", "/orders", &format!("{{\"amount\":[{}]}}", vec!["1"; LARGE / 2].join(","))),
        post(
            "body: a long name",
            "/users",
            &json!({"name": "é".repeat(LARGE / 2), "email": "b@example.com"}).to_string(),
        ),
        post("body: a long address", "/users", &user(&format!("{}@example.com", "a".repeat(LARGE)))),
        post("body: an address of many parts", "/users", &user(&format!("a@{}b", "a.".repeat(LARGE / 2)))),
        post("body: an address of many dots", "/users", &user(&".@".repeat(LARGE / 2))),
        post("body: version 1, a long total", "/v1/orders", &json!({"total": "1".repeat(LARGE)}).to_string()),
        post(
            "body: version 1, almost a total",
            "/v1/orders",
            &json!({"total": format!("{}.123", "1".repeat(13))}).to_string(),
        ),
        post("body: nothing but spaces", "/orders", &" ".repeat(LARGE)),
        post("body: one byte too many", "/orders", &" ".repeat((1 << 20) + 1)),
        Request::new(
            "body: a large text under a key",
            house
                .api("POST", "/orders")
                .header("idempotency-key", "worst")
                .body("application/json", &order(&"x".repeat(LARGE))),
        ),
    ]
}

/// Thirty levels, each with many members.
fn deep() -> String {
    let side: String = (0..VALUES / 30).map(|at| format!("\"k{at}\":1,")).collect();
    let inner = (0..29).fold("1".to_owned(), |inner, _| format!("{{{side}\"in\":{inner}}}"));
    format!("{{\"name\":\"Ada\",\"email\":\"deep@example.com\",\"address\":{inner}}}")
}

fn patches(house: &House, text: &str, many: &str, wide: &str) -> Vec<Request> {
    let patch = |name, id: &str, kind: &str, body: &str| {
        Request::new(name, house.api("PATCH", &format!("/users/{id}")).body(kind, body))
    };
    let steps = |step: Value| Value::from(vec![step; 1000]).to_string();
    let step = |op: &str, from: &str, path: &str| json!({"op": op, "from": from, "path": path});
    let add = |path: &str, value: Value| json!({"op": "add", "path": path, "value": value});
    let long = format!("/address{}", "/a".repeat(400));
    let tests = |path: &str| json!({"op": "test", "path": path, "value": "tag"});
    vec![
        patch(
            "patch: a large text copied a thousand times",
            text,
            STEPS,
            &steps(step("copy", "/address/street", "/address/city")),
        ),
        patch(
            "patch: a large text moved a thousand times",
            text,
            STEPS,
            &json!(
                (0..500)
                    .flat_map(|_| [
                        step("move", "/address/street", "/address/city"),
                        step("move", "/address/city", "/address/street")
                    ])
                    .collect::<Vec<_>>()
            )
            .to_string(),
        ),
        patch("patch: a thousand items in front of many", many, STEPS, &steps(add("/tags/0", json!("tag")))),
        patch(
            "patch: a thousand items from the front of many",
            many,
            STEPS,
            &steps(json!({"op": "remove", "path": "/tags/0"})),
        ),
        patch("patch: many items copied into themselves", many, STEPS, &steps(step("copy", "/tags", "/address/a"))),
        patch(
            "patch: a thousand tests at the end of many",
            many,
            STEPS,
            &steps(tests(&format!("/tags/{}", LARGE / 8 - 1))),
        ),
        patch("patch: many members copied", wide, STEPS, &steps(step("copy", "/address", "/address/in"))),
        patch(
            "patch: the whole tested against itself",
            wide,
            STEPS,
            &steps(json!({"op": "test", "path": "", "value": {}})),
        ),
        patch("patch: paths that are not there", wide, STEPS, &steps(json!({"op": "remove", "path": long}))),
        patch("patch: steps that are none", wide, STEPS, &format!("[{}]", vec!["{}"; LARGE / 3].join(","))),
        patch("patch: one value of many members", wide, MERGE, "{\"address\":{\"k1\":2}}"),
        patch("patch: one item of a large row", many, MERGE, "{\"name\":\"Eve\"}"),
        patch(
            "patch: all members removed",
            wide,
            MERGE,
            &format!(
                "{{\"address\":{{{}}}}}",
                (0..VALUES).map(|at| format!("\"k{at}\":null")).collect::<Vec<_>>().join(",")
            ),
        ),
        Request::new(
            "put: a large row",
            house.api("PUT", &format!("/users/{text}")).json(&user(
                "text@example.com",
                json!({"street": "y".repeat(LARGE / 2)}),
                json!([]),
            )),
        ),
    ]
}
