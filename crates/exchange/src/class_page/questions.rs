//! The questions: the hardest ones, then all of them by lesson.

use super::BREAK;
use super::bars::bar;
use maud::{Markup, html};
use warpup_class::{ClassReport, QuestionRow, RowOf, words};
use warpup_course::{BlockKind, ChoiceId, Course, Lesson, Question};
use warpup_grade as grade;

/// So many of the hardest questions are shown at once.
const HARDEST: usize = 10;

/// A longer prompt or option is cut.
const MOST_LETTERS: usize = 120;

pub(super) fn write(report: &ClassReport<'_>) -> Markup {
    let answered = report.questions.iter().filter(|it| it.answered > 0);
    let answered: Vec<_> = answered.collect();
    html! {
        h2 #questions { "Questions, by the first answer of each learner" } "\n"
        @if answered.iter().all(|it| is_version(it)) {
            p { "Nobody has answered one yet." } "\n"
        } @else {
            (hardest(&answered, report.course))
            @for lesson in &report.course.lessons { (of_lesson(lesson, &answered, report.course)) }
        }
    }
}

fn hardest(answered: &[&QuestionRow<'_>], course: &Course) -> Markup {
    let rows = answered.iter().filter(|it| !is_version(it));
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|it| 1000 * it.right / it.answered.max(1));
    let rows = rows.into_iter().take(HARDEST).map(|row| {
        let name = format!("{} \u{203a} {}", row.lesson, row.question);
        of_question(row, &name, course)
    });
    let caption = html! {
        caption { "The questions that fewest learners had right at the first try" } "\n"
    };
    table(&caption, rows)
}

/// The answered questions of a lesson, if there are any.
fn of_lesson(lesson: &Lesson, answered: &[&QuestionRow<'_>], course: &Course) -> Markup {
    let rows = answered.iter().filter(|it| *it.lesson == lesson.id);
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Markup::default();
    }
    let (right, all) = rows
        .iter()
        .filter(|it| !is_version(it))
        .fold((0, 0), |sum, it| (sum.0 + it.right, sum.1 + it.answered));
    let percent = words::percent(right, all).unwrap_or_default();
    let rows = rows.into_iter().map(|row| {
        let name = match row.of {
            RowOf::Question => row.question.to_string(),
            RowOf::Version => format!("version {}", row.question),
        };
        of_question(row, &name, course)
    });
    html! {
        details {
            summary { (lesson.title) ": " (percent) " % of first answers right" } "\n"
            (table(&Markup::default(), rows))
        } "\n"
    }
}

fn table(caption: &Markup, rows: impl Iterator<Item = Markup>) -> Markup {
    html! {
        div.wide { table { "\n"
            (caption)
            thead { tr {
                th { "question" }
                th.bar { "right at the first try" }
                th.n { "right" }
                th.n { "answered" }
                th.n { "discrimination" }
                th.n { "time" }
                th { "most chosen wrong" }
            } } "\n"
            tbody { "\n" @for row in rows { (row) } }
        } } "\n"
    }
}

/// Whether it is one of several versions of a question, which has a row of its own.
fn is_version(row: &QuestionRow<'_>) -> bool {
    row.of == RowOf::Version
}

/// The question of a row; of one in versions, the first version.
fn asked<'a>(row: &QuestionRow<'_>, course: &'a Course) -> Option<&'a Question> {
    let lesson = course.lessons.iter().find(|it| it.id == *row.lesson)?;
    let mut questions = lesson.quiz.iter().flat_map(|it| &it.questions);
    questions.find(|it| it.id == *row.question || it.name() == row.question)
}

/// The first sentence or two of what it asks.
fn prompt(question: &Question) -> String {
    let first = question.prompt.iter().find_map(|it| match &it.kind {
        BlockKind::Paragraph(text) => Some(text.plain()),
        BlockKind::Heading { .. }
        | BlockKind::Code { .. }
        | BlockKind::Figure { .. }
        | BlockKind::Table { .. }
        | BlockKind::Lab(_)
        | BlockKind::Rule => None,
    });
    cut(&first.unwrap_or_default())
}

fn cut(text: &str) -> String {
    let text = text.replace('\n', " ");
    if text.chars().count() <= MOST_LETTERS {
        return text;
    }
    let start = text.chars().take(MOST_LETTERS - 1);
    start.chain(['\u{2026}']).collect()
}

/// The text of an option that can be chosen.
fn option_text(question: &Question, option: &ChoiceId) -> Option<String> {
    let input = grade::input(question);
    let row = input.rows.iter().find(|it| it.id == option)?;
    Some(cut(&row.text.plain()))
}

fn of_question(row: &QuestionRow<'_>, name: &str, course: &Course) -> Markup {
    let question = asked(row, course);
    let prompt = question.map(prompt).filter(|it| !it.is_empty());
    let nothing = || "\u{2013}".to_owned();
    let percent = words::percent(row.right, row.answered).unwrap_or_default();
    let label = format!("{} of {} right", row.right, row.answered);
    let text = |option: &ChoiceId| {
        let text = question.and_then(|it| option_text(it, option));
        text.unwrap_or_else(|| option.to_string())
    };
    html! {
        tr {
            td.name { (name) @if let Some(prompt) = prompt { (BREAK) small { (prompt) } } }
            td.bar { (bar(&[("done", row.right)], row.answered, &label)) }
            td.n { (percent) " %" }
            td.n { (row.answered) }
            td.n { (row.discrimination.map_or_else(nothing, |it| format!("{it:.2}"))) }
            td.n { (row.median_ms.map_or_else(nothing, words::time)) }
            td { @if let Some((mistake, times)) = &row.wrong { (mistake.words(text)) " (" (times) ")" } }
        } "\n"
    }
}
