//! One or any number of several options.

use std::collections::BTreeSet;

use ratatui::crossterm::event::KeyEvent;

use super::draw::Form;
use super::list::{List, ListItem};
use crate::keymap::{Action, Context, FormAction};
use crate::scroll::VisibleLines;
use crate::theme::Theme;
use warpup_course::ChoiceId;
use warpup_grade::{Answer, Input, NoVerdict};

/// Options to choose from.
#[derive(Debug)]
pub(super) struct Choice {
    list: List,
    /// What is ticked; nothing can be where the marked option is the answer.
    ticked: Option<BTreeSet<ChoiceId>>,
}

impl Choice {
    /// The marked option is the answer; none is marked at first, so that Enter alone answers nothing.
    pub(super) fn one(input: &Input<'_>) -> Self {
        Self {
            list: List::unmarked(&input.rows),
            ticked: None,
        }
    }

    /// The ticked options are the answer.
    pub(super) fn many(input: &Input<'_>) -> Self {
        Self {
            list: List::new(&input.rows),
            ticked: Some(BTreeSet::new()),
        }
    }

    fn toggle(&mut self) {
        if let (Some(ticked), Some(row)) = (&mut self.ticked, self.list.marked())
            && !ticked.remove(&row.id)
        {
            ticked.insert(row.id.clone());
        }
    }

    fn sign(&self, at: usize, row: &ListItem) -> &'static str {
        match &self.ticked {
            None if self.list.at == Some(at) => "●",
            None => "○",
            Some(ticked) if ticked.contains(&row.id) => "[x]",
            Some(_) => "[ ]",
        }
    }
}

impl Form for Choice {
    fn context(&self) -> Context {
        match self.ticked {
            None => Context::SINGLE,
            Some(_) => Context::MULTI,
        }
    }

    fn answer(&self) -> Result<Answer, NoVerdict> {
        let marked = self.list.marked().map(|it| it.id.clone());
        let answer = match &self.ticked {
            None => marked.map(Answer::Single),
            Some(ticked) => (!ticked.is_empty()).then(|| Answer::Multi(ticked.clone())),
        };
        answer.ok_or(NoVerdict::Empty("choose an answer"))
    }

    fn act(&mut self, action: Action) -> bool {
        if action != Action::Form(FormAction::Toggle) {
            return self.list.act(action);
        }
        // Where the mark is the answer, the first option is chosen, or the one that is marked stays so.
        self.list.at = self.list.at.or(Some(0));
        self.toggle();
        true
    }

    fn key(&mut self, key: KeyEvent) {
        if self.list.key(key) {
            self.toggle();
        }
    }

    fn pick(&mut self, row: usize) {
        if self.list.mark(row) {
            self.toggle();
        }
    }

    fn draw(&self, width: u16, theme: Theme) -> VisibleLines {
        self.list.draw(width, theme, |at, row| self.sign(at, row))
    }
}
