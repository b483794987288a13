//! What should be good, by the shortest account of it that we could write. Knows numbers, and no store.

const DAY: i64 = 86_400;
/// As `testkit::authority::policy` has it, and as the rules have it.
const IDLE: i64 = 14 * DAY;
const SESSION: i64 = 30 * DAY;
const CODE: i64 = 60;
const KEPT: i64 = 60;
const DEVICE: i64 = 600;
/// The second client may repeat the last rotation for so long.
pub const RETRY: [i64; 2] = [0, 30];

#[derive(Debug)]
pub struct Session {
    pub client: usize,
    pub generation: u32,
    used_at: i64,
    pub expires_at: i64,
    pub is_over: bool,
    sign_in: Option<usize>,
}

#[derive(Debug)]
pub struct Access {
    pub client: usize,
    pub session: Option<usize>,
    pub expires_at: i64,
    pub is_revoked: bool,
}

#[derive(Debug)]
pub struct Refresh {
    pub session: usize,
    pub generation: u32,
    /// Keys that it was used with, until when they are answered.
    pub kept: Vec<(usize, i64)>,
}

#[derive(Debug)]
pub struct Code {
    pub client: usize,
    issued_at: i64,
    sign_in: usize,
    pub session: Option<usize>,
}

#[derive(Debug)]
pub struct Device {
    pub client: usize,
    asked_at: i64,
    polled_at: Option<i64>,
    interval: i64,
    state: DeviceState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DeviceState {
    Pending,
    Approved,
    Denied,
    Redeemed(usize),
    Gone,
}

/// What a grant brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Tokens of this session, in its present generation.
    Tokens(usize),
    Refusal,
    /// Whether an answer is still kept for a session that is over is nobody's concern: its tokens are dead.
    Either(usize),
}

#[derive(Debug, Default)]
pub struct Model {
    pub now: i64,
    pub sessions: Vec<Session>,
    pub access: Vec<Access>,
    pub refresh: Vec<Refresh>,
    pub codes: Vec<Code>,
    pub devices: Vec<Device>,
    pub sign_in: usize,
    consents: [bool; 2],
    pub is_removed: [bool; 2],
}

impl Model {
    pub fn is_access_good(&self, at: usize) -> bool {
        let token = &self.access[at];
        let is_over = token.session.is_some_and(|session| self.sessions[session].is_over);
        self.now < token.expires_at && !token.is_revoked && !is_over && !self.is_removed[token.client]
    }

    pub fn is_refresh_good(&self, at: usize) -> bool {
        let token = &self.refresh[at];
        self.is_alive(token.session) && self.sessions[token.session].generation == token.generation
    }

    fn is_alive(&self, at: usize) -> bool {
        let session = &self.sessions[at];
        !session.is_over
            && !self.is_removed[session.client]
            && self.now < session.expires_at
            && self.now - session.used_at <= IDLE
    }

    fn begin(&mut self, client: usize, sign_in: Option<usize>) -> usize {
        let (used_at, expires_at) = (self.now, self.now + SESSION);
        self.sessions.push(Session { client, generation: 1, used_at, expires_at, is_over: false, sign_in });
        self.sessions.len() - 1
    }

    pub fn authorize(&mut self, client: usize) {
        self.consents[client] = true;
        self.codes.push(Code { client, issued_at: self.now, sign_in: self.sign_in, session: None });
    }

    pub fn redeem(&mut self, at: usize, caller: usize) -> Expected {
        let code = &self.codes[at];
        let (client, issued_at, sign_in) = (code.client, code.issued_at, code.sign_in);
        if client != caller {
            return Expected::Refusal;
        }
        if let Some(session) = code.session {
            self.sessions[session].is_over = true;
            return Expected::Refusal;
        }
        if issued_at + CODE <= self.now || !self.consents[client] || sign_in != self.sign_in {
            return Expected::Refusal;
        }
        let session = self.begin(client, Some(sign_in));
        self.codes[at].session = Some(session);
        Expected::Tokens(session)
    }

    pub fn refresh(&mut self, at: usize, caller: usize, key: Option<usize>) -> Expected {
        let (now, token) = (self.now, &self.refresh[at]);
        let (id, generation) = (token.session, token.generation);
        if self.sessions[id].client != caller {
            return Expected::Refusal;
        }
        let is_kept = token.kept.iter().any(|(known, until)| Some(*known) == key && now < *until);
        let is_alive = self.is_alive(id);
        let session = &mut self.sessions[id];
        if is_kept {
            return if is_alive { Expected::Tokens(id) } else { Expected::Either(id) };
        }
        if generation < session.generation {
            let is_young = !session.is_over && now < session.expires_at;
            let is_retry = RETRY[caller] > 0 && now - session.used_at <= RETRY[caller];
            if is_retry && is_young && generation + 1 == session.generation {
                return Expected::Tokens(id);
            }
            session.is_over = true;
            return Expected::Refusal;
        }
        if !is_alive {
            // A token that comes too late ends what was left.
            session.is_over = true;
            return Expected::Refusal;
        }
        (session.generation, session.used_at) = (session.generation + 1, now);
        self.refresh[at].kept.extend(key.map(|key| (key, now + KEPT)));
        Expected::Tokens(id)
    }

    pub fn withdraw(&mut self, client: usize) {
        self.consents[client] = false;
        self.sessions.iter_mut().filter(|session| session.client == client).for_each(|session| session.is_over = true);
        let given = |device: &&mut Device| device.client == client && device.state == DeviceState::Approved;
        self.devices.iter_mut().filter(given).for_each(|device| device.state = DeviceState::Gone);
    }

    /// The second client asked to be told, and loses what it had.
    pub fn sign_out(&mut self) {
        let left = Some(self.sign_in);
        let concerned = self.sessions.iter_mut().filter(|session| session.client == 1 && session.sign_in == left);
        concerned.for_each(|session| session.is_over = true);
        self.sign_in += 1;
    }

    pub fn ask_device(&mut self, client: usize) {
        let state = DeviceState::Pending;
        self.devices.push(Device { client, asked_at: self.now, polled_at: None, interval: 5, state });
    }

    pub fn is_waiting(&self, at: usize) -> bool {
        let device = &self.devices[at];
        let is_young = self.now < device.asked_at + DEVICE;
        device.state == DeviceState::Pending && is_young && !self.is_removed[device.client]
    }

    pub fn decide(&mut self, at: usize, is_approved: bool) {
        let device = &mut self.devices[at];
        device.state = if is_approved { DeviceState::Approved } else { DeviceState::Denied };
        self.consents[device.client] |= is_approved;
    }

    pub fn poll(&mut self, at: usize, caller: usize) -> Expected {
        let (now, device) = (self.now, &mut self.devices[at]);
        if device.client != caller {
            return Expected::Refusal;
        }
        if let DeviceState::Redeemed(session) = device.state {
            self.sessions[session].is_over = true;
            return Expected::Refusal;
        }
        if device.asked_at + DEVICE <= now {
            return Expected::Refusal;
        }
        let is_too_soon = device.polled_at.is_some_and(|polled_at| now < polled_at + device.interval);
        device.polled_at = Some(now);
        if is_too_soon {
            device.interval += 5;
        } else if device.state == DeviceState::Approved {
            let session = self.begin(caller, None);
            self.devices[at].state = DeviceState::Redeemed(session);
            return Expected::Tokens(session);
        }
        Expected::Refusal
    }
}
