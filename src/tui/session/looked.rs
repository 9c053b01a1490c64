//! What the doctor found last.

use crate::doctor::Report;

/// What the doctor found last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Looked {
    /// It has not looked yet.
    #[default]
    Never,
    /// It looks; this is known so far, or was found before.
    Looking(Option<Report>),
    /// It has looked.
    All(Report),
    /// It could not look.
    Failed(String),
}

impl Looked {
    /// Notes that it looks from now on; says whether it did not already.
    pub(crate) fn begin(&mut self) -> bool {
        let before = match std::mem::take(self) {
            Self::Looking(report) => {
                *self = Self::Looking(report);
                return false;
            }
            Self::All(report) => Some(report),
            Self::Never | Self::Failed(_) => None,
        };
        *self = Self::Looking(before);
        true
    }

    /// What it knows.
    pub(crate) fn report(&self) -> Option<&Report> {
        match self {
            Self::Looking(report) => report.as_ref(),
            Self::All(report) => Some(report),
            Self::Never | Self::Failed(_) => None,
        }
    }
}
