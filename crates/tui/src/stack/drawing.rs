//! Laying out and drawing the screen on top, and the overlay above it.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::Stack;
use crate::frame::{self, Title};
use crate::hyperlink::Hyperlink;
use crate::overlay::Overlay;
use crate::session::Session;
use crate::theme::Theme;

impl Stack {
    pub(crate) fn title(&self, session: &Session) -> Title {
        match &self.overlay {
            Some(Overlay::Address(_)) => Title::new("Link", String::new()),
            Some(Overlay::Palette(palette)) => Title::new(palette.title(), String::new()),
            Some(Overlay::Hits(hits)) => hits.title(),
            Some(Overlay::Words(_)) => Title::new("Words on the screen", String::new()),
            Some(Overlay::Consent(_)) => Title::new("Run this program?", String::new()),
            Some(Overlay::Letter(letter)) => {
                let lesson = letter.lesson().and_then(|it| session.lesson(it));
                let lesson = lesson.map_or_else(String::new, |it| it.title.clone());
                Title::new("From your instructor", lesson)
            }
            Some(Overlay::Confirm(_) | Overlay::Search(_)) | None => self.top().title(session),
        }
    }

    /// The columns of an area that the screen on top uses.
    pub(crate) fn column(&self, area: Rect) -> Rect {
        match &self.overlay {
            Some(
                Overlay::Hits(_)
                | Overlay::Consent(_)
                | Overlay::Palette(_)
                | Overlay::Words(_)
                | Overlay::Letter(_)
                | Overlay::Address(_),
            ) => frame::column(area),
            Some(Overlay::Confirm(_) | Overlay::Search(_)) | None => self.top().column(area),
        }
    }

    pub(crate) fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        match &self.overlay {
            Some(Overlay::Hits(hits)) => hits.view(session, frame, body),
            Some(Overlay::Address(address)) => address.view(frame, body, session.theme),
            Some(Overlay::Letter(letter)) => letter.view(frame, body, session.theme),
            Some(Overlay::Consent(consent)) => consent.view(frame, body),
            Some(Overlay::Palette(palette)) => palette.view(frame, body, session.theme),
            Some(Overlay::Words(words)) => words.view(frame, body, session.theme),
            Some(Overlay::Confirm(confirm)) => {
                self.top().view(session, frame, body);
                confirm.view(frame, body, session.theme);
            }
            Some(Overlay::Search(_)) | None => self.top().view(session, frame, body),
        }
    }

    /// The whole addresses on the screen, for the terminal.
    pub(crate) fn hyperlinks(&self, body: Rect) -> Vec<Hyperlink> {
        match &self.overlay {
            Some(Overlay::Address(address)) => address.hyperlinks(body),
            Some(Overlay::Search(_)) | None => {
                let reader = self.reader();
                reader.map_or_else(Vec::new, |it| it.hyperlinks(body))
            }
            Some(
                Overlay::Hits(_)
                | Overlay::Confirm(_)
                | Overlay::Consent(_)
                | Overlay::Palette(_)
                | Overlay::Letter(_)
                | Overlay::Words(_),
            ) => Vec::new(),
        }
    }

    /// Draws the line of the footer in which words are typed, if there is one; returns the rest of the footer.
    pub(crate) fn view_line(&self, frame: &mut Frame<'_>, row: Rect, theme: Theme) -> Rect {
        match &self.overlay {
            Some(Overlay::Search(line)) => line.view(frame, row, theme),
            Some(
                Overlay::Hits(_)
                | Overlay::Confirm(_)
                | Overlay::Consent(_)
                | Overlay::Palette(_)
                | Overlay::Words(_)
                | Overlay::Letter(_)
                | Overlay::Address(_),
            )
            | None => row,
        }
    }

    /// Lays out what is on screen.
    pub(crate) fn fit(&mut self, session: &Session, body: Rect) {
        self.top_mut().fit(session, body);
        match &mut self.overlay {
            Some(Overlay::Hits(hits)) => hits.fit(body),
            Some(Overlay::Address(address)) => address.fit(body, session.theme),
            Some(Overlay::Letter(letter)) => letter.fit(body, session.theme),
            Some(Overlay::Consent(consent)) => consent.fit(body, session.theme),
            Some(Overlay::Palette(palette)) => palette.fit(body, session.theme),
            Some(Overlay::Words(words)) => words.fit(body, session.theme),
            Some(Overlay::Confirm(_) | Overlay::Search(_)) | None => {}
        }
    }
}
