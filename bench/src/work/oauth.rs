//! Works of the authorization server: tokens asked for, looked into, redeemed, renewed and polled for.

use std::net::IpAddr;
use std::rc::Rc;

use anyhow::{Context as _, bail};
use futures_util::future::try_join_all;

use super::lane::{Chain, Once, repeat};
use crate::drive::Lane;
use crate::house::{CALLBACK, Client, House, VERIFIER};
use crate::wire::{Line, Request};

/// What machines ask for.
pub const SCOPE: &str = "read:orders";

/// So many devices of one client may wait from one address.
const WAITING: usize = 500;

/// A token each time.
pub fn credentials(house: &House, client: &Client, lanes: usize) -> Vec<Box<dyn Lane>> {
    let form = [("grant_type", "client_credentials"), ("scope", SCOPE)];
    repeat(vec![house.post("/token").basic(&client.id, &client.secret).form(&form)], lanes, 200)
}

/// A resource server asks about the tokens of many sessions.
pub fn introspection(house: &House, lanes: usize) -> Vec<Box<dyn Lane>> {
    let asker = &house.clients.guard;
    let ask = |token: &String| house.post("/introspect").basic(&asker.id, &asker.secret).form(&[("token", token)]);
    repeat(house.sessions.borrow().iter().map(|session| ask(&session.access)).collect(), lanes, 200)
}

/// Codes of one person, made just before: they live for a minute.
pub async fn codes(house: &House, lanes: usize, most: usize) -> anyhow::Result<Vec<Box<dyn Lane>>> {
    let client = &house.clients.web;
    let mine = |count: usize| async move {
        let mut line = Line::open(house.address, None).await?;
        let mut requests = Vec::with_capacity(count);
        for _ in 0..count {
            let code = house.code(&mut line).await?;
            requests.push(redemption(house, client, &code));
        }
        let lane = Once { requests: requests.into_iter(), status: 200, says: "refresh_token", from: None };
        anyhow::Ok(Box::new(lane) as Box<dyn Lane>)
    };
    try_join_all((0..lanes).map(|_| mine(most.div_ceil(lanes)))).await
}

/// The request that redeems a code.
pub fn redemption(house: &House, client: &Client, code: &str) -> Vec<u8> {
    let form =
        [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", CALLBACK), ("code_verifier", VERIFIER)];
    house.post("/token").basic(&client.id, &client.secret).form(&form)
}

/// Sessions that are renewed in turn, each with what its last renewal brought.
pub fn refresh(house: &House, lanes: usize) -> Vec<Box<dyn Lane>> {
    let client = &house.clients.web;
    let head = house.post("/token").basic(&client.id, &client.secret);
    let head = head.header("content-type", "application/x-www-form-urlencoded").bare();
    // The length comes with the token.
    let head = Rc::new([&head[..head.len() - 2], b"content-length: "].concat());
    let form = Rc::new("grant_type=refresh_token&refresh_token=".to_owned());
    let mut sessions = house.sessions.borrow_mut();
    // From here on, only the lane knows the next token of a session.
    let tokens = sessions.iter_mut().map(|session| std::mem::take(&mut session.refresh));
    let tokens: Vec<String> = tokens.filter(|token| !token.is_empty()).collect();
    let lane = |lane: usize| {
        let tokens = tokens.iter().skip(lane).step_by(lanes).cloned().collect();
        Box::new(Chain { tokens, at: 0, head: Rc::clone(&head), form: Rc::clone(&form) }) as Box<dyn Lane>
    };
    (0..lanes).map(lane).collect()
}

/// First polls of devices that wait. They are asked for from many addresses, as there is a bound for each.
pub async fn devices(house: &House, lanes: usize, most: usize) -> anyhow::Result<Vec<Box<dyn Lane>>> {
    let mine = |count: usize| async move {
        let mut polls = Vec::with_capacity(count);
        while polls.len() < count {
            polls.extend(ask_devices(house, (count - polls.len()).min(WAITING)).await?);
        }
        let lane = Once { requests: polls.into_iter(), status: 400, says: "authorization_pending", from: None };
        anyhow::Ok(Box::new(lane) as Box<dyn Lane>)
    };
    try_join_all((0..lanes).map(|_| mine(most.div_ceil(lanes)))).await
}

async fn ask_devices(house: &House, count: usize) -> anyhow::Result<Vec<Vec<u8>>> {
    let client = &house.clients.device;
    let mut line = Line::open(house.address, Some(IpAddr::V4(house.fresh_address()))).await?;
    let ask = house.post("/device/code").basic(&client.id, &client.secret).form(&[("scope", SCOPE)]);
    let mut polls = Vec::with_capacity(count);
    for _ in 0..count {
        let answer = line.ask(&ask).await?;
        if answer.status != 200 {
            bail!("a device was refused: {}", answer.text());
        }
        let code = answer.member("device_code").context("no device_code")?;
        let form = [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code)];
        let poll: Request = house.post("/token").basic(&client.id, &client.secret);
        polls.push(poll.form(&form));
    }
    Ok(polls)
}
