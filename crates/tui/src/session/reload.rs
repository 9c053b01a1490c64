//! The course folder has changed while the course is open.
//!
//! An author saves a file many times, and not always a whole one. So a lesson that cannot be read stays as it was, and
//! so does the course if its `course.toml` cannot be read.

use std::rc::Rc;

use super::{LabsMayRun, PreviewStatus, Session};
use warpup_course::{Course, Diagnostic, Lesson, Severity};

/// A course folder as it is now.
#[derive(Clone, Debug)]
pub(crate) struct ReloadedCourse {
    pub(crate) course: Course,
    /// What is wrong in its files.
    pub(crate) problems: Vec<Diagnostic>,
    /// Whether the learner has not agreed to run its labs.
    pub(crate) asks: bool,
    /// The line for its author, who previews it.
    pub(crate) preview: Option<PreviewStatus>,
}

impl Session {
    /// Takes over what has changed in the course folder. Says whether anything has.
    pub(crate) fn reload(&mut self, read: ReloadedCourse) -> bool {
        let ReloadedCourse {
            course,
            problems,
            asks,
            preview,
        } = read;
        // Progress is kept under the id: with another one, this is not the course that was opened.
        let lessons = if course.id == self.course.about.id {
            self.merged(course.lessons, &problems)
        } else {
            self.course.lessons.clone()
        };
        let is_same = |(new, old): (&Rc<Lesson>, &Rc<Lesson>)| Rc::ptr_eq(new, old);
        let are_same = lessons.len() == self.course.lessons.len()
            && lessons.iter().zip(&self.course.lessons).all(is_same)
            && problems == self.course.problems;
        let head = Course {
            lessons: Vec::new(),
            ..course
        };
        if are_same && (head.id != self.course.about.id || head == self.course.about) {
            return false;
        }
        // The line of a preview says more.
        let is_preview = preview.is_some();
        self.view.notice = (!is_preview).then(|| match problems.len() {
            0 => "The course was read again: no problems.".to_owned(),
            1 => "The course was read again: 1 problem (p on the map).".to_owned(),
            many => format!("The course was read again: {many} problems (p on the map)."),
        });
        if is_preview {
            self.course.preview = preview;
        }
        self.course.lessons = lessons;
        self.course.problems = problems;
        if head.id == self.course.about.id {
            self.course.about = head;
        }
        if asks {
            self.labs.may_run = LabsMayRun::Ask;
        }
        // Its hits are at places that may be gone.
        self.view.search = None;
        true
    }

    /// The lessons as they are now, in their order. Those that have not changed are the same, and those whose files cannot
    /// be read are as before, behind the lesson that they were behind.
    fn merged(&self, new: Vec<Lesson>, problems: &[Diagnostic]) -> Vec<Rc<Lesson>> {
        let mut lessons: Vec<Rc<Lesson>> = new
            .into_iter()
            .map(|it| match self.lesson(&it.id) {
                Some(old) if **old == it => Rc::clone(old),
                Some(_) | None => Rc::new(it),
            })
            .collect();
        let is_broken = |file: &str| {
            let mut errors = problems.iter();
            errors.any(|it| it.severity == Severity::Error && it.file == file)
        };
        let mut before = None;
        for old in &self.course.lessons {
            let is_there = lessons
                .iter()
                .any(|it| it.id == old.id || it.file == old.file);
            if !is_there && is_broken(&old.file) {
                let at = before.and_then(|id| lessons.iter().position(|it| &it.id == id));
                lessons.insert(at.map_or(0, |it| it + 1), Rc::clone(old));
            }
            before = Some(&old.id);
        }
        lessons
    }
}
