//! Who called which version.

use jiff::civil::date;
use valetkey_resources::ports::Used;

use super::Shop;
use crate::clock::moment;

/// So many requests, the last of them at this second.
fn used(client: &str, version: u32, requests: u64, second: i64) -> Used {
    Used { client: client.to_owned(), version, requests, last_at: moment(second) }
}

/// Counts of one day add up, whoever counted them.
pub async fn counts_of_a_day_add_up(shop: Shop) {
    let usage = &shop.ports.usage;

    usage.add_usage(vec![used("app", 1, 2, 0), used("till", 2, 5, 7)]).await.unwrap();
    usage.add_usage(vec![used("app", 1, 3, 10), used("app", 2, 9, 8)]).await.unwrap();
    usage.add_usage(vec![used("app", 1, 0, 5)]).await.unwrap();

    let found = usage.usage_since(date(1970, 1, 1)).await.unwrap();
    let all = [used("app", 1, 5, 10), used("app", 2, 9, 8), used("till", 2, 5, 7)];
    assert_eq!(found, all, "the last time stays the last");
}

/// Only the days that are asked for count, and old ones can be forgotten.
pub async fn days_are_counted_apart_and_forgotten(shop: Shop) {
    let usage = &shop.ports.usage;
    let day = moment(0).to_zoned(jiff::tz::TimeZone::UTC).date();
    let tomorrow = day.tomorrow().unwrap();
    usage.add_usage(vec![used("app", 1, 2, 0), used("app", 1, 3, 86_400)]).await.unwrap();

    let both = usage.usage_since(day).await.unwrap();
    let later = usage.usage_since(tomorrow).await.unwrap();
    let swept = usage.sweep_usage(tomorrow, 10).await.unwrap();

    assert_eq!(both[0].requests, 5);
    assert_eq!(later[0].requests, 3);
    assert_eq!((swept, usage.sweep_usage(tomorrow, 10).await.unwrap()), (1, 0));
    assert_eq!(usage.usage_since(day).await.unwrap()[0].requests, 3);
}

/// Nodes that write at once lose nothing.
pub async fn racing_nodes_lose_no_count(shop: Shop) {
    let add = |client: &str| {
        let (usage, client) = (shop.ports.usage.clone(), client.to_owned());
        tokio::spawn(async move {
            for _ in 0..10 {
                let counted = vec![used(&client, 2, 1, 0), used("shared", 1, 1, 0), used("shared", 2, 1, 0)];
                usage.add_usage(counted).await.unwrap();
            }
        })
    };

    for task in ["a", "b", "c", "d"].map(add) {
        task.await.unwrap();
    }

    let found = shop.ports.usage.usage_since(date(1970, 1, 1)).await.unwrap();
    assert_eq!(found.iter().find(|found| found.client == "shared"), Some(&used("shared", 1, 40, 0)));
    assert_eq!(found.iter().map(|found| found.requests).sum::<u64>(), 120);
}
