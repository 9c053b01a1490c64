//! What the shipped course asks of itself beyond what `warpup check` asks of every course.
//!
//! Each test says all that is missing, everywhere, since lessons are mended one after the other.

use crate::labs::shipped_course;
use std::ops::RangeInclusive;
use warpup::course::{
    Block, BlockKind, Course, Lab, Lesson, Page, Piece, Question, QuestionKind, Text,
};
use warpup::grade::strategies::{Guessed, guesses};

const LABS: RangeInclusive<usize> = 3..=6;
const HINTS_OF_A_LAB: RangeInclusive<usize> = 2..=3;
/// Columns of a program, as Python's formatters count them: wider lines break where lessons are read.
const WIDTH_OF_A_PROGRAM: usize = 88;
const HINTS_OF_A_QUESTION: RangeInclusive<usize> = 1..=3;
const QUESTIONS: usize = 7;

/// Fails with all that `missing` says about any lesson.
fn assert_of_all(missing: impl Fn(&Lesson) -> Vec<String>) {
    let course: Course = shipped_course();
    let of = |it: &Lesson| -> Vec<String> {
        let all = missing(it).into_iter();
        all.map(|what| format!("{}: {what}", it.id)).collect()
    };
    let all: Vec<String> = course.lessons.iter().flat_map(of).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Those whose condition does not hold.
fn unless<const N: usize>(all: [(bool, &str); N]) -> Vec<String> {
    let missing = all.into_iter().filter(|(holds, _)| !holds);
    missing.map(|(_, what)| what.to_owned()).collect()
}

#[test]
fn each_lesson_shows_does_and_sums_up() {
    assert_of_all(|lesson| {
        let blocks = || lesson.pages.iter().flat_map(|it| &it.blocks);
        let is_figure = |it: &Block| matches!(it.kind, BlockKind::Figure { .. });
        let page = |id: &str| lesson.pages.iter().find(|it| it.id.as_str() == id);
        unless([
            (lesson.objectives.len() >= 3, "fewer than three objectives"),
            (blocks().any(is_figure), "no figure"),
            (page("mistakes").is_some(), "no page `mistakes`"),
            (
                page("summary").is_some_and(has_sources),
                "no page `summary` that ends with sources and their links",
            ),
        ])
    });
}

/// Whether a page says **Sources** and has links out of the course.
fn has_sources(page: &Page) -> bool {
    let pieces = || {
        page.blocks
            .iter()
            .filter_map(text_of)
            .flat_map(|it| &it.pieces)
    };
    let is_head = |it: &Piece| it.strong && it.text.starts_with("Sources");
    let is_outside = |it: &Piece| it.link.iter().any(|to| to.starts_with("https://"));
    pieces().any(is_head) && pieces().any(is_outside)
}

fn text_of(block: &Block) -> Option<&Text> {
    match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => Some(text),
        BlockKind::Code { .. }
        | BlockKind::Figure { .. }
        | BlockKind::Table { .. }
        | BlockKind::Lab(_)
        | BlockKind::Rule => None,
    }
}

/// The Python that a learner may read of a lab; rustfmt has its own width.
fn texts(lab: &Lab) -> impl Iterator<Item = &str> {
    let texts = [Some(&lab.starter), lab.solution.as_ref()].into_iter();
    texts.flatten().map(String::as_str)
}

fn draws(lab: &Lab) -> bool {
    let mut texts = [Some(&lab.starter), lab.check.as_ref()].into_iter();
    texts.any(|it| it.is_some_and(|it| it.contains("lab.plot(")))
}

#[test]
fn each_lesson_has_labs_to_predict_to_repair_and_to_read_in_rust() {
    assert_of_all(|lesson| {
        let labs = &lesson.labs;
        let mut missing = unless([
            (LABS.contains(&labs.len()), "not three to six labs"),
            (labs.iter().any(|it| it.predict.is_some()), "no prediction"),
            (labs.iter().any(|it| it.solution.is_some()), "no repair"),
            (labs.iter().any(draws), "no lab that draws"),
            (labs.iter().any(|it| it.rust.is_some()), "no candle program"),
        ]);
        for lab in labs {
            let too_wide = texts(lab).flat_map(str::lines);
            let too_wide = too_wide.filter(|it| it.chars().count() > WIDTH_OF_A_PROGRAM);
            missing.extend(too_wide.map(|it| format!("lab {} has a wide line: {it}", lab.id)));
            if !HINTS_OF_A_LAB.contains(&lab.hints.len()) {
                missing.push(format!("lab {} has {} hints", lab.id, lab.hints.len()));
            }
        }
        missing
    });
}

#[test]
fn each_quiz_asks_enough_and_helps_with_every_question() {
    assert_of_all(|lesson| {
        let Some(quiz) = &lesson.quiz else {
            return vec!["no quiz".to_owned()];
        };
        let counted = quiz.counted().count();
        let mut missing = unless([(counted >= QUESTIONS, "fewer than seven questions count")]);
        missing.extend(quiz.questions.iter().flat_map(missing_of_question));
        missing
    });
}

fn missing_of_question(question: &Question) -> Vec<String> {
    // Own words come with a list of what they might say.
    let is_own = matches!(question.kind, QuestionKind::Words(_));
    let hints = is_own || HINTS_OF_A_QUESTION.contains(&question.hints.len());
    let near = if let QuestionKind::Numeric(numeric) = &question.kind {
        !numeric.near.is_empty()
    } else {
        true
    };
    let missing = unless([
        (hints, "not one to three hints"),
        (question.see.is_some(), "no page to read again"),
        (near, "no near miss"),
    ]);
    let name = |it| format!("question {}: {it}", question.id);
    missing.into_iter().map(name).collect()
}

#[test]
fn no_quiz_gives_half_of_its_points_to_somebody_who_goes_by_form() {
    assert_of_all(|lesson| {
        let quiz = lesson.quiz.iter();
        let guessed = quiz.flat_map(guesses).filter(Guessed::is_too_much);
        let told = guessed.map(|it| {
            let (points, questions) = (it.points(), it.questions());
            format!("{}: {points} points by {questions}", it.strategy)
        });
        told.collect()
    });
}
