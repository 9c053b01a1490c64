//! Items in the learner's order.

use ratatui::crossterm::event::KeyEvent;

use super::draw::Form;
use super::list::List;
use crate::keymap::{Action, Context, FormAction};
use crate::scroll::VisibleLines;
use crate::theme::Theme;
use warpup_grade::{Answer, Input, NoVerdict};

/// Items in the learner's order.
#[derive(Debug)]
pub(super) struct Order {
    list: List,
    /// Whether the learner has done anything: the order that is shown first is no answer of theirs.
    is_touched: bool,
}

impl Order {
    pub(super) fn new(input: &Input<'_>) -> Self {
        Self {
            list: List::new(&input.rows),
            is_touched: false,
        }
    }

    fn move_to(&mut self, to: usize) {
        let List { rows, at } = &mut self.list;
        if let Some(from) = at
            && to < rows.len()
        {
            rows.swap(*from, to);
            *from = to;
        }
    }
}

impl Form for Order {
    fn context(&self) -> Context {
        Context::ORDER
    }

    fn answer(&self) -> Result<Answer, NoVerdict> {
        if !self.is_touched {
            return Err(NoVerdict::Empty("put the items in order"));
        }
        let ids = self.list.rows.iter().map(|it| it.id.clone());
        Ok(Answer::Order(ids.collect()))
    }

    fn act(&mut self, action: Action) -> bool {
        let at = self.list.at.unwrap_or(0);
        if action == Action::Form(FormAction::MoveUp) {
            self.move_to(at.saturating_sub(1));
        } else if action == Action::Form(FormAction::MoveDown) {
            self.move_to(at + 1);
        } else if !self.list.act(action) {
            return false;
        }
        self.is_touched = true;
        true
    }

    fn key(&mut self, key: KeyEvent) {
        self.is_touched |= self.list.key(key);
    }

    fn pick(&mut self, row: usize) {
        self.is_touched |= self.list.mark(row);
    }

    fn draw(&self, width: u16, theme: Theme) -> VisibleLines {
        self.list.draw(width, theme, |_, _| "↕")
    }
}
