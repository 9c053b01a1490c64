//! Other systems than Linux: nothing is watched, so a course stays as it was opened.

use std::path::Path;

/// A watch that nobody gets.
#[derive(Debug)]
pub(in crate::tui::shell) struct FolderWatch;

impl FolderWatch {
    /// Nothing.
    pub(in crate::tui::shell) fn new(_dir: &Path) -> Option<Self> {
        None
    }

    /// Is broken.
    pub(in crate::tui::shell) fn wait_for_change(&self) -> bool {
        false
    }
}
