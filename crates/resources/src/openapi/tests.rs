//! The description agrees with the declaration.
