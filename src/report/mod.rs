//! What people read: the words, the finished text of every section, and the charts.
//!
//! Domain results come in, strings and enums go out. Templates set them; nothing here knows a path on disk.

pub mod chart;
pub mod text;
pub mod view;
