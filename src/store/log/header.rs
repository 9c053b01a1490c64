//! Where logs are, and the first line of each.

use serde::{Deserialize, Serialize};

/// The folder for logs inside the data folder.
pub(super) const FOLDER: &str = "log";

/// The version of the lines. Lines of a higher version are read as far as possible.
pub(super) const FORMAT: u32 = 1;

/// The first line of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) app: String,
    pub(super) host: String,
    pub(super) course: String,
}
