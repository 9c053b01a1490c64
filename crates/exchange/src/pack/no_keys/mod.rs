//! A course without what gives answers away, for learners whose instructor grades.
//!
//! What it leaves out and what stays is decided in `docs/decisions/0016-a-pack-without-keys-is-handed-in.md`. The result is
//! read again before it is given out: a key that is still there is an error, not an oversight.

mod lesson;
mod quiz;

use crate::remark::Remarks;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use warpup_course::{
    self as course, Course, Lab, LabId, Language, Lesson, LessonId, Page, PageId, QuestionKind,
    Quiz, Severity, Solution, Sources,
};

/// The file with the list of lessons.
const MANIFEST: &str = "lessons/course.toml";

/// Why there is no course without keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct NeedsKeys {
    /// The lesson or the quiz.
    pub place: String,
    /// What would be wrong with it.
    pub what: String,
}

/// The files of a course without mistakes, less its keys.
pub fn without_keys(
    course: &Course,
    sources: &Sources,
    remarks: &mut Remarks,
) -> Result<Sources, NeedsKeys> {
    let programs: BTreeSet<&str> = course.lessons.iter().flat_map(programs).collect();
    let mut files = BTreeMap::new();
    for (file, text) in &sources.files {
        let lesson = course.lessons.iter().find(|it| it.file == *file);
        let mut quizzes = course.lessons.iter().filter_map(|it| it.quiz.as_ref());
        let quiz = quizzes.find(|it| it.file == *file);
        let without = match (lesson, quiz) {
            (Some(_), _) => lesson::without_keys(text),
            (None, Some(quiz)) => quiz::without_keys(quiz, text, remarks),
            (None, None) if file == MANIFEST || programs.contains(file.as_str()) => {
                text.to_string()
            }
            (None, None) if Language::of_path(file).is_some() => {
                remarks.say(file, "translations are left out");
                continue;
            }
            (None, None) => {
                remarks.say(
                    file,
                    "no lesson uses this file, or it is a solution: left out",
                );
                continue;
            }
        };
        files.insert(file.clone(), Cow::Owned(without));
    }
    let sources = Sources::of(files);
    check(course, &sources)?;
    Ok(sources)
}

/// The files of the programs that learners run.
fn programs(lesson: &Lesson) -> impl Iterator<Item = &str> {
    lesson.labs.iter().flat_map(|lab| {
        let [starter, check, _] = &lab.blocks.files;
        [starter, check].into_iter().flatten().map(String::as_str)
    })
}

/// Reads the course again: it has to be the same, without its keys.
fn check(whole: &Course, sources: &Sources) -> Result<(), NeedsKeys> {
    let (course, found) = course::parse(sources);
    if let Some(error) = found.iter().find(|it| it.severity == Severity::Error) {
        return Err(NeedsKeys {
            place: error.file.clone(),
            what: format!("without its keys, it is wrong: {}", error.message),
        });
    }
    for before in &whole.lessons {
        let refuse = |what: &str| {
            Err(NeedsKeys {
                place: before.id.to_string(),
                what: what.to_owned(),
            })
        };
        let Some(after) = lesson_of(&course, &before.id) else {
            return refuse("the lesson is gone");
        };
        let is_solved = |it: &Lab| matches!(it.solution, Some(Solution::Program(_)));
        if after.labs.iter().any(is_solved) {
            return refuse("a solution cannot be left out");
        }
        if after.pages.iter().any(|it| !it.notes.is_empty()) {
            return refuse("a note for instructors cannot be left out");
        }
        if let Some(page) = changed_page(before, after) {
            return refuse(&format!("the page `{page}` would have another text"));
        }
        if before
            .labs
            .iter()
            .map(of_lab)
            .ne(after.labs.iter().map(of_lab))
        {
            return refuse("the labs would be others");
        }
        let asked = |quiz: &Quiz| -> Vec<_> {
            let counted = quiz.counted();
            let hashes = counted.map(|it| {
                let hash = it.hash_without_key.as_ref().unwrap_or(&it.hash);
                (it.id.clone(), hash.clone())
            });
            hashes.collect()
        };
        if before.quiz.as_ref().map(asked) != after.quiz.as_ref().map(asked) {
            return refuse("the quiz without its keys asks something else");
        }
        let has_key = |it: &course::Question| {
            !it.is_keyless() && !matches!(it.kind, QuestionKind::Predict(_))
        };
        let questions = after.quiz.iter().flat_map(|it| &it.questions);
        if questions.clone().any(has_key) || questions.clone().any(|it| !it.explain.is_empty()) {
            return refuse("a key cannot be left out");
        }
    }
    Ok(())
}

/// The first page whose text is another one: a note that ends too early leaves a part of itself, one that ends too late takes text.
fn changed_page(before: &Lesson, after: &Lesson) -> Option<PageId> {
    let text = |page: &Page| -> Vec<_> {
        let blocks = page.blocks.iter();
        blocks
            .map(|it| (it.within.clone(), it.kind.clone()))
            .collect()
    };
    let mut pages = before.pages.iter();
    let changed = pages.find(|page| {
        let same = after.pages.iter().find(|it| it.id == page.id);
        same.is_none_or(|it| text(it) != text(page) || it.title != page.title)
    });
    let changed = changed.or_else(|| {
        let is_added = |it: &&Page| before.pages.iter().all(|page| page.id != it.id);
        after.pages.iter().find(is_added)
    });
    changed.map(|it| it.id.clone())
}

/// What learners run and read of a lab, beside its solution.
fn of_lab(lab: &Lab) -> (&LabId, &str, Option<&str>, usize) {
    (&lab.id, &lab.starter, lab.check.as_deref(), lab.hints.len())
}

fn lesson_of<'a>(course: &'a Course, id: &LessonId) -> Option<&'a Lesson> {
    course.lessons.iter().find(|it| it.id == *id)
}

#[cfg(test)]
mod tests;
