//! What a lesson and its quiz say about each other: pages to return to, labs, predictions.

use super::Lab;
use super::body::Body;
use crate::diagnostics::{Report, Rule};
use crate::model::LabId;
use crate::quiz::kinds::{PredictForm, Prediction};
use crate::quiz::{Places, Question, QuestionKind, ReadQuiz};
use crate::run_metric::RunMetric;
use std::cell::LazyCell;

/// Joins a lesson and its quiz: each lab gets the prediction that it names, and what refers to nothing is taken out.
pub(crate) fn join(
    lesson: &mut Body,
    mut quiz: Option<&mut ReadQuiz>,
    report: &mut Report,
    quiz_report: &mut Report,
) {
    if let Some(quiz) = quiz.as_deref_mut() {
        questions(quiz, lesson, quiz_report);
    }
    // A question that is not there may be left out because of a mistake in it.
    let is_whole = quiz_report.errors() == 0;
    // A mistake in a fence may hide the question that it names.
    if let Some(quiz) = quiz.as_deref()
        && report.errors() == 0
    {
        never_asked(quiz, lesson, quiz_report);
    }
    predictions(lesson, quiz.as_deref(), is_whole, report);
}

/// Warns about predictions that no lab names: neither the lab nor the quiz asks them.
fn never_asked(read: &ReadQuiz, lesson: &Body, report: &mut Report) {
    for (question, place) in read.quiz.questions.iter().zip(&read.places) {
        let QuestionKind::Predict(Prediction { lab, .. }) = &question.kind else {
            continue;
        };
        let is_named = lesson.predicts.iter().any(|(at, it)| {
            // A lab that names another question is another mistake, or none.
            let of_lab = lesson.labs.get(*at).is_some_and(|it| it.id == *lab);
            it.value == question.id || of_lab
        });
        if !question.counts && !is_named {
            let message = format!("nobody is asked `{}`: no lab names it", question.id);
            report
                .warning(Rule::PredictionNotAsked, place.lab.clone(), message)
                .hint(format!(
                    "write `predict={}` into the fence of lab `{lab}`",
                    question.id
                ));
        }
    }
}

/// Takes out questions that refer to a page, lab or metric which the lesson does not have.
fn questions(read: &mut ReadQuiz, lesson: &Body, report: &mut Report) {
    let questions = std::mem::take(&mut read.quiz.questions);
    let places = std::mem::take(&mut read.places);
    let names = LazyCell::new(|| lesson.page_names());
    for (mut question, place) in questions.into_iter().zip(places) {
        if let Some(see) = &place.see
            && lesson.pages.iter().all(|it| it.id != see.value)
        {
            question.see = None;
        }
        if let Some(see) = &place.see
            && question.see.is_none()
            && !lesson.left_out.has_page
        {
            let message = format!("the lesson has no page `#{}`", see.value);
            let said = report.error(Rule::UnknownPage, see.span.clone(), message);
            names.suggest(see.value.as_str(), said);
        }
        if can_be_judged(&question, &place, lesson, report) {
            read.quiz.questions.push(question);
            read.places.push(place);
        }
    }
}

/// Whether a prediction has a lab that gives its truth; always for other questions.
fn can_be_judged(question: &Question, place: &Places, lesson: &Body, report: &mut Report) -> bool {
    let QuestionKind::Predict(Prediction { lab, metric, .. }) = &question.kind else {
        return true;
    };
    let Some(found) = lesson.labs.iter().find(|it| &it.id == lab) else {
        if lesson.left_out.may_have(lab.as_str()) {
            return false;
        }
        let labs = lesson.labs.iter().map(|it| it.id.as_str());
        let all = match labs.clone().collect::<Vec<_>>().join(", ") {
            labs if labs.is_empty() => "the lesson of this quiz has no labs".to_owned(),
            labs => format!("the labs of its lesson are {labs}"),
        };
        report
            .error(
                Rule::UnknownLab,
                place.lab.clone(),
                format!("the lesson has no lab `{lab}`"),
            )
            .did_you_mean_or(lab.as_str(), labs, all);
        return false;
    };
    check_unit(question, place, found, report);
    let Some(metrics) = found.metrics() else {
        return true;
    };
    // A block that is left out may give it.
    let may_give = metrics.contains(metric.as_str()) || lesson.left_out.has_block;
    if may_give || RunMetric::named(metric).is_some() {
        return true;
    }
    let known = metrics
        .iter()
        .copied()
        .chain(RunMetric::ALL.map(RunMetric::name));
    report
        .error(
            Rule::UnknownMetric,
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

/// Warns about a predicted number in another unit than the one of its metric: the two are compared as they are.
fn check_unit(question: &Question, place: &Places, lab: &Lab, report: &mut Report) {
    let QuestionKind::Predict(Prediction { metric, form, .. }) = &question.kind else {
        return;
    };
    let PredictForm::Number {
        unit: Some(unit), ..
    } = form
    else {
        return;
    };
    let of_run = || RunMetric::named(metric).map(RunMetric::unit);
    let Some(recorded) = lab.unit_of(metric).or_else(of_run) else {
        return;
    };
    if recorded != unit && !recorded.is_empty() {
        let message = format!(
            "lab `{}` records `{metric}` in {recorded}, and the prediction is in {unit}",
            lab.id
        );
        report
            .warning(Rule::MetricUnit, place.unit.clone(), message)
            .hint(format!(
                "write `unit = \"{recorded}\"`: a metric is compared as it is, and not converted"
            ));
    }
}

/// Gives each lab the prediction that it names.
fn predictions(lesson: &mut Body, quiz: Option<&ReadQuiz>, is_whole: bool, report: &mut Report) {
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
            None if !is_whole => continue,
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
        let how = match known.clone().next() {
            Some(id) => format!("write `predict={id}`, which is about this lab"),
            None => format!(
                "the quiz needs a question with `type = \"predict\"` and `lab = \"{}\"`",
                lab.id
            ),
        };
        report
            .error(Rule::UnknownPrediction, wanted.span, problem)
            .did_you_mean_or(wanted.value.as_str(), known, how);
    }
}
