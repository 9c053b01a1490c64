//! What has become of the records when the app ends, and what the learner reads about them.

use std::path::PathBuf;

use warpup_store::log::{SaveError, count_of, how_to_import, kept};

/// What has become of the records when the app ends.
#[derive(Debug)]
pub(super) enum LastSave {
    /// All are where they belong.
    Saved,
    /// The learner had the later ones saved in this folder.
    Elsewhere(PathBuf),
    /// So many are in this folder.
    Kept(usize, PathBuf),
    /// So many are on no disk, for this reason.
    Lost(usize, SaveError),
}

impl LastSave {
    /// What the learner did not ask for and has to know, if anything.
    pub(super) fn warning(&self) -> Option<String> {
        match self {
            Self::Saved | Self::Elsewhere(_) => None,
            Self::Kept(count, folder) => Some(kept(*count, folder)),
            Self::Lost(count, error) => {
                let cause = std::error::Error::source(error);
                let cause = cause.map_or(String::new(), |it| format!(": {it}"));
                Some(format!("{} NOT SAVED: {error}{cause}", count_of(*count)))
            }
        }
    }

    /// What the learner asked for, and needs to find again.
    pub(super) fn note(&self) -> Option<String> {
        match self {
            Self::Elsewhere(folder) => Some(format!(
                "Records of this session are not where progress belongs: {}",
                how_to_import(folder)
            )),
            Self::Saved | Self::Kept(..) | Self::Lost(..) => None,
        }
    }
}
