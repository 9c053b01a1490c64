//! The report for programs, as RFC 4180 has it: one table, whose columns never change their meaning.

use warpup_class::{
    Basis, ClassReport, Enrolled, Flag, LearnerRows, LessonRow, QuestionRow, RowOf, StuckAt, words,
};
use warpup_grade::points;
use warpup_text::shown::Shown;
use warpup_text::utc;

/// The columns. `row` says what a row is about: `lesson`, `question` or `problem`.
const COLUMNS: [&str; 36] = [
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
    "claimed_measured",
    "claimed_edition",
    "claimed_no_answers",
    "due_utc",
    "passed_utc",
    "late",
    "late_attempts",
    "stuck_labs",
    "lab",
    "stuck_learners",
    "tries",
    "stopped_by",
    "stopped_learners",
    "discrimination",
    "median_seconds",
    "flag",
    "other_learner",
];

/// The whole table.
pub(super) fn table(report: &ClassReport<'_>) -> String {
    let mut table = COLUMNS.join(",") + "\r\n";
    for learner in &report.learners {
        let word = match learner.enrolled {
            Enrolled::Unlisted | Enrolled::Listed => None,
            Enrolled::NotListed => Some("unlisted"),
            Enrolled::HandedNothingIn => Some("missing"),
        };
        if let Some(word) = word {
            let cells = [("row", word.to_owned()), ("learner", text(&learner.name))];
            table.push_str(&line(&cells));
        }
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
    for place in &report.stuck {
        table.push_str(&line(&of_place(place)));
    }
    for flag in &report.flags {
        table.push_str(&line(&of_flag(flag)));
    }
    for question in &report.questions {
        table.push_str(&line(&of_question(question)));
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
        ("stuck_labs", row.stuck.len().to_string()),
    ];
    if let Some((first, last)) = row.active_ms {
        cells.push(("first_utc", utc::minute(first)));
        cells.push(("last_utc", utc::minute(last)));
    }
    let claimed = |basis| row.as_claimed.get(&basis).copied().unwrap_or(0).to_string();
    cells.push(("claimed_measured", claimed(Basis::Measured)));
    cells.push(("claimed_edition", claimed(Basis::AnotherEdition)));
    cells.push(("claimed_no_answers", claimed(Basis::NoAnswers)));
    if let Some(passed) = row.passed_ms {
        cells.push(("passed_utc", utc::minute(passed)));
    }
    if let Some(due) = row.due_ms {
        cells.push(("due_utc", utc::minute(due)));
        cells.push(("late_attempts", row.late_attempts.to_string()));
    }
    if let Some(is_late) = row.is_late() {
        let word = if is_late { "yes" } else { "no" };
        cells.push(("late", word.to_owned()));
    }
    cells
}

fn of_place(place: &StuckAt) -> Vec<Cell> {
    let mut cells = vec![
        ("row", "stuck".to_owned()),
        ("lesson", text(place.lesson.as_str())),
        ("stuck_learners", place.learners.len().to_string()),
        ("tries", place.tries.to_string()),
    ];
    if let Some(lab) = &place.lab {
        cells.push(("lab", text(lab.as_str())));
    }
    if let Some((unmet, learners)) = &place.why {
        cells.push(("stopped_by", text(&unmet.words())));
        cells.push(("stopped_learners", learners.to_string()));
    }
    cells
}

fn of_flag(flag: &Flag) -> Vec<Cell> {
    let mut cells = vec![
        ("row", "flag".to_owned()),
        ("flag", text(&words::flag(flag))),
    ];
    match flag {
        Flag::Copied {
            learners: [one, other],
            ..
        }
        | Flag::Same {
            learners: [one, other],
            ..
        } => {
            cells.push(("learner", text(one)));
            cells.push(("other_learner", text(other)));
        }
        Flag::Fast {
            learner, lesson, ..
        } => {
            cells.push(("learner", text(learner)));
            cells.push(("lesson", text(lesson.as_str())));
        }
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
    if let Some(percent) = words::percent(row.right, row.answered) {
        cells.push(("first_try_percent", percent.to_string()));
    }
    if let Some(discrimination) = row.discrimination {
        cells.push(("discrimination", format!("{discrimination:.2}")));
    }
    if let Some(ms) = row.median_ms {
        cells.push(("median_seconds", ((ms + 500) / 1000).to_string()));
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
    let shown = after_separators(Shown::one_line(text).as_str());
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

/// Spreadsheets of some countries begin a cell at `;`, too, whatever is in quotes: what follows one is no formula.
fn after_separators(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut begins = false;
    for letter in text.chars() {
        if begins && matches!(letter, '=' | '+' | '-' | '@') {
            safe.push('\'');
        }
        begins = letter == ';' || begins && matches!(letter, ' ' | '"');
        safe.push(letter);
    }
    safe
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
            "x;=1+1; \"-2",
        ];
        let cells: Vec<_> = texts.iter().map(|it| text(it)).collect();
        insta::assert_snapshot!(cells.join("\n"), @r#"
        ada
        "a,b"
        "say ""hi"""
        a b
        '=1+1
        '+1
        '-1
        '@x
        '    x
        "'=""a"",b"
        a=b
        "x;'=1+1; ""'-2"
        "#);
    }
}
