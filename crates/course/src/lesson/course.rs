//! The course as data, and its lessons.

use super::content::{Content, LazyContent};
use super::model::Lab;
use super::outline::Outline;
use crate::language::Language;
use crate::model::{CourseId, CoursePolicy, LessonId, PassRule, Rules};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut, Range};

/// A whole course, as far as it could be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Stable name; progress is stored under it.
    pub id: CourseId,
    /// Title for the map.
    pub title: String,
    /// One or two sentences shown above the map.
    pub summary: String,
    /// The language of its texts, where it is known.
    pub language: Option<Language>,
    /// What passing a quiz takes.
    pub pass: PassRule,
    /// What it asks of the machines that it is taken on.
    pub policy: CoursePolicy,
    /// Until when its lessons are to be passed, in milliseconds since 1970 UTC: it labels what comes later, and blocks nothing.
    pub due_ms: BTreeMap<LessonId, u64>,
    /// The lessons in teaching order. A lesson that could not be read at all is missing here.
    pub lessons: Vec<Lesson>,
}

impl Course {
    /// Puts its lessons under these rules.
    pub fn rule(&mut self, rules: &Rules) {
        self.pass = rules.pass.unwrap_or(self.pass);
        for lesson in &mut self.lessons {
            lesson.content.rule(rules);
        }
    }

    /// Puts what lessons say to instructors among the text, for somebody who is one.
    pub fn show_notes(&mut self) {
        for lesson in &mut self.lessons {
            lesson.content.show_notes();
        }
    }
}

/// One lesson: pages to read, labs to run, a quiz to pass.
///
/// What its head says is here. The rest is its [`Content`], read from the files when one of `pages`, `labs` and `quiz` is
/// first asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Stable name.
    pub id: LessonId,
    /// The file it was read from, relative to the course folder: `lessons/copies.md`, or `lessons/de/copies.md` of a translation.
    pub file: String,
    /// Title.
    pub title: String,
    /// One sentence for the map.
    pub summary: String,
    /// The author's estimate of reading and running time.
    pub minutes: u32,
    /// Where the head says so: bytes of the file.
    pub minutes_at: Range<usize>,
    /// Lessons that should be done before this one.
    pub requires: Vec<LessonId>,
    /// What the learner can do afterwards.
    pub objectives: Vec<String>,
    /// Its pages, labs and quiz.
    pub content: LazyContent,
}

impl Lesson {
    /// What is around a program of the learner's own: a lesson without text, in no file, that has this lab.
    pub fn around(lab: Lab) -> Self {
        Self {
            id: LessonId::new(""),
            file: String::new(),
            title: lab.title.clone(),
            summary: String::new(),
            minutes: 0,
            minutes_at: 0..0,
            requires: Vec::new(),
            objectives: Vec::new(),
            content: LazyContent::from(Content {
                labs: vec![lab],
                ..Content::default()
            }),
        }
    }

    /// Whether it is read in a translation, and not as it was written.
    pub fn is_translated(&self) -> bool {
        Language::of_path(&self.file).is_some()
    }

    /// The names of its pages and labs, and how long its quiz is. Of a lesson with an index no file is read for them.
    pub fn outline(&self) -> &Outline {
        self.content.outline()
    }

    /// The name of its file, such as `copies.md`, which links have and which is the same in all languages.
    pub fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }
}

impl Deref for Lesson {
    type Target = Content;

    fn deref(&self) -> &Content {
        self.content.get()
    }
}

impl DerefMut for Lesson {
    fn deref_mut(&mut self) -> &mut Content {
        self.content.get_mut()
    }
}
