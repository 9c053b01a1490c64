//! A prediction before it is committed: the question that a lab asks before it runs, and its form.

use ratatui::crossterm::event::KeyEvent;
use ratatui::text::Line;

use crate::course::Question;
use crate::tui::form::Form;
use crate::tui::keymap::Context;
use crate::tui::page;
use crate::tui::scroll::Drawn;
use crate::tui::theme::{Role, Theme};

#[derive(Debug)]
pub(super) struct Predicting {
    pub(super) question: Question,
    pub(super) form: Box<dyn Form>,
    pub(super) complaint: Option<String>,
}

impl Predicting {
    pub(super) fn context(&self) -> Context {
        if self.form.context() == Context::TYPING {
            Context::PREDICT_TYPING
        } else {
            Context::PREDICT_CHOICE
        }
    }

    /// What starts the run.
    pub(super) fn how_to_run(&self) -> &'static str {
        if self.context() == Context::PREDICT_TYPING {
            "Type an answer; Enter starts the run."
        } else {
            "Choose an answer; Enter starts the run."
        }
    }

    pub(super) fn key(&mut self, key: KeyEvent) {
        self.form.key(key);
        self.complaint = None;
    }

    /// The question and the form.
    pub(super) fn draw(&self, width: u16, theme: Theme) -> Drawn {
        let mut prompt = page::prose(&self.question.prompt, width, theme);
        prompt.push(Line::default());
        let mut drawn = self.form.draw(width, theme).below(prompt);
        if let Some(complaint) = &self.complaint {
            drawn.focus.end = drawn.lines.len() + 1;
            let said = page::paragraph(complaint, theme.style(Role::Warn), width);
            drawn.lines.extend(said);
        }
        drawn
    }
}
