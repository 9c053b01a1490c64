//! What the threads of the shell send to its loop.

use crate::tui::app::Event;

/// An event for the app, or something that only concerns the process and its terminal.
#[derive(Debug)]
pub(super) enum Message {
    /// For the app.
    App(Box<Event>),
    /// Stop the process until the learner's shell continues it.
    Suspend,
    /// The process was continued: the terminal may show anything.
    Repaint,
    /// End the process as this signal would.
    Die(i32),
}
