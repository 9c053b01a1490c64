//! The state of the doctor, as last reported by the shell.

use warpup_doctor::Report;

/// The state of the doctor and its last report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum DoctorState {
    /// It has not run in this session.
    #[default]
    NotRun,
    /// It runs; with its report so far, or else the one before.
    Running(Option<Report>),
    /// It has finished.
    Done(Report),
    /// It could not run, for this reason.
    Failed(String),
}

impl DoctorState {
    /// Marks the doctor as running. False if it was running already.
    pub(crate) fn begin(&mut self) -> bool {
        if let Self::Running(_) = self {
            return false;
        }
        let before = match std::mem::take(self) {
            Self::Done(report) => Some(report),
            Self::NotRun | Self::Running(_) | Self::Failed(_) => None,
        };
        *self = Self::Running(before);
        true
    }

    /// The newest report, complete or not.
    pub(crate) fn report(&self) -> Option<&Report> {
        match self {
            Self::Running(report) => report.as_ref(),
            Self::Done(report) => Some(report),
            Self::NotRun | Self::Failed(_) => None,
        }
    }
}
