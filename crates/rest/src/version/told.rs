//! What an answer says of its version: which one it speaks, what decided, where that version stands.

use http::header::Entry;
use http::{HeaderMap, HeaderValue, header};

use super::{Indicator, Unchosen, VersionChoice, Versions, X_API_VERSION};
use crate::digits::digits;

/// The headers of a request that its version follows from, as `Vary` names them. A path is none: it is part of the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deciders {
    accept: bool,
    header: bool,
    token: bool,
}

impl Deciders {
    /// Where nothing was said, everything that could have been said decided by its absence.
    pub(super) fn of(indicator: Indicator) -> Self {
        match indicator {
            Indicator::Path => Self::default(),
            Indicator::Accept => Self { accept: true, ..Self::default() },
            Indicator::Header => Self { header: true, ..Self::default() },
            Indicator::Pin | Indicator::Default => ALL,
        }
    }

    /// Both.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            accept: self.accept || other.accept,
            header: self.header || other.header,
            token: self.token || other.token,
        }
    }

    /// The headers, as `Vary` names them. Keys and tokens stand for each other.
    fn names(self) -> [(&'static str, bool); 4] {
        let Self { accept, header, token } = self;
        [("Accept", accept), ("X-API-Version", header), ("Authorization", token), ("X-API-Key", token)]
    }
}

/// The version that an answer speaks. None: the request meant none that there is, so it is the default.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spoken {
    version: Option<u32>,
    deciders: Deciders,
}

impl From<&VersionChoice> for Spoken {
    fn from(choice: &VersionChoice) -> Self {
        Self { version: Some(choice.version), deciders: choice.deciders }
    }
}

impl From<&Unchosen> for Spoken {
    fn from(unchosen: &Unchosen) -> Self {
        Self { version: unchosen.version, deciders: unchosen.deciders }
    }
}

impl Versions {
    /// Is this address one of the API?
    pub(super) fn covers(&self, path: &str) -> bool {
        path.strip_prefix(&self.base).is_some_and(|below| below.is_empty() || below.starts_with('/'))
    }

    /// The version of an answer that nobody chose one for. None outside of the API.
    fn spoken(&self, path: &str, asked: &HeaderMap) -> Option<Spoken> {
        self.covers(path).then(|| match self.choose(path, asked, None) {
            Ok(choice) => Spoken::from(&choice),
            Err(unchosen) => Spoken::from(&unchosen),
        })
    }

    /// Marks the answer to a request that reached no layer, as a layer would have marked it.
    pub fn mark(&self, path: &str, asked: &HeaderMap, headers: &mut HeaderMap) {
        if headers.contains_key(X_API_VERSION) {
            return;
        }
        if let Some(spoken) = self.spoken(path, asked) {
            self.tell(headers, spoken);
        }
    }

    /// What the answer says about its version; further in, it may have been said already.
    pub(super) fn tell(&self, headers: &mut HeaderMap, spoken: Spoken) {
        let Entry::Vacant(place) = headers.entry(X_API_VERSION) else { return };
        let today = self.today();
        let named = spoken.version.and_then(|number| self.version(number));
        let Some(version) = named.or_else(|| self.default_version(today)) else { return };
        place.insert(digits(version.number.into()));
        if named.is_some() {
            self.tell_state(headers, version, today);
        }
        vary_by(headers, spoken.deciders);
    }
}

/// Every way to say a version.
const ALL: Deciders = Deciders { accept: true, header: true, token: true };
/// The `Vary` of answers to whoever has a token.
const PRIVATE: &str = "authorization, accept";

/// Adds to `Vary` what does not stand there yet.
fn vary_by(headers: &mut HeaderMap, deciders: Deciders) {
    let mut names = deciders.names();
    let mut lines = headers.get_all(header::VARY).iter();
    // What a private answer says in most cases needs no reading.
    let is_private = lines.next().is_some_and(|line| line == PRIVATE) && lines.next().is_none();
    if is_private && deciders == ALL {
        headers.append(header::VARY, HeaderValue::from_static("X-API-Version, X-API-Key"));
        return;
    }
    for line in headers.get_all(header::VARY) {
        for known in line.as_bytes().split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            for (name, is_missing) in &mut names {
                *is_missing &= !known.eq_ignore_ascii_case(name.as_bytes());
            }
        }
    }
    // What is most often missing is written already.
    let missing = match names.map(|(_, is_missing)| is_missing) {
        [false, false, false, false] => return,
        [true, true, true, true] => HeaderValue::from_static("Accept, X-API-Version, Authorization, X-API-Key"),
        [false, true, false, true] => HeaderValue::from_static("X-API-Version, X-API-Key"),
        _ => {
            let missing: Vec<_> = names.iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| *name).collect();
            HeaderValue::try_from(missing.join(", ")).unwrap_or(HeaderValue::from_static("*"))
        }
    };
    headers.append(header::VARY, missing);
}
