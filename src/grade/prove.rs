//! Proofs that a course says what it means: every key, wrong option, near miss and sample goes through the
//! real grader, and [`plan`] lists the programs that the labs claim something about.
//!
//! Pure: running the programs is up to the command.

use super::answer::Answer;
use super::kinds::{Claim, Expected, graded};
use super::question::{grade, key};
use crate::course::{Course, Diagnostic, Lab, Lesson, Question, Severity};

/// Grades what the quizzes say is right or wrong, and reports where the grader disagrees.
pub fn prove(course: &Course) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for quiz in course.lessons.iter().filter_map(|it| it.quiz.as_ref()) {
        for question in &quiz.questions {
            let claims = graded(&question.kind).claims();
            let problems = claims.iter().flat_map(|it| problems(question, it));
            diagnostics.extend(problems.map(|problem| Diagnostic {
                severity: Severity::Error,
                file: quiz.file.clone(),
                span: question.head(),
                message: format!("question `{}`: {problem}", question.id),
                hint: None,
            }));
        }
    }
    diagnostics
}

/// A program that has to end in a certain way.
#[derive(Clone, Copy, Debug)]
pub struct LabProof<'a> {
    /// The lesson it stands in.
    pub lesson: &'a Lesson,
    /// The lab, whose check and time limit hold for it.
    pub lab: &'a Lab,
    /// Which of the lab's programs it is, for messages: `starter` or `solution`.
    pub program: &'static str,
    /// The program.
    pub source: &'a str,
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
pub fn plan(course: &Course) -> Vec<LabProof<'_>> {
    let mut proofs = Vec::new();
    for lesson in &course.lessons {
        for lab in &lesson.labs {
            let proof = |program, source, expect| LabProof {
                lesson,
                lab,
                program,
                source,
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

/// Where the grader disagrees with a claim.
fn problems(question: &Question, claim: &Claim) -> Vec<String> {
    match claim {
        Claim::Key(truth) => match key(question, *truth) {
            Some(key) => disagreement(question, "the key", &key, *truth, &Expected::Right),
            None => vec!["there is no right answer".to_owned()],
        },
        Claim::Answer {
            what,
            answer,
            truth,
            expected,
        } => disagreement(question, what, answer, *truth, expected),
    }
}

fn disagreement(
    question: &Question,
    what: &str,
    answer: &Answer,
    truth: Option<f64>,
    expected: &Expected,
) -> Vec<String> {
    let problem = match (grade(question, answer, truth), expected) {
        (Ok(verdict), Expected::Right) if !verdict.is_right() => "is graded wrong",
        (Ok(verdict), Expected::Wrong | Expected::Near(_)) if verdict.is_right() => {
            "is graded right"
        }
        (Ok(verdict), Expected::Near(said)) if !verdict.feedback.contains(said) => {
            "gets the feedback of another one"
        }
        (Ok(_), Expected::Right | Expected::Wrong | Expected::Near(_)) => return Vec::new(),
        (Err(why), Expected::Right | Expected::Wrong | Expected::Near(_)) => {
            return vec![format!("{what} cannot be read: {why}")];
        }
    };
    vec![format!("{what} {problem}")]
}
