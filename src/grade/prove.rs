//! Proofs that a course says what it means: every key, wrong option, near miss and sample goes through the
//! real grader, and [`plan`] lists the programs that the labs claim something about.
//!
//! Pure: running the programs is up to the command.

use super::{Answer, grade, key};
use crate::course::lint::head;
use crate::course::{
    Bin, Choice, Course, Diagnostic, LabId, LessonId, Numeric, PredictForm, Question, QuestionKind,
    Quiz, Severity, Text,
};
use std::collections::BTreeSet;
use std::time::Duration;

/// Grades what the quizzes say is right or wrong, and reports where the grader disagrees.
pub fn prove(course: &Course) -> Vec<Diagnostic> {
    let mut proofs = Proofs(Vec::new());
    for quiz in course.lessons.iter().filter_map(|it| it.quiz.as_ref()) {
        for question in &quiz.questions {
            proofs.question(quiz, question);
        }
    }
    proofs.0
}

/// A program that has to end in a certain way.
#[derive(Clone, Debug, PartialEq)]
pub struct LabProof {
    /// The lesson it stands in.
    pub lesson: LessonId,
    /// The lab.
    pub lab: LabId,
    /// Which of the lab's programs it is, for messages: `starter` or `solution`.
    pub program: &'static str,
    /// The program.
    pub source: String,
    /// What is appended to it.
    pub check: Option<String>,
    /// Wall time it may take.
    pub time_limit: Duration,
    /// How it has to end.
    pub expect: Expect,
}

/// How a program has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Well, with every check held.
    Pass,
    /// With an exception or a failed check.
    Fail,
}

/// What has to be run to prove the labs. A lab with a solution is a repair: its starter has to fail.
pub fn plan(course: &Course) -> Vec<LabProof> {
    let mut proofs = Vec::new();
    for lesson in &course.lessons {
        for lab in &lesson.labs {
            let proof = |program, source: &str, expect| LabProof {
                lesson: lesson.id.clone(),
                lab: lab.id.clone(),
                program,
                source: source.to_owned(),
                check: lab.check.clone(),
                time_limit: lab.time_limit,
                expect,
            };
            match &lab.solution {
                Some(solution) => {
                    proofs.push(proof("starter", &lab.starter, Expect::Fail));
                    proofs.push(proof("solution", solution, Expect::Pass));
                }
                None => proofs.push(proof("starter", &lab.starter, Expect::Pass)),
            }
        }
    }
    proofs
}

/// What the grader should make of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Should {
    BeRight,
    BeWrong,
}

/// The disagreements so far.
struct Proofs(Vec<Diagnostic>);

impl Proofs {
    fn question(&mut self, quiz: &Quiz, question: &Question) {
        let mut of = Of {
            proofs: self,
            quiz,
            question,
        };
        match &question.kind {
            QuestionKind::Single { options, .. } => of.single(options),
            QuestionKind::Multi { options, .. } => of.multi(options),
            QuestionKind::Numeric(numeric) => of.numeric(numeric),
            QuestionKind::Text {
                accept,
                samples_ok,
                samples_bad,
                near,
                ..
            } => of.text(&[accept, samples_ok], samples_bad, near),
            QuestionKind::Order { items, also } => of.order(items, also),
            QuestionKind::Match { pairs } => {
                let ids: Vec<_> = pairs.iter().map(|it| it.id.clone()).collect();
                let turned = ids.iter().skip(1).chain(ids.first()).cloned();
                let wrong = Answer::Match(ids.iter().cloned().zip(turned).collect());
                of.key(None);
                of.expect("pairs that are all wrong", &wrong, None, Should::BeWrong);
            }
            QuestionKind::Predict { form, .. } => of.predict(form),
            QuestionKind::Words { .. } => {}
        }
    }
}

/// One question under proof.
struct Of<'p, 'q> {
    proofs: &'p mut Proofs,
    quiz: &'q Quiz,
    question: &'q Question,
}

impl Of<'_, '_> {
    fn single(&mut self, options: &[Choice]) {
        self.key(None);
        for option in options.iter().filter(|it| !it.correct) {
            let what = format!("option `{}`", option.id);
            let answer = Answer::Single(option.id.clone());
            self.expect(&what, &answer, None, Should::BeWrong);
        }
    }

    fn multi(&mut self, options: &[Choice]) {
        self.key(None);
        let right: BTreeSet<_> = options
            .iter()
            .filter(|it| it.correct)
            .map(|it| it.id.clone())
            .collect();
        for option in options {
            // The key with one option more or less.
            let mut changed = right.clone();
            if !changed.remove(&option.id) {
                changed.insert(option.id.clone());
            }
            if !changed.is_empty() {
                let what = format!("the key with `{}` changed", option.id);
                self.expect(&what, &Answer::Multi(changed), None, Should::BeWrong);
            }
        }
    }

    fn numeric(&mut self, numeric: &Numeric) {
        self.key(None);
        let unit = numeric.unit.as_deref().unwrap_or_default();
        for near in &numeric.near {
            let written = format!("{} {unit}", near.value);
            let what = format!("near miss {}", written.trim());
            self.near_miss(&what, &Answer::Number(written), &near.feedback);
        }
    }

    fn text(&mut self, good: &[&Vec<String>], bad: &[String], near: &[(String, Text)]) {
        for text in good.iter().copied().flatten() {
            let answer = Answer::Text(text.clone());
            self.expect(&format!("`{text}`"), &answer, None, Should::BeRight);
        }
        for text in bad {
            let answer = Answer::Text(text.clone());
            self.expect(&format!("`{text}`"), &answer, None, Should::BeWrong);
        }
        for (text, feedback) in near {
            let what = format!("near miss `{text}`");
            self.near_miss(&what, &Answer::Text(text.clone()), feedback);
        }
    }

    fn order(&mut self, items: &[Choice], also: &[Vec<super::ChoiceId>]) {
        self.key(None);
        for order in also {
            self.expect(
                "an order in `also`",
                &Answer::Order(order.clone()),
                None,
                Should::BeRight,
            );
        }
        let reversed: Vec<_> = items.iter().rev().map(|it| it.id.clone()).collect();
        if !also.contains(&reversed) {
            self.expect(
                "the reversed order",
                &Answer::Order(reversed),
                None,
                Should::BeWrong,
            );
        }
    }

    fn predict(&mut self, form: &PredictForm) {
        match form {
            PredictForm::Number { .. } => self.key(Some(1.0)),
            PredictForm::Bins(bins) => {
                for bin in bins {
                    let truth = inside(bin);
                    self.key(Some(truth));
                    for other in bins.iter().filter(|it| it.id != bin.id) {
                        let what = format!("bin `{}` at {truth}", other.id);
                        let answer = Answer::Single(other.id.clone());
                        self.expect(&what, &answer, Some(truth), Should::BeWrong);
                    }
                }
            }
        }
    }

    fn key(&mut self, truth: Option<f64>) {
        match key(self.question, truth) {
            Some(answer) => self.expect("the key", &answer, truth, Should::BeRight),
            None => self.push("there is no right answer"),
        }
    }

    fn expect(&mut self, what: &str, answer: &Answer, truth: Option<f64>, should: Should) {
        let problem = match (grade(self.question, answer, truth), should) {
            (Ok(verdict), Should::BeRight) if !verdict.is_right() => "is graded wrong".to_owned(),
            (Ok(verdict), Should::BeWrong) if verdict.is_right() => "is graded right".to_owned(),
            (Ok(_), Should::BeRight | Should::BeWrong) => return,
            (Err(why), Should::BeRight | Should::BeWrong) => format!("cannot be read: {why}"),
        };
        self.push(&format!("{what} {problem}"));
    }

    /// A near miss is wrong, and says what its author wrote for it.
    fn near_miss(&mut self, what: &str, answer: &Answer, feedback: &Text) {
        self.expect(what, answer, None, Should::BeWrong);
        if let Ok(verdict) = grade(self.question, answer, None)
            && !verdict.is_right()
            && !verdict.feedback.contains(feedback)
        {
            self.push(&format!("{what} gets the feedback of another one"));
        }
    }

    fn push(&mut self, problem: &str) {
        self.proofs.0.push(Diagnostic {
            severity: Severity::Error,
            file: self.quiz.file.clone(),
            span: head(self.question),
            message: format!("question `{}`: {problem}", self.question.id),
            hint: None,
        });
    }
}

/// A value for which this bin is right.
fn inside(bin: &Bin) -> f64 {
    match (bin.from.is_finite(), bin.to.is_finite()) {
        (true, _) => bin.from,
        (false, true) => bin.to - 1.0,
        (false, false) => 0.0,
    }
}
