//! Proofs that a course says what it means: every key, wrong option, near miss and sample goes through the
//! real grader, and [`lab_proofs`] lists the programs that the labs claim something about.
//!
//! Pure: running the programs is up to the command.

use super::kinds::{Claim, ExpectedVerdict, graded};
use super::question::grade;
use std::collections::BTreeSet;
use warpup_course::{Course, Diagnostic, Lab, Lesson, Question, Rule, Severity, Solution};

/// Grades what the quizzes say is right or wrong, and reports where the grader disagrees.
pub fn prove(course: &Course) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for quiz in course.lessons.iter().filter_map(|it| it.quiz.as_ref()) {
        let mut told = BTreeSet::new();
        for question in &quiz.questions {
            // The claims of its other versions are the same ones, with other numbers.
            if told.contains(question.name()) {
                continue;
            }
            let before = diagnostics.len();
            let claims = graded(&question.kind).claims();
            let problems = claims
                .iter()
                .filter_map(|it| Some((problem(question, it)?, it.at.clone())));
            diagnostics.extend(problems.map(|(problem, at)| Diagnostic {
                severity: Severity::Error,
                rule: Rule::KeyDisagrees,
                file: quiz.file.clone(),
                span: at.unwrap_or_else(|| question.head()),
                message: format!("question `{}`: {problem}", question.name()),
                hint: Some("change the key or this claim, so that both say the same".to_owned()),
                fix: None,
            }));
            if diagnostics.len() > before {
                told.insert(question.name());
            }
        }
    }
    diagnostics
}

/// A program that has to end in a certain way.
#[derive(Clone, Copy, Debug)]
pub struct LabProof<'a> {
    /// The lesson it belongs to.
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
pub fn lab_proofs(course: &Course) -> Vec<LabProof<'_>> {
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
                    if let Solution::Program(program) = solution {
                        proofs.push(proof("solution", program, Expect::Pass));
                    }
                }
                None => proofs.push(proof("starter", &lab.starter, Expect::Pass)),
            }
        }
    }
    proofs
}

/// How the grader disagrees with a claim, if it does.
fn problem(question: &Question, claim: &Claim) -> Option<String> {
    let Some(answer) = &claim.answer else {
        return Some("there is no right answer".to_owned());
    };
    let what = &claim.what;
    let verdict = match grade(question, answer, claim.truth) {
        Ok(verdict) => verdict,
        Err(why) => return Some(format!("{what} cannot be read: {why}")),
    };
    let problem = match &claim.expected {
        ExpectedVerdict::Right if !verdict.is_right() => "is graded wrong",
        ExpectedVerdict::Wrong | ExpectedVerdict::Near(_) if verdict.is_right() => {
            "is graded right"
        }
        ExpectedVerdict::Near(said) if !verdict.feedback.contains(said) => {
            "gets the feedback of another one"
        }
        ExpectedVerdict::Right | ExpectedVerdict::Wrong | ExpectedVerdict::Near(_) => return None,
    };
    Some(format!("{what} {problem}"))
}
