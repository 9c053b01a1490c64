//! Lessons on the way to being part of the course.

use crate::diagnostics::{Report, Rule};
use crate::language::Language;
use crate::lesson::{Body, Content, Files, Head, LazyContent, Lesson, Programs};
use crate::model::{FrontEnd, LessonId, PassRule, Rules};
use crate::quiz::ReadQuiz;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A lesson with its quiz, as far as they are read.
pub(crate) struct Draft<'a> {
    /// Its file, relative to `lessons/`, as the course lists it.
    pub(crate) name: String,
    /// The file that is read, relative to the course folder: one of a translation, or the original.
    pub(crate) file: String,
    /// The text of the file.
    pub(crate) text: &'a Cow<'static, str>,
    /// What its head says; nothing when the lesson cannot be in the course.
    pub(crate) head: Option<Head>,
    /// Where its body starts, if the file has a head.
    pub(crate) start: Option<usize>,
    /// The file of its quiz.
    pub(crate) quiz_file: Option<QuizFile<'a>>,
    /// The programs of the course that are in files of their own.
    pub(crate) programs: Programs,
    /// Where it is read; `None` for the text of all front ends.
    pub(crate) front_end: Option<FrontEnd>,
    /// The text of its file in `repairs/`, if it has one, and what is wrong with that.
    pub(crate) repairs: (Option<&'a Cow<'static, str>>, Report),
    /// What is under the head.
    pub(crate) body: Option<Body>,
    /// The questions, if they could be read.
    pub(crate) quiz: Option<ReadQuiz>,
    /// What is wrong with the lesson's file.
    pub(crate) report: Report,
    /// What is wrong with the quiz's file, if there is one.
    pub(crate) quiz_report: Option<Report>,
}

/// The file of a quiz.
pub(crate) struct QuizFile<'a> {
    /// Its path, relative to the course folder.
    pub(crate) file: String,
    /// Its text.
    pub(crate) text: &'a Cow<'static, str>,
    /// The text that it translates, if it does.
    pub(crate) original: Option<&'a Cow<'static, str>>,
}

impl Draft<'_> {
    /// The lesson as the course has it. What was not read yet is read when it is asked for.
    pub(crate) fn lesson(&mut self, pass: PassRule, language: Option<&Language>) -> Option<Lesson> {
        let head = self.head.take()?;
        let quiz = self.quiz.take().map(|it| it.quiz);
        let remark = language.and_then(|it| self.not_translated(it));
        let content = match self.body.take() {
            Some(body) => {
                let content = Content::new(body.pages, body.labs, quiz);
                LazyContent::from(content.with_remark(remark.as_deref()))
            }
            None => LazyContent::unread(Files {
                rules: Rules::default(),
                lesson: self.text.clone(),
                quiz: self.quiz_file.take().map(|it| (it.file, it.text.clone())),
                pass,
                programs: self.programs.clone(),
                repairs: self.repairs.0.cloned(),
                front_end: self.front_end,
                has_notes: false,
            }),
        };
        Some(Lesson {
            id: head.id.value,
            file: self.file.clone(),
            title: head.title,
            summary: head.summary,
            minutes: head.minutes,
            minutes_at: head.minutes_at,
            requires: head.requires.into_iter().map(|it| it.value).collect(),
            objectives: head.objectives,
            content,
        })
    }

    /// What the translation into a language lacks here, for its readers.
    fn not_translated(&self, language: &Language) -> Option<String> {
        let is_original = |file: &str| Language::of_path(file).is_none();
        if is_original(&self.file) {
            return Some(format!(
                "This lesson is not translated into {language} yet. This is the original."
            ));
        }
        let quiz = self.quiz_report.as_ref();
        quiz.filter(|it| is_original(it.file())).map(|_| {
            format!(
                "The quiz of this lesson is not translated into {language} yet: it is the original."
            )
        })
    }
}

/// Whether the course says in which order its lessons are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// It does.
    Given,
    /// Its list cannot be read.
    Unknown,
}

/// Keeps the required lessons that come before the lesson that requires them.
pub(crate) fn require(drafts: &mut [Draft<'_>], order: Order) {
    let ids: Vec<LessonId> = drafts
        .iter()
        .filter_map(|it| it.head.as_ref())
        .map(|it| it.id.value.clone())
        .collect();
    // A lesson whose head cannot be read may have the id that another one asks for.
    let all_known = drafts.iter().all(|it| it.head.is_some());
    let mut earlier = BTreeSet::new();
    for draft in drafts {
        let Some(head) = &mut draft.head else {
            continue;
        };
        let report = &mut draft.report;
        head.requires.retain(|required| {
            let id = &required.value;
            if earlier.contains(id) {
                return true;
            }
            if ids.contains(id) && order == Order::Unknown {
                return true;
            }
            if ids.contains(id) {
                report
                    .error(
                        Rule::RequiresOrder,
                        required.span.clone(),
                        format!("lesson `{id}` does not come before this one"),
                    )
                    .hint("change the order in `lessons/course.toml`");
            } else if all_known {
                report
                    .error(
                        Rule::UnknownLesson,
                        required.span.clone(),
                        format!("there is no lesson `{id}`"),
                    )
                    .did_you_mean_or(
                        id.as_str(),
                        ids.iter().map(LessonId::as_str),
                        "write the id of an earlier lesson, which is in its head",
                    );
            }
            false
        });
        earlier.insert(head.id.value.clone());
    }
}
