//! Where the hits of a search are among the lines of a page.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

use crate::search::Query;
use crate::theme::{Role, Theme};

/// The part of a hit that is on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HitMark {
    /// The number of the text on the page, as in a [`crate::search::TextSection`], and of the hit in it.
    pub(super) hit: (usize, usize),
    pub(super) line: usize,
    columns: Range<usize>,
}

/// The hits in the lines of one text, which begin with the line `first`.
pub(super) fn marks(query: &Query, block: usize, first: usize, lines: &[Line<'_>]) -> Vec<HitMark> {
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let text = lines.join("\n");
    let mut marks = Vec::new();
    for (nth, found) in query.ranges(&text).into_iter().enumerate() {
        let mut start = 0;
        for (row, line) in lines.iter().enumerate() {
            let from = found.start.clamp(start, start + line.len()) - start;
            let to = found.end.clamp(start, start + line.len()) - start;
            start += line.len() + 1;
            let before = line.get(..from).unwrap_or_default();
            let part = line.get(from..to).unwrap_or_default();
            // On a continued line, the marks in front of the words are no part of the hit.
            let words = part.trim_start_matches(|it: char| !it.is_alphanumeric() && !it.is_ascii());
            let words = words.trim_start();
            let skipped = part.get(..part.len() - words.len()).unwrap_or_default();
            let column = before.width() + skipped.width();
            if !words.is_empty() {
                marks.push(HitMark {
                    hit: (block, nth),
                    line: first + row,
                    columns: column..column + words.width(),
                });
            }
        }
    }
    marks
}

impl HitMark {
    /// Draws it over the line of a column that begins with the line `top`.
    pub(super) fn view(
        &self,
        frame: &mut Frame<'_>,
        column: Rect,
        top: usize,
        look: (Theme, bool),
    ) {
        let (theme, is_current) = look;
        let style = if is_current {
            theme.style(Role::Strong).patch(theme.style(Role::Selected))
        } else {
            theme.style(Role::Strong).underlined()
        };
        let place = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
        let Some(row) = self.line.checked_sub(top) else {
            return;
        };
        let area = Rect {
            x: column.x.saturating_add(place(self.columns.start)),
            y: column.y.saturating_add(place(row)),
            width: place(self.columns.len()),
            height: 1,
        };
        let area = area.intersection(column).intersection(frame.area());
        frame.buffer_mut().set_style(area, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::styled;
    use ratatui::style::Style;

    #[test]
    fn a_hit_across_lines_has_a_part_on_each() {
        let lines = styled::lines("│ of a kernel\n│ launch, 漢 kernel launch", Style::new());
        let query = Query::new("kernel launch").unwrap();
        let found: Vec<_> = marks(&query, 3, 10, &lines)
            .into_iter()
            .map(|it| (it.hit, it.line, it.columns))
            .collect();
        assert_eq!(
            found,
            [
                ((3, 0), 10, 7..13),
                ((3, 0), 11, 2..8),
                ((3, 1), 11, 13..26),
            ]
        );
    }
}
