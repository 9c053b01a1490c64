//! Reads a trace on a thread, which reports to the app how far it is.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

use super::message::{Message, MessageSender};
use crate::kineto::analysis::Analysis;
use crate::kineto::findings::Report;
use crate::kineto::load::{self, LoadError};
use crate::tui::app::Event;
use crate::tui::session::{ReadTrace, TraceState};

/// The name of a file, without folders.
pub(super) fn name(path: &Path) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str());
    file.to_string_lossy().into_owned()
}

/// Starts reading. Returns the failure if it cannot start.
pub(super) fn read(path: PathBuf, messages: MessageSender) -> Option<Event> {
    let file = name(&path);
    let thread = thread::Builder::new().name("trace".to_owned());
    let started = thread.spawn(move || {
        // The app is gone when nobody receives.
        let tell = |state| {
            messages
                .send(Message::App(Box::new(Event::Trace(state))))
                .is_ok()
        };
        let mut said = 0;
        let trace = load::file(&path, &mut |progress| {
            let percent = (progress.read_bytes * 100).checked_div(progress.file_bytes);
            // Each step of five percent is a drawn frame.
            if percent.is_some_and(|it| it < said + 5) {
                return ControlFlow::Continue(());
            }
            said = percent.unwrap_or_default();
            let file = file.clone();
            if tell(TraceState::Reading { file, percent }) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        tell(match trace {
            Err(error) => TraceState::Failed(with_cause(&error)),
            Ok(trace) => {
                let analysis = Analysis::of(&trace);
                let report = Report::of(&analysis);
                TraceState::Read(Box::new(ReadTrace {
                    trace,
                    analysis,
                    report,
                }))
            }
        });
    });
    let error = started.err()?;
    Some(Event::Trace(TraceState::Failed(error.to_string())))
}

fn with_cause(error: &LoadError) -> String {
    let cause = std::error::Error::source(error);
    let cause = cause.map_or_else(String::new, |it| format!(": {it}"));
    format!("{error}{cause}")
}
