//! Files become traces: the one part that reads the disk and starts threads.

mod blocks;
mod pipeline;

pub use pipeline::{LoadError, Progress, file, text};
