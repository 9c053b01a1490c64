//! The marks of containers on a page.

use ratatui::text::Span;

use crate::course::containers::{Mark, marker};
use crate::course::{Callout, Container};
use crate::tui::ink;
use crate::tui::theme::{Role, Theme};

/// A container that would leave a block fewer columns gets no mark.
const MIN_WIDTH: usize = 16;

/// The marks in front of one block, outer containers first.
pub(super) struct Marks {
    /// Columns that further marks may take.
    left: usize,
    theme: Theme,
}

impl Marks {
    pub(super) fn new(width: usize, theme: Theme) -> Self {
        Self {
            left: width.saturating_sub(MIN_WIDTH),
            theme,
        }
    }

    pub(super) fn mark(&mut self, container: &Container) -> Mark<Span<'static>> {
        let dim = self.theme.style(Role::Dim);
        let bar = |role| self.theme.span("│ ", role);
        let first = match container {
            Container::Quote => bar(Role::Dim),
            Container::Callout(kind) => bar(callout(*kind).1),
            Container::Details { .. } => ink::span("  ", dim),
            Container::Item { .. } | Container::Footnote { .. } => {
                ink::span(&marker(container, "•").unwrap_or_default(), dim)
            }
        };
        let first = match self.left.checked_sub(first.width()) {
            Some(left) => {
                self.left = left;
                first
            }
            None => {
                self.left = 0;
                ink::span("", dim)
            }
        };
        let blank = ink::span(&" ".repeat(first.width()), dim);
        let (title, rest) = match container {
            Container::Quote => (Vec::new(), first.clone()),
            Container::Callout(kind) => {
                let (word, role) = callout(*kind);
                let word = self.theme.span(word, role);
                (vec![first.clone(), word], first.clone())
            }
            Container::Details { summary, .. } => {
                let strong = self.theme.style(Role::Strong);
                let title = ink::span(&format!("▾ {summary}"), strong);
                (vec![title], blank)
            }
            Container::Item { .. } | Container::Footnote { .. } => (Vec::new(), blank),
        };
        Mark { title, first, rest }
    }
}

fn callout(kind: Callout) -> (&'static str, Role) {
    match kind {
        Callout::Note => ("NOTE", Role::Key),
        Callout::Tip => ("TIP", Role::Good),
        Callout::Important => ("IMPORTANT", Role::Keyword),
        Callout::Warning => ("WARNING", Role::Warn),
        Callout::Caution => ("CAUTION", Role::Bad),
    }
}
