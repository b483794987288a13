//! Does each step at the near node and in the model, and compares. Knows both, and no engine.

use std::sync::Arc;

use jiff::SignedDuration;
use valetkey_oauth::accounts::{self, Browser};
use valetkey_oauth::authorize::{AuthorizationRequest, approve, check};
use valetkey_oauth::devices::{DeviceDesk, DeviceRequest, ask};
use valetkey_oauth::grants::{Caller, DevicePoll, Redemption, Renewal, TokenRequest, TokenSet, exchange};
use valetkey_oauth::model::{
    AccessTokenFormat, Algorithm, Client, ClientId, SessionId, SessionOrigin, SignInId, User, UserId,
};
use valetkey_oauth::protocol::{Challenge, GrantType, Scope};
use valetkey_oauth::tokens::{Introspection, introspect, revoke, verify};
use valetkey_oauth::{Refusal, clients};

use super::house::House;
use super::model::{Access, Expected, Model, RETRY, Refresh};
use super::{Act, Step};
use crate::build;

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CALLBACK: &str = "https://app.example/callback";
const SCOPE: &str = "openid read:orders";
/// Seconds, with those on which something ends.
const WAITS: [i64; 20] = [
    1,
    4,
    5,
    5,
    10,
    29,
    30,
    59,
    60,
    599,
    600,
    600,
    899,
    900,
    3600,
    3600,
    86_400,
    13 * 86_400,
    14 * 86_400,
    17 * 86_400,
];

/// So far a clock goes wrong until somebody sets it right: some minutes, hours, a year, and behind.
const LEAPS: [i64; 4] = [600, 7200, 365 * 24 * 3600, -3600];

/// Plays one history with clients and a person of its own; an error tells what differs.
pub async fn play(house: &mut House, steps: &[Step]) -> Result<(), String> {
    let mut play = Play::begin(house).await;
    for (at, step) in steps.iter().enumerate() {
        play.step(*step).await.map_err(|why| format!("step {at}, {:?}: {why}", step.act))?;
        play.compare().await.map_err(|why| format!("after step {at}, {:?}: {why}", step.act))?;
    }
    Ok(())
}

struct Play<'a> {
    house: &'a mut House,
    model: Model,
    user: User,
    browser: Browser,
    clients: [ClientId; 2],
    // What the model counts, in the same order.
    sessions: Vec<SessionId>,
    access: Vec<String>,
    refresh: Vec<String>,
    codes: Vec<String>,
    devices: Vec<(String, String)>,
}

impl<'a> Play<'a> {
    async fn begin(house: &'a mut House) -> Self {
        house.keep_up().await;
        let number = house.next();
        let clients = ["one", "two"].map(|name| ClientId::new(format!("{name}-{number}")));
        for (at, id) in clients.iter().enumerate() {
            let mut client = build::client(id.as_str());
            client.grants = vec![
                GrantType::AuthorizationCode,
                GrantType::RefreshToken,
                GrantType::ClientCredentials,
                GrantType::DeviceCode,
            ];
            client.scope = Scope::parse("openid read:orders write:orders").unwrap();
            client.refresh_retry_window = std::time::Duration::from_secs(RETRY[at].unsigned_abs());
            if at == 1 {
                client.access_token_format = Some(AccessTokenFormat::Jwt(Algorithm::Es256));
                client.backchannel_logout_uri = Some("https://app.example/logout".to_owned());
            }
            house.near.ports.clients.register(&client).await.unwrap();
        }
        let user = build::user(u128::from(number), &format!("person-{number}"));
        house.near.ports.users.add(&user).await.unwrap();
        let mut play = Self {
            house,
            model: Model::default(),
            user,
            browser: Browser::default(),
            clients,
            sessions: Vec::new(),
            access: Vec::new(),
            refresh: Vec::new(),
            codes: Vec::new(),
            devices: Vec::new(),
        };
        play.sign_in().await;
        play
    }

    async fn sign_in(&mut self) {
        let mut sign_in = build::sign_in(u128::from(self.house.next()));
        let now = self.house.near.now();
        sign_in.user = UserId(self.user.id.0);
        (sign_in.authenticated_at, sign_in.seen_at, sign_in.created_at) = (now, now, now);
        sign_in.expires_at = now.checked_add(SignedDuration::from_hours(24 * 3650)).unwrap();
        assert_ne!(sign_in.id, SignInId(self.user.id.0));
        let sign_ins = &self.house.near.ports.sign_ins;
        sign_ins.begin(&sign_in, &self.user.password_hash).await.unwrap();
        self.browser = Browser { sign_in: Some(sign_in), key: "key".to_owned(), ..Browser::default() };
    }

    /// The client, unless it was removed: then nobody can act as it.
    async fn client(&self, at: usize) -> Option<Arc<Client>> {
        let found = self.house.near.ports.clients.find(&self.clients[at]).await.unwrap();
        assert_eq!(found.is_none(), self.model.is_removed[at]);
        found
    }

    async fn step(&mut self, step: Step) -> Result<(), String> {
        let Step { act, which, how } = step;
        let caller = how % 2;
        // Mostly the one that comes to mind, sometimes the other.
        let usual = |own: usize| if how.is_multiple_of(8) { 1 - own } else { own };
        // Every other time the newest: what was just made is what something happens to.
        let pick = |count: usize| if which.is_multiple_of(2) { count.checked_sub(1) } else { which.checked_rem(count) };
        match act {
            Act::Authorize => self.authorize(caller).await,
            Act::Redeem | Act::RedeemWrongly => {
                let Some(at) = pick(self.codes.len()) else { return Ok(()) };
                self.redeem(at, usual(self.model.codes[at].client), act == Act::RedeemWrongly).await
            }
            Act::Refresh | Act::RefreshLatest => {
                let newest = (act == Act::RefreshLatest).then(|| self.refresh.len().checked_sub(1)).flatten();
                let Some(at) = newest.or_else(|| pick(self.refresh.len())) else { return Ok(()) };
                let own = self.model.sessions[self.model.refresh[at].session].client;
                self.refresh(at, usual(own), (how % 3 == 0).then_some(how % 2)).await
            }
            Act::Revoke => self.revoke(which, how).await,
            Act::EndSession => {
                let Some(at) = pick(self.sessions.len()) else { return Ok(()) };
                self.model.sessions[at].is_over = true;
                told(accounts::end_session(&self.house.near, self.user.id, self.sessions[at]).await)
            }
            Act::Withdraw => {
                self.model.withdraw(caller);
                told(accounts::withdraw(&self.house.near, self.user.id, &self.clients[caller]).await)
            }
            Act::SignOut => {
                let sign_in = self.browser.sign_in.take().unwrap();
                told(accounts::sign_out(&self.house.near, &sign_in).await)?;
                self.model.sign_out();
                self.sign_in().await;
                Ok(())
            }
            Act::Credentials => {
                let request = TokenRequest::ClientCredentials { scope: None, resource: None };
                let Some(tokens) = self.trade(caller, request).await else { return Ok(()) };
                self.note(&tokens.map_err(|refusal| refusal.to_string())?, caller, None);
                Ok(())
            }
            Act::AskDevice => self.ask_device(caller).await,
            Act::ApproveDevice | Act::DenyDevice => {
                let Some(at) = pick(self.devices.len()).filter(|at| self.model.is_waiting(*at)) else { return Ok(()) };
                let (desk, code) = (DeviceDesk::new(self.house.near.clone()), &self.devices[at].1);
                self.model.decide(at, act == Act::ApproveDevice);
                let decided = match act {
                    Act::ApproveDevice => desk.approve(code, &self.browser).await,
                    _ => desk.deny(code, &self.browser).await,
                };
                decided.map(drop).map_err(|refusal| refusal.to_string())
            }
            Act::Poll => {
                let Some(at) = pick(self.devices.len()) else { return Ok(()) };
                let caller = usual(self.model.devices[at].client);
                let code = self.devices[at].0.clone();
                let request = TokenRequest::DeviceCode(DevicePoll { code, resource: None, key: None });
                let Some(answer) = self.trade(caller, request).await else { return Ok(()) };
                let expected = self.model.poll(at, caller);
                self.judge(answer, expected, caller).await
            }
            Act::Wait => {
                let seconds = WAITS[which % WAITS.len()];
                self.house.clock.advance(seconds);
                self.model.now += seconds;
                self.house.keep_up().await;
                Ok(())
            }
            // Nothing happened but to the clock: what the model says stays so.
            Act::Leap => {
                self.house.leap(LEAPS[which % LEAPS.len()]).await;
                Ok(())
            }
            Act::RotateKeys => {
                self.house.rotate_keys().await;
                Ok(())
            }
            Act::Sweep => {
                self.house.sweep().await;
                Ok(())
            }
            Act::Restart => {
                self.house.restart().await;
                Ok(())
            }
            // Rarely, for little happens after it.
            Act::RemoveClient if which < 128 || self.client(caller).await.is_none() => Ok(()),
            Act::RemoveClient => {
                let removed = clients::remove(&self.house.near, &self.clients[caller]).await;
                self.model.withdraw(caller);
                self.model.is_removed[caller] = true;
                removed.map_err(|error| error.to_string())
            }
        }
    }

    async fn trade(&self, caller: usize, request: TokenRequest) -> Option<Result<TokenSet, Refusal>> {
        let client = self.client(caller).await?;
        Some(exchange(&self.house.near, &client, &Caller::default(), request).await)
    }

    async fn authorize(&mut self, client: usize) -> Result<(), String> {
        let challenge = serde_json::to_value(Challenge::of(VERIFIER)).unwrap();
        let request = AuthorizationRequest {
            client_id: Some(self.clients[client].as_str()),
            redirect_uri: Some(CALLBACK),
            response_type: Some("code"),
            scope: Some(SCOPE),
            code_challenge: challenge.as_str(),
            code_challenge_method: Some("S256"),
            ..AuthorizationRequest::default()
        };
        match check(&self.house.near, &request).await {
            Err(_) if self.model.is_removed[client] => Ok(()),
            Err(refused) => Err(format!("the request is refused: {refused:?}")),
            Ok(interaction) => {
                let answer = approve(&self.house.near, &interaction, &self.browser).await;
                let answer = answer.map_err(|refused| format!("the approval is refused: {refused:?}"))?;
                self.codes.push(answer.parameters[0].1.clone());
                self.model.authorize(client);
                Ok(())
            }
        }
    }

    async fn redeem(&mut self, at: usize, caller: usize, is_wrong: bool) -> Result<(), String> {
        let verifier = if is_wrong { VERIFIER.replace('d', "e") } else { VERIFIER.to_owned() };
        let (code, redirect_uri) = (self.codes[at].clone(), CALLBACK.to_owned());
        let redemption = Redemption { code, verifier, redirect_uri, resource: None, key: None };
        let request = TokenRequest::AuthorizationCode(redemption);
        let Some(answer) = self.trade(caller, request).await else { return Ok(()) };
        let expected = if is_wrong { Expected::Refusal } else { self.model.redeem(at, caller) };
        self.judge(answer, expected, caller).await
    }

    async fn refresh(&mut self, at: usize, caller: usize, key: Option<usize>) -> Result<(), String> {
        let (token, key_text) = (self.refresh[at].clone(), key.map(|key| format!("key-{key}")));
        let request = TokenRequest::RefreshToken(Renewal { token, scope: None, resource: None, key: key_text });
        let Some(answer) = self.trade(caller, request).await else { return Ok(()) };
        let expected = self.model.refresh(at, caller, key);
        self.judge(answer, expected, caller).await
    }

    /// An access token or a refresh token, by its own client or by the other.
    async fn revoke(&mut self, which: usize, how: usize) -> Result<(), String> {
        let (caller, all) = (how % 2, self.access.len() + self.refresh.len());
        let (Some(at), Some(client)) = (which.checked_rem(all), self.client(caller).await) else { return Ok(()) };
        let text = self.access.get(at).unwrap_or_else(|| &self.refresh[at - self.access.len()]);
        let answer = revoke(&self.house.near, &client, text).await;
        let is_taken = if let Some(token) = self.model.access.get_mut(at) {
            token.is_revoked |= token.client == caller;
            // What is dead already is nobody's.
            token.client == caller || !self.model.is_access_good(at)
        } else {
            let session = &mut self.model.sessions[self.model.refresh[at - self.access.len()].session];
            session.is_over |= session.client == caller;
            // A token whose key is gone is not recognised any more; its session went before it.
            session.client == caller || answer.is_ok() && self.model.now >= session.expires_at
        };
        if answer.is_ok() == is_taken { Ok(()) } else { Err(format!("revoking answers {answer:?}")) }
    }

    async fn ask_device(&mut self, caller: usize) -> Result<(), String> {
        let Some(client) = self.client(caller).await else { return Ok(()) };
        let request = DeviceRequest { scope: Some(SCOPE), resource: None, origin: SessionOrigin::default() };
        let question = ask(&self.house.near, &client, request).await.map_err(|refusal| refusal.to_string())?;
        self.devices.push((question.device_code.expose().to_owned(), question.user_code.to_string()));
        self.model.ask_device(caller);
        Ok(())
    }

    /// Is the answer of a grant the expected one? New tokens are noted.
    async fn judge(
        &mut self,
        answer: Result<TokenSet, Refusal>,
        expected: Expected,
        client: usize,
    ) -> Result<(), String> {
        match (answer, expected) {
            (Err(Refusal::Store(error)), _) => Err(format!("the store failed: {error}")),
            (Err(_), Expected::Refusal | Expected::Either(_)) => Ok(()),
            (Ok(tokens), Expected::Tokens(session) | Expected::Either(session)) => {
                if session == self.sessions.len() {
                    let opened = verify(&self.house.near, tokens.access_token.expose()).await.unwrap();
                    self.sessions.push(opened.and_then(|token| token.session).ok_or("a new token is dead")?);
                }
                self.note(&tokens, client, Some(session));
                Ok(())
            }
            (answer, expected) => Err(format!("the answer is {answer:?}, expected {expected:?}")),
        }
    }

    fn note(&mut self, tokens: &TokenSet, client: usize, session: Option<usize>) {
        let text = tokens.access_token.expose();
        // An answer that was kept brings tokens that are known.
        if !self.access.iter().any(|known| known == text) {
            let expires_at = self.model.now + i64::try_from(tokens.expires_in).unwrap();
            self.access.push(text.to_owned());
            self.model.access.push(Access { client, session, expires_at, is_revoked: false });
        }
        if let (Some(text), Some(session)) = (&tokens.refresh_token, session)
            && !self.refresh.iter().any(|known| known == text.expose())
        {
            let generation = self.model.sessions[session].generation;
            self.refresh.push(text.expose().to_owned());
            self.model.refresh.push(Refresh { session, generation, kept: Vec::new() });
        }
    }

    /// Is everything as good, or as dead, as the model says?
    async fn compare(&self) -> Result<(), String> {
        let watcher = self.house.watcher().await;
        for (name, node) in [("near", &self.house.near), ("far", &self.house.far)] {
            for (at, text) in self.access.iter().chain(&self.refresh).enumerate() {
                let (seen, good) = (introspect(node, &watcher, text).await.unwrap(), self.is_good(at));
                if matches!(seen, Introspection::Inactive) == good {
                    return Err(format!("the {name} node says {seen:?}, the model {good}: {}", self.facts(at)));
                }
            }
        }
        Ok(())
    }

    fn is_good(&self, at: usize) -> bool {
        match at.checked_sub(self.access.len()) {
            None => self.model.is_access_good(at),
            Some(at) => self.model.is_refresh_good(at),
        }
    }

    fn facts(&self, at: usize) -> String {
        let now = self.model.now;
        match at.checked_sub(self.access.len()) {
            None => format!("{:?} at {now}", self.model.access[at]),
            Some(at) => {
                let token = &self.model.refresh[at];
                format!("{token:?} of {:?} at {now}", self.model.sessions[token.session])
            }
        }
    }
}

fn told(outcome: Result<(), Refusal>) -> Result<(), String> {
    outcome.map_err(|refusal| refusal.to_string())
}
