//! What the doctor found last.

use crate::doctor::Report;

/// What the doctor found last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum DoctorState {
    /// It has not looked yet.
    #[default]
    NotRun,
    /// It looks; this is known so far, or was found before.
    Running(Option<Report>),
    /// It has looked.
    Done(Report),
    /// It could not look.
    Failed(String),
}

impl DoctorState {
    /// Notes that it looks from now on; says whether it did not already.
    pub(crate) fn begin(&mut self) -> bool {
        let before = match std::mem::take(self) {
            Self::Running(report) => {
                *self = Self::Running(report);
                return false;
            }
            Self::Done(report) => Some(report),
            Self::NotRun | Self::Failed(_) => None,
        };
        *self = Self::Running(before);
        true
    }

    /// What it knows.
    pub(crate) fn report(&self) -> Option<&Report> {
        match self {
            Self::Running(report) => report.as_ref(),
            Self::Done(report) => Some(report),
            Self::NotRun | Self::Failed(_) => None,
        }
    }
}
