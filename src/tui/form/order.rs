//! Items in the learner's order.

use ratatui::crossterm::event::KeyEvent;

use super::draw::Form;
use super::list::List;
use crate::grade::{Answer, Input, NoVerdict};
use crate::tui::keymap::{Action, Context, FormAction};
use crate::tui::scroll::Drawn;
use crate::tui::theme::Theme;

/// Items in the learner's order.
#[derive(Debug)]
pub(super) struct Order(List);

impl Order {
    pub(super) fn new(input: &Input<'_>) -> Self {
        Self(List::new(&input.rows))
    }

    fn move_to(&mut self, to: usize) {
        let List { rows, at } = &mut self.0;
        if to < rows.len() && *at < rows.len() {
            rows.swap(*at, to);
            *at = to;
        }
    }
}

impl Form for Order {
    fn context(&self) -> Context {
        Context::ORDER
    }

    fn answer(&self) -> Result<Answer, NoVerdict> {
        let ids = self.0.rows.iter().map(|it| it.id.clone());
        Ok(Answer::Order(ids.collect()))
    }

    fn act(&mut self, action: Action) -> bool {
        if action == Action::Form(FormAction::MoveUp) {
            self.move_to(self.0.at.saturating_sub(1));
        } else if action == Action::Form(FormAction::MoveDown) {
            self.move_to(self.0.at + 1);
        } else {
            return self.0.act(action);
        }
        true
    }

    fn key(&mut self, key: KeyEvent) {
        self.0.key(key);
    }

    fn draw(&self, width: u16, theme: Theme) -> Drawn {
        self.0.draw(width, theme, |_, _| "↕")
    }
}
