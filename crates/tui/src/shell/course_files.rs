//! The thread that waits for changes in the folder of an open course.
//!
//! The system reports them, so nothing wakes while nobody writes. Editors save a file by renaming another one over it, and one
//! save may change several files: the folder is read when it has been quiet for a moment.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::folder_watch::FolderWatch;
use super::message::{Message, MessageSender};
use super::sources;
use crate::app::Event;
use crate::session::{PreviewStatus, ReloadedCourse};
use warpup_course::{Course, Diagnostic};
use warpup_store::consent::MissingConsent;

/// The folder of an open course.
pub struct CourseFolder {
    /// Where it is.
    pub dir: PathBuf,
    /// Reads all of it; nothing if it cannot be read now, or is as it was.
    pub read: Box<dyn FnMut() -> Option<CourseNow> + Send>,
}

/// A course folder as it is now.
#[derive(Debug)]
pub struct CourseNow {
    /// The course, read to its end.
    pub course: Course,
    /// What is wrong in its files.
    pub problems: Vec<Diagnostic>,
    /// The consent to run its labs, where it is missing.
    pub consent: Option<MissingConsent>,
    /// The line for its author, who previews it.
    pub preview: Option<PreviewStatus>,
}

/// Begins to watch. Where the system has no watch to give, the course stays as it was opened.
pub(super) fn start(
    mut folder: CourseFolder,
    consent: &Arc<Mutex<Option<MissingConsent>>>,
    messages: &MessageSender,
) -> io::Result<()> {
    let Some(watch) = FolderWatch::new(&folder.dir) else {
        return Ok(());
    };
    let consent = Arc::clone(consent);
    sources::spawn("course", messages, move |messages| {
        // What changed before the watch began is read now.
        loop {
            if let Some(now) = (folder.read)()
                && !send(now, &consent, &messages)
            {
                return;
            }
            if !watch.wait_for_change() {
                return;
            }
        }
    })
}

/// Reports the course as it is now. Says whether the app still listens.
fn send(now: CourseNow, kept: &Mutex<Option<MissingConsent>>, messages: &MessageSender) -> bool {
    let CourseNow {
        course,
        problems,
        consent,
        preview,
    } = now;
    let read = ReloadedCourse {
        course,
        problems,
        asks: consent.is_some(),
        preview,
    };
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = consent;
    let event = Event::Reloaded(Box::new(read));
    messages.send(Message::App(Box::new(event))).is_ok()
}
