//! Whether the learner has agreed to run the programs of a course that somebody else wrote.
//!
//! Consent is for content: a hash of everything that the labs of a course can run. It is an empty file of that name in
//! the data folder, so nothing that a course says can make it. Other content, such as a newer version, asks again.

use super::hex::hex;
use sha2::{Digest, Sha256};
use std::borrow::Borrow;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use warpup_course::{Course, LabId, Lesson, LessonId};

/// The folder of the files, in the data folder.
const FOLDER: &str = "consent";

/// What the labs of a course can run, as a hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabsHash(String);

impl LabsHash {
    /// Of the lessons of a course: of each lab the names, the starter, the memory that it asks for, the check and the
    /// solution. Lessons that are given away are dropped one by one.
    pub fn of<L: Borrow<Lesson>>(lessons: impl IntoIterator<Item = L>) -> Self {
        let mut hash = Sha256::new();
        let mut part = |text: &str| {
            // With lengths, so that no part can pass for two.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        for lesson in lessons {
            let lesson = lesson.borrow();
            for lab in &lesson.labs {
                part(lesson.id.as_str());
                part(lab.id.as_str());
                part(&lab.starter);
                // What runs as usual keeps its consent from before labs could ask for memory. No name has a space.
                if let Some(bytes) = lab.memory {
                    part(&format!("memory {bytes}"));
                }
                for program in [lab.check.as_deref(), lab.solution_program()] {
                    part(if program.is_some() { "some" } else { "none" });
                    part(program.unwrap_or_default());
                }
            }
        }
        Self(hex(&hash.finalize()))
    }
}

/// A consent that is missing, and where it would be kept.
#[derive(Clone, Debug)]
pub struct MissingConsent {
    consents: Consents,
    labs: LabsHash,
}

impl MissingConsent {
    /// That for a course which was read from a folder, if it is missing in this data folder; without one it is always
    /// missing. A copy of warpup's own course needs none.
    pub fn of(course: &Course, own: impl FnOnce() -> Course, data: Option<&Path>) -> Option<Self> {
        let labs = LabsHash::of(&course.lessons);
        let consents = Consents::in_data(data);
        let is_needed = !consents.is_given(&labs) && !is_copy(course, &own(), &labs);
        is_needed.then_some(Self { consents, labs })
    }

    /// Keeps the consent.
    pub fn give(&self) -> io::Result<()> {
        self.consents.give(&self.labs)
    }
}

/// Whether a course has the labs of another one. Most have other names, for which no lesson of the other one is read.
fn is_copy(course: &Course, of: &Course, labs: &LabsHash) -> bool {
    lab_names(course).eq(lab_names(of)) && LabsHash::of(&of.lessons) == *labs
}

fn lab_names(course: &Course) -> impl Iterator<Item = (&LessonId, &LabId)> {
    let lessons = course.lessons.iter();
    lessons.flat_map(|lesson| {
        let labs = lesson.outline().labs.iter();
        labs.map(move |lab| (&lesson.id, &lab.id))
    })
}

/// The consents in a data folder.
#[derive(Clone, Debug)]
pub struct Consents {
    /// Nothing without a data folder.
    folder: Option<PathBuf>,
}

impl Consents {
    /// Those in this data folder.
    pub fn in_data(data: Option<&Path>) -> Self {
        Self {
            folder: data.map(|it| it.join(FOLDER)),
        }
    }

    /// Whether it was given for this content.
    pub fn is_given(&self, labs: &LabsHash) -> bool {
        let file = self.folder.as_ref().map(|it| it.join(&labs.0));
        file.is_some_and(|it| fs::symlink_metadata(it).is_ok_and(|it| it.is_file()))
    }

    /// Whether it was given for any content.
    pub fn is_any_given(&self) -> bool {
        let files = self.folder.as_ref().and_then(|it| fs::read_dir(it).ok());
        files.is_some_and(|mut it| it.next().is_some())
    }

    /// Keeps that it was given.
    pub fn give(&self, labs: &LabsHash) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Err(io::Error::other("there is no folder for progress"));
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let mut options = OpenOptions::new();
        options
            .create(true)
            .append(true)
            .mode(0o600)
            .open(folder.join(&labs.0))
            .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::{embedded, embedded_index};
    use warpup_course::{open_indexed, sample};

    #[test]
    fn a_course_with_labs_of_its_own_is_no_copy_and_nothing_is_read_for_that() {
        let built_in = || open_indexed(&embedded(), embedded_index());
        let (course, own) = (sample::course(), built_in());
        assert!(!is_copy(&course, &own, &LabsHash::of(&course.lessons)));
        assert!(own.lessons.iter().all(|it| !it.content.is_read()));
        let copy = built_in();
        assert!(is_copy(&copy, &own, &LabsHash::of(&copy.lessons)));
    }

    #[test]
    fn consent_is_for_what_the_labs_run_and_for_nothing_else() {
        let folder = tempfile::TempDir::new().unwrap();
        let consents = Consents::in_data(Some(&folder.path().join("data")));
        let mut course = sample::course();
        let first = LabsHash::of(&course.lessons);
        assert!(!consents.is_given(&first));
        consents.give(&first).unwrap();
        consents.give(&first).unwrap();
        // Words may change.
        course.summary.push('!');
        course.lessons[0].title.push('!');
        assert!(consents.is_given(&LabsHash::of(&course.lessons)));
        let lab = |course: &mut Course| course.lessons.iter().position(|it| !it.labs.is_empty());
        let at = lab(&mut course).unwrap();
        for change in [
            |lab: &mut warpup_course::Lab| lab.starter.push('#'),
            |lab: &mut warpup_course::Lab| lab.check = Some("import os".to_owned()),
            |lab: &mut warpup_course::Lab| lab.memory = Some(8 << 30),
            |lab: &mut warpup_course::Lab| {
                lab.solution = Some(warpup_course::Solution::Program(String::new()));
            },
        ] {
            let mut changed = course.clone();
            change(&mut changed.lessons[at].labs[0]);
            assert!(!consents.is_given(&LabsHash::of(&changed.lessons)));
        }
    }
}
