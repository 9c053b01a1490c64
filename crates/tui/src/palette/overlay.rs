//! The palette on screen: the typed letters, and the entries that fit them.

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::entries::{Entry, EntryTarget};
use crate::field::Field;
use crate::frame;
use crate::fuzzy::{self, Fit};
use crate::keymap::{Motion, TextAction};
use crate::page::{prefixed, wrap};
use crate::scroll::{Scroll, VisibleLines};
use crate::styled;
use crate::theme::{Role, Theme};

/// Columns for the mark and the kind of an entry.
const KIND: usize = 9;

/// The open palette.
#[derive(Debug)]
pub(crate) struct Palette {
    field: Field,
    entries: Vec<Entry>,
    /// The entries that fit, best first.
    found: Vec<(usize, Fit)>,
    chosen: usize,
    list: Scroll,
}

impl Palette {
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        let mut palette = Self {
            field: Field::default(),
            entries,
            found: Vec::new(),
            chosen: 0,
            list: Scroll::default(),
        };
        palette.find();
        palette
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

    /// Where the chosen entry leads.
    pub(crate) fn lead(&self) -> Option<EntryTarget> {
        let (at, _) = self.found.get(self.chosen)?;
        self.entries.get(*at).map(|it| it.lead.clone())
    }

    fn find(&mut self) {
        let typed = self.field.text();
        let entries = self.entries.iter().enumerate();
        let found = entries.filter_map(|(at, it)| Some((at, fuzzy::fit(&typed, &it.name)?)));
        self.found = found.collect();
        if !typed.trim().is_empty() {
            self.found.sort_by_key(|it| std::cmp::Reverse(it.1.score));
        }
        self.chosen = 0;
    }

    pub(crate) fn fit(&mut self, body: Rect, theme: Theme) {
        let width = usize::from(frame::column(body).width);
        let mut lines = Vec::new();
        let mut focus = 0..0;
        for (row, (at, fit)) in self.found.iter().enumerate() {
            let Some(entry) = self.entries.get(*at) else {
                continue;
            };
            let is_chosen = row == self.chosen;
            let start = lines.len();
            lines.extend(rows(entry, fit, is_chosen, (width, theme)));
            if is_chosen {
                focus = start..lines.len();
            }
        }
        if lines.is_empty() {
            lines.push(theme.line("  No entry matches.", Role::Dim));
        }
        let drawn = VisibleLines {
            lines,
            focus,
            ..VisibleLines::default()
        };
        self.list.draw(drawn, split(body).1.height);
    }

    pub(crate) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        let (top, list) = split(body);
        let room = usize::from(top.width).saturating_sub(14);
        let column = self.field.column();
        let hidden = column.saturating_sub(room);
        let typed = Line::from(styled::span(&self.field.text(), theme.style(Role::Text)));
        let mut line = Line::from(theme.span(": ", Role::Key));
        line.spans.extend(styled::skip(&typed, hidden).spans);
        styled::put(frame, top, 0, &line);
        let count = format!("  {} of {}", self.found.len(), self.entries.len());
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

/// An entry on one row, or the chosen one on as many as it needs.
fn rows(
    entry: &Entry,
    fit: &Fit,
    is_chosen: bool,
    (width, theme): (usize, Theme),
) -> Vec<Line<'static>> {
    let mark = if is_chosen { "▸ " } else { "  " };
    let kind = format!("{:<1$}", entry.kind, KIND - 2);
    let head = [theme.span(mark, Role::Key), theme.span(&kind, Role::Dim)];
    let mut spans = name(entry, fit, is_chosen, theme);
    spans.push(theme.span("  ", Role::Text));
    spans.push(theme.span(&entry.about, Role::Dim));
    let room = width.saturating_sub(KIND).max(1);
    let mut lines = wrap(&spans, room);
    if lines.len() > 1 && !is_chosen {
        lines.truncate(1);
        if let Some(line) = lines.first_mut() {
            let last = line.width() + 1 > room;
            if last && let Some(end) = line.spans.pop() {
                let kept = end.width().saturating_sub(1);
                line.spans
                    .extend((kept > 0).then(|| styled::split(&end, kept).0));
            }
            line.spans.push(theme.span("…", Role::Dim));
        }
    }
    let rest = [theme.span(&" ".repeat(KIND), Role::Dim)];
    prefixed(lines, &head, &rest).collect()
}

/// The name; the letters that fit are underlined.
fn name(entry: &Entry, fit: &Fit, is_chosen: bool, theme: Theme) -> Vec<Span<'static>> {
    let style = theme.style(if is_chosen { Role::Strong } else { Role::Text });
    let hit = theme.style(Role::Key).underlined();
    let letters = entry.name.chars().enumerate();
    let letters = letters.map(|(at, letter)| {
        let style = if fit.letters.contains(&at) {
            hit
        } else {
            style
        };
        styled::span(&letter.to_string(), style)
    });
    letters.collect()
}
