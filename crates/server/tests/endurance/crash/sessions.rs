//! Someone who opens, renews and ends sessions until the lights go out, and knows what must have been used up.

use reqwest::RequestBuilder;

use crate::app::{CALLBACK, VERIFIER};
use crate::chance::Chance;
use crate::device_code::GRANT;
use crate::house::Registered;
use crate::told::{Answer, Counts, calm};

/// Where the server is, and who calls.
#[derive(Clone)]
pub struct Desk {
    pub http: reqwest::Client,
    pub origin: String,
    pub client: Registered,
}

impl Desk {
    fn post(&self, path: &str, form: &[(&str, &str)]) -> RequestBuilder {
        let asked = self.http.post(format!("{}{path}", self.origin));
        asked.basic_auth(&self.client.id, Some(&self.client.secret)).form(form)
    }

    /// Uses up what opens a session.
    fn open(&self, opener: &Opener) -> RequestBuilder {
        match opener {
            Opener::Code(code) => {
                let grant = [("grant_type", "authorization_code"), ("code", code)];
                self.post("/token", &[&grant[..], &[("redirect_uri", CALLBACK), ("code_verifier", VERIFIER)]].concat())
            }
            Opener::Device(code) => self.post("/token", &[("grant_type", GRANT), ("device_code", code)]),
        }
    }

    fn refresh(&self, token: &str, key: Option<&str>) -> RequestBuilder {
        let asked = self.post("/token", &[("grant_type", "refresh_token"), ("refresh_token", token)]);
        match key {
            Some(key) => asked.header("idempotency-key", key),
            None => asked,
        }
    }

    async fn is_active(&self, token: &str) -> bool {
        let answer = calm(self.post("/introspect", &[("token", token)])).await.expect(&[200]);
        answer.json()["active"].as_bool().unwrap()
    }
}

/// What opens a session, once.
#[derive(Debug, Clone)]
pub enum Opener {
    Code(String),
    Device(String),
}

/// What is known of a session.
#[derive(Debug, Clone, PartialEq)]
enum State {
    /// Opening it was not answered.
    OpeningLeftOpen,
    Live,
    /// The last renewal was not answered; its key, if it had one.
    RenewalLeftOpen(Option<String>),
    EndingLeftOpen,
    Ended,
}

#[derive(Debug)]
struct Session {
    opener: Opener,
    /// Refresh tokens, the newest last. All but that one are used up.
    refresh: Vec<String>,
    /// Access tokens that nobody took back one by one.
    access: Vec<String>,
    state: State,
}

/// Someone with sessions of their own.
pub struct Visitor {
    name: String,
    chance: Chance,
    openers: Vec<Opener>,
    sessions: Vec<Session>,
    renewals: usize,
    pub counts: Counts,
}

impl Visitor {
    pub fn new(name: String, chance: Chance, openers: Vec<Opener>) -> Self {
        Self { name, chance, openers, sessions: Vec::new(), renewals: 0, counts: Counts::default() }
    }

    /// Does one thing; answers whether it was answered.
    pub async fn work(&mut self, at: &Desk) -> bool {
        let live = |session: &Session| session.state == State::Live;
        let live: Vec<usize> = (0..self.sessions.len()).filter(|index| live(&self.sessions[*index])).collect();
        if (live.is_empty() || self.chance.percent(25))
            && let Some(opener) = self.openers.pop()
        {
            return self.open(at, opener).await;
        }
        if live.is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            return true;
        }
        let index = live[self.chance.among(0..live.len())];
        // The last few sessions are not ended, so that there is something to renew until the end.
        if live.len() > 2 && self.chance.percent(20) { self.end(at, index).await } else { self.renew(at, index).await }
    }

    async fn open(&mut self, at: &Desk, opener: Opener) -> bool {
        let answer = self.counts.ask(at.open(&opener)).await.map(|answer| answer.expect(&[200]));
        let mut session = Session { opener, refresh: vec![], access: vec![], state: State::OpeningLeftOpen };
        let answered = answer.is_some();
        if let Some(answer) = answer {
            session.take(&answer);
        }
        self.sessions.push(session);
        answered
    }

    async fn renew(&mut self, at: &Desk, index: usize) -> bool {
        self.renewals += 1;
        let key = self.chance.percent(50).then(|| format!("{}-{}", self.name, self.renewals));
        let session = &mut self.sessions[index];
        let answer = self.counts.ask(at.refresh(session.newest(), key.as_deref())).await;
        match answer.map(|answer| answer.expect(&[200])) {
            Some(answer) => session.take(&answer),
            None => session.state = State::RenewalLeftOpen(key),
        }
        session.state == State::Live
    }

    async fn end(&mut self, at: &Desk, index: usize) -> bool {
        let session = &mut self.sessions[index];
        let answer = self.counts.ask(at.post("/revoke", &[("token", session.newest())])).await;
        session.state = match answer.map(|answer| answer.expect(&[200])) {
            Some(_) => State::Ended,
            None => State::EndingLeftOpen,
        };
        session.state == State::Ended
    }

    /// Looks at every session again; answers how many there were.
    pub async fn prove(&mut self, at: &Desk) -> usize {
        for session in &mut self.sessions {
            session.prove(at, &mut self.chance).await;
        }
        self.sessions.len()
    }
}

impl Session {
    fn take(&mut self, answer: &Answer) {
        self.refresh.push(answer.word("refresh_token"));
        self.access.push(answer.word("access_token"));
        self.state = State::Live;
    }

    fn newest(&self) -> &str {
        self.refresh.last().unwrap()
    }

    async fn prove(&mut self, at: &Desk, chance: &mut Chance) {
        match self.state.clone() {
            State::OpeningLeftOpen => self.prove_opening(at).await,
            State::Live => self.prove_live(at, chance).await,
            State::RenewalLeftOpen(key) => self.prove_renewal(at, key).await,
            State::EndingLeftOpen => {
                let answer = calm(at.refresh(self.newest(), None)).await.expect(&[200, 400]);
                if answer.status == 200 {
                    self.take(&answer);
                    self.prove_live(at, chance).await;
                }
                self.is_dead(at).await;
            }
            State::Ended => self.is_dead(at).await,
        }
        self.state = State::Ended;
    }

    /// At most once more, and never a third time.
    async fn prove_opening(&mut self, at: &Desk) {
        let again = calm(at.open(&self.opener)).await.expect(&[200, 400]);
        if again.status == 200 {
            self.take(&again);
            assert!(at.is_active(&self.access[0]).await, "half a session: {self:?}");
        }
        calm(at.open(&self.opener)).await.expect(&[400]);
        self.is_dead(at).await;
    }

    async fn prove_live(&mut self, at: &Desk, chance: &mut Chance) {
        for token in &self.access {
            assert!(at.is_active(token).await, "an answered token is gone: {self:?}");
        }
        let renewed = calm(at.refresh(self.newest(), None)).await.expect(&[200]);
        self.take(&renewed);
        // What was used up before the crash was used up: using it again ends everything.
        if chance.percent(30) {
            calm(at.open(&self.opener)).await.expect(&[400]);
        } else {
            let used = chance.among(0..self.refresh.len() - 1);
            calm(at.refresh(&self.refresh[used], None)).await.expect(&[400]);
        }
        self.is_dead(at).await;
    }

    async fn prove_renewal(&mut self, at: &Desk, key: Option<String>) {
        // Whether it took place or not, the session lives.
        assert!(at.is_active(self.access.last().unwrap()).await, "half a session: {self:?}");
        let again = calm(at.refresh(self.newest(), key.as_deref())).await.expect(&[200, 400]);
        assert!(again.status == 200 || key.is_none(), "a retry was taken for a theft: {self:?} {again:?}");
        if again.status == 200 {
            let used = self.newest().to_owned();
            self.take(&again);
            let renewed = calm(at.refresh(self.newest(), None)).await.expect(&[200]);
            self.take(&renewed);
            assert!(at.is_active(self.access.last().unwrap()).await, "half a session: {self:?}");
            calm(at.refresh(&used, None)).await.expect(&[400]);
        }
        self.is_dead(at).await;
    }

    /// Nothing of it works.
    async fn is_dead(&self, at: &Desk) {
        for token in &self.access {
            assert!(!at.is_active(token).await, "a token outlived its session: {self:?}");
        }
        if let Some(newest) = self.refresh.last() {
            calm(at.refresh(newest, None)).await.expect(&[400]);
        }
    }
}
