//! The commands an operator types.
