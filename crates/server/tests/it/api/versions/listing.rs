//! What lists go by moves into an object, or out of one: clients of the first version filter and sort as they always did.

use serde_json::{Value, json};

use super::super::{Caller, errors, pairs, register, status_of};
use super::day;
use crate::answer::problem;
use crate::house::{Engine, House};

/// The houses of a town, in as many versions as these.
fn town(versions: usize) -> String {
    let changes = [
        "",
        "changes: [{ add: houses.place }, { move: houses.city, to: place.city }, { move: houses.plan.rooms, to: rooms }]",
        "changes: [{ rename: houses.place, to: address }, { move: houses.address.city, to: address.town.name }, \
         { retype: houses.rooms, from: { type: integer, minimum: 0 }, codec: text, lossy: true }]",
    ];
    let listed = "filter: true, sort: true";
    let fields = [
        format!(
            "city: {{ type: string, {listed} }}\n      plan: {{ type: object, properties: {{ rooms: {{ type: integer, \
             minimum: 0, {listed} }}, colour: {{ type: string }} }} }}"
        ),
        format!(
            "place: {{ type: object, properties: {{ city: {{ type: string, {listed} }}, street: {{ type: string, \
             filter: true }} }} }}\n      plan: {{ type: object, properties: {{ colour: {{ type: string }} }} }}\n      \
             rooms: {{ type: integer, minimum: 0, {listed} }}"
        ),
        format!(
            "address: {{ type: object, properties: {{ town: {{ type: object, properties: {{ name: {{ type: string, \
             {listed} }} }} }}, street: {{ type: string, filter: true }} }} }}\n      plan: {{ type: object, \
             properties: {{ colour: {{ type: string }} }} }}\n      rooms: {{ type: string, pattern: '^[0-9]+$', {listed} }}"
        ),
    ];
    let each = (0..versions).map(|place| {
        let released = day(100 * i64::try_from(place).unwrap() - 400);
        let changes = changes[place];
        let comma = if changes.is_empty() { "" } else { ", " };
        format!("  {}: {{ released: {released}{comma}{changes} }}\n", place + 1)
    });
    format!(
        "api: {{ name: town }}\nscopes: {{ \"all:x\": Everything }}\nversions:\n{}resources:\n  houses:\n    scopes: \
         {{ read: \"all:x\", write: \"all:x\" }}\n    fields:\n      {}\n",
        each.collect::<String>(),
        fields[versions - 1]
    )
}

/// What a client of version 1 asks, and what it gets.
async fn ask(caller: &Caller) -> Vec<(&'static str, Vec<Value>)> {
    let mut seen = Vec::new();
    for query in [
        "sort=city",
        "sort=-city",
        "city=Bern&sort=id",
        "city[in]=Bern,Thun&sort=-plan.rooms",
        "city[gt]=Bern&sort=city",
        "plan.rooms=3&sort=city",
        "plan.rooms[gte]=3&sort=plan.rooms,city",
        "filter[plan.rooms]=4",
        "plan.rooms=null&sort=city",
        "sort=-plan.rooms",
    ] {
        let found = caller.column(&format!("/api/v1/houses?{query}"), "city").await;
        let mut paged = Vec::new();
        let mut next = Some(format!("/api/v1/houses?{query}&limit=1"));
        while let Some(path) = next {
            let page = caller.read(&path).await;
            paged.extend(page["data"].as_array().unwrap().iter().map(|row| row["city"].clone()));
            next = page["links"]["next"].as_str().map(str::to_owned);
        }
        assert_eq!(paged, found, "{query}: one by one");
        seen.push((query, found));
    }
    seen
}

async fn parameters(caller: &Caller, version: usize) -> Vec<String> {
    let document = caller.read(&format!("/api/v{version}/openapi.json")).await;
    let all = document["paths"]["/houses"]["get"]["parameters"].as_array().unwrap();
    let plain = all.iter().filter_map(|one| one["name"].as_str()).filter(|name| !name.contains('['));
    let mut names: Vec<String> = plain.map(str::to_owned).collect();
    names.sort();
    names
}

#[tokio::test]
async fn lists_of_an_old_version_go_by_what_was_moved() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        let file = house.folder().join("api.yaml");
        std::fs::write(&file, town(1)).unwrap();
        house.start().await;
        let till = register(&house, "till", "all:x");
        let caller = Caller::with(&house, house.token(&till).await);
        for (city, rooms) in [(Some("Bern"), Some(3)), (Some("Thun"), Some(4)), (Some("Aarau"), None), (None, Some(1))]
        {
            let plan = rooms.map_or(json!({ "colour": "red" }), |rooms| json!({ "rooms": rooms, "colour": "red" }));
            caller.make("/api/v1/houses", json!({ "city": city, "plan": plan })).await;
        }
        let before = ask(&caller).await;
        let described = parameters(&caller, 1).await;
        assert_eq!(before[3].1, ["Thun", "Bern"]);
        assert_eq!(before[6].1, ["Bern", "Thun"]);
        assert!(described.contains(&"plan.rooms".to_owned()), "{described:?}");

        for (versions, path, newest) in [
            (2, "place.city=Bern&rooms=3&sort=place.city,rooms", "/place/city"),
            (3, "address.town.name=Bern&rooms=3&sort=-rooms", "/address/town/name"),
        ] {
            house.stop().await;
            std::fs::write(&file, town(versions)).unwrap();
            house.start().await;
            let caller = Caller::with(&house, house.token(&till).await);

            assert_eq!(ask(&caller).await, before, "after version {versions}");
            assert_eq!(parameters(&caller, 1).await, described);
            let found = caller.read(&format!("/api/houses?{path}")).await;
            assert_eq!(found["data"].as_array().unwrap().len(), 1, "{found}");
            assert_eq!(found["data"][0].pointer(newest), Some(&json!("Bern")), "{found}");
            let street = problem(status_of(caller.get("/api/v1/houses?place.city=Bern&sort=street"), 400).await).await;
            assert_eq!(errors(&street), pairs(&[("place.city", "UNKNOWN"), ("sort", "INVALID_VALUE")]));
            let made = caller.make("/api/v1/houses", json!({ "city": "Chur", "plan": { "rooms": 9 } })).await;
            assert_eq!(caller.column("/api/v1/houses?plan.rooms=9", "id").await, [made["id"].clone()]);
            status_of(caller.delete(made["links"]["self"].as_str().unwrap()), 204).await;
        }
    }
}
