//! Where logs are, and the first line of each.

use serde::{Deserialize, Serialize};

/// The folder for logs inside the data folder.
pub(super) const FOLDER: &str = "log";

/// The version of the lines. A higher one still has its lines read as far as they can be.
pub(super) const FORMAT: u32 = 1;

/// The first line of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) app: String,
    pub(super) host: String,
    pub(super) course: String,
}
