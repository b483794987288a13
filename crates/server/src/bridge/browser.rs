//! Cookies: read into a `Browser` before the pages, written from a `SignInChange` after them. Nothing else knows cookies.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{COOKIE, RETRY_AFTER, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Method};
use valetkey_oauth::Authority;
use valetkey_oauth::accounts::{Browser, Carried, CarriedChange, SignInChange, recognise};
use valetkey_oauth::model::{Secret, SessionOrigin};
use valetkey_rest::problem::{Problem, catalogue};

use super::origin;

/// Gives each request its browser, and each answer its cookies.
pub async fn know(State(authority): State<Arc<Authority>>, mut request: Request, next: Next) -> Response {
    let jar = Jar::new(&authority);
    let known = cookie(request.headers(), jar.browser).filter(|key| is_ours(key)).map(str::to_owned);
    let is_new = known.is_none();
    let key = known.unwrap_or_else(|| Secret::generate("", &*authority.random).expose().to_owned());
    let sign_in = match cookie(request.headers(), jar.sign_in) {
        None => None,
        Some(value) => match recognise(&authority, value).await {
            Ok(sign_in) => sign_in,
            Err(_) => {
                let problem = Problem::new(&catalogue::UNAVAILABLE);
                return problem.header(RETRY_AFTER, HeaderValue::from_static("2")).into_response();
            }
        },
    };
    let SessionOrigin { address, agent, .. } = origin::of(&request);
    let carried = carried(request.headers(), jar.carried);
    request.extensions_mut().insert(Browser { sign_in, key: key.clone(), address, agent, carried });

    // Another site's form comes without the cookie that the browser may well have; it must not be replaced.
    let is_foreign_form = request.headers().get("sec-fetch-site").is_some_and(|site| site == "cross-site")
        && request.method() == Method::POST;
    let mut response = next.run(request).await;
    if is_new && !is_foreign_form {
        jar.set(&mut response, jar.browser, &key, None);
    }
    if let Some(change) = response.extensions_mut().remove::<CarriedChange>() {
        for name in change.drop {
            jar.set(&mut response, &format!("{}{name}", jar.carried), "", Some(0));
        }
        if let Some((Carried { name, value }, time)) = change.take {
            let seconds = u32::try_from(time.as_secs()).ok();
            jar.set(&mut response, &format!("{}{name}", jar.carried), &value, seconds);
        }
    }
    match response.extensions_mut().remove::<SignInChange>() {
        Some(SignInChange::Set(secret)) => jar.set(&mut response, jar.sign_in, secret.expose(), None),
        Some(SignInChange::Clear) => jar.set(&mut response, jar.sign_in, "", Some(0)),
        None => {}
    }
    response
}

/// Could we have made it? What is longer or stranger would be kept in memory, and in the place of others.
fn is_ours(key: &str) -> bool {
    (40..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The names and rules of our cookies.
struct Jar {
    sign_in: &'static str,
    browser: &'static str,
    /// What the names of carried things begin with.
    carried: &'static str,
    is_secure: bool,
}

impl Jar {
    /// `__Host-` where the connection is secure: no other host and no other path can set such a cookie. Plain HTTP is
    /// spoken on loopback only, and many clients there send no cookie that is marked secure.
    fn new(authority: &Authority) -> Self {
        let is_secure = authority.policy.issuer.starts_with("https://");
        if is_secure {
            Self { sign_in: "__Host-vk_sign_in", browser: "__Host-vk_browser", carried: "__Host-vk_c_", is_secure }
        } else {
            Self { sign_in: "vk_sign_in", browser: "vk_browser", carried: "vk_c_", is_secure }
        }
    }

    /// Lax: a browser that comes from another site by a link is still signed in, a form from there is not.
    fn set(&self, response: &mut Response, name: &str, value: &str, max_age: Option<u32>) {
        let secure = if self.is_secure { "; Secure" } else { "" };
        let age = max_age.map(|seconds| format!("; Max-Age={seconds}")).unwrap_or_default();
        if let Ok(line) = HeaderValue::try_from(format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}"))
        {
            response.headers_mut().append(SET_COOKIE, line);
        }
    }
}

fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// What the browser carries for us. The names go back into headers, so that only ours count.
fn carried(headers: &HeaderMap, prefix: &str) -> Vec<Carried> {
    let is_name = |name: &str| name.len() <= 40 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let own = pairs(headers).filter_map(|(key, value)| Some((key.strip_prefix(prefix)?, value)));
    let own = own.filter(|(name, _)| is_name(name)).take(16);
    own.map(|(name, value)| Carried { name: name.to_owned(), value: value.to_owned() }).collect()
}

/// The value of a cookie. Of two with one name, none is believed.
fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = pairs(headers).filter(|(key, _)| *key == name);
    match (values.next(), values.next()) {
        (Some((_, value)), None) => Some(value),
        _ => None,
    }
}
