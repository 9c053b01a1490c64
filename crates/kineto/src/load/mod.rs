//! Files become traces: the one part that reads the disk and starts threads.

mod blocks;
mod load_error;
mod pipeline;

pub use load_error::LoadError;
pub use pipeline::{LoadProgress, file, text};
