//! The main job under its own name.
fn main() {}
