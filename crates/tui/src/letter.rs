//! What an instructor has sent back, over the screen that it belongs to.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::scroll::Scroll;
use super::theme::{Role, Theme};
use super::{frame, page};
use warpup_course::LessonId;
use warpup_progress::Remark;

/// Remarks of the instructor, which are shown here once; the map keeps them.
#[derive(Debug)]
pub(super) struct Letter {
    remarks: Vec<Remark>,
    pub(super) scroll: Scroll,
}

impl Letter {
    pub(super) fn new(remarks: Vec<Remark>) -> Self {
        let scroll = Scroll::default();
        Self { remarks, scroll }
    }

    /// The lesson that it is about.
    pub(super) fn lesson(&self) -> Option<&LessonId> {
        self.remarks.first().map(|it| &it.lesson)
    }

    pub(super) fn fit(&mut self, body: Rect, theme: Theme) {
        let width = frame::column(body).width;
        let mut lines = lines(&self.remarks, width, theme);
        let said = "The map shows this again, and so does `warpup class feedback`.";
        lines.extend(page::paragraph(said, theme.style(Role::Dim), width));
        self.scroll.set(lines);
        self.scroll.fit(body.height);
    }

    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        frame::scrolled(frame, body, &self.scroll, theme);
    }
}

/// Remarks with their headings, and an empty line behind each.
pub(super) fn lines(remarks: &[Remark], width: u16, theme: Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for remark in remarks {
        let heading = theme.style(Role::Heading);
        lines.extend(page::paragraph(&remark.heading, heading, width));
        let text = remark.text.lines();
        lines.extend(text.flat_map(|it| page::paragraph(it, Style::new(), width)));
        lines.push(Line::default());
    }
    lines
}
