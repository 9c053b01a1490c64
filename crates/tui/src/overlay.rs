//! Overlays: what is drawn over a screen, such as a question, the palette, the hits of a search.

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Padding};

use super::consent::Consent;
use super::glossary::Glossary;
use super::hit_list::HitList;
use super::hyperlink::{self, Hyperlink};
use super::letter::Letter;
use super::palette::Palette;
use super::scroll::Scroll;
use super::search_line::SearchLine;
use super::theme::{Role, Theme};
use super::{page, styled};

/// What is drawn over a screen.
#[derive(Debug)]
pub(super) enum Overlay {
    Confirm(Confirm),
    /// Whether labs that somebody else wrote may run.
    Consent(Consent),
    /// The words to search for.
    Search(Box<SearchLine>),
    /// Where they are.
    Hits(Box<HitList>),
    /// Everything that has a name, or the help.
    Palette(Box<Palette>),
    /// What words on the screen mean.
    Words(Glossary),
    /// An address outside of the course.
    Address(Address),
    /// What an instructor has sent back.
    Letter(Letter),
}

impl Overlay {
    /// Takes a key without an action, such as a letter.
    pub(super) fn key(&mut self, key: KeyEvent) {
        match self {
            Self::Search(line) => line.key(key),
            Self::Palette(palette) => palette.key(key),
            Self::Hits(_)
            | Self::Confirm(_)
            | Self::Consent(_)
            | Self::Address(_)
            | Self::Letter(_)
            | Self::Words(_) => {}
        }
    }

    /// Whether it is the help.
    pub(super) fn is_help(&self) -> bool {
        matches!(self, Self::Palette(palette) if palette.is_help())
    }

    /// Takes pasted text; says whether it was for the overlay.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        match self {
            Self::Search(line) => line.paste(text),
            Self::Palette(palette) => palette.paste(text),
            Self::Hits(_)
            | Self::Confirm(_)
            | Self::Consent(_)
            | Self::Address(_)
            | Self::Letter(_)
            | Self::Words(_) => return false,
        }
        true
    }
}

/// A dialog that asks yes or no.
#[derive(Debug)]
pub(crate) struct Confirm {
    pub(crate) question: String,
    pub(crate) on_yes: OnConfirm,
}

/// What a yes does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnConfirm {
    /// End the app.
    Quit,
    /// Show the solution, which counts as giving up.
    ShowSolution,
    /// Restore the starter program.
    RestoreStarter,
    /// Leave the learner's own program for the course.
    LeaveProgram,
    /// Hand the quiz in with open questions.
    HandIn,
}

impl Confirm {
    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        let width = body.width.saturating_sub(4).clamp(1, 60);
        let mut lines = page::paragraph(&self.question, theme.style(Role::Strong), width);
        lines.push(Line::default());
        lines.push(Line::from(vec![
            theme.span("y", Role::Key),
            styled::span(" yes    ", Style::new()),
            theme.span("n", Role::Key),
            styled::span(" no", Style::new()),
        ]));
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let area = Rect {
            x: body.x + body.width.saturating_sub(width + 4) / 2,
            // At the bottom: what the question is about is above it.
            y: body
                .bottom()
                .saturating_sub(height.saturating_add(2))
                .max(body.y),
            width: width + 4,
            height: height.saturating_add(2),
        }
        .intersection(body);
        let block = Block::bordered()
            .border_style(theme.style(Role::Border))
            .padding(Padding::horizontal(1));
        let inside = block.inner(area);
        // Beside the box no words of the screen go on, which would be cut.
        let rows = Rect {
            x: body.x,
            width: body.width,
            ..area
        };
        frame.render_widget(Clear, rows);
        frame.render_widget(block, area);
        styled::put_all(frame, inside, &lines);
    }
}

/// An address outside of the course, to be copied: warpup opens no browser, which the machine may not have.
#[derive(Debug)]
pub(super) struct Address {
    pub(super) address: String,
    pub(super) scroll: Scroll,
}

impl Address {
    pub(super) fn fit(&mut self, body: Rect, theme: Theme) {
        let width = super::frame::column(body).width;
        let said = "This is outside of the course. Open it in a browser:";
        let mut lines = page::paragraph(said, Style::new(), width);
        lines.push(Line::default());
        let mut rest = Some(theme.span(&self.address, Role::Link));
        while let Some(span) = rest {
            let (line, more) = styled::split(&span, usize::from(width));
            lines.push(Line::from(line));
            rest = more;
        }
        self.scroll.set(lines);
        self.scroll.fit(body.height);
    }

    /// The address, if it is whole on one line.
    pub(super) fn hyperlinks(&self, body: Rect) -> Vec<Hyperlink> {
        let lines = self.scroll.lines().get(self.scroll.visible());
        let address = std::slice::from_ref(&self.address);
        hyperlink::on(
            lines.unwrap_or_default(),
            address,
            super::frame::column(body),
        )
    }

    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        super::frame::scrolled(frame, body, &self.scroll, theme);
    }
}
