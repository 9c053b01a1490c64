//! Looks on a thread for what an instructor has sent back: drop folders may be on a disk that does not answer.

use std::io;

use super::message::{Message, MessageSender};
use super::sources;
use crate::app::Event;
use warpup_course::CourseId;
use warpup_progress::Remark;
use warpup_store::data_dir;
use warpup_store::returned::{note_seen, returned};

/// Looks once.
pub(super) fn start(course: CourseId, messages: &MessageSender) -> io::Result<()> {
    sources::spawn("feedback", messages, move |messages| {
        let Ok(data) = data_dir() else {
            return;
        };
        let (feedback, _) = returned(&data, &course);
        if !feedback.is_empty() {
            // The app is gone when nobody receives.
            drop(messages.send(Message::App(Box::new(Event::Feedback(feedback)))));
        }
    })
}

/// Keeps that the learner has seen these. Where it cannot be kept, they are shown again next time.
pub(super) fn keep_seen(remarks: &[Remark]) {
    if let Ok(data) = data_dir() {
        for remark in remarks {
            drop(note_seen(&data, remark));
        }
    }
}
