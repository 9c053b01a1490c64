//! The pane of what the learner has changed: the program against the starter, line by line.

use ratatui::text::Line;

use crate::page;
use crate::theme::{Role, Theme};
use warpup_lab::line_diff::{DiffRow, diff};

/// Columns of the sign and the number of a line, with the space behind each.
const FRONT: u16 = 7;

/// What a program changed of the starter.
pub(super) fn lines(starter: &str, program: &str, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let rows = diff(starter, program);
    if rows.is_empty() {
        return vec![theme.line("Your program is the starter.", Role::Dim)];
    }
    let head = vec![Line::from(vec![
        theme.span("- the starter", Role::Bad),
        theme.span("   + your program", Role::Good),
    ])];
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
