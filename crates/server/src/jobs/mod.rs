//! Work that runs beside requests: feeding the revocation window, rotating keys, sweeping expired rows.
