//! What is chosen, typed or sorted so far, and how keys change it.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::field::Field;
use crate::course::{ChoiceId, Question, Text};
use crate::grade::{self, Answer, Input, Unreadable};
use crate::tui::keymap::{self, Action, Context, FormAction, Motion};

/// An answer in the making.
#[derive(Debug)]
pub(crate) struct Form {
    pub(super) entry: Entry,
    /// The chosen row, where there are rows.
    pub(super) row: usize,
}

#[derive(Debug)]
pub(super) enum Entry {
    /// One of several options.
    One(Vec<Row>),
    /// Any number of several options.
    Many(Vec<Row>, BTreeSet<ChoiceId>),
    /// A number, with the unit it is asked in.
    Number(Field, Option<String>),
    /// A text.
    Text(Field),
    /// Items in the learner's order.
    Order(Vec<Row>),
    /// Left sides; right sides; for each left side the right side beside it.
    Match(Vec<Row>, Vec<Row>, Vec<Option<usize>>),
}

/// Something to choose or move.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: ChoiceId,
    pub(super) text: Text,
}

impl Form {
    /// An empty answer to a question, its choices in this order.
    pub(crate) fn new(question: &Question, order: &[ChoiceId]) -> Self {
        let rows = |rows: Vec<grade::Row<'_>>| rows.into_iter().map(Row::new).collect();
        let entry = match grade::input(question).in_order(order) {
            Input::Single(options) => Entry::One(rows(options)),
            Input::Multi(options) => Entry::Many(rows(options), BTreeSet::new()),
            Input::Number(unit) => Entry::Number(Field::default(), unit.map(str::to_owned)),
            Input::Text => Entry::Text(Field::default()),
            Input::Order(items) => Entry::Order(rows(items)),
            Input::Match { lefts, rights } => {
                let chosen = vec![None; lefts.len()];
                Entry::Match(rows(lefts), rows(rights), chosen)
            }
        };
        Self { entry, row: 0 }
    }

    /// Which keys it takes in a quiz.
    pub(crate) fn context(&self) -> Context {
        match self.entry {
            Entry::One(_) => Context::SINGLE,
            Entry::Many(..) => Context::MULTI,
            Entry::Number(..) | Entry::Text(_) => Context::TYPING,
            Entry::Order(_) => Context::ORDER,
            Entry::Match(..) => Context::MATCH,
        }
    }

    /// The answer as it stands.
    pub(crate) fn answer(&self) -> Result<Answer, Unreadable> {
        let answer = match &self.entry {
            Entry::One(rows) => {
                let row = rows.get(self.row).ok_or(Unreadable::Empty)?;
                Answer::Single(row.id.clone())
            }
            Entry::Many(_, chosen) if chosen.is_empty() => return Err(Unreadable::Empty),
            Entry::Many(_, chosen) => Answer::Multi(chosen.clone()),
            Entry::Number(field, _) => Answer::Number(field.filled()?),
            Entry::Text(field) => Answer::Text(field.filled()?),
            Entry::Order(rows) => Answer::Order(rows.iter().map(|it| it.id.clone()).collect()),
            Entry::Match(lefts, rights, chosen) => {
                if chosen.iter().all(Option::is_none) {
                    return Err(Unreadable::Empty);
                }
                let mut pairs = BTreeMap::new();
                for (left, right) in lefts.iter().zip(chosen) {
                    let alone = || Unreadable::Incomplete(format!("`{}` has no partner", left.id));
                    let right = right.and_then(|it| rights.get(it)).ok_or_else(alone)?;
                    pairs.insert(left.id.clone(), right.id.clone());
                }
                Answer::Match(pairs)
            }
        };
        Ok(answer)
    }

    /// Does what a key asks for; says whether it was for the form.
    pub(crate) fn act(&mut self, action: Action) -> bool {
        let is_list = self.rows() > 0;
        if action == Action::Scroll(Motion::Up) && is_list {
            self.row = self.row.saturating_sub(1);
        } else if action == Action::Scroll(Motion::Down) && is_list {
            self.row = (self.row + 1).min(self.rows().saturating_sub(1));
        } else if action == Action::Form(FormAction::Toggle) {
            self.toggle();
        } else if action == Action::Form(FormAction::MoveUp) {
            self.move_to(self.row.saturating_sub(1));
        } else if action == Action::Form(FormAction::MoveDown) {
            self.move_to(self.row + 1);
        } else if action == Action::Form(FormAction::Right) {
            self.change(1);
        } else if action == Action::Form(FormAction::Left) {
            self.change(-1);
        } else {
            return false;
        }
        true
    }

    /// Takes a letter or digit.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        match &mut self.entry {
            Entry::Number(field, _) | Entry::Text(field) => field.key(key),
            Entry::One(_) | Entry::Many(..) | Entry::Order(_) | Entry::Match(..) => {
                let KeyCode::Char(letter) = key.code else {
                    return;
                };
                self.pair(letter);
                let number = letter.to_digit(10).and_then(|it| usize::try_from(it).ok());
                let Some(row) = number.and_then(|it| it.checked_sub(1)) else {
                    return;
                };
                if row < self.rows() {
                    self.row = row;
                    self.toggle();
                }
            }
        }
    }

    /// Takes pasted text.
    pub(crate) fn paste(&mut self, text: &str) {
        if let Entry::Number(field, _) | Entry::Text(field) = &mut self.entry {
            field.insert(text);
        }
    }

    fn rows(&self) -> usize {
        match &self.entry {
            Entry::One(rows) | Entry::Many(rows, _) | Entry::Order(rows) => rows.len(),
            Entry::Match(lefts, ..) => lefts.len(),
            Entry::Number(..) | Entry::Text(_) => 0,
        }
    }

    fn toggle(&mut self) {
        if let Entry::Many(rows, chosen) = &mut self.entry
            && let Some(row) = rows.get(self.row)
            && !chosen.remove(&row.id)
        {
            chosen.insert(row.id.clone());
        }
    }

    fn move_to(&mut self, to: usize) {
        if let Entry::Order(rows) = &mut self.entry
            && to < rows.len()
            && self.row < rows.len()
        {
            rows.swap(self.row, to);
            self.row = to;
        }
    }

    /// Puts the right side of a letter beside the chosen left side, and goes on to the next one.
    fn pair(&mut self, letter: char) {
        if let Entry::Match(lefts, rights, chosen) = &mut self.entry
            && let Some(right) = letters().position(|it| it == letter)
            && right < rights.len()
            && let Some(slot) = chosen.get_mut(self.row)
        {
            *slot = Some(right);
            self.row = (self.row + 1).min(lefts.len().saturating_sub(1));
        }
    }

    /// Puts the next or previous right side beside the chosen left side.
    fn change(&mut self, by: isize) {
        if let Entry::Match(_, rights, chosen) = &mut self.entry
            && let Some(slot) = chosen.get_mut(self.row)
            && !rights.is_empty()
        {
            let last = rights.len() - 1;
            *slot = Some(match *slot {
                None if by > 0 => 0,
                None => last,
                Some(at) if by > 0 => (at + 1) % rights.len(),
                Some(at) => at.checked_sub(1).unwrap_or(last),
            });
        }
    }
}

impl Row {
    fn new(of: grade::Row<'_>) -> Self {
        Self {
            id: of.id.clone(),
            text: of.text.clone(),
        }
    }
}

/// The letters that stand for right sides: those that ask for nothing else in a matching question.
pub(super) fn letters() -> impl Iterator<Item = char> {
    ('a'..='z').filter(|letter| {
        let key = KeyEvent::new(KeyCode::Char(*letter), KeyModifiers::NONE);
        keymap::action(Context::MATCH, key).is_none()
    })
}
