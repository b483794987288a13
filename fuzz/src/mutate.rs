//! New texts from old ones, by a seed. Knows bytes and words, and no parser.

use valetkey_oauth::ports::Random;
use valetkey_testkit::SeededRandom;

/// Longer texts find the same faults, only slower.
const LONGEST: usize = 8192;

/// Bytes that parsers look out for.
const TELLING: &[u8] = b"\0\t\n\r \"#%&'*+,-./0129:;<=>?@AZ[\\]^_az{|}~\x7f\x80\xbf\xc3\xe2\xff";

/// Changes texts. The same seed makes the same changes.
pub struct Mutator {
    random: SeededRandom,
    words: &'static [&'static str],
}

impl Mutator {
    pub fn new(seed: u64, words: &'static [&'static str]) -> Self {
        Self { random: SeededRandom::new(seed), words }
    }

    /// A number below `end`; zero if there is none.
    pub fn below(&self, end: usize) -> usize {
        let mut bytes = [0; 8];
        self.random.fill(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) >> 16).unwrap_or(0) % end.max(1)
    }

    /// A text that differs from `known[..]` in one to eight places.
    pub fn next(&self, known: &[Vec<u8>]) -> Vec<u8> {
        let mut text = known.get(self.below(known.len())).cloned().unwrap_or_default();
        for _ in 0..=self.below(8) {
            self.change(&mut text, known);
        }
        text.truncate(LONGEST);
        text
    }

    fn change(&self, text: &mut Vec<u8>, known: &[Vec<u8>]) {
        let at = self.below(text.len() + 1);
        let end = (at + 1 + self.below(16)).min(text.len());
        match self.below(10) {
            0 => self.alter(text, |byte| byte ^ (1 << self.below(8))),
            1 => self.alter(text, |_| TELLING[self.below(TELLING.len())]),
            2 => text.insert(at, TELLING[self.below(TELLING.len())]),
            3 => text.insert(at, u8::try_from(self.below(256)).unwrap_or(0)),
            4 => drop(text.drain(at..end)),
            5 => {
                let part = text[at..end].to_vec();
                text.splice(at..at, part);
            }
            6 | 7 if !self.words.is_empty() => {
                let word = self.words[self.below(self.words.len())];
                text.splice(at..at, word.bytes());
            }
            8 => {
                // The beginning of this one and the end of another.
                let other = &known[self.below(known.len())];
                text.truncate(at);
                text.extend_from_slice(&other[self.below(other.len() + 1)..]);
            }
            _ => {
                let part = text[at..end].to_vec();
                for _ in 0..self.below(64) {
                    text.splice(at..at, part.iter().copied());
                }
            }
        }
    }

    fn alter(&self, text: &mut [u8], change: impl FnOnce(u8) -> u8) {
        let at = self.below(text.len());
        if let Some(byte) = text.get_mut(at) {
            *byte = change(*byte);
        }
    }
}
