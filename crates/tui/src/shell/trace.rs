//! Reads traces on a thread, which reports to the app how far it is.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;

use super::message::{Message, MessageSender};
use super::trace_source;
use crate::app::Event;
use crate::session::{ReadTrace, ReadTraces, TraceState};
use warpup_kineto::load::{self, LoadError};
use warpup_kineto::{Trace, names_together};

/// A trace to read.
#[derive(Clone, Debug)]
pub enum TraceSource {
    /// A file of the learner's.
    File(PathBuf),
    /// One that is built in: its name, and its bytes as in a file.
    BuiltIn(&'static str, &'static [u8]),
}

impl TraceSource {
    /// Its name, without folders.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File(path) => name(path),
            Self::BuiltIn(name, _) => (*name).to_owned(),
        }
    }

    fn path(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::BuiltIn(name, _) => (*name).to_owned(),
        }
    }

    fn load(&self, tell: &dyn Fn(TraceState) -> bool) -> Result<Trace, LoadError> {
        let file = self.name();
        match self {
            Self::BuiltIn(name, bytes) => load::text(name, bytes),
            Self::File(path) => {
                let mut said = 0;
                load::file(path, &mut |progress| {
                    let percent = (progress.read_bytes * 100).checked_div(progress.file_bytes);
                    // Each step of five percent is a drawn frame. A file can be read from its beginning once more.
                    if percent.is_some_and(|it| (said..said + 5).contains(&it)) {
                        return ControlFlow::Continue(());
                    }
                    said = percent.unwrap_or_default();
                    let file = file.clone();
                    if tell(TraceState::Reading { file, percent }) {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                })
            }
        }
    }
}

fn name(path: &Path) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str());
    file.to_string_lossy().into_owned()
}

/// Starts reading. Returns the failure if it cannot start.
pub(super) fn read(sources: Vec<TraceSource>, messages: MessageSender) -> Option<Event> {
    if sources.is_empty() {
        return None;
    }
    let thread = thread::Builder::new().name("trace".to_owned());
    let started = thread.spawn(move || {
        // The app is gone when nobody receives.
        let tell = |state| {
            messages
                .send(Message::App(Box::new(Event::Trace(state))))
                .is_ok()
        };
        let read = read_all(&sources, &tell);
        tell(match read {
            Err(error) => TraceState::Failed {
                why: error.with_cause(),
                hint: error.hint(),
            },
            Ok(traces) => TraceState::Read(Box::new(traces)),
        });
    });
    let error = started.err()?;
    Some(Event::Trace(TraceState::Failed {
        why: error.to_string(),
        hint: None,
    }))
}

fn read_all(
    sources: &[TraceSource],
    tell: &dyn Fn(TraceState) -> bool,
) -> Result<ReadTraces, LoadError> {
    let mut traces = ReadTraces::none();
    let paths: Vec<String> = sources.iter().map(TraceSource::path).collect();
    for (source, name) in sources.iter().zip(names_together(&paths)) {
        let mut read = ReadTrace::of(source.load(tell)?);
        read.analysis.file = name;
        if let TraceSource::File(path) = source {
            let folder = Path::new(&read.analysis.about.program_folder);
            for it in &mut read.sources {
                it.text = trace_source::read(&it.path, folder, path);
            }
        }
        traces.push(read);
    }
    traces.compare();
    Ok(traces)
}
