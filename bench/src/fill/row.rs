//! The values of one row, by its number. Ids are made as the server makes them: from the time, so that new rows land beside
//! each other.

use std::time::{SystemTime, UNIX_EPOCH};

use uuid::Uuid;

/// A session lives so long, in milliseconds.
const LIFE: i64 = 30 * 24 * 3600 * 1000;

/// Each person has so many sessions.
const EACH: u64 = 4;

/// One row of `sessions`.
pub struct Session {
    pub id: Uuid,
    pub subject: String,
    pub at: i64,
    pub until: i64,
}

/// What all filled sessions share.
pub mod session {
    pub const CLIENT: &str = "web";
    pub const SCOPE: &str = "offline_access read:orders";
    pub const METHODS: &str = "pwd";
    pub const ADDRESS: &str = "127.0.0.1";
    pub const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
}

impl Session {
    pub fn number(number: u64) -> Self {
        let at = millis();
        let subject = Uuid::from_u128(0x019a_0000_0000_7000_8000_0000_0000_0000 + u128::from(number / EACH));
        // Expiries differ as logins do.
        let until = at + LIFE + i64::try_from(mix(number) % 3_600_000).unwrap_or_default();
        Self { id: id(at, number), subject: subject.to_string(), at, until }
    }
}

/// One row of `r_orders`.
pub struct Order {
    pub id: Uuid,
    pub amount: i64,
    pub currency: &'static str,
    pub at: i64,
    pub document: String,
}

/// What all filled orders share.
pub const STATUS: &str = "pending";
pub const WORDS: &str = "left at the door";

impl Order {
    pub fn number(number: u64) -> Self {
        let millis = millis();
        let amount = i64::try_from(mix(number) % 500_000).unwrap_or_default();
        let currency = ["EUR", "USD", "GBP"][usize::try_from(number % 3).unwrap_or_default()];
        let at = millis * 1000;
        let moment = jiff::Timestamp::from_microsecond(at).unwrap_or_default();
        let document = format!(
            "{{\"user_id\":null,\"amount\":{amount},\"currency\":\"{currency}\",\"status\":\"{STATUS}\",\"note\":\"{WORDS}\",\
             \"created_at\":\"{moment:.6}\"}}"
        );
        Self { id: id(millis, number), amount, currency, at, document }
    }
}

/// The id of a person more.
pub fn person(number: u64) -> Uuid {
    id(millis(), number)
}

/// Now, in milliseconds since 1970.
pub fn millis() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or_default()
}

/// UUIDv7 of this moment.
fn id(millis: i64, number: u64) -> Uuid {
    let front = u128::from(millis.cast_unsigned() & 0xffff_ffff_ffff) << 80;
    // The version, and the two bits of the variant in front of what is left to chance.
    Uuid::from_u128(front | 0x7000 << 64 | 1 << 63 | u128::from(mix(number) >> 2))
}

/// Numbers that look like chance, the same in every run.
fn mix(number: u64) -> u64 {
    let mut value = number.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value ^= value >> 29;
    value = value.wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 32)
}
