//! A prediction before it is committed: the question that a lab asks before it runs, and its form.

use ratatui::crossterm::event::KeyEvent;
use ratatui::text::Line;

use crate::course::Question;
use crate::tui::form::{Drawn, Form};
use crate::tui::keymap::Context;
use crate::tui::page;
use crate::tui::theme::{Role, Theme};

#[derive(Debug)]
pub(super) struct Predicting {
    pub(super) question: Question,
    pub(super) form: Form,
    pub(super) complaint: Option<String>,
    /// Row and column of the text cursor in the pane.
    pub(super) cursor: Option<(usize, usize)>,
}

impl Predicting {
    pub(super) fn context(&self) -> Context {
        if self.form.context() == Context::Typing {
            Context::PredictTyping
        } else {
            Context::PredictChoice
        }
    }

    pub(super) fn key(&mut self, key: KeyEvent) {
        self.form.key(key);
        self.complaint = None;
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    /// The question and the form.
    pub(super) fn draw(&mut self, width: u16, theme: Theme) -> Drawn {
        let mut lines = page::prose(&self.question.prompt, width, theme);
        lines.push(Line::default());
        let start = lines.len();
        let mut drawn = self.form.draw(width, theme);
        drawn.focus = start + drawn.focus.start..start + drawn.focus.end;
        drawn.cursor = drawn.cursor.map(|(row, column)| (start + row, column));
        lines.append(&mut drawn.lines);
        if let Some(complaint) = &self.complaint {
            let said = theme.span(complaint, Role::Warn);
            drawn.focus.end = lines.len() + 1;
            lines.extend(page::wrap(&[said], width));
        }
        drawn.lines = lines;
        self.cursor = drawn.cursor;
        drawn
    }
}
