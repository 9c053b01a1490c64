//! Programs that pass a lab: its solution, and what the other ways have in its place.

use ratatui::text::Line;

use super::diff;
use super::state::Lab;
use crate::page::{self, highlight};
use crate::theme::{Role, Theme};

impl Lab {
    /// The solution, or one of the other ways, from 1.
    pub(super) fn way_lines(&self, shown: usize, width: u16, theme: Theme) -> Vec<Line<'static>> {
        let solution = self.definition.solution_program().unwrap_or_default();
        let ways = &self.definition.other_ways;
        let way = shown.checked_sub(1).and_then(|it| ways.get(it));
        let (title, program) = way.map_or(("solution".to_owned(), solution), |it| {
            let title = format!("other way {shown} of {}: {}", ways.len(), it.title);
            (title, it.program.as_str())
        });
        let next = match ways.get(shown) {
            Some(next) => Some(format!(
                "s shows other way {} of {}: {}",
                shown + 1,
                ways.len(),
                next.title
            )),
            None => way.map(|_| "s shows the solution again".to_owned()),
        };
        let mut lines = page::paragraph(&title, theme.style(Role::Warn), width);
        let dim = theme.style(Role::Dim);
        lines.extend(next.iter().flat_map(|it| page::paragraph(it, dim, width)));
        if way.is_some() {
            let programs = [("the solution", solution), ("this way", program)];
            lines.extend(diff::between(programs, width, theme));
        } else {
            let code = highlight::code("python", program, theme);
            lines.extend(page::wrap_code(&code, width, theme));
        }
        lines
    }
}
