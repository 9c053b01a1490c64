//! Where the program of a lab comes from, and what the screen says, asks and shows otherwise for each.

use super::Lab;
use crate::session::{LastRun, Pane};
use warpup_course::{self as course, LessonId};
use warpup_lab::ending::{Bounds, Ending, EndingKind};
use warpup_lab::findings::ProgramKind;
use warpup_lab::own_program::OwnProgram;
use warpup_progress::RemarkPlace;

/// Where the program of a lab comes from.
#[derive(Debug)]
pub(super) enum ProgramOrigin {
    /// A lesson: the records have what the learner made of it, and a pass counts.
    Lesson,
    /// A file of the learner's own, which has the place of the records. Nothing is checked, and nothing counts.
    File(OwnProgram),
}

/// The words that differ.
pub(super) struct OriginWords {
    /// In front of the title, while the program is read.
    pub(super) reading: &'static str,
    /// The question before it is left; nothing where it is left at once.
    pub(super) leave: Option<&'static str>,
    /// The question before the text that it began with takes its place.
    pub(super) restore: &'static str,
    /// The text that it began with.
    pub(super) starter: &'static str,
    /// Why the key that reads on does nothing.
    pub(super) no_page: &'static str,
    /// What is said of a run that ended well, in a list of runs.
    pub(super) passed: &'static str,
    /// What is said when the program is saved.
    pub(super) saved: &'static str,
    /// A note below measured times.
    pub(super) measured: Option<&'static str>,
}

const OF_LESSON: OriginWords = OriginWords {
    reading: "lab · ",
    leave: None,
    restore: "Throw your program away and start again?",
    starter: "the starter",
    no_page: "Run the program first: this key reads on once it has passed.",
    passed: "✓ passed",
    saved: "Your program is kept.",
    measured: None,
};

const OF_FILE: OriginWords = OriginWords {
    reading: "",
    leave: Some("Quit warpup? c opens the course."),
    restore: "Take the program as it was when it was opened? The next run writes it to the file; undo brings this text back.",
    starter: "the text that was opened",
    no_page: "This key opens the page of a finding, once a run has found something.",
    passed: "✓ done",
    saved: "The file is saved.",
    measured: Some(
        "note: these times are of warpup's own Python and tensors; under CPython and PyTorch they differ",
    ),
};

impl ProgramOrigin {
    /// What is looked for in its runs.
    pub(super) fn kind(&self) -> ProgramKind {
        match self {
            Self::Lesson => ProgramKind::Lab,
            Self::File(_) => ProgramKind::Own,
        }
    }

    /// The words for it.
    pub(super) fn words(&self) -> &'static OriginWords {
        match self {
            Self::Lesson => &OF_LESSON,
            Self::File(_) => &OF_FILE,
        }
    }

    /// Whether it can have this pane.
    pub(super) fn has_pane(&self, pane: Pane) -> bool {
        match self {
            Self::Lesson => true,
            Self::File(_) => {
                !matches!(pane, Pane::Task | Pane::Checks | Pane::Hints | Pane::Candle)
            }
        }
    }

    /// How a run ended: without checks nothing can pass.
    pub(super) fn ending<'a>(&self, ran: &'a LastRun, lab: &course::Lab) -> Option<Ending<'a>> {
        let mut bounds = Bounds::of_lab(lab, &ran.device);
        match self {
            Self::Lesson => Ending::of(&ran.run, &bounds),
            Self::File(_) => {
                bounds.by = "`--limit`";
                let mut ending = Ending::of(&ran.run, &bounds)?;
                if ending.kind == EndingKind::Passed {
                    ending.verdict = Some("done");
                }
                Some(ending)
            }
        }
    }
}

impl Lab {
    /// Whether it is the lab of a lesson that something was sent back for.
    pub(in crate::screen) fn is_of(&self, lesson: &LessonId, place: &RemarkPlace) -> bool {
        let is_lesson = matches!(self.origin, ProgramOrigin::Lesson) && self.lesson.id == *lesson;
        is_lesson && matches!(place, RemarkPlace::Lab(it) if *it == self.definition.id)
    }
}
