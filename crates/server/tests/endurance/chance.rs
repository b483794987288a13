//! Numbers that look random and are the same in every run, so that a failure can be repeated.

use std::ops::Range;

/// xorshift64*.
pub struct Chance(u64);

impl Chance {
    /// The same seed gives the same numbers. Neighbouring seeds give unrelated ones.
    pub fn new(seed: u64) -> Self {
        let mut chance = Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        chance.next();
        chance
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number of the range, which must not be empty.
    pub fn among(&mut self, range: Range<usize>) -> usize {
        let width = u64::try_from(range.end - range.start).unwrap();
        range.start + usize::try_from((self.next() >> 11) % width).unwrap()
    }

    pub fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.among(0..choices.len())]
    }

    /// Yes, so many times in a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.among(0..100) < share
    }

    pub fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    pub fn bytes(&mut self, length: Range<usize>) -> Vec<u8> {
        (0..self.among(length)).map(|_| self.byte()).collect()
    }

    /// Characters out of an alphabet of ASCII.
    pub fn text(&mut self, alphabet: &str, length: Range<usize>) -> String {
        let alphabet = alphabet.as_bytes();
        (0..self.among(length)).map(|_| char::from(alphabet[self.among(0..alphabet.len())])).collect()
    }
}
