//! The list of what a packed course has.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The first file of a pack.
pub(super) const NAME: &str = "warpup.json";
/// The format that this version writes and reads.
pub(super) const FORMAT: u32 = 1;

/// What the list says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Contents {
    /// The version of this list.
    pub(super) format: u32,
    /// The course's id.
    pub(super) course: String,
    /// Its title.
    pub(super) title: String,
    /// The version of warpup that packed it.
    pub(super) warpup: String,
    /// The files, by name.
    pub(super) files: Vec<PackFile>,
}

/// A file of the course.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PackFile {
    /// Its path, relative to the course folder.
    pub(super) path: String,
    /// Its size.
    pub(super) bytes: u64,
    /// The SHA-256 of it, in hex digits.
    pub(super) sha256: String,
}

impl PackFile {
    /// The entry of a file.
    pub(super) fn of(path: &str, bytes: &[u8]) -> Self {
        let mut sha256 = String::new();
        for byte in Sha256::digest(bytes) {
            // Writing to a string cannot fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        Self {
            path: path.to_owned(),
            bytes: bytes.len() as u64,
            sha256,
        }
    }
}
