//! How an entry of the palette and of the help is drawn.

use ratatui::text::{Line, Span};

use super::entries::Entry;
use crate::fuzzy::Fit;
use crate::page::{self, prefixed, wrap};
use crate::styled;
use crate::theme::{Role, Theme};

/// Columns for the mark and the kind of an entry.
const KIND: usize = 9;

/// Columns for the mark and the keys in the help.
const KEYS: usize = 22;

/// The mark of the chosen entry, or as much space.
fn mark(is_chosen: bool) -> &'static str {
    if is_chosen { "▸ " } else { "  " }
}

/// An entry on one row, or the chosen one on as many as it needs.
pub(super) fn rows(
    entry: &Entry,
    fit: &Fit,
    is_chosen: bool,
    (width, theme): (usize, Theme),
) -> Vec<Line<'static>> {
    let kind = format!("{:<1$}", entry.kind, KIND - 2);
    let head = [
        theme.span(mark(is_chosen), Role::Key),
        theme.span(&kind, Role::Dim),
    ];
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

/// An entry of the help: its keys, and what they do in a column of its own.
pub(super) fn help_rows(
    entry: &Entry,
    fit: &Fit,
    is_chosen: bool,
    (width, theme): (usize, Theme),
) -> Vec<Line<'static>> {
    let room = width.saturating_sub(KEYS).max(1);
    let mut said = wrap(&name(entry, fit, is_chosen, theme), room);
    let keys = page::paragraph(&entry.about, theme.style(Role::Key), KEYS - 3);
    said.resize(said.len().max(keys.len()), Line::default());
    let keys = keys.into_iter().chain(std::iter::repeat(Line::default()));
    let rows = said.into_iter().zip(keys).enumerate();
    let rows = rows.map(|(row, (said, keys))| {
        let pad = " ".repeat((KEYS - 2).saturating_sub(keys.width()));
        let mark = theme.span(mark(is_chosen && row == 0), Role::Key);
        let keys = keys.spans.into_iter();
        let spans = std::iter::once(mark).chain(keys);
        let spans = spans.chain([theme.span(&pad, Role::Text)]);
        spans.chain(said.spans).collect()
    });
    rows.collect()
}

/// The row that searches the text of the course for what no entry matches.
pub(super) fn search_row(words: &str, theme: Theme) -> Line<'static> {
    Line::from(vec![
        theme.span(mark(true), Role::Key),
        theme.span("search the text for ", Role::Text),
        theme.span(&format!("“{words}”"), Role::Strong),
    ])
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
