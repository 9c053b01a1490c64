//! A lesson beside its original.

use super::difference::{Difference, differences, differs};
use super::programs::{first_difference, is_pasted};
use crate::diagnostics::Report;
use crate::lesson::{Lab, Lesson, Page};
use crate::markdown::count_front_ends;
use crate::model::Container;
use crate::quiz::Quiz;
use std::collections::BTreeSet;
use std::ops::Range;

/// Longer lines of a program are not repeated.
const MAX_LINE: usize = 120;

/// A lesson beside its original.
pub(super) struct LessonPair<'r, 'a> {
    /// The text of its file.
    pub(super) text: &'a str,
    /// The file of the original.
    pub(super) original: &'a str,
    /// Files with an error in them: a lesson or a quiz may be missing only because of it.
    pub(super) broken: &'a BTreeSet<String>,
    pub(super) report: &'r mut Report,
}

impl LessonPair<'_, '_> {
    /// Where the head has a key; the start of the file if it does not.
    fn key(&self, key: &str) -> Range<usize> {
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            let is_it = line.split_once('=').is_some_and(|(it, _)| it.trim() == key);
            if is_it {
                return at..at + line.trim_end().len();
            }
            at += line.len();
        }
        0..0
    }

    fn differs(&mut self, span: Range<usize>, message: String, hint: String) {
        differs(self.report, span, message, hint);
    }

    /// Compares what the heads say.
    pub(super) fn heads(&mut self, original: &Lesson, lesson: &Lesson) {
        if lesson.id != original.id {
            self.differs(
                self.key("id"),
                format!(
                    "the lesson `{}` has another id in its translation: `{}`",
                    original.id, lesson.id
                ),
                format!(
                    "write `id = \"{}\"`: progress is stored under it in all languages",
                    original.id
                ),
            );
        }
        let name = |quiz: &Quiz| quiz.file.rsplit('/').next().unwrap_or_default().to_owned();
        let is_broken = |quiz: &Quiz| {
            let mut broken = self.broken.iter();
            let name = name(quiz);
            broken.any(|it| it.starts_with("quizzes/") && it.ends_with(&format!("/{name}")))
        };
        let are_lessons_known = !self.broken.iter().any(|it| it.starts_with("lessons/"));
        if are_lessons_known && lesson.requires != original.requires {
            let ids = original.requires.iter().map(|it| format!("\"{it}\""));
            self.differs(
                self.key("requires"),
                "the translation requires other lessons than its original".to_owned(),
                format!(
                    "write `requires = [{}]`",
                    ids.collect::<Vec<_>>().join(", ")
                ),
            );
        }
        match (&original.quiz, &lesson.quiz) {
            (Some(quiz), None) | (None, Some(quiz)) if is_broken(quiz) => {}
            (Some(was), None) => self.differs(
                self.key("quiz"),
                "the original has a quiz, and the translation has none".to_owned(),
                format!(
                    "write `quiz = \"{}\"`, also if the quiz is not translated yet",
                    name(was)
                ),
            ),
            (None, Some(_)) => self.differs(
                self.key("quiz"),
                "the translation has a quiz, and the original has none".to_owned(),
                "leave `quiz` out".to_owned(),
            ),
            (Some(was), Some(now)) if name(now) != name(was) => self.differs(
                self.key("quiz"),
                format!(
                    "the translation has another quiz than its original: `{}`",
                    name(now)
                ),
                format!("write `quiz = \"{}\"`", name(was)),
            ),
            (Some(_), Some(_)) | (None, None) => {}
        }
        if original.objectives.len() != lesson.objectives.len() {
            let (were, are) = (original.objectives.len(), lesson.objectives.len());
            self.differs(
                self.key("objectives"),
                format!("there is another number of objectives than in the original: {are} instead of {were}"),
                "translate each of them".to_owned(),
            );
        }
    }

    /// Compares what is under the heads. Predictions are compared where the quizzes could be read.
    pub(super) fn bodies(&mut self, original: &Lesson, lesson: &Lesson, has_predictions: bool) {
        let same_pages = self.pages(original, lesson);
        for was in &original.labs {
            if let Some(lab) = lesson.labs.iter().find(|it| it.id == was.id) {
                if same_pages && lab.page != was.page {
                    self.differs(
                        fence(lab),
                        format!(
                            "the lab `{}` is on the page `{}` of the original",
                            lab.id, was.page
                        ),
                        "move it there".to_owned(),
                    );
                }
                if has_predictions && lab.predict != was.predict {
                    self.fence_differs(lab, "predict");
                }
                self.lab(was, lab);
                self.metrics(was, lab);
            }
        }
        self.labs(original, lesson);
        for was in original.pages.iter().filter(|_| same_pages) {
            if let Some(page) = lesson.pages.iter().find(|it| it.id == was.id) {
                self.parts(was, page, lesson);
            }
        }
    }

    /// Compares what learners do not see at once.
    fn parts(&mut self, was: &Page, page: &Page, lesson: &Lesson) {
        let notes = |page: &Page| {
            let parts = page.notes.iter().flat_map(|it| &it.block.within);
            parts
                .filter(|it| matches!(it, Container::Details { first: true, .. }))
                .count()
        };
        let (were, are) = (notes(was), notes(page));
        if were != are {
            self.differs(
                self.page(lesson, page.id.as_str()),
                format!("the page `{}` has another number of notes for instructors than in the original: {are} instead of {were}", page.id),
                "the summary of a note begins with `Instructor` in all languages: `<details><summary>Instructor: …</summary>`".to_owned(),
            );
        }
        if was.pauses.len() != page.pauses.len() {
            let (were, are) = (was.pauses.len(), page.pauses.len());
            self.differs(
                self.page(lesson, page.id.as_str()),
                format!("the page `{}` has another number of pauses than in the original: {are} instead of {were}", page.id),
                "copy each `<!-- pause -->`".to_owned(),
            );
        }
    }

    /// Compares how many texts for one front end there are.
    pub(super) fn front_ends(&mut self, original: &str) {
        let were = count_front_ends(original);
        if were != count_front_ends(self.text) {
            let [screen, plain] = were;
            self.differs(
                0..0,
                "another number of texts is for one front end than in the original".to_owned(),
                format!(
                    "copy the marks: {screen} `<!-- screen -->` and {plain} `<!-- plain -->`, each with its end"
                ),
            );
        }
    }

    /// Compares the pages. Gives whether they are the same.
    fn pages(&mut self, original: &Lesson, lesson: &Lesson) -> bool {
        let were: Vec<_> = original.pages.iter().map(|it| it.id.as_str()).collect();
        let are: Vec<_> = lesson.pages.iter().map(|it| it.id.as_str()).collect();
        for difference in differences(&were, &are) {
            match difference {
                Difference::Renamed(was, is) => {
                    let span = self.page(lesson, is);
                    self.differs(
                        span,
                        format!("the page `{was}` of the original is called `{is}` here"),
                        format!("write `{{#{was}}}` behind its heading"),
                    );
                }
                Difference::Missing(was) => self.differs(
                    0..0,
                    format!("the page `{was}` of the original is missing"),
                    format!("translate it, under a heading that ends with `{{#{was}}}`"),
                ),
                Difference::Added(is) => {
                    let span = self.page(lesson, is);
                    self.differs(
                        span,
                        format!("the original has no page `{is}`"),
                        "remove it, or add it to the original".to_owned(),
                    );
                }
                Difference::Order => self.differs(
                    0..0,
                    "the pages are in another order than in the original".to_owned(),
                    format!("the order is {}", were.join(", ")),
                ),
            }
        }
        were == are
    }

    /// Where a page says its id; else its heading.
    fn page(&self, lesson: &Lesson, id: &str) -> Range<usize> {
        let written = format!("{{#{id}}}");
        if let Some(at) = self.text.find(&written) {
            return at..at + written.len();
        }
        let page = lesson.pages.iter().find(|it| it.id.as_str() == id);
        let heading = page.map_or(String::new(), |it| format!("## {}", it.title));
        let at = self.text.find(&heading).unwrap_or_default();
        at..at + heading.len()
    }

    fn labs(&mut self, original: &Lesson, lesson: &Lesson) {
        let were: Vec<_> = original.labs.iter().map(|it| it.id.as_str()).collect();
        let are: Vec<_> = lesson.labs.iter().map(|it| it.id.as_str()).collect();
        let place = |id: &str| {
            let lab = lesson.labs.iter().find(|it| it.id.as_str() == id);
            lab.map_or(0..0, fence)
        };
        for difference in differences(&were, &are) {
            match difference {
                Difference::Renamed(was, is) => self.differs(
                    place(is),
                    format!("the lab `{was}` of the original is called `{is}` here"),
                    format!("write `id={was}`"),
                ),
                Difference::Missing(was) => self.differs(
                    0..0,
                    format!("the lab `{was}` of the original is missing"),
                    format!("copy its block, with `id={was}`, and translate its comments"),
                ),
                Difference::Added(is) => self.differs(
                    place(is),
                    format!("the original has no lab `{is}`"),
                    "remove it, or add it to the original".to_owned(),
                ),
                // Pages say more about an order.
                Difference::Order => {}
            }
        }
    }

    fn fence_differs(&mut self, lab: &Lab, what: &str) {
        self.differs(
            fence(lab),
            format!(
                "the lab `{}` has another `{what}` than in the original",
                lab.id
            ),
            "copy the first line of its block from the original; only `title` is translated"
                .to_owned(),
        );
    }

    /// A line of the block that begins at a byte; line 0 is its fence.
    fn line(&self, block: usize, line: usize) -> Range<usize> {
        let rest = self.text.get(block..).unwrap_or_default();
        let mut at = block;
        for (number, text) in rest.split_inclusive('\n').enumerate() {
            if number == line {
                return at..at + text.trim_end().len();
            }
            at += text.len();
        }
        block..block
    }

    /// Compares the names of metrics: they are in quotes, and no texts.
    fn metrics(&mut self, was: &Lab, lab: &Lab) {
        let (Some(were), Some(are)) = (was.metrics(), lab.metrics()) else {
            return;
        };
        let (were, are) = (Vec::from_iter(were), Vec::from_iter(are));
        let mut all = differences(&were, &are).into_iter();
        let renamed = all.find_map(|it| match it {
            Difference::Renamed(was, is) => Some((was, is)),
            Difference::Missing(_) | Difference::Added(_) | Difference::Order => None,
        });
        let Some((was, is)) = renamed else {
            return;
        };
        let start = lab.span.start;
        let block = self.text.get(start..).unwrap_or_default();
        let at = block.match_indices("lab.metric(").find_map(|(at, _)| {
            let line = block.get(at..)?.lines().next()?;
            Some(start + at + line.split_once(is)?.0.len())
        });
        self.differs(
            at.map_or(fence(lab), |it| it..it + is.len()),
            format!("the metric `{was}` of the original is called `{is}` here"),
            format!(
                "write `lab.metric(\"{was}\", …)`: it has the same name in all languages, under which quizzes and texts find it"
            ),
        );
    }

    /// What to write in place of a line that differs from the one of this number in the original; it may be that one that is wrong.
    fn other_line(&self, was: &str, number: usize) -> String {
        let line = number.checked_sub(1).and_then(|it| was.lines().nth(it));
        let line = line.unwrap_or_default().trim();
        let there = match line.chars().count() {
            0 => format!("the program of {} has no such line", self.original),
            1..=MAX_LINE => format!("{} has `{line}` there", self.original),
            _ => format!("{} has another line there", self.original),
        };
        format!(
            "translate only comments and texts in quotes: {there}; if that is wrong, correct it"
        )
    }

    fn lab(&mut self, was: &Lab, lab: &Lab) {
        let id = &lab.id;
        let at = fence(lab);
        let differing = [
            ("device", lab.device != was.device),
            ("time", lab.time_limit != was.time_limit),
            ("memory", lab.memory != was.memory),
        ];
        for (what, _) in differing.into_iter().filter(|it| it.1) {
            self.fence_differs(lab, what);
        }
        let programs = [
            (
                "program",
                Some(was.starter.as_str()),
                Some(lab.starter.as_str()),
                Some(lab.span.start),
            ),
            (
                "check",
                was.check.as_deref(),
                lab.check.as_deref(),
                lab.blocks.check,
            ),
            (
                "solution",
                was.solution_program(),
                lab.solution_program(),
                lab.blocks.solution,
            ),
        ];
        for (what, was, is, block) in programs {
            match (was, is) {
                (Some(_), None) => self.differs(
                    at.clone(),
                    format!("the lab `{id}` has a {what} in the original, and none here"),
                    "copy its block from the original".to_owned(),
                ),
                (None, Some(_)) => self.differs(
                    at.clone(),
                    format!("the lab `{id}` has no {what} in the original, and one here"),
                    "remove it, or add it to the original".to_owned(),
                ),
                (Some(was), Some(is)) => {
                    if let Some((there, line)) = first_difference(was, is)
                        && !is_pasted(was)
                    {
                        let at = block.map_or(at.clone(), |it| self.line(it, line));
                        let hint = self.other_line(was, there);
                        let message = format!(
                            "line {line} of the {what} of lab `{id}` is not that of the original"
                        );
                        self.differs(at, message, hint);
                    }
                }
                (None, None) => {}
            }
        }
        if lab.hints.len() != was.hints.len() {
            self.differs(
                at,
                format!(
                    "the lab `{id}` has another number of hints than in the original: {} instead of {}",
                    lab.hints.len(),
                    was.hints.len()
                ),
                "the summary of a hint begins with `Hint` in all languages: `<details><summary>Hint: …</summary>`".to_owned(),
            );
        }
    }
}

/// Where to point for a lab.
fn fence(lab: &Lab) -> Range<usize> {
    lab.span.start..lab.span.start
}
