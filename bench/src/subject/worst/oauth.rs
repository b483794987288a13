//! Requests to the authorization server that are as long as they may be, and one that has to hash a password.

use super::Request;
use crate::house::{CALLBACK, House, NAME};
use crate::wire::{self, encode};

/// A little less than a form may have.
const FORM: usize = 64_000;
/// A little less than headers may have, with what else stands there.
const HEADERS: usize = 15_000;

/// All of them.
pub async fn all(house: &House) -> anyhow::Result<Vec<Request>> {
    let pages = house.sign_in_pages(1).await?;
    let mut all = forms(house);
    all.extend(addresses(house));
    all.extend(headers(house));
    all.extend(pages.iter().map(|page| Request::new("sign-in: one password", page.filled_in(NAME))));
    Ok(all)
}

/// Words that differ, until there are so many bytes.
fn words(bytes: usize, between: &str) -> String {
    let word = |at: usize| format!("read:w{at}");
    let count = bytes / (word(10_000).len() + between.len());
    (0..count).map(word).collect::<Vec<_>>().join(between)
}

fn forms(house: &House) -> Vec<Request> {
    let (web, guard, opaque) = (&house.clients.web, &house.clients.guard, &house.clients.opaque);
    let of_client = |path: &str, client: &crate::house::Client| house.post(path).basic(&client.id, &client.secret);
    let token = |name, pairs: &[(&str, &str)]| Request::new(name, of_client("/token", opaque).form(pairs));
    let jwt = |bytes: usize| format!("eyJhbGciOiJFUzI1NiJ9.{}.AAAA", "A".repeat(bytes));
    let many: String = (0..FORM / 8).map(|at| format!("p{at}=1&")).collect();
    let kind = "application/x-www-form-urlencoded";
    vec![
        token("token: many scopes", &[("grant_type", "client_credentials"), ("scope", &words(FORM * 2 / 3, " "))]),
        token(
            "token: a scope many times",
            &[("grant_type", "client_credentials"), ("scope", &"read:orders ".repeat(FORM / 15))],
        ),
        token("token: a long scope", &[("grant_type", "client_credentials"), ("scope", &"a".repeat(FORM))]),
        token("token: many resources", &vec![("resource", "https://a.example/"); FORM / 36]),
        token(
            "token: a long assertion",
            &[
                ("grant_type", "client_credentials"),
                ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                ("client_assertion", &jwt(FORM - 200)),
            ],
        ),
        Request::new("token: many parameters", of_client("/token", opaque).body(kind, &many)),
        Request::new(
            "token: many escapes",
            of_client("/token", opaque).body(kind, &format!("scope={}", "%20%C3%A9".repeat(FORM / 9))),
        ),
        Request::new(
            "token: a long refresh token",
            of_client("/token", web).form(&[("grant_type", "refresh_token"), ("refresh_token", &"A".repeat(FORM))]),
        ),
        Request::new(
            "token: a long code and verifier",
            of_client("/token", web).form(&[
                ("grant_type", "authorization_code"),
                ("redirect_uri", CALLBACK),
                ("code", &"A".repeat(FORM / 2)),
                ("code_verifier", &"A".repeat(FORM / 2 - 200)),
            ]),
        ),
        Request::new(
            "introspection: a long token",
            of_client("/introspect", guard).form(&[("token", &"A".repeat(FORM))]),
        ),
        Request::new("introspection: a long JWT", of_client("/introspect", guard).form(&[("token", &jwt(FORM - 100))])),
        Request::new(
            "introspection: one byte too many",
            of_client("/introspect", guard).form(&[("token", &"A".repeat(65_537))]),
        ),
        Request::new("revocation: a long token", of_client("/revoke", web).form(&[("token", &"A".repeat(FORM))])),
        Request::new(
            "device: many scopes",
            of_client("/device/code", &house.clients.device).form(&[("scope", &words(FORM * 2 / 3, " "))]),
        ),
        Request::new(
            "sign-in: a long form without a page",
            house
                .post("/login")
                .form(&[("username", &"a".repeat(FORM / 2)), ("password", &"a".repeat(FORM / 2 - 100))]),
        ),
    ]
}

fn addresses(house: &House) -> Vec<Request> {
    let visit = |name, more: &[(&str, &str)]| {
        let mut pairs = vec![("response_type", "code"), ("client_id", "web"), ("redirect_uri", CALLBACK)];
        pairs.extend([
            ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            ("code_challenge_method", "S256"),
        ]);
        pairs.extend(more);
        Request::new(name, house.get(&format!("/authorize?{}", encode(&pairs))).header("cookie", &house.cookie).bare())
    };
    vec![
        visit("authorize: many scopes", &[("scope", &words(HEADERS - 2000, " "))]),
        visit("authorize: a long state", &[("scope", "read:orders"), ("state", &"s".repeat(HEADERS - 2000))]),
        visit("authorize: many redirect addresses", &vec![("redirect_uri", CALLBACK); (HEADERS - 2000) / 60]),
        visit("authorize: many resources", &vec![("resource", "https://a.example/"); (HEADERS - 2000) / 40]),
        visit("authorize: many parameters", &vec![("x", "1"); (HEADERS - 2000) / 4]),
        visit("authorize: a long request object", &[("request", &"e".repeat(HEADERS - 2000))]),
        visit("authorize: deep claims", &[("claims", &format!("{}{}", "{\"a\":".repeat(900), "}".repeat(900)))]),
        Request::new("page: a long path", house.get(&format!("/{}", "a/".repeat((HEADERS - 200) / 2))).bare()),
        Request::new("page: the description of the API", house.get("/api/openapi.json").bare()),
        Request::new("page: the documentation of the API", house.get("/api/docs").bare()),
        Request::new("page: sign-in", house.get("/login?next=account").bare()),
        Request::new(
            "page: the account of someone with many sessions",
            house.get("/account").header("cookie", &house.cookie).bare(),
        ),
        Request::new("page: numbers", house.get("/metrics").bare()),
    ]
}

fn headers(house: &House) -> Vec<Request> {
    let with = |request: wire::Request, name: &str, value: &str| request.header(name, value).bare();
    let order = || house.api("GET", &format!("/orders/{}", house.orders.first().map_or("", String::as_str)));
    let repeat = |text: &str| text.repeat((HEADERS - 1000) / text.len());
    let ninety = (0..85).fold(order(), |request, at| request.header(&format!("x-{at}"), &"v".repeat(150)));
    vec![
        Request::new("headers: many cookies", with(house.get("/login"), "cookie", &repeat("vk_sign_in=a; "))),
        Request::new("headers: many languages", with(house.get("/login"), "accept-language", &repeat("de-CH;q=0.1,"))),
        Request::new(
            "headers: many media types",
            with(order(), "accept", &format!("{}application/json", repeat("a/b;q=0.1,"))),
        ),
        Request::new(
            "headers: many conditions",
            with(order(), "if-none-match", &format!("{}\"y\"", repeat("\"x\", "))),
        ),
        Request::new("headers: many preferences", with(order(), "prefer", &repeat("a=1, "))),
        Request::new("headers: a long token", house.get("/api/orders").bearer(&"A".repeat(HEADERS - 1000)).bare()),
        Request::new(
            "headers: a long JWT",
            house
                .get("/api/orders")
                .bearer(&format!("eyJhbGciOiJSUzI1NiJ9.{}.AAAA", "A".repeat(HEADERS - 1000)))
                .bare(),
        ),
        Request::new("headers: many of them", ninety.bare()),
        Request::new("headers: too large", with(order(), "x", &"v".repeat(17_000))),
        Request::new("headers: many Forwarded", with(order(), "forwarded", &repeat("for=10.0.0.1, "))),
    ]
}
