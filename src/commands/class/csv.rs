//! The report for programs, as RFC 4180 has it: one table, whose columns never change their meaning.

use super::text::percent;
use crate::class::{ClassReport, LearnerRows, LessonRow, QuestionRow, RowOf};
use crate::grade::points;
use crate::shown::Shown;
use crate::utc;

/// The columns. `row` says what a row is about: `lesson`, `question` or `problem`.
const COLUMNS: [&str; 19] = [
    "row",
    "learner",
    "lesson",
    "status",
    "best",
    "max",
    "attempts",
    "labs_passed",
    "labs",
    "first_utc",
    "last_utc",
    "question",
    "answered",
    "first_try_percent",
    "wrong_option",
    "wrong_times",
    "problem",
    "graded_here",
    "not_graded",
];

/// The whole table.
pub(super) fn table(report: &ClassReport<'_>) -> String {
    let mut table = COLUMNS.join(",") + "\r\n";
    for learner in &report.learners {
        for lesson in &learner.lessons {
            table.push_str(&line(&of_lesson(learner, lesson)));
        }
        if let Some(problem) = &learner.problem {
            let cells = [
                ("row", "problem".to_owned()),
                ("learner", text(&learner.name)),
                ("problem", text(problem)),
            ];
            table.push_str(&line(&cells));
        }
    }
    for question in report.questions() {
        table.push_str(&line(&of_question(&question)));
    }
    table
}

type Cell = (&'static str, String);

fn of_lesson(learner: &LearnerRows, row: &LessonRow) -> Vec<Cell> {
    let mut cells = vec![
        ("row", "lesson".to_owned()),
        ("learner", text(&learner.name)),
        ("lesson", text(row.lesson.as_str())),
        ("status", row.status.word().to_owned()),
        ("best", points(row.best.earned)),
        ("max", points(row.best.max)),
        ("attempts", row.attempts.to_string()),
        ("labs_passed", row.labs_passed.to_string()),
        ("labs", row.labs.to_string()),
        ("graded_here", row.graded_here.to_string()),
        ("not_graded", row.not_graded.to_string()),
    ];
    if let Some((first, last)) = row.active_ms {
        cells.push(("first_utc", utc::minute(first)));
        cells.push(("last_utc", utc::minute(last)));
    }
    cells
}

fn of_question(row: &QuestionRow<'_>) -> Vec<Cell> {
    let word = match row.of {
        RowOf::Question => "question",
        RowOf::Version => "version",
    };
    let mut cells = vec![
        ("row", word.to_owned()),
        ("lesson", text(row.lesson.as_str())),
        ("question", text(row.question.as_str())),
        ("answered", row.answered.to_string()),
    ];
    if let Some(percent) = percent(row.right, row.answered) {
        cells.push(("first_try_percent", percent.to_string()));
    }
    if let Some((option, times)) = &row.wrong {
        cells.push(("wrong_option", text(option.as_str())));
        cells.push(("wrong_times", times.to_string()));
    }
    cells
}

/// A line with these cells in their columns, and nothing in the others.
fn line(cells: &[Cell]) -> String {
    let row = COLUMNS.map(|column| {
        let cell = cells.iter().find(|it| it.0 == column);
        cell.map_or("", |it| it.1.as_str())
    });
    row.join(",") + "\r\n"
}

/// A cell of text. A spreadsheet would take one that begins like a formula for a formula.
fn text(text: &str) -> String {
    let shown = Shown::new(text);
    let shown = shown.as_str();
    let is_formula = |it: &str| it.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let before = if is_formula(text) || is_formula(shown) {
        "'"
    } else {
        ""
    };
    if shown.contains(['"', ',', '\r', '\n']) {
        return format!("\"{before}{}\"", shown.replace('"', "\"\""));
    }
    format!("{before}{shown}")
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_text_is_quoted_where_it_has_to_be_and_is_never_a_formula() {
        let texts = [
            "ada",
            "a,b",
            "say \"hi\"",
            "a\nb",
            "=1+1",
            "+1",
            "-1",
            "@x",
            "\tx",
            "=\"a\",b",
            "a=b",
        ];
        let cells: Vec<_> = texts.iter().map(|it| text(it)).collect();
        insta::assert_snapshot!(cells.join("\n"), @r#"
        ada
        "a,b"
        "say ""hi"""
        "a
        b"
        '=1+1
        '+1
        '-1
        '@x
        '    x
        "'=""a"",b"
        a=b
        "#);
    }
}
