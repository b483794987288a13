//! Randomness as a parameter.

use jiff::Timestamp;
use uuid::Uuid;

/// Gives bytes nobody can guess.
pub trait Random: Send + Sync {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]);

    /// Fills the buffer with what will be no secret, and may have waited in memory for it.
    fn fill_id(&self, buffer: &mut [u8]) {
        self.fill(buffer);
    }
}

impl dyn Random + '_ {
    /// An id that says nothing of its time.
    pub fn uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.fill_id(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }

    /// An id that sorts by time (UUIDv7), so that new rows land beside each other.
    pub fn uuid_at(&self, now: Timestamp) -> Uuid {
        let mut bytes = [0; 10];
        self.fill_id(&mut bytes);
        let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
    }
}
