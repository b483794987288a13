//! Lists that look at many rows, or have to find out that they would.

use anyhow::Context as _;

use super::Request;
use crate::house::House;
use crate::wire::{Line, encode};

/// Each of them with one parameter after the other, as a client would write it.
const PLAIN: [(&str, &[(&str, &str)]); 44] = [
    ("list: the largest page", &[("limit", "100")]),
    ("list: a deep offset", &[("offset", "990000"), ("limit", "100")]),
    ("list: an offset behind the end", &[("offset", "9007199254740992"), ("limit", "100")]),
    ("list: a deep offset with a filter", &[("currency", "EUR"), ("offset", "300000"), ("limit", "100")]),
    ("list: a deep offset with a sort", &[("sort", "-amount,created_at"), ("offset", "500000"), ("limit", "100")]),
    (
        "list: a deep page with filter and sort",
        &[("status", "pending"), ("sort", "amount"), ("page", "9000"), ("size", "100")],
    ),
    ("list: nobody's orders", &[("user_id", "01900000-0000-7000-8000-000000000000")]),
    ("list: nobody's orders, sorted", &[("user_id", "01900000-0000-7000-8000-000000000000"), ("sort", "-amount")]),
    ("list: all that have a user, sorted", &[("user_id[ne]", "null"), ("sort", "-amount")]),
    ("list: all that have no user, sorted by three", &[("user_id", "null"), ("sort", "currency,-amount,created_at")]),
    ("list: an id that is not there", &[("id", "01900000-0000-7000-8000-000000000000")]),
    ("list: an amount that is not there", &[("amount", "9007199254740991")]),
    ("list: amounts that are not there, sorted by time", &[("amount[gt]", "4000000"), ("sort", "created_at")]),
    ("list: amounts below none, sorted by currency", &[("amount[lt]", "0"), ("sort", "currency,created_at")]),
    ("list: a state that nothing has", &[("status", "paid")]),
    ("list: a state that nothing has, sorted", &[("status", "paid"), ("sort", "-amount")]),
    ("list: a state that nothing has, sorted by time", &[("status", "cancelled"), ("sort", "-created_at")]),
    ("list: a state that nothing has, sorted by three", &[("status", "paid"), ("sort", "currency,-amount,created_at")]),
    ("list: all states but the one that all have", &[("status[ne]", "pending"), ("sort", "amount")]),
    ("list: a currency that nothing has", &[("currency[ne]", "EUR"), ("currency[in]", "EUR")]),
    (
        "list: all but all currencies",
        &[("currency[ne]", "EUR"), ("currency[ne]", "USD"), ("currency[ne]", "GBP"), ("sort", "amount")],
    ),
    ("list: before all time, sorted", &[("created_at[lt]", "2000-01-01"), ("sort", "-amount")]),
    ("list: after all time, sorted", &[("created_at[gt]", "2100-01-01"), ("sort", "amount,currency")]),
    (
        "list: all of all time, sorted",
        &[("created_at[gte]", "2000-01-01"), ("created_at[lt]", "2100-01-01"), ("sort", "amount")],
    ),
    (
        "list: two halves that do not meet",
        &[("amount[gte]", "250000"), ("amount[lt]", "250000"), ("sort", "created_at")],
    ),
    (
        "list: wide ranges, no state, sorted by three",
        &[
            ("amount[gte]", "1"),
            ("amount[lte]", "499998"),
            ("created_at[gte]", "2000-01-01"),
            ("currency[in]", "EUR,USD"),
            ("status", "paid"),
            ("sort", "created_at,-amount,currency"),
        ],
    ),
    (
        "list: wide ranges, sorted by three",
        &[
            ("amount[gte]", "1"),
            ("amount[lte]", "499998"),
            ("currency[in]", "EUR,USD"),
            ("sort", "currency,-created_at,amount"),
            ("limit", "100"),
        ],
    ),
    ("list: sorted by all there is", &[("sort", "-currency,amount,-created_at"), ("limit", "100")]),
    ("list: a common word", &[("q", "door"), ("limit", "100")]),
    ("list: four common words", &[("q", "left at the door"), ("limit", "100")]),
    ("list: a word that nothing has", &[("q", "zebra")]),
    ("list: a common and an unknown word", &[("q", "door zebra")]),
    ("list: a common word, sorted", &[("q", "door"), ("sort", "-amount"), ("limit", "100")]),
    ("list: a common word, best first", &[("q", "door"), ("sort", "-relevance"), ("page", "1")]),
    (
        "list: common words, best first, deep",
        &[("q", "left at the door"), ("sort", "-relevance"), ("page", "2000"), ("size", "100")],
    ),
    ("list: a common word that no row of this state has", &[("q", "door"), ("status", "paid"), ("sort", "-amount")]),
    (
        "list: common words in a wide range, deep",
        &[("q", "left door"), ("amount[gte]", "1"), ("offset", "300000"), ("limit", "100")],
    ),
    ("list: pages with a total", &[("currency", "EUR"), ("page", "1"), ("size", "100")]),
    ("list: a total of common words", &[("q", "left at the door"), ("page", "1"), ("size", "100")]),
    ("list: a total of wide ranges", &[("amount[gte]", "1"), ("currency[ne]", "GBP"), ("page", "1"), ("size", "100")]),
    ("list: a total of what nothing has", &[("status", "paid"), ("amount[gte]", "1"), ("page", "1"), ("size", "100")]),
    (
        "list: everything along",
        &[("include", "user"), ("fields", "id,amount,currency,status,note,created_at,user_id"), ("limit", "100")],
    ),
    ("list: version 1, sorted by a rewritten field", &[("total[gte]", "1.00"), ("status", "paid"), ("sort", "-total")]),
    ("list: a version 1 total that is not there", &[("total", "99999999.99"), ("sort", "creation_date")]),
];

/// All of them.
pub async fn all(house: &House) -> anyhow::Result<Vec<Request>> {
    let mut all = Vec::new();
    for (name, pairs) in PLAIN {
        let version = if name.contains("version 1") { "/v1" } else { "" };
        all.push(Request::new(name, house.api("GET", &format!("{version}/orders?{}", encode(pairs))).bare()));
    }
    for (name, query) in long() {
        all.push(Request::new(name, house.api("GET", &format!("/orders?{query}")).bare()));
    }
    for (name, pairs) in [
        ("count: everything, exactly", &[("limit", "1")][..]),
        ("count: one currency, exactly", &[("currency", "EUR")]),
        ("count: a common word, exactly", &[("q", "door")]),
        ("count: four common words, exactly", &[("q", "left at the door")]),
        (
            "count: wide ranges, exactly",
            &[("amount[gte]", "1"), ("created_at[gte]", "2000-01-01"), ("status", "pending")],
        ),
        ("count: all but one state, exactly", &[("status[ne]", "paid"), ("sort", "amount")]),
    ] {
        let ask = house.api("GET", &format!("/orders?{}", encode(pairs))).header("prefer", "count=exact");
        all.push(Request::new(name, ask.bare()));
    }
    for (name, pairs) in [
        ("cursor: far along three keys", &[("sort", "currency,-amount,created_at"), ("limit", "100")][..]),
        ("cursor: far along with a filter", &[("status", "pending"), ("sort", "-created_at"), ("limit", "100")]),
        ("cursor: along a common word", &[("q", "door"), ("limit", "100")]),
    ] {
        all.push(Request::new(name, house.api("GET", &far(house, &encode(pairs)).await?).bare()));
    }
    Ok(all)
}

/// The page after some, by its cursor.
async fn far(house: &House, query: &str) -> anyhow::Result<String> {
    let mut line = Line::open(house.address, None).await?;
    let mut place = format!("/orders?{query}");
    for _ in 0..20 {
        let answer = line.ask(&house.api("GET", &place).bare()).await?;
        let next = answer.member("next").map(|next| next.replace("\\u0026", "&").replace("\\/", "/"));
        // A small store has no page behind.
        let Some(next) = next else { break };
        let at = next.find("/api/").with_context(|| format!("no address: {next}"))?;
        place = next[at + "/api".len()..].to_owned();
    }
    Ok(place)
}

/// Queries as long as they may be.
fn long() -> Vec<(&'static str, String)> {
    let list = |count: usize, step: usize| (0..count).map(|at| (at * step).to_string()).collect::<Vec<_>>().join(",");
    let ids =
        |count: u32| (0..count).map(|at| format!("01900000-0000-7000-8000-{at:012}")).collect::<Vec<_>>().join(",");
    let none = |count: u64| (0..count).map(|at| (600_000 + at).to_string()).collect::<Vec<_>>().join(",");
    let but = |field: &str, values: &str| format!("{field}[ne]={}", values.replace(',', &format!("&{field}[ne]=")));
    let words = |count: usize| (0..count).map(|at| format!("w{at}")).collect::<Vec<_>>().join("+");
    let letters = || ('a'..='z').map(String::from).collect::<Vec<_>>().join("+");
    let unknown = |count: usize| (0..count).map(|at| format!("amuont{at}=1")).collect::<Vec<_>>().join("&");
    vec![
        ("long: a hundred amounts", format!("amount[in]={}&sort=-created_at&limit=100", list(100, 4999))),
        ("long: a hundred amounts that are not there", format!("amount[in]={}&sort=-created_at", none(100))),
        (
            "long: all but a hundred amounts",
            format!("{}&sort=currency,amount&limit=100", but("amount", &list(100, 4999))),
        ),
        (
            "long: all but a hundred amounts, no state",
            format!("{}&status=paid&sort=created_at", but("amount", &list(100, 4999))),
        ),
        ("long: a hundred ids", format!("id[in]={}&sort=amount", ids(100))),
        ("long: a hundred users", format!("user_id[in]={}&sort=-amount", ids(100))),
        ("long: all but a hundred users", format!("{}&sort=-amount", but("user_id", &ids(100)))),
        (
            "long: a hundred of all that has so many",
            format!("amount[in]={}&user_id[in]={}&id[in]={}&sort=created_at", list(100, 4999), ids(100), ids(100)),
        ),
        ("long: forty words that nothing has", format!("q={}", words(40))),
        ("long: forty times the same common word", format!("q={}", vec!["door"; 40].join("+"))),
        ("long: common words and forty others", format!("q=left+at+the+door+{}", words(40))),
        ("long: a search for single letters", format!("q={}", letters())),
        (
            "long: a hundred times a common word, sorted, no state",
            "q=door+door+door+left+left+the&status=paid&sort=created_at".to_owned(),
        ),
        ("long: three hundred unknown parameters", unknown(300)),
        (
            "long: nearly known parameters",
            (0..300).map(|at| format!("create_att{at}[gte]=1")).collect::<Vec<_>>().join("&"),
        ),
        (
            "long: fields that are not there",
            format!("fields={}", (0..99).map(|at| format!("amuont{at}")).collect::<Vec<_>>().join(",")),
        ),
        ("long: a cursor that nobody sealed", format!("cursor={}", "A".repeat(12_000))),
    ]
}
