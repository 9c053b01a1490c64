//! Lines that may need more rows than their area has, and which of them are visible.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::keymap::{Action, Motion};
use super::styled;

/// Lines to show.
#[derive(Debug, Default)]
pub(crate) struct VisibleLines {
    pub(crate) lines: Vec<Line<'static>>,
    /// Those that should be visible; none if that does not matter.
    pub(crate) focus: Range<usize>,
    /// Line and column of the text cursor, where text is typed.
    pub(crate) cursor: Option<(usize, usize)>,
    /// The lines of each thing that can be chosen.
    pub(crate) rows: Vec<Range<usize>>,
}

impl VisibleLines {
    /// The same below other lines.
    pub(crate) fn below(mut self, mut lines: Vec<Line<'static>>) -> Self {
        let above = lines.len();
        lines.append(&mut self.lines);
        let moved = |it: &Range<usize>| above + it.start..above + it.end;
        Self {
            lines,
            focus: moved(&self.focus),
            cursor: self.cursor.map(|(row, column)| (above + row, column)),
            rows: self.rows.iter().map(moved).collect(),
        }
    }
}

/// Lines, and the window of visible ones.
#[derive(Debug, Default)]
pub(crate) struct Scroll {
    lines: Vec<Line<'static>>,
    rows: Vec<Range<usize>>,
    cursor: Option<(usize, usize)>,
    top: usize,
    height: usize,
}

impl Scroll {
    /// Replaces everything, with so many lines visible. Keeps the position as far as possible.
    pub(crate) fn draw(&mut self, drawn: VisibleLines, height: u16) {
        self.set(drawn.lines);
        self.cursor = drawn.cursor;
        self.rows = drawn.rows;
        self.fit(height);
        if !drawn.focus.is_empty() {
            self.show(&drawn.focus);
        }
    }

    /// Replaces the lines. The position is right again after [`Scroll::fit`].
    pub(crate) fn set(&mut self, lines: Vec<Line<'static>>) {
        self.rows.clear();
        self.lines = lines;
    }

    /// Appends lines.
    pub(crate) fn append(&mut self, lines: Vec<Line<'static>>) {
        self.lines.extend(lines);
    }

    /// Sets how many lines are visible.
    pub(crate) fn fit(&mut self, height: u16) {
        self.height = usize::from(height);
        self.top = self.top.min(self.lowest());
    }

    /// Moves the window if the action is a motion; says whether it is.
    pub(crate) fn act(&mut self, action: Action) -> bool {
        let Action::Scroll(motion) = action else {
            return false;
        };
        self.go(motion);
        true
    }

    /// Moves the window.
    pub(crate) fn go(&mut self, motion: Motion) {
        // Two lines stay visible, so that the eye finds its place again.
        let screen = self.height.saturating_sub(2).max(1);
        let top = match motion {
            Motion::Up => self.top.saturating_sub(1),
            Motion::Down => self.top + 1,
            Motion::PageUp => self.top.saturating_sub(screen),
            Motion::PageDown => self.top + screen,
            Motion::Top => 0,
            Motion::Bottom => usize::MAX,
        };
        self.top = top.min(self.lowest());
    }

    /// Moves the window to show these lines, the first one above all.
    pub(crate) fn show(&mut self, lines: &Range<usize>) {
        let last = lines.end.saturating_sub(1).max(lines.start);
        if last >= self.top + self.height {
            self.top = (last + 1).saturating_sub(self.height);
        }
        self.top = self.top.min(lines.start).min(self.lowest());
    }

    /// Moves the window to show something that can be chosen, by its number.
    pub(crate) fn show_row(&mut self, row: usize) {
        if let Some(lines) = self.rows.get(row).cloned() {
            self.show(&lines);
        }
    }

    /// Moves the window to begin at a line, as far as there are lines.
    pub(crate) fn go_to(&mut self, top: usize) {
        self.top = top.min(self.lowest());
    }

    /// Moves the window to its top.
    pub(crate) fn go_to_top(&mut self) {
        self.top = 0;
    }

    /// Moves the window to its end.
    pub(crate) fn go_to_end(&mut self) {
        self.top = self.lowest();
    }

    /// The first visible line.
    pub(crate) fn top(&self) -> usize {
        self.top
    }

    /// All lines.
    pub(crate) fn lines(&self) -> &[Line<'static>] {
        &self.lines
    }

    /// The number of lines below the window as text; empty if there are none.
    pub(crate) fn below(&self) -> String {
        match self.lines.len().saturating_sub(self.visible().end) {
            0 => String::new(),
            more => more.to_string(),
        }
    }

    /// Whether some lines are not visible.
    pub(crate) fn is_cut(&self) -> bool {
        self.lines.len() > self.height
    }

    /// Whether the last line is visible.
    pub(crate) fn at_end(&self) -> bool {
        self.top >= self.lowest()
    }

    /// The visible lines.
    pub(crate) fn visible(&self) -> Range<usize> {
        self.top..(self.top + self.height).min(self.lines.len())
    }

    /// The line at a place of the area that the visible lines are drawn in.
    pub(crate) fn line_at(&self, place: Position, area: Rect) -> Option<usize> {
        let row = area.contains(place).then(|| place.y - area.y)?;
        let line = self.top + usize::from(row);
        self.visible().contains(&line).then_some(line)
    }

    /// The thing that can be chosen at a place of that area, by its number.
    pub(crate) fn row_at(&self, place: Position, area: Rect) -> Option<usize> {
        let line = self.line_at(place, area)?;
        self.rows.iter().position(|it| it.contains(&line))
    }

    /// Draws the visible lines.
    pub(crate) fn view(&self, frame: &mut Frame<'_>, area: Rect) {
        styled::put_all(frame, area, self.lines.iter().skip(self.top));
        if let Some((row, column)) = self.cursor {
            styled::put_cursor(frame, area, row.checked_sub(self.top), Some(column));
        }
    }

    /// The visible lines as text, such as `lines 3–9 of 20`; empty if all are visible.
    pub(crate) fn place(&self) -> String {
        if self.lines.len() <= self.height {
            String::new()
        } else {
            let visible = self.visible();
            format!(
                "lines {}–{} of {}",
                visible.start + 1,
                visible.end,
                self.lines.len()
            )
        }
    }

    fn lowest(&self) -> usize {
        self.lines.len().saturating_sub(self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scroll(lines: usize, height: u16) -> Scroll {
        let mut scroll = Scroll::default();
        scroll.set(vec![Line::default(); lines]);
        scroll.fit(height);
        scroll
    }

    #[test]
    fn the_window_stays_on_the_lines() {
        let mut it = scroll(10, 4);
        it.act(Action::Scroll(Motion::Bottom));
        assert_eq!(it.visible(), 6..10);
        it.act(Action::Scroll(Motion::Down));
        assert_eq!(it.top(), 6);
        it.fit(20);
        assert_eq!(it.visible(), 0..10);
    }

    #[test]
    fn lines_asked_for_come_into_sight() {
        let mut it = scroll(10, 4);
        it.show(&(7..9));
        assert_eq!(it.visible(), 5..9);
        it.show(&(2..9));
        assert_eq!(it.top(), 2);
    }
}
