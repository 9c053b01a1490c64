//! The report for programs, as RFC 4180 has it: one table, whose columns never change their meaning.

use anyhow::Result;
use csv::{Terminator, WriterBuilder};
use serde::Serialize;
use std::iter;
use warpup_class::{
    Basis, ClassReport, Enrollment, Flag, LearnerRows, LessonRow, PageRow, QuestionRow, RowOf,
    StuckAt, words,
};
use warpup_course::ChoiceId;
use warpup_grade::points;
use warpup_text::shown::Shown;
use warpup_text::utc;

/// A row. Its fields are the columns, in their order; one that says nothing of what the row is about is an empty cell.
#[derive(Default, Serialize)]
struct Record {
    row: Option<Subject>,
    learner: Option<Text>,
    lesson: Option<Text>,
    status: Option<&'static str>,
    best: Option<String>,
    max: Option<String>,
    attempts: Option<usize>,
    labs_passed: Option<usize>,
    labs: Option<usize>,
    first_utc: Option<String>,
    last_utc: Option<String>,
    question: Option<Text>,
    answered: Option<usize>,
    first_try_percent: Option<usize>,
    wrong_answer: Option<Text>,
    wrong_times: Option<usize>,
    problem: Option<Text>,
    graded_here: Option<usize>,
    not_graded: Option<usize>,
    claimed_measured: Option<usize>,
    claimed_edition: Option<usize>,
    due_utc: Option<String>,
    passed_utc: Option<String>,
    late: Option<&'static str>,
    late_attempts: Option<usize>,
    stuck_labs: Option<usize>,
    lab: Option<Text>,
    stuck_learners: Option<usize>,
    tries: Option<usize>,
    stopped_by: Option<Text>,
    stopped_learners: Option<usize>,
    discrimination: Option<String>,
    median_seconds: Option<u64>,
    flag: Option<Text>,
    other_learner: Option<Text>,
    look_at_key: Option<&'static str>,
    page: Option<Text>,
    read: Option<usize>,
    stopped: Option<usize>,
}

/// A text of somebody else, made safe by [`text`].
#[derive(Serialize)]
struct Text(String);

/// What a row is about.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Subject {
    Unlisted,
    Missing,
    Lesson,
    Problem,
    Stuck,
    Flag,
    Page,
    Question,
    Version,
}

/// The whole table.
pub(super) fn table(report: &ClassReport<'_>) -> Result<String> {
    let rows = report.learners.iter().flat_map(of_learner);
    let rows = rows.chain(report.stuck.iter().map(of_place));
    let rows = rows.chain(report.flags.iter().map(of_flag));
    let rows = rows.chain(report.pages.iter().map(of_page));
    let table = written(rows.chain(report.questions.iter().map(of_question)))?;
    if table.is_empty() {
        // The names come with a row, and a course without lessons has none.
        let empty = written(iter::once(Record::default()))?;
        return Ok(empty.split_inclusive('\n').take(1).collect());
    }
    Ok(table)
}

/// These rows below the names of their fields.
fn written(rows: impl Iterator<Item = Record>) -> Result<String> {
    let mut table = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    for row in rows {
        table.serialize(row)?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

impl Record {
    fn about(subject: Subject) -> Self {
        Self {
            row: Some(subject),
            ..Self::default()
        }
    }
}

fn of_learner(learner: &LearnerRows) -> Vec<Record> {
    let name = || Some(text(&learner.name));
    let subject = match learner.enrolled {
        Enrollment::Unlisted | Enrollment::Listed => None,
        Enrollment::NotListed => Some(Subject::Unlisted),
        Enrollment::HandedNothingIn => Some(Subject::Missing),
    };
    let enrolled = subject.map(|subject| Record {
        learner: name(),
        ..Record::about(subject)
    });
    let lessons = learner.lessons.iter().map(|it| of_lesson(learner, it));
    let problem = learner.problem.as_ref().map(|problem| Record {
        learner: name(),
        problem: Some(text(problem)),
        ..Record::about(Subject::Problem)
    });
    enrolled.into_iter().chain(lessons).chain(problem).collect()
}

fn of_lesson(learner: &LearnerRows, row: &LessonRow) -> Record {
    let claimed = |basis| Some(row.as_claimed.get(&basis).copied().unwrap_or(0));
    Record {
        learner: Some(text(&learner.name)),
        lesson: Some(text(row.lesson.as_str())),
        status: Some(row.status.word()),
        best: Some(points(row.best.earned)),
        max: Some(points(row.best.max)),
        attempts: Some(row.attempts),
        labs_passed: Some(row.labs_passed),
        labs: Some(row.labs),
        first_utc: row.active_ms.map(|it| utc::minute(it.0)),
        last_utc: row.active_ms.map(|it| utc::minute(it.1)),
        graded_here: Some(row.graded_here),
        not_graded: Some(row.not_graded),
        claimed_measured: claimed(Basis::Measured),
        claimed_edition: claimed(Basis::AnotherEdition),
        due_utc: row.due_ms.map(utc::minute),
        passed_utc: row.passed_ms.map(utc::minute),
        late: row.is_late().map(|it| if it { "yes" } else { "no" }),
        late_attempts: row.due_ms.map(|_| row.late_attempts),
        stuck_labs: Some(row.stuck().count()),
        ..Record::about(Subject::Lesson)
    }
}

fn of_place(place: &StuckAt) -> Record {
    let why = place.why.as_ref();
    Record {
        lesson: Some(text(place.lesson.as_str())),
        lab: place.lab.as_ref().map(|it| text(it.as_str())),
        stuck_learners: Some(place.learners.len()),
        tries: Some(place.tries),
        stopped_by: why.map(|it| text(&it.0.words())),
        stopped_learners: why.map(|it| it.1),
        ..Record::about(Subject::Stuck)
    }
}

fn of_flag(flag: &Flag) -> Record {
    let row = Record {
        flag: Some(text(&words::flag(flag))),
        ..Record::about(Subject::Flag)
    };
    match flag {
        Flag::Copied {
            learners: [one, other],
            ..
        }
        | Flag::Same {
            learners: [one, other],
            ..
        } => Record {
            learner: Some(text(one)),
            other_learner: Some(text(other)),
            ..row
        },
        Flag::Fast {
            learner, lesson, ..
        } => Record {
            learner: Some(text(learner)),
            lesson: Some(text(lesson.as_str())),
            ..row
        },
    }
}

fn of_page(row: &PageRow<'_>) -> Record {
    Record {
        lesson: Some(text(row.lesson.as_str())),
        page: Some(text(row.page.as_str())),
        read: Some(row.read),
        stopped: Some(row.stopped.len()),
        median_seconds: Some((row.median_ms + 500) / 1000),
        ..Record::about(Subject::Page)
    }
}

fn of_question(row: &QuestionRow<'_>) -> Record {
    let subject = match row.of {
        RowOf::Question => Subject::Question,
        RowOf::Version => Subject::Version,
    };
    let wrong = row.wrong.as_ref();
    Record {
        lesson: Some(text(row.lesson.as_str())),
        question: Some(text(row.question.as_str())),
        answered: Some(row.answered),
        first_try_percent: words::percent(row.right, row.answered),
        wrong_answer: wrong.map(|it| text(&it.0.words(ChoiceId::to_string))),
        wrong_times: wrong.map(|it| it.1),
        discrimination: row.discrimination.map(|it| format!("{it:.2}")),
        median_seconds: row.median_ms.map(|it| (it + 500) / 1000),
        look_at_key: row.is_suspect.then_some("yes"),
        ..Record::about(subject)
    }
}

/// A cell of text. A spreadsheet would take one that begins like a formula for a formula.
fn text(text: &str) -> Text {
    let shown = after_separators(Shown::one_line(text).as_str());
    let shown = shown.as_str();
    let is_formula = |it: &str| it.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let before = if is_formula(text) || is_formula(shown) {
        "'"
    } else {
        ""
    };
    Text(format!("{before}{shown}"))
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
    use super::*;
    use warpup_text::zone::Zone;

    #[test]
    fn a_table_without_rows_has_the_names_of_its_columns() {
        let course = warpup_course::sample::course();
        let table = table(&ClassReport {
            course: &course,
            learners: Vec::new(),
            questions: Vec::new(),
            pages: Vec::new(),
            stuck: Vec::new(),
            flags: Vec::new(),
            zone: Zone::UTC,
        });
        let names = "row,learner,lesson,status,best,max,attempts,labs_passed,labs,first_utc,last_utc,question,answered,\
first_try_percent,wrong_answer,wrong_times,problem,graded_here,not_graded,claimed_measured,claimed_edition,\
due_utc,passed_utc,late,late_attempts,stuck_labs,lab,stuck_learners,tries,stopped_by,stopped_learners,discrimination,\
median_seconds,flag,other_learner,look_at_key,page,read,stopped\r\n";
        assert_eq!(table.unwrap(), names);
    }

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
        let rows = texts.into_iter().map(|it| Record {
            flag: Some(text(it)),
            ..Record::default()
        });
        let table = written(rows).unwrap();
        let cells: Vec<_> = table
            .lines()
            .skip(1)
            .map(|it| it.trim_matches(','))
            .collect();
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
