//! A course as one file, `NAME.warpup`: a ZIP file of its texts with a list of their hashes.
//!
//! The same course gives the same bytes. Nothing is compressed, so a file is never larger in memory than on the disk.

mod contents;
mod no_keys;
mod read;
mod write;

pub use no_keys::{NeedsKeys, without_keys};
pub use read::{MAX_BYTES, PackError, read};
pub use write::write;

#[cfg(test)]
mod tests;
