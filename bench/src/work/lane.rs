//! The kinds of lanes that works are made of: the same again, each once, one from the other, and made on the spot.

use std::net::IpAddr;
use std::rc::Rc;

use crate::drive::Lane;
use crate::wire::Answer;

/// A list of requests, round and round; each lane starts elsewhere.
pub struct Repeat {
    pub requests: Rc<Vec<Vec<u8>>>,
    pub at: usize,
    pub step: usize,
    pub status: u16,
}

impl Lane for Repeat {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(&self.requests[self.at % self.requests.len()]);
        self.at = self.at.wrapping_add(self.step);
        true
    }

    fn accepts(&mut self, answer: &Answer<'_>) -> bool {
        answer.status == self.status
    }
}

/// Requests that are good for one time, such as the redemption of a code.
pub struct Once {
    pub requests: std::vec::IntoIter<Vec<u8>>,
    pub status: u16,
    /// What the body must say.
    pub says: &'static str,
    pub from: Option<IpAddr>,
}

impl Lane for Once {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        self.requests.next().map(|request| out.extend_from_slice(&request)).is_some()
    }

    fn accepts(&mut self, answer: &Answer<'_>) -> bool {
        answer.status == self.status && contains(answer.body, self.says)
    }

    fn from(&self) -> Option<IpAddr> {
        self.from
    }
}

/// Requests that need what the answer before brought, such as the next refresh token of a session.
pub struct Chain {
    /// What to send, for each chain of this lane; the token stands at the end of the form.
    pub tokens: Vec<String>,
    pub at: usize,
    pub head: Rc<Vec<u8>>,
    pub form: Rc<String>,
}

impl Lane for Chain {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        let token = &self.tokens[self.at];
        out.extend_from_slice(&self.head);
        out.extend_from_slice((self.form.len() + token.len()).to_string().as_bytes());
        out.extend_from_slice(b"\r\n\r\n");
        out.extend_from_slice(self.form.as_bytes());
        out.extend_from_slice(token.as_bytes());
        true
    }

    fn accepts(&mut self, answer: &Answer<'_>) -> bool {
        let Some(next) = answer.member("refresh_token").filter(|_| answer.status == 200) else { return false };
        let token = &mut self.tokens[self.at];
        token.clear();
        token.push_str(next);
        self.at = (self.at + 1) % self.tokens.len();
        true
    }
}

/// Requests that differ each time: a new row, a new key.
pub struct Made<F> {
    pub make: F,
    pub count: u64,
    pub status: u16,
}

impl<F: FnMut(u64, &mut Vec<u8>)> Lane for Made<F> {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        (self.make)(self.count, out);
        self.count += 1;
        true
    }

    fn accepts(&mut self, answer: &Answer<'_>) -> bool {
        answer.status == self.status
    }
}

fn contains(body: &[u8], word: &str) -> bool {
    word.is_empty() || body.windows(word.len()).any(|window| window == word.as_bytes())
}

/// Lanes over one list of requests.
pub fn repeat(requests: Vec<Vec<u8>>, lanes: usize, status: u16) -> Vec<Box<dyn Lane>> {
    let requests = Rc::new(requests);
    let share = requests.len().div_ceil(lanes.max(1));
    let lane = |at: usize| Repeat { requests: Rc::clone(&requests), at: at * share, step: 1, status };
    (0..lanes).map(|at| Box::new(lane(at)) as Box<dyn Lane>).collect()
}
