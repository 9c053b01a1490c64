//! `warpup` in a terminal: hands over to the app, which owns stdin and stdout while it runs.

use super::learner::{Learner, unread};
use super::{Exit, Failure, courses};
use crate::lab::engine::threads;
use crate::protocol::{DeviceInfo, DeviceName};
use crate::shown::Shown;
use crate::store;
use crate::worker::device;
use std::io::{self, Write};
use std::path::Path;

/// Opens the app where the learner left off.
pub(super) fn app(dir: Option<&Path>) -> Result<Exit, Failure> {
    let opened = courses::open(dir)?;
    let data = store::data_dir().map_err(anyhow::Error::from)?;
    let (progress, problems, log) = Learner::load(&data, &opened.course.id).into_parts();
    let ended = crate::tui::run(opened.course, opened.diagnostics, progress, log, devices);
    if let Some(warning) = unread(&problems) {
        // Said afterwards, where it stays on the screen.
        writeln!(io::stderr(), "{}", Shown::new(&warning))?;
    }
    ended?;
    Ok(Exit::Fine)
}

/// What a worker will say that it can run on, so that all of it can be chosen before the first run.
fn devices() -> Vec<DeviceInfo> {
    let all = device::list().into_iter();
    // The worker is given its threads when it starts; this process has others.
    all.map(|it| match it.name {
        DeviceName::Cpu => DeviceInfo::cpu(threads()),
        DeviceName::Cuda(_) | DeviceName::Model(_) => it,
    })
    .collect()
}
