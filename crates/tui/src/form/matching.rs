//! Left sides, each with the right side that was put beside it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::text::Line;

use super::draw::{Form, hanging};
use super::list::{List, ListItem};
use crate::keymap::{Action, Context, FormAction, Keys};
use crate::scroll::VisibleLines;
use crate::styled;
use crate::theme::{Role, Theme};
use warpup_grade::{Answer, Input, NoVerdict};

/// Left sides; right sides; for each left side the right side beside it.
#[derive(Debug)]
pub(super) struct Pairs {
    lefts: List,
    rights: Vec<ListItem>,
    /// The letter of each right side.
    letters: Vec<char>,
    chosen: Vec<Option<usize>>,
    /// The row that a letter filled last: it stays in view with the row that is marked then.
    filled: Option<usize>,
}

impl Pairs {
    pub(super) fn new(input: &Input<'_>, keys: &Keys) -> Self {
        let rights = ListItem::all(&input.rows);
        Self {
            lefts: List::new(&input.lefts),
            letters: letters(keys).take(rights.len()).collect(),
            rights,
            chosen: vec![None; input.lefts.len()],
            filled: None,
        }
    }

    /// The right sides with their letters.
    fn lettered(&self) -> impl Iterator<Item = (char, &ListItem)> {
        self.letters.iter().copied().zip(&self.rights)
    }

    /// Puts the right side of a letter beside the marked left side, and marks the row below, so that letters typed one after
    /// the other fill the rows in their order, also when some are changed.
    fn pair(&mut self, letter: char) {
        if let Some(right) = self.letters.iter().position(|it| *it == letter)
            && let Some(slot) = self.slot()
        {
            *slot = Some(right);
            self.filled = self.lefts.at;
            let last = self.chosen.len().saturating_sub(1);
            self.lefts.at = self.lefts.at.map(|it| (it + 1).min(last));
        }
    }

    /// The right side beside the marked left side.
    fn slot(&mut self) -> Option<&mut Option<usize>> {
        self.chosen.get_mut(self.lefts.at?)
    }

    /// Puts another right side beside the marked left side: `next` of the current one, or `first` if none is chosen.
    fn change(&mut self, first: usize, next: impl FnOnce(usize) -> usize) {
        if !self.rights.is_empty()
            && let Some(slot) = self.slot()
        {
            *slot = Some(slot.map_or(first, next));
        }
    }
}

impl Form for Pairs {
    fn context(&self) -> Context {
        Context::MATCH
    }

    fn answer(&self) -> Result<Answer, NoVerdict> {
        if self.chosen.iter().all(Option::is_none) {
            return Err(NoVerdict::Empty("choose a partner for each row"));
        }
        let pairs = self.lefts.rows.iter().zip(&self.chosen);
        let pairs = pairs.map(|(left, right)| {
            let alone = || NoVerdict::Incomplete(format!("“{}” has no partner", left.text.plain()));
            let right = right.and_then(|it| self.rights.get(it));
            Ok((left.id.clone(), right.ok_or_else(alone)?.id.clone()))
        });
        pairs.collect::<Result<_, _>>().map(Answer::Match)
    }

    fn act(&mut self, action: Action) -> bool {
        let all = self.rights.len();
        let last = all.saturating_sub(1);
        self.filled = None;
        if action == Action::Form(FormAction::Right) {
            self.change(0, |it| (it + 1) % all);
        } else if action == Action::Form(FormAction::Left) {
            self.change(last, |it| it.checked_sub(1).unwrap_or(last));
        } else {
            return self.lefts.act(action);
        }
        true
    }

    fn key(&mut self, key: KeyEvent) {
        if let KeyCode::Char(letter) = key.code {
            self.pair(letter);
        }
        self.lefts.key(key);
    }

    /// The left sides come first, then the right sides.
    fn pick(&mut self, row: usize) {
        let right = row.checked_sub(self.lefts.rows.len());
        match right.and_then(|it| self.letters.get(it).copied()) {
            Some(letter) => self.pair(letter),
            None => drop(self.lefts.mark(row)),
        }
    }

    fn draw(&self, width: u16, theme: Theme) -> VisibleLines {
        let mut drawn = VisibleLines::default();
        let mut starts = Vec::new();
        for (at, (left, right)) in self.lefts.rows.iter().zip(&self.chosen).enumerate() {
            let start = drawn.lines.len();
            self.lefts
                .draw_row(&mut drawn, (at, "·"), left, (width, theme));
            let right = right.and_then(|it| self.lettered().nth(it));
            drawn.lines.extend(beside(right, width, theme));
            if let Some(row) = drawn.rows.last_mut() {
                row.end = drawn.lines.len();
            }
            if self.lefts.at == Some(at) {
                drawn.focus.end = drawn.lines.len();
            }
            starts.push(start);
        }
        let filled = self.filled.and_then(|it| starts.get(it));
        drawn.focus.start = drawn.focus.start.min(filled.copied().unwrap_or(usize::MAX));
        drawn.lines.push(Line::default());
        let head = "A letter chooses for the marked row:";
        drawn.lines.push(styled::line(head, theme.style(Role::Dim)));
        for (letter, right) in self.lettered() {
            let head = [styled::span(
                &format!("  {letter}  "),
                theme.style(Role::Key),
            )];
            let start = drawn.lines.len();
            let lines = hanging(&head, &right.text, width, theme);
            drawn.lines.extend(lines);
            drawn.rows.push(start..drawn.lines.len());
        }
        drawn
    }
}

/// The right side that is chosen for a left side.
fn beside(right: Option<(char, &ListItem)>, width: u16, theme: Theme) -> Vec<Line<'static>> {
    let arrow = styled::span("       → ", theme.style(Role::Key));
    let Some((letter, row)) = right else {
        let open = styled::span("?", theme.style(Role::Dim));
        return vec![Line::from(vec![arrow, open])];
    };
    let letter = styled::span(&format!("{letter}  "), theme.style(Role::Key));
    hanging(&[arrow, letter], &row.text, width, theme)
}

/// Letters for right sides; letters bound to other actions are skipped.
fn letters(keys: &Keys) -> impl Iterator<Item = char> {
    ('a'..='z').filter(|letter| {
        let key = KeyEvent::new(KeyCode::Char(*letter), KeyModifiers::NONE);
        keys.action(Context::MATCH, key).is_none()
    })
}
