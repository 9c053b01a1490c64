//! What the app asks the shell to do, as values: nothing in the app itself touches the world.

use crate::progress::Record;
use crate::protocol::{RunId, RunRequest};

/// What the app asks of the shell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Run a lab.
    Run(RunRequest),
    /// Stop a run.
    Cancel(RunId),
    /// End the worker for real cards: the learner has turned to another device.
    ReleaseCard,
    /// Look at the machine: what is between a program and the card.
    RunDoctor,
    /// Keep a record.
    Save(Record),
    /// Keep all records that could not be saved, in another place.
    SaveElsewhere,
    /// Stop the process until the learner's shell continues it.
    Suspend,
    /// End.
    Quit,
}
