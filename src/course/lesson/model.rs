//! The course as data: lessons, their pages and their labs.

use super::content::{Content, LazyContent};
use crate::course::model::{Block, CourseId, LabId, LessonId, PageId, PassRule, QuestionId};
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut, Range};
use std::time::Duration;

/// A whole course, as far as it could be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Stable name; progress is stored under it.
    pub id: CourseId,
    /// Title for the map.
    pub title: String,
    /// One or two sentences shown above the map.
    pub summary: String,
    /// What passing a quiz takes.
    pub pass: PassRule,
    /// The lessons in teaching order. A lesson that could not be read at all is missing here.
    pub lessons: Vec<Lesson>,
}

/// One lesson: pages to read, labs to run, a quiz to pass.
///
/// What its head says is here. The rest is its [`Content`], read from the files when one of `pages`, `labs` and `quiz` is
/// first asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Stable name.
    pub id: LessonId,
    /// The file it was read from, relative to the course folder.
    pub file: String,
    /// Title.
    pub title: String,
    /// One sentence for the map.
    pub summary: String,
    /// The author's estimate of reading and running time.
    pub minutes: u32,
    /// Lessons that should be done before this one.
    pub requires: Vec<LessonId>,
    /// What the learner can do afterwards.
    pub objectives: Vec<String>,
    /// Its pages, labs and quiz.
    pub(crate) content: LazyContent,
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

/// The part of a lesson under one level-two heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The heading's `{#id}`, or its slug.
    pub id: PageId,
    /// The heading's text. The first page, before any heading, has the lesson's title.
    pub title: String,
    /// Its blocks, flat: nesting is in [`Block::within`].
    pub blocks: Vec<Block>,
}

/// A program the learner runs and edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Lab {
    /// Stable name inside the lesson.
    pub id: LabId,
    /// What to do, for titles and lists. The id in words when the author gave none.
    pub title: String,
    /// The page it is on.
    pub page: PageId,
    /// What the lesson asks to run it on.
    pub device: DeviceWish,
    /// A question the learner answers before Run unlocks; it is in the lesson's quiz file.
    pub predict: Option<QuestionId>,
    /// Wall time a run may take.
    pub time_limit: Duration,
    /// Bytes of host memory that its program asks for; the usual limit if it asks for none.
    pub memory: Option<u64>,
    /// The program the learner starts from.
    pub starter: String,
    /// Python appended after the learner's program, which calls `lab.check`.
    pub check: Option<String>,
    /// A program that passes the check; shown after success or on giving up.
    pub solution: Option<String>,
    /// The same program in candle (Rust).
    pub rust: Option<String>,
    /// Hints, mildest first.
    pub hints: Vec<Vec<Block>>,
    /// Bytes of the lesson file that hold the fenced block.
    pub span: Range<usize>,
}

impl Lab {
    /// The metrics that it gives by name; nothing when a name is computed.
    pub(crate) fn metrics(&self) -> Option<BTreeSet<&str>> {
        let mut names = BTreeSet::new();
        let programs = [
            Some(&self.starter),
            self.check.as_ref(),
            self.solution.as_ref(),
        ];
        for program in programs.into_iter().flatten() {
            for call in program.split("lab.metric(").skip(1) {
                let call = call.trim_start();
                let quote = call.chars().next().filter(|it| ['"', '\''].contains(it))?;
                names.insert(call.split(quote).nth(1)?);
            }
        }
        Some(names)
    }

    /// Whether its text says that it gives a metric.
    pub fn gives(&self, metric: &str) -> bool {
        self.metrics().is_some_and(|it| it.contains(metric))
    }
}

/// What a lab asks to run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceWish {
    /// Whatever the learner has chosen.
    Any,
    /// The CPU, measured.
    Cpu,
    /// Any device whose name starts with `cuda` in the lab: a real or a modelled card.
    Cuda,
    /// A certain modelled card, such as `t4`.
    Model(String),
}
