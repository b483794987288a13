//! Tests of keys, in the header and through the layer.

mod header;
mod layer;
