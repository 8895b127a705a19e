//! Formats: from a report to the bytes of an artifact. Nothing here touches the file system.

pub mod html;
