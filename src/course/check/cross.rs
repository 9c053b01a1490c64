//! What one file says about another: required lessons, links, predictions and their labs.

use super::links::{Pages, Targets};
use crate::course::diagnostics::Report;
use crate::course::lesson::{Lesson, ReadLesson};
use crate::course::model::{LabId, LessonId};
use crate::course::quiz::kinds::Prediction;
use crate::course::quiz::{self, Places, Question, QuestionKind, Quiz, ReadQuiz};
use crate::course::run_metric::RunMetric;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// As many pages in a row may only be read.
const READ_ONLY_PAGES: usize = 2;

/// A lesson with its quiz, on the way to being part of the course.
pub(crate) struct Draft {
    /// Its file, relative to `lessons/`.
    pub(crate) name: String,
    /// The lesson, if it could be read.
    pub(crate) lesson: Option<ReadLesson>,
    /// Its quiz, if it could be read.
    pub(crate) quiz: Option<ReadQuiz>,
    /// What is wrong with the lesson's file.
    pub(crate) report: Report,
    /// What is wrong with the quiz's file, if there is one.
    pub(crate) quiz_report: Option<Report>,
}

impl Draft {
    /// The lesson as the course has it.
    pub(crate) fn finish(self) -> (Option<Lesson>, Report, Option<Report>) {
        let file = format!("lessons/{}", self.name);
        let quiz = self.quiz.map(|it| it.quiz);
        let lesson = self.lesson.map(|it| Lesson {
            id: it.head.id.value,
            file,
            title: it.head.title,
            summary: it.head.summary,
            minutes: it.head.minutes,
            requires: it.head.requires.into_iter().map(|it| it.value).collect(),
            objectives: it.head.objectives,
            pages: it.pages,
            labs: it.labs,
            quiz: quiz.filter(|it| !it.questions.is_empty()),
        });
        (lesson, self.report, self.quiz_report)
    }
}

/// Checks every draft against the others, and takes out what refers to nothing.
pub(crate) fn check(drafts: &mut [Draft], files: &BTreeMap<String, Cow<'static, str>>) {
    let pages: Pages = drafts
        .iter()
        .filter_map(|it| {
            let pages = it.lesson.as_ref()?.pages.iter();
            Some((it.name.clone(), pages.map(|it| it.id.clone()).collect()))
        })
        .collect();
    let ids: Vec<LessonId> = drafts
        .iter()
        .filter_map(|it| it.lesson.as_ref())
        .map(|it| it.id().clone())
        .collect();
    let mut earlier = BTreeSet::new();
    for draft in drafts {
        let Some(lesson) = &mut draft.lesson else {
            continue;
        };
        requires(lesson, &ids, &earlier, &mut draft.report);
        earlier.insert(lesson.id().clone());
        let known = Targets::from(&draft.name, &pages, files);
        for link in &lesson.links {
            known.check(link, &mut draft.report);
        }
        if let (Some(quiz), Some(report)) = (&mut draft.quiz, &mut draft.quiz_report) {
            for link in &quiz.links {
                known.check(link, report);
            }
            questions(quiz, lesson, report);
            quiz::lint(&quiz.quiz, report);
        }
        predictions(lesson, draft.quiz.as_ref(), &mut draft.report);
        idle_pages(
            lesson,
            draft.quiz.as_ref().map(|it| &it.quiz),
            &mut draft.report,
        );
    }
}

/// Keeps the required lessons that come before this one.
fn requires(
    lesson: &mut ReadLesson,
    ids: &[LessonId],
    earlier: &BTreeSet<LessonId>,
    report: &mut Report,
) {
    lesson.head.requires.retain(|required| {
        if earlier.contains(&required.value) {
            return true;
        }
        let id = &required.value;
        if ids.contains(id) {
            report
                .error(
                    required.span.clone(),
                    format!("lesson `{id}` does not come before this one"),
                )
                .hint("change the order in `lessons/course.toml`");
        } else {
            report
                .error(required.span.clone(), format!("there is no lesson `{id}`"))
                .did_you_mean(id.as_str(), ids.iter().map(LessonId::as_str));
        }
        false
    });
}

/// Takes out questions that refer to a page, lab or metric which the lesson does not have.
fn questions(read: &mut ReadQuiz, lesson: &ReadLesson, report: &mut Report) {
    let questions = std::mem::take(&mut read.quiz.questions);
    let places = std::mem::take(&mut read.places);
    for (mut question, place) in questions.into_iter().zip(places) {
        if let Some(see) = &place.see
            && lesson.pages.iter().all(|it| it.id != see.value)
        {
            let known = lesson.pages.iter().map(|it| it.id.as_str());
            report
                .error(
                    see.span.clone(),
                    format!("the lesson has no page `#{}`", see.value),
                )
                .did_you_mean(see.value.as_str(), known);
            question.see = None;
        }
        if can_be_judged(&question, &place, lesson, report) {
            read.quiz.questions.push(question);
            read.places.push(place);
        }
    }
}

/// Whether a prediction has a lab that gives its truth; always for other questions.
fn can_be_judged(
    question: &Question,
    place: &Places,
    lesson: &ReadLesson,
    report: &mut Report,
) -> bool {
    let QuestionKind::Predict(Prediction { lab, metric, .. }) = &question.kind else {
        return true;
    };
    let Some(found) = lesson.labs.iter().find(|it| &it.id == lab) else {
        report
            .error(place.lab.clone(), format!("the lesson has no lab `{lab}`"))
            .did_you_mean(lab.as_str(), lesson.labs.iter().map(|it| it.id.as_str()));
        return false;
    };
    let Some(metrics) = found.metrics() else {
        return true;
    };
    if metrics.contains(metric.as_str()) || RunMetric::named(metric).is_some() {
        return true;
    }
    let known = metrics
        .iter()
        .copied()
        .chain(RunMetric::ALL.map(RunMetric::name));
    report
        .error(
            place.metric.clone(),
            format!("lab `{lab}` gives no metric `{metric}`"),
        )
        .did_you_mean_or(
            metric,
            known,
            format!("call `lab.metric(\"{metric}\", value, unit)` in it or its check"),
        );
    false
}

/// Gives each lab the prediction that it names.
fn predictions(lesson: &mut ReadLesson, quiz: Option<&ReadQuiz>, report: &mut Report) {
    for (index, wanted) in std::mem::take(&mut lesson.predicts) {
        let Some(lab) = lesson.labs.get_mut(index) else {
            continue;
        };
        let questions = quiz.map_or(&[][..], |it| &it.quiz.questions);
        let about = |question: &Question| {
            let QuestionKind::Predict(prediction) = &question.kind else {
                return None;
            };
            Some(prediction.lab.clone())
        };
        let found = questions.iter().find(|it| it.id == wanted.value);
        let problem = match found.map(about) {
            Some(Some(other)) if other == lab.id => {
                lab.predict = Some(wanted.value);
                continue;
            }
            Some(Some(other)) => format!("question `{}` predicts lab `{other}`", wanted.value),
            Some(None) => format!("question `{}` is not a prediction", wanted.value),
            None if quiz.is_none() => {
                "the lesson has no quiz that could hold this question".to_owned()
            }
            None => format!(
                "the quiz has no question `{}` that can be asked",
                wanted.value
            ),
        };
        let known = questions
            .iter()
            .filter(|it| about(it).is_some_and(|it: LabId| it == lab.id))
            .map(|it| it.id.as_str());
        report
            .error(wanted.span, problem)
            .did_you_mean(wanted.value.as_str(), known);
    }
}

/// Warns about a stretch of pages on which there is nothing to do.
fn idle_pages(lesson: &ReadLesson, quiz: Option<&Quiz>, report: &mut Report) {
    let with_lab: BTreeSet<_> = lesson.labs.iter().map(|it| &it.page).collect();
    let asked: BTreeSet<_> = quiz
        .iter()
        .flat_map(|it| &it.questions)
        .filter_map(|it| it.see.as_ref())
        .collect();
    let mut idle = 0;
    for (page, span) in lesson.pages.iter().zip(&lesson.page_spans) {
        if with_lab.contains(&page.id) || asked.contains(&page.id) {
            idle = 0;
            continue;
        }
        idle += 1;
        if idle == READ_ONLY_PAGES + 1 {
            report
                .warning(
                    span.clone(),
                    format!("{idle} pages in a row without a lab or a question"),
                )
                .hint("put a lab on one of them, or point a question's `see` at it");
        }
    }
}
