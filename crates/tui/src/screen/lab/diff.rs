//! The pane of what the learner has changed: the program against the starter, line by line.

use ratatui::text::Line;

use crate::page;
use crate::theme::{Role, Theme};
use warpup_lab::line_diff::{DiffRow, diff};

/// Columns of the sign and the number of a line, with the space behind each.
const FRONT: u16 = 7;

/// What a program changed of its starter, which has this name.
pub(super) fn lines(
    (name, starter): (&str, &str),
    program: &str,
    width: u16,
    theme: Theme,
) -> Vec<Line<'static>> {
    let programs = [(name, starter), ("your program", program)];
    let lines = between(programs, width, theme);
    if lines.is_empty() {
        return vec![theme.line(&format!("Your program is {name}."), Role::Dim)];
    }
    lines
}

/// What a second program has in place of a first one, each with what it is called; nothing if they are the same.
pub(super) fn between(
    [(one, before), (other, now)]: [(&str, &str); 2],
    width: u16,
    theme: Theme,
) -> Vec<Line<'static>> {
    let rows = diff(before, now);
    let head = Line::from(vec![
        theme.span(&format!("- {one}"), Role::Bad),
        theme.span(&format!("   + {other}"), Role::Good),
    ]);
    let head = Some(head).filter(|_| !rows.is_empty());
    let rows = rows.into_iter().flat_map(|it| drawn(it, width, theme));
    head.into_iter().chain(rows).collect()
}

fn drawn(row: DiffRow<'_>, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let (sign, number, text, role) = match row {
        DiffRow::Same(number, text) => (' ', number, text, Role::Dim),
        DiffRow::Removed(number, text) => ('-', number, text, Role::Bad),
        DiffRow::Added(number, text) => ('+', number, text, Role::Good),
        DiffRow::Skipped(lines) => {
            let said = format!("     … {lines} more lines are the same");
            return vec![theme.line(&said, Role::Dim)];
        }
    };
    let front = [theme.span(&format!("{sign}{number:>4}  "), role)];
    let rest = [theme.span(&" ".repeat(usize::from(FRONT)), role)];
    let text = page::wrap_code(
        &[theme.line(text, role)],
        width.saturating_sub(FRONT).max(1),
        theme,
    );
    page::prefixed(text, &front, &rest).collect()
}
