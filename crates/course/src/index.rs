//! The index of a course: the heads and outlines of its lessons, from which the course opens without a look into their files.
//!
//! The build script of the crate `store` writes it for the course that is built in. A course in a folder has none: its files may change,
//! and somebody is waiting for their mistakes.

use super::lesson::{Files, LazyContent, Lesson, Outline, Programs};
use super::manifest::Manifest;
use super::model::{LessonId, PassRule, Rules};
use super::parse::open;
use super::sources::Sources;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// What is known of each lesson of a course.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    lessons: Vec<IndexedLesson>,
}

/// A lesson without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct IndexedLesson {
    id: LessonId,
    file: String,
    title: String,
    summary: String,
    minutes: u32,
    minutes_at: Range<usize>,
    requires: Vec<LessonId>,
    objectives: Vec<String>,
    /// The path of its quiz, relative to the course folder.
    quiz: Option<String>,
    outline: Outline,
}

impl Index {
    /// Reads all lessons of a course for their index.
    pub fn of(sources: &Sources) -> Self {
        let lessons = open(sources).lessons.into_iter().map(|it| IndexedLesson {
            quiz: it.content.quiz_file().map(str::to_owned),
            outline: it.outline().clone(),
            id: it.id,
            file: it.file,
            title: it.title,
            summary: it.summary,
            minutes: it.minutes,
            minutes_at: it.minutes_at,
            requires: it.requires,
            objectives: it.objectives,
        });
        Self {
            lessons: lessons.collect(),
        }
    }

    /// The lessons, of which no file is read.
    pub(crate) fn lessons(self, sources: &Sources, manifest: &Manifest) -> Vec<Lesson> {
        let programs = Programs::of(&sources.files);
        let lessons = self.lessons.into_iter();
        let lessons = lessons.map(|it| it.lesson(sources, &programs, manifest.pass));
        lessons.collect()
    }
}

impl IndexedLesson {
    fn lesson(self, sources: &Sources, programs: &Programs, pass: PassRule) -> Lesson {
        let text = |file: &str| sources.files.get(file).cloned();
        let name = self.file.rsplit('/').next().unwrap_or_default();
        let files = Files {
            lesson: text(&self.file).unwrap_or(Cow::Borrowed("")),
            quiz: self.quiz.and_then(|file| {
                let text = text(&file)?;
                Some((file, text))
            }),
            pass,
            rules: Rules::default(),
            programs: programs.clone(),
            repairs: text(&format!("repairs/{name}")),
            has_notes: false,
            front_end: sources.front_end,
        };
        Lesson {
            id: self.id,
            file: self.file,
            title: self.title,
            summary: self.summary,
            minutes: self.minutes,
            minutes_at: self.minutes_at,
            requires: self.requires,
            objectives: self.objectives,
            content: LazyContent::unread(files).with_outline(self.outline),
        }
    }
}
