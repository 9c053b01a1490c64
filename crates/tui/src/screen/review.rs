//! A question once it is answered: all of its rows, the learner's and the right ones marked, and what is said of each.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::form::hanging;
use crate::page;
use crate::session::SaveState;
use crate::theme::{Role, Theme};
use warpup_course::Text;
use warpup_grade::{
    Attempt, AttemptQuestion, Confidence, Correctness, Mark, ReviewRow, Verdict, points, words,
};

/// What is said of an answer that the instructor grades.
pub(super) const HANDED_IN: &str = "● answered: your instructor grades it";

/// In fewer columns the marks are shorter.
const ROOMY: u16 = 60;

/// The fewest columns for the marks, with the space behind them.
const MARK: usize = 9;

/// The rows of an answered question. An answer that is not on disk yet gets no sign, only words.
pub(super) fn review(
    asked: &AttemptQuestion,
    kept: SaveState,
    width: u16,
    theme: Theme,
) -> Vec<Line<'static>> {
    let rows = asked.review();
    let marks: Vec<_> = rows.iter().map(|it| mark(it.mark, kept, width)).collect();
    let widest = marks.iter().map(|it| it.0.width() + 2).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (number, (row, (words, role))) in (1_usize..).zip(rows.iter().zip(marks)) {
        let words = format!("{words:<0$}", widest.max(MARK));
        let mark = theme.span(&words, role);
        lines.extend(lines_of(row, number, mark, (width, theme)));
    }
    lines
}

/// What was answered, in words.
pub(super) fn answered(asked: &AttemptQuestion, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let Some(given) = &asked.given else {
        return Vec::new();
    };
    let spans = [
        theme.span("your answer: ", Role::Dim),
        theme.span(&words(&asked.question, &given.answer), Role::Strong),
    ];
    page::wrap(&spans, width)
}

/// How an answer was judged, in a word, and what its points are for where they are not all or nothing.
pub(super) fn verdict_lines(
    (asked, verdict): (&AttemptQuestion, &Verdict),
    kept: SaveState,
    width: u16,
    theme: Theme,
) -> Vec<Line<'static>> {
    let correctness = verdict.correctness();
    let word = match correctness {
        Correctness::Right | Correctness::Wrong => correctness.to_string(),
        Correctness::Partly => {
            let (earned, max) = (points(verdict.earned), points(verdict.max));
            format!("{correctness}: {earned} of {max} points")
        }
    };
    let (word, role) = kept.say(&word, role_of(correctness));
    let mut spans = vec![theme.span(&word, role)];
    let parts = asked.parts_right();
    spans.extend(parts.map(|it| theme.span(&format!(" ({it})"), Role::Dim)));
    page::wrap(&spans, width)
}

/// The colour of a verdict.
pub(super) fn role_of(correctness: Correctness) -> Role {
    match correctness {
        Correctness::Right => Role::Good,
        Correctness::Partly => Role::Warn,
        Correctness::Wrong => Role::Bad,
    }
}

/// What is said in front of a row.
fn mark(mark: Mark, kept: SaveState, width: u16) -> (&'static str, Role) {
    let role = match mark {
        Mark::YoursRight | Mark::Right => Role::Good,
        Mark::YoursWrong | Mark::ChosenWrong => Role::Bad,
        // It is no praise.
        Mark::LeftOut => Role::Warn,
        Mark::Other => Role::Dim,
    };
    let words = if width < ROOMY {
        mark.short_words()
    } else {
        mark.words()
    };
    match kept {
        SaveState::Saved => (words, role),
        SaveState::Waiting | SaveState::Failing => {
            let words = words.trim_start_matches(['✓', '✗', ' ']);
            (words, Role::Dim)
        }
    }
}

fn lines_of(
    row: &ReviewRow,
    number: usize,
    mark: Span<'static>,
    look: (u16, Theme),
) -> Vec<Line<'static>> {
    let (width, theme) = look;
    let mut lines = Vec::new();
    if let Some(head) = &row.head {
        lines.extend(hanging(&[], head, width, theme));
    }
    let number = match &row.id {
        Some(_) => format!("{number} "),
        None => String::new(),
    };
    let indent = " ".repeat(mark.width() + number.len());
    let front = [mark, theme.span(&number, Role::Dim)];
    let role = match row.mark {
        Mark::YoursRight | Mark::Right => Role::Strong,
        Mark::YoursWrong | Mark::ChosenWrong | Mark::LeftOut | Mark::Other => Role::Text,
    };
    let text = hanging(&front, &row.text, width, theme);
    lines.extend(text.into_iter().map(|it| weighed(it, theme.style(role))));
    if let Some(feedback) = &row.feedback {
        let indent = [theme.span(&indent, Role::Text)];
        let said = hanging(&indent, feedback, width, theme);
        let dim = theme.style(Role::Dim);
        lines.extend(said.into_iter().map(|it| weighed(it, dim)));
    }
    lines
}

/// A line whose words have this style where they have none of their own: what was offered and what is said of it are no wall.
fn weighed(line: Line<'static>, style: Style) -> Line<'static> {
    let spans = line.spans.into_iter().map(|it| Span {
        style: style.patch(it.style),
        ..it
    });
    spans.collect()
}

/// What becomes of an attempt that is left.
pub(super) fn left(attempt: &Attempt) -> String {
    let is_begun = attempt.asked().iter().any(|it| it.given.is_some());
    match attempt.next_open(0).map(|it| attempt.place(it)) {
        _ if !is_begun => {
            "You left the quiz before your first answer; it starts again next time.".to_owned()
        }
        Some((number, of)) => {
            format!("Your answers are kept: the quiz goes on at question {number} of {of}.")
        }
        None => "Your answers are kept: open the quiz again for its results.".to_owned(),
    }
}

/// How sure a learner is, in words.
pub(super) fn word(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Sure => "sure",
        Confidence::NotSure => "not sure",
    }
}

/// A hint that was asked for.
pub(super) fn hint(hint: &Text, width: u16, theme: Theme) -> impl Iterator<Item = Line<'static>> {
    let head = [Line::default(), theme.line("hint", Role::Warn)];
    head.into_iter().chain(page::text(hint, width, theme))
}
