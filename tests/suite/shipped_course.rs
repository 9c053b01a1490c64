//! Rules for the shipped course beyond those that `warpup check` has for every course.
//!
//! Each test lists everything that is missing in all lessons.

use crate::support::lab_runner::shipped_course;
use std::ops::RangeInclusive;
use warpup_course::reading_time::Time;
use warpup_course::{
    Block, BlockKind, Container, Lab, Lesson, Page, Piece, Question, QuestionKind, Text,
};
use warpup_grade::strategies::{StrategyScore, guesses};

const LABS: RangeInclusive<usize> = 3..=6;
const HINTS_OF_A_LAB: RangeInclusive<usize> = 2..=3;
/// Minutes of a lesson, its labs included and its quiz not.
const MINUTES: u64 = 30;
/// The widest line of a program, in characters. Wider lines wrap where lessons are shown.
const WIDTH_OF_A_PROGRAM: usize = 88;
const HINTS_OF_A_QUESTION: RangeInclusive<usize> = 1..=3;
const QUESTIONS: usize = 7;

/// A case teaches nothing new: it has one program with several faults, and a quiz about evidence.
fn is_case(lesson: &Lesson) -> bool {
    lesson.id.as_str().starts_with("case-")
}

/// Fails with everything that `missing` lists for any lesson.
fn assert_for_all(missing: impl Fn(&Lesson) -> Vec<String>, is_meant: impl Fn(&Lesson) -> bool) {
    let of = |it: &Lesson| -> Vec<String> {
        let all = missing(it).into_iter();
        all.map(|what| format!("{}: {what}", it.id)).collect()
    };
    let lessons = shipped_course().lessons.iter();
    let all: Vec<String> = lessons.filter(|it| is_meant(it)).flat_map(of).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The same for lessons that teach, and for cases.
fn assert_for_all_lessons(missing: impl Fn(&Lesson) -> Vec<String>) {
    assert_for_all(missing, |_| true);
}

/// The same for lessons that teach.
fn assert_for_all_but_cases(missing: impl Fn(&Lesson) -> Vec<String>) {
    assert_for_all(missing, |it| !is_case(it));
}

#[test]
fn each_case_has_one_lab_to_repair_and_a_quiz_of_five_questions() {
    let missing = |lesson: &Lesson| {
        let labs = &lesson.labs;
        let quiz = lesson.quiz.as_ref();
        unless([
            (lesson.objectives.len() >= 3, "fewer than three objectives"),
            (labs.len() == 1, "not one lab"),
            (labs.iter().all(|it| it.solution.is_some()), "no repair"),
            (
                labs.iter().all(|it| it.hints.len() >= 2),
                "fewer than two hints",
            ),
            (
                quiz.is_some_and(|it| it.asks() >= 5),
                "asks fewer than five questions",
            ),
        ])
    };
    assert_for_all(missing, is_case);
}

/// The sentences whose condition does not hold.
fn unless<const N: usize>(all: [(bool, &str); N]) -> Vec<String> {
    let missing = all.into_iter().filter(|(holds, _)| !holds);
    missing.map(|(_, what)| what.to_owned()).collect()
}

#[test]
fn each_lesson_has_objectives_a_figure_mistakes_and_a_summary_with_sources() {
    assert_for_all_but_cases(|lesson| {
        let blocks = || lesson.pages.iter().flat_map(|it| &it.blocks);
        let is_figure = |it: &Block| matches!(it.kind, BlockKind::Figure { .. });
        let page = |id: &str| lesson.pages.iter().find(|it| it.id.as_str() == id);
        unless([
            (lesson.objectives.len() >= 3, "fewer than three objectives"),
            (blocks().any(is_figure), "no figure"),
            (page("mistakes").is_some(), "no page `mistakes`"),
            (
                page("summary").is_some_and(has_sources),
                "no page `summary` with a folded part `Sources` that has links",
            ),
        ])
    });
}

/// Whether a page has a folded part *Sources* with links out of the course.
fn has_sources(page: &Page) -> bool {
    let is_inside = |it: &&Block| {
        it.within
            .iter()
            .any(|it| matches!(it, Container::Details { summary, .. } if summary == "Sources"))
    };
    let texts = page.blocks.iter().filter(is_inside).filter_map(text_of);
    let is_outside = |it: &Piece| it.link.iter().any(|to| to.starts_with("https://"));
    texts.flat_map(|it| &it.pieces).any(is_outside)
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

/// The Python of a lab that a learner may read; rustfmt has its own width.
fn texts(lab: &Lab) -> impl Iterator<Item = &str> {
    let texts = [Some(lab.starter.as_str()), lab.solution_program()].into_iter();
    texts.flatten()
}

fn draws(lab: &Lab) -> bool {
    let mut texts = [Some(&lab.starter), lab.check.as_ref()].into_iter();
    let draws = |it: &String| it.contains("lab.plot(") || it.contains("lab.bars(");
    texts.any(|it| it.is_some_and(draws))
}

#[test]
fn each_lesson_has_labs_to_predict_to_repair_and_to_read_in_rust() {
    assert_for_all_but_cases(|lesson| {
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
fn no_lesson_takes_more_than_half_an_hour() {
    assert_for_all_lessons(|lesson| {
        let minutes = Time::of(lesson).minutes();
        let too_long = minutes.max(u64::from(lesson.minutes)) > MINUTES;
        let said = format!("{minutes} minutes, and its head says {}", lesson.minutes);
        too_long.then_some(said).into_iter().collect()
    });
}

#[test]
fn each_try_it_has_a_folded_answer() {
    assert_for_all_lessons(|lesson| {
        let blocks: Vec<_> = lesson.pages.iter().flat_map(|it| &it.blocks).collect();
        let is_try = |it: &Block| {
            let pieces = text_of(it)
                .map(|it| it.pieces.as_slice())
                .unwrap_or_default();
            pieces
                .first()
                .is_some_and(|it| it.emphasis && it.text.starts_with("Try it"))
        };
        let is_fold = |it: &Block| {
            let mut inside = it.within.iter();
            inside.any(|it| matches!(it, Container::Details { .. }))
        };
        let tries = blocks.iter().enumerate().filter(|(_, it)| is_try(it));
        let without = tries.filter(|(at, _)| {
            // A list or a program may be between the two.
            let after = blocks.get(at + 1..).unwrap_or_default();
            let until = after.iter().position(|it| is_try(it) || is_heading(it));
            !after
                .iter()
                .take(until.unwrap_or(after.len()))
                .any(|it| is_fold(it))
        });
        let said =
            without.filter_map(|(_, it)| Some(format!("no answer: {}", text_of(it)?.plain())));
        said.collect()
    });
}

fn is_heading(block: &Block) -> bool {
    matches!(block.kind, BlockKind::Heading { .. })
}

#[test]
fn each_quiz_has_a_pool_and_a_question_with_new_numbers() {
    assert_for_all_but_cases(|lesson| {
        let Some(quiz) = &lesson.quiz else {
            return vec!["no quiz".to_owned()];
        };
        let (pool, asks) = (quiz.pool().count(), quiz.asks());
        let has_versions = quiz.counted().any(|it| it.version_of.is_some());
        unless([
            (
                2 * pool >= 3 * asks,
                "a pool of less than 1.5 times what is asked",
            ),
            (has_versions, "no question has versions"),
        ])
    });
}

#[test]
fn each_quiz_asks_enough_and_helps_with_every_question() {
    assert_for_all_but_cases(|lesson| {
        let Some(quiz) = &lesson.quiz else {
            return vec!["no quiz".to_owned()];
        };
        let counted = quiz.asks();
        let mut missing = unless([(counted >= QUESTIONS, "asks fewer than seven questions")]);
        missing.extend(quiz.questions.iter().flat_map(missing_of_question));
        missing
    });
}

fn missing_of_question(question: &Question) -> Vec<String> {
    // A question in own words comes with a model answer.
    let is_own = matches!(question.kind, QuestionKind::Words(_));
    let hints = is_own || HINTS_OF_A_QUESTION.contains(&question.hints.len());
    let near = if let QuestionKind::Numeric(numeric) = &question.kind {
        numeric.key.iter().any(|it| !it.near.is_empty())
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
fn no_quiz_gives_40_percent_of_its_points_to_guesses_by_form() {
    assert_for_all_lessons(|lesson| {
        let quiz = lesson.quiz.iter();
        let guessed = quiz.flat_map(guesses).filter(StrategyScore::is_too_much);
        let sentences = guessed.map(|it| {
            let (points, questions) = (it.points(), it.questions());
            format!("{}: {points} points by {questions}", it.strategy)
        });
        sentences.collect()
    });
}
