//! `warpup preview`: a lesson in the real app while its author writes it.
//!
//! What the author does in it is kept nowhere: progress, edited programs and the consent to run labs are in a folder that
//! ends with the command.

mod edited_file;
mod plain;
mod status;

use super::courses::{OpenCourse, Readers};
use super::failure::{Exit, Result};
use super::learner::Learner;
use super::{consent, open, workers};
use crate::cli::PreviewArgs;
use anyhow::Context;
use edited_file::EditedFile;
use std::path::PathBuf;
use tempfile::TempDir;
use warpup_course::{Course, CoursePolicy, FrontEnd};
use warpup_protocol::Reason;
use warpup_store::consent::{Consents, MissingConsent};
use warpup_store::settings::Settings;
use warpup_tui::{CourseFolder, CourseNow, DeferredStart, Machine, Preview};

pub(super) use plain::execute as plain;

/// Shows the file in the app.
pub(super) fn app(args: &PreviewArgs, readers: Readers) -> Result<Exit> {
    let place = EditedFile::of(&args.file, FrontEnd::Screen)?;
    let opened = place.read()?;
    let data = TempDir::with_prefix("warpup-preview-").context("cannot create a folder")?;
    let data_dir = data.path().to_owned();
    let learner = Learner::load(Some(data_dir.clone()), &opened.course.id);
    let preview = Preview {
        start: place.start(&opened),
        device: args.device.clone(),
        size: args.size,
        status: status::status(&opened, place.file.as_deref()),
    };
    let opened = opened.shown_to(readers);
    let (opening, settings, _) = open::opening(&opened.course, learner, Some(preview));
    if let Some(device) = &args.device {
        workers::can_run_on(
            device,
            &machine(args, settings.clone(), &opened.course.policy).workers,
        )?;
    }
    let mut consents = AuthorConsent {
        data: data_dir,
        root: place.root.clone(),
        is_given: args.trust,
    };
    warpup_tui::run(opening, || DeferredStart {
        problems: opened.diagnostics.clone(),
        consent: consents.missing(&opened.course),
        machine: machine(args, settings, &opened.course.policy),
        folder: Some(watched(place, readers, opened, consents)),
    })?;
    drop(data);
    Ok(Exit::Fine)
}

/// The devices of this machine, or those of one without a real card.
fn machine(args: &PreviewArgs, set: Settings, course: &CoursePolicy) -> Machine {
    let mut machine = open::machine(set, course);
    if args.without_gpu {
        let reason = Reason {
            why: "this preview is without a real card".to_owned(),
            hint: "leave out --without-gpu".to_owned(),
            evidence: String::new(),
        };
        machine.workers = workers::without_cards();
        machine.devices = open::devices(&workers::without_cards());
        machine.facts.no_card = Some(reason.clone());
        machine.facts.no_driver = Some(reason);
    }
    machine
}

/// What the author has agreed to. They write the programs, so they are asked once, and not after each change.
struct AuthorConsent {
    data: PathBuf,
    root: PathBuf,
    is_given: bool,
}

impl AuthorConsent {
    /// What is missing before the labs of the course may run as they are now.
    fn missing(&mut self, course: &Course) -> Option<MissingConsent> {
        let missing = consent::missing(course, Some(&self.root), Some(&self.data))?;
        self.is_given |= Consents::in_data(Some(&self.data)).is_any_given();
        // Where it cannot be kept, the author is asked.
        (!self.is_given || missing.give().is_err()).then_some(missing)
    }
}

/// The folder, read again whenever one of its files changes.
fn watched(
    place: EditedFile,
    readers: Readers,
    opened: OpenCourse,
    mut consents: AuthorConsent,
) -> CourseFolder {
    let mut before = (opened.sources, opened.diagnostics);
    CourseFolder {
        dir: place.root.clone(),
        read: Box::new(move || {
            let opened = place.read().ok()?;
            if (&opened.sources, &opened.diagnostics) == (&before.0, &before.1) {
                return None;
            }
            before = (opened.sources.clone(), opened.diagnostics.clone());
            let status = status::status(&opened, place.file.as_deref());
            let opened = opened.shown_to(readers);
            let consent = consents.missing(&opened.course);
            Some(CourseNow {
                course: opened.course,
                problems: opened.diagnostics,
                consent,
                preview: Some(status),
            })
        }),
    }
}

#[cfg(test)]
mod tests;
