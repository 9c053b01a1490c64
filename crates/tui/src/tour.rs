//! How warpup works, on a few pages that are read in a minute. The map offers it to a learner who has done nothing yet.

use std::ops::ControlFlow;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::frame::{self, Title};
use super::keymap::{Action, PageAction};
use super::page;
use super::scroll::Scroll;
use super::theme::{Role, Theme};

/// The pages: a title, and paragraphs.
const PAGES: [(&str, &[&str]); 4] = [
    (
        "A course with a lab in it",
        &[
            "warpup teaches what happens between a Python program and a card: a GPU with its own memory. It shows what runs \
             where, what a copy costs, when the program waits, and what fills the memory.",
            "A lesson has short pages, small programs that you run and change, and a quiz. More than 75 % of the points \
             make the lesson done. No card is needed.",
        ],
    ),
    (
        "Reading",
        &[
            "Space goes down, and at the end of a page to the next one. n and p turn pages. q goes back to the map. \
             warpup remembers the line.",
            "A number opens the link with that number, and Backspace returns. Tab goes to the next lab, and Enter opens it.",
        ],
    ),
    (
        "Labs",
        &[
            "r runs the program, e edits it, d switches the device: the CPU, a modelled card, or a real one if the \
             machine has it.",
            "Beside each line are two times: how long the host spent on it, and how long the device did. Each says whether \
             it was measured, or modelled from a cost model that the course explains.",
            "Some labs ask for your prediction first. A wrong one costs nothing and teaches most.",
        ],
    ),
    (
        "Finding things",
        &[
            "? shows all keys of a screen. / searches the page, the lesson and the course. : goes to anything by a few \
             letters of its name: lessons, pages, labs, words and keys.",
            "Everything is saved as you go, so you can stop at any time: q twice on the map quits.",
        ],
    ),
];

/// The open tour.
#[derive(Debug, Default)]
pub(super) struct Tour {
    page: usize,
    scroll: Scroll,
}

impl Tour {
    pub(super) fn title(&self) -> Title {
        Title::new(
            "How warpup works",
            format!("{} of {}", self.page + 1, PAGES.len()),
        )
    }

    /// What Enter does now; nothing where it turns the page.
    pub(super) fn word(&self, action: Action) -> Option<&'static str> {
        if action != Action::Open {
            None
        } else if !self.scroll.at_end() {
            Some("continue")
        } else {
            (self.page + 1 >= PAGES.len()).then_some("to the map")
        }
    }

    /// Turns pages; breaks when the tour is over.
    pub(super) fn act(&mut self, action: Action) -> ControlFlow<()> {
        if self.scroll.act(action) {
            return ControlFlow::Continue(());
        }
        if action == Action::Page(PageAction::Previous) {
            self.page = self.page.saturating_sub(1);
        } else if !self.scroll.at_end() {
            // On a small terminal a page may be longer than the screen.
            self.scroll
                .act(Action::Scroll(super::keymap::Motion::PageDown));
            return ControlFlow::Continue(());
        } else if self.page + 1 < PAGES.len() {
            self.page += 1;
        } else {
            return ControlFlow::Break(());
        }
        self.scroll.go_to_top();
        ControlFlow::Continue(())
    }

    pub(super) fn fit(&mut self, body: Rect, theme: Theme) {
        let width = frame::column(body).width;
        let Some((title, paragraphs)) = PAGES.get(self.page) else {
            return;
        };
        let mut lines = vec![theme.line(title, Role::Heading)];
        for text in *paragraphs {
            lines.push(Line::default());
            lines.extend(page::paragraph(text, Style::new(), width));
        }
        self.scroll.set(lines);
        self.scroll.fit(body.height);
    }

    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        frame::scrolled(frame, body, &self.scroll, theme);
    }
}
