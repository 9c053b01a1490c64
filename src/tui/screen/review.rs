//! A question once it is answered: all of its rows, the learner's and the right ones marked, and what is said of each.

use ratatui::text::Line;

use crate::grade::{Asked, Mark, Reviewed};
use crate::tui::form::hanging;
use crate::tui::session::Kept;
use crate::tui::theme::{Role, Theme};

/// Columns for the mark of a row, with the space behind it.
const MARK: usize = 9;

/// The rows of an answered question. An answer that is not on disk yet gets no sign, only words.
pub(super) fn review(asked: &Asked, kept: Kept, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (row, number) in asked.review().iter().zip(1_usize..) {
        lines.extend(lines_of(row, number, (kept, width), theme));
    }
    lines
}

fn lines_of(row: &Reviewed, number: usize, look: (Kept, u16), theme: Theme) -> Vec<Line<'static>> {
    let (kept, width) = look;
    let mut lines = Vec::new();
    if let Some(head) = &row.head {
        lines.extend(hanging(&[], head, width, theme));
    }
    let role = match row.mark {
        Mark::YoursRight | Mark::Right => Role::Good,
        Mark::YoursWrong => Role::Bad,
        Mark::Other => Role::Dim,
    };
    let (word, role) = match kept {
        Kept::Saved => (row.mark.word(), role),
        Kept::Waiting | Kept::Failing => (
            row.mark.word().trim_start_matches(['✓', '✗', ' ']),
            Role::Dim,
        ),
    };
    let number = match &row.id {
        Some(_) => format!("{number} "),
        None => String::new(),
    };
    let front = [
        theme.span(&format!("{word:<MARK$}"), role),
        theme.span(&number, Role::Dim),
    ];
    lines.extend(hanging(&front, &row.text, width, theme));
    if let Some(feedback) = &row.feedback {
        let indent = " ".repeat(MARK + number.len());
        let indent = [theme.span(&indent, Role::Text)];
        lines.extend(hanging(&indent, feedback, width, theme));
    }
    lines
}
