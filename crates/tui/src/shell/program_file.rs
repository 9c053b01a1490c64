//! The file of a learner's own program: written when they run it, and read again when another editor has saved it.

use std::io;
use std::path::PathBuf;

use super::folder_watch::FolderWatch;
use super::message::{Message, MessageSender};
use super::sources;
use crate::app::Event;
use warpup_lab::own_program::OwnProgram;
use warpup_protocol::DeviceName;
use warpup_store::text_file;

/// A program that opens in the screen of a lab.
pub struct ProgramFile {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it now.
    pub program: OwnProgram,
    /// The device of its first run; without one, that of labs which ask for none.
    pub device: Option<DeviceName>,
    /// Reads it again; nothing if it cannot be read now.
    pub read: Box<dyn FnMut() -> Option<OwnProgram> + Send>,
}

/// Begins to watch the folder of the file. Where the system has no watch to give, the program stays as it was opened.
pub(super) fn start(file: ProgramFile, messages: &MessageSender) -> io::Result<()> {
    let ProgramFile {
        path,
        mut program,
        mut read,
        ..
    } = file;
    let folder = path.parent().filter(|it| *it != "").unwrap_or(".".as_ref());
    let Some(watch) = FolderWatch::new(folder) else {
        return Ok(());
    };
    sources::spawn("program", messages, move |messages| {
        while watch.wait_for_change() {
            let Some(now) = read().filter(|it| *it != program) else {
                continue;
            };
            program = now.clone();
            let event = Event::ProgramChanged(Box::new(now));
            if messages.send(Message::App(Box::new(event))).is_err() {
                return;
            }
        }
    })
}

/// Writes the program. A failure is an event.
pub(super) fn save(path: Option<&PathBuf>, text: &str) -> Option<Event> {
    let saved = text_file::replace(path?, text);
    let why = saved.err()?.to_string();
    Some(Event::ProgramNotSaved(why))
}
