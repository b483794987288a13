//! What tables, columns and indexes of a declared resource are called. Names come from the declaration alone, where they
//! are `[a-z][a-z0-9_]*`, with a point between those of a path; nothing that a caller sends ever becomes one.

/// The table of a resource.
pub(crate) fn table(resource: &str) -> String {
    format!("r_{resource}")
}

/// The full-text table beside it, on engines that keep one.
pub(crate) fn search_table(resource: &str) -> String {
    format!("s_{resource}")
}

/// The full-text table that is being made to take its place.
pub(crate) fn search_draft(resource: &str) -> String {
    format!("n_{resource}")
}

/// Which rows changed while it is being made.
pub(crate) fn search_log(resource: &str) -> String {
    format!("c_{resource}")
}

/// The column of a field, or of a value inside of one.
pub(crate) fn column(field: &str) -> String {
    format!("f_{field}")
}

/// The index that finds and orders rows by a field.
pub(crate) fn index(resource: &str, field: &str) -> String {
    short("i", resource, field)
}

/// The index that keeps two rows from having one value.
pub(crate) fn unique_index(resource: &str, field: &str) -> String {
    short("u", resource, field)
}

/// The index that finds the rows of an owner. Fields begin with a letter, so none is called like this.
pub(crate) fn owner_index(resource: &str) -> String {
    short("i", resource, "_owner")
}

/// The index over the words of a row, on engines that keep them in the table.
pub(crate) fn search_index(resource: &str) -> String {
    short("i", resource, "_search")
}

/// PostgreSQL cuts names at 63 bytes without a word, so that two could become one: the end is a digest of the whole.
fn short(kind: &str, resource: &str, field: &str) -> String {
    let digest = digest(format!("{resource}.{field}").bytes());
    let part = |name: &str| name.chars().take(18).collect::<String>();
    format!("{kind}_{}_{}_{digest:016x}", part(resource), part(field))
}

/// FNV-1a: no secret, and the same in every build.
pub(super) fn digest(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Is this a name that a declaration can have given?
pub(crate) fn is_declarable(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests;
