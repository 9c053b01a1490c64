//! The palette on screen: the typed letters, and the entries that fit them.

use std::ops::Range;

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::entries::{Entry, EntryTarget};
use super::ranking;
use super::rows::{help_rows, rows, search_row};
use crate::field::Field;
use crate::frame;
use crate::fuzzy::Fit;
use crate::keymap::{Action, Motion, TextAction};
use crate::scroll::{Scroll, VisibleLines};
use crate::styled;
use crate::theme::{Role, Theme};

/// What the help says before anything is typed.
const HOW: &str = "a word or a key, such as F5";

/// What is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PaletteKind {
    /// Everything that has a name.
    Everything,
    /// The keys of a screen, in groups until something is typed.
    Help,
}

/// The open palette.
#[derive(Debug)]
pub(crate) struct Palette {
    kind: PaletteKind,
    field: Field,
    entries: Vec<Entry>,
    /// The entries that fit, best first.
    found: Vec<(usize, Fit)>,
    chosen: usize,
    list: Scroll,
}

impl Palette {
    /// A palette of everything.
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        Self::of(PaletteKind::Everything, entries)
    }

    /// The help of a screen.
    pub(crate) fn help(entries: Vec<Entry>) -> Self {
        Self::of(PaletteKind::Help, entries)
    }

    fn of(kind: PaletteKind, entries: Vec<Entry>) -> Self {
        let mut palette = Self {
            kind,
            field: Field::default(),
            entries,
            found: Vec::new(),
            chosen: 0,
            list: Scroll::default(),
        };
        palette.find();
        palette
    }

    /// Whether it is the help.
    pub(crate) fn is_help(&self) -> bool {
        self.kind == PaletteKind::Help
    }

    /// Whether nothing is typed.
    pub(crate) fn is_empty(&self) -> bool {
        self.field.text().is_empty()
    }

    pub(crate) fn title(&self) -> &'static str {
        match self.kind {
            PaletteKind::Everything => "Go to",
            PaletteKind::Help => "Help",
        }
    }

    /// The footer's word for what an action does, from its word in the table; nothing where it does nothing.
    pub(crate) fn word(&self, action: Action, word: &'static str) -> Option<&'static str> {
        if action == Action::Back && self.is_help() {
            return Some("close");
        }
        if action != Action::Open {
            return Some(word);
        }
        match self.lead()? {
            EntryTarget::Nowhere => None,
            EntryTarget::Search(_) => Some("search"),
            EntryTarget::Act(_) if self.is_help() => Some("run it"),
            EntryTarget::Act(_)
            | EntryTarget::Text(_)
            | EntryTarget::Lab(..)
            | EntryTarget::Quiz(_)
            | EntryTarget::Program => Some(word),
        }
    }

    pub(crate) fn key(&mut self, key: KeyEvent) {
        self.change(|it| it.key(key));
    }

    /// Moves the cursor or cuts.
    pub(crate) fn edit(&mut self, action: TextAction) {
        self.change(|it| it.act(action));
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.change(|it| it.insert(text));
    }

    /// Changes the text, and looks again if it is another one.
    fn change(&mut self, change: impl FnOnce(&mut Field)) {
        let before = self.field.text();
        change(&mut self.field);
        if self.field.text() != before {
            self.find();
        }
    }

    /// Moves the choice.
    pub(crate) fn go(&mut self, motion: Motion) {
        let last = self.found.len().saturating_sub(1);
        let screen = self.list.visible().len().max(1);
        self.chosen = match motion {
            Motion::Up => self.chosen.saturating_sub(1),
            Motion::Down => (self.chosen + 1).min(last),
            Motion::PageUp => self.chosen.saturating_sub(screen),
            Motion::PageDown => (self.chosen + screen).min(last),
            Motion::Top => 0,
            Motion::Bottom => last,
        };
    }

    /// Where the chosen entry leads; without an entry, the search for what is typed.
    pub(crate) fn lead(&self) -> Option<EntryTarget> {
        let Some((at, _)) = self.found.get(self.chosen) else {
            return self.words().map(EntryTarget::Search);
        };
        self.entries.get(*at).map(|it| it.lead.clone())
    }

    /// What can be searched in the text of the course, where no entry matches it.
    fn words(&self) -> Option<String> {
        let is_offered = !self.is_help() && self.found.is_empty();
        let words = self.field.text().trim().to_owned();
        Some(words).filter(|it| is_offered && !it.is_empty())
    }

    fn find(&mut self) {
        self.found = ranking::found(&self.field.text(), &self.entries);
        self.chosen = 0;
    }

    pub(crate) fn fit(&mut self, body: Rect, theme: Theme) {
        let (lines, focus) = self.lines(usize::from(frame::column(body).width), theme);
        let drawn = VisibleLines {
            lines,
            focus,
            ..VisibleLines::default()
        };
        self.list.draw(drawn, split(body).1.height);
    }

    /// All lines, and those of the chosen entry.
    fn lines(&self, width: usize, theme: Theme) -> (Vec<Line<'static>>, Range<usize>) {
        let mut lines = Vec::new();
        let mut focus = 0..0;
        let mut group = "";
        for (row, (at, fit)) in self.found.iter().enumerate() {
            let Some(entry) = self.entries.get(*at) else {
                continue;
            };
            let is_chosen = row == self.chosen;
            let start = lines.len();
            match self.kind {
                PaletteKind::Everything => {
                    lines.extend(rows(entry, fit, is_chosen, (width, theme)));
                }
                PaletteKind::Help => {
                    if self.is_empty() && group != entry.kind {
                        group = entry.kind;
                        lines.extend((row > 0).then(Line::default));
                        lines.push(theme.line(group, Role::Heading));
                    }
                    lines.extend(help_rows(entry, fit, is_chosen, (width, theme)));
                }
            }
            if is_chosen {
                focus = start..lines.len();
            }
        }
        if lines.is_empty() {
            let what = if self.is_help() { "key" } else { "entry" };
            lines.push(theme.line(&format!("  No {what} matches."), Role::Dim));
            lines.extend(self.words().map(|it| search_row(&it, theme)));
        }
        (lines, focus)
    }

    pub(crate) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        let (top, list) = split(body);
        let room = usize::from(top.width).saturating_sub(14);
        let column = self.field.column();
        let hidden = column.saturating_sub(room);
        let typed = Line::from(styled::span(&self.field.text(), theme.style(Role::Text)));
        let sign = if self.is_help() { "? " } else { ": " };
        let mut line = Line::from(theme.span(sign, Role::Key));
        if self.is_help() && self.is_empty() {
            line.spans.push(theme.span(HOW, Role::Dim));
        }
        line.spans.extend(styled::skip(&typed, hidden).spans);
        styled::put(frame, top, 0, &line);
        // What is only said counts where it is found.
        let is_found = |at| self.found.iter().any(|it| it.0 == at);
        let all = self.entries.iter().enumerate();
        let of = all.filter(|(at, it)| it.is_listed() || is_found(*at));
        let count = format!("  {} of {}", self.found.len(), of.count());
        styled::put_right(frame, top, 0, &theme.line(&count, Role::Dim));
        styled::put_cursor(frame, top, Some(0), Some(2 + column - hidden));
        self.list.view(frame, list);
        frame::more_below(frame, list, &self.list.below(), theme);
    }
}

/// The row in which letters are typed, and the list below it.
fn split(body: Rect) -> (Rect, Rect) {
    let column = frame::column(body);
    let top = Rect {
        height: column.height.min(1),
        ..column
    };
    let used = column.height.min(2);
    let list = Rect {
        y: column.y + used,
        height: column.height - used,
        ..column
    };
    (top, list)
}
