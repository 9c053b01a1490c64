//! Whether records reach the disk, as last reported by the shell.

/// Whether records reach the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Saving {
    #[default]
    Fine,
    /// They do, in this folder instead of the usual one.
    Elsewhere(String),
    /// They do not.
    Failing {
        /// How many records are in memory only.
        unsaved: usize,
        /// The error of the system.
        why: String,
    },
}

impl Saving {
    /// The warning above every screen.
    pub(crate) fn banner(&self) -> Option<String> {
        match self {
            Self::Fine => None,
            Self::Elsewhere(place) => Some(format!(
                "saved in {place}; `warpup progress import` takes it over later"
            )),
            Self::Failing { unsaved, why } => {
                Some(format!("NOT SAVED ({unsaved}): {why}; S saves elsewhere"))
            }
        }
    }

    /// How many records would be lost now.
    pub(crate) fn unsaved(&self) -> usize {
        match self {
            Self::Fine | Self::Elsewhere(_) => 0,
            Self::Failing { unsaved, .. } => *unsaved,
        }
    }
}
