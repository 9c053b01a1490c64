//! What the app asks the shell to do, as values: the app itself does no IO.

use crate::picture::Paper;
use warpup_progress::{Record, Remark};
use warpup_protocol::{RunId, RunRequest};
use warpup_store::settings::Change;

/// What the app asks of the shell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Run a lab.
    Run(RunRequest),
    /// Stop a run.
    Cancel(RunId),
    /// End the worker for real cards, since the learner has chosen another device.
    ReleaseCard,
    /// Examine the machine: drivers, libraries and cards.
    RunDoctor,
    /// Save a record.
    Save(Record),
    /// Ask NVML how the cards of this machine are used.
    AskCards,
    /// Ask the terminal for the colour of its background.
    AskBackground,
    /// Keep that labs of the course may run.
    KeepConsent,
    /// Keep that the learner has seen what an instructor sent back.
    KeepSeen(Vec<Remark>),
    /// Keep a choice of the settings screen in its file, and do what it asks of the terminal.
    Set(Change),
    /// Save all unsaved records in another folder.
    SaveElsewhere,
    /// Open a program in the learner's own editor, under this name of a file.
    EditOutside { name: String, text: String },
    /// Write the learner's own program to its file.
    SaveProgram(String),
    /// Keep what is on the screen as a picture, with a summary.
    SaveScreen(SavedScreen),
    /// Put text into the clipboard of the learner's terminal.
    Copy(String),
    /// Stop the process until the learner's shell continues it.
    Suspend,
    /// End the app.
    Quit,
}

/// A screen that is kept in files, and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedScreen {
    /// How the names of the files begin.
    pub(crate) name: String,
    /// The title of the picture.
    pub(crate) title: String,
    /// The ground of the picture.
    pub(crate) paper: Paper,
    /// What the picture shows, in Markdown.
    pub(crate) summary: String,
}
