//! What an author sees of a course beside the text that a learner sees.

use warpup_course::Severity;

/// What is wrong in the files of a course that is being written, in one line. It stays above the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewStatus {
    /// The line.
    pub said: String,
    /// How bad the worst of it is; nothing where all is well.
    pub worst: Option<Severity>,
}
