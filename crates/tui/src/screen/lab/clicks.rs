//! Clicks on a lab: on a tab, on something to choose, and into the program.

use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::state::{Lab, Mode};
use crate::frame;
use crate::glossary;
use crate::keymap::{Action, Motion};
use crate::screen::areas::Areas;
use crate::screen::behaviour::{ClickCount, Screen as _, Step, Target};
use crate::session::{Pane, Session, UpdateContext};
use crate::theme::Role;

/// From so many columns on, the key that goes on in the pane is beside how much is below.
const WITH_KEY: u16 = 60;

impl Lab {
    /// The names of the panes, and how much of the chosen one is visible: in few letters where the names need the room.
    pub(super) fn tab_row(&self, session: &Session, width: u16) -> (Line<'static>, Line<'static>) {
        let theme = session.theme;
        let below = self.scroll.below();
        let key = if below.is_empty() || width < WITH_KEY {
            String::new()
        } else {
            let page_down = Action::Scroll(Motion::PageDown);
            session.keys.name(self.context(), page_down)
        };
        let whole = match self.scroll.place() {
            place if key.is_empty() => place,
            place => format!("{place} · {key}"),
        };
        let whole = theme.line(&whole, Role::Dim);
        let tabs = self.tabs(session, width);
        if tabs.width() + whole.width() + 6 <= usize::from(width) {
            return (tabs, whole);
        }
        let below = match below {
            below if below.is_empty() => below,
            below if key.is_empty() => format!(" ↓ {below}"),
            below => format!(" {key} ↓ {below}"),
        };
        let below = theme.line(&below, Role::Dim);
        let room = usize::from(width).saturating_sub(below.width());
        let tabs = self.tabs(session, u16::try_from(room).unwrap_or(width));
        (tabs, below)
    }

    /// What is at a place of the body.
    pub(super) fn clicked(&self, place: Position, body: Rect, session: &Session) -> Option<Target> {
        let areas = self.areas(body, self.scroll.lines().len());
        if areas.tabs.contains(place) {
            let (tabs, _) = self.tab_row(session, areas.tabs.width);
            return self.tab_at(place.x - areas.tabs.x, &tabs);
        }
        if let Some(line) = self.clicked_bar(place, &areas, session) {
            return Some(Target::Program { line, column: 0 });
        }
        if areas.pane.contains(place) {
            let row = self.scroll.row_at(place, areas.pane).map(Target::Row);
            return row.or_else(|| {
                let line = usize::from(place.y - areas.pane.y);
                let column = usize::from(place.x - areas.pane.x);
                let words = glossary::all(session);
                let word = glossary::at(&words, self.visible(), line, column);
                word.map(Target::Word)
            });
        }
        let (line, column) = self.editor.at(place, areas.program, &self.gutter)?;
        Some(Target::Program { line, column })
    }

    /// The line, from 0, whose work a click on the timeline hits.
    fn clicked_bar(&self, place: Position, areas: &Areas, session: &Session) -> Option<usize> {
        let is_reading = matches!(self.mode, Mode::Reading | Mode::Editing);
        let of_pane =
            (self.pane == Pane::Timeline && is_reading).then_some((areas.pane, self.scroll.top()));
        let below = self.others.iter().zip(&areas.others);
        let mut of_others = below.filter(|(it, _)| it.pane == Pane::Timeline);
        let (area, top) = of_pane.or_else(|| of_others.next().map(|(_, (_, area))| (*area, 0)))?;
        if !area.contains(place) {
            return None;
        }
        let top = u16::try_from(top).unwrap_or(u16::MAX);
        let place = Position::new(place.x - area.x, (place.y - area.y).saturating_add(top));
        let line = self.line_at(place, area.width, session.theme)?;
        usize::try_from(line.checked_sub(1)?).ok()
    }

    /// Whether the pane shows words of the course.
    pub(super) fn shows_words(&self) -> bool {
        match &self.mode {
            Mode::Predicting(_) => true,
            Mode::ChoosingDevice(_) => false,
            Mode::Reading | Mode::Editing => matches!(self.pane, Pane::Task | Pane::Hints),
        }
    }

    /// The tab at a column of its row.
    fn tab_at(&self, column: u16, tabs: &Line<'_>) -> Option<Target> {
        let mut left = usize::from(column).checked_sub(frame::BEFORE_TITLE)?;
        let at = tabs.spans.iter().position(|it| {
            let is_here = left < it.width();
            left = left.saturating_sub(it.width());
            is_here
        })?;
        match &self.mode {
            Mode::Predicting(_) => Some(Target::Tab(at)),
            Mode::ChoosingDevice(_) => None,
            Mode::Reading | Mode::Editing => {
                let shown = u16::try_from(tabs.width() + 4).ok()?;
                self.pane_of_tab(at, shown).map(Target::Pane)
            }
        }
    }

    /// Selects a word, or a line, while the program is edited.
    pub(super) fn clicked_again(&mut self, target: Target, times: ClickCount) {
        let (Mode::Editing, Target::Program { line, column }) = (&self.mode, target) else {
            return;
        };
        match times {
            ClickCount::First => {}
            ClickCount::Second => self.editor.select_word(line, column),
            ClickCount::Third => self.editor.select_line(line),
        }
    }

    /// Selects up to a place while the program is edited.
    pub(super) fn dragged(&mut self, place: Position, body: Rect) {
        if matches!(self.mode, Mode::Editing) {
            let areas = self.areas(body, self.scroll.lines().len());
            self.editor.drag(place, areas.program, &self.gutter);
        }
    }

    /// Performs a click.
    pub(super) fn clicked_on(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step {
        if let Target::Word(word) = target {
            return Step::Word(word);
        }
        let has_hints = self.has_hints();
        match (&mut self.mode, target) {
            (Mode::Predicting(it), Target::Tab(tab)) => {
                it.choose_tab(tab, has_hints);
                self.scroll.go_to_top();
            }
            (Mode::Predicting(it), Target::Row(row)) => it.pick(row),
            (Mode::ChoosingDevice(list), Target::Row(row)) if list.at == row => {
                self.choose_device(Action::Open, ctx);
            }
            (Mode::ChoosingDevice(list), Target::Row(row)) => list.at = row,
            (Mode::Reading, Target::Row(row)) if self.finding == row => {
                let page = self.page_of_finding(ctx.session);
                return page.map_or(Step::Stay, Step::Open);
            }
            (Mode::Reading, Target::Row(row)) => self.finding = row,
            (Mode::Reading | Mode::Editing, Target::Pane(pane)) => self.look_at(pane),
            (Mode::Editing, Target::Program { line, column }) => {
                self.editor.put_cursor(line, column);
            }
            (Mode::Reading, Target::Program { line, .. }) => self.editor.choose(line),
            (
                Mode::Reading | Mode::Editing | Mode::Predicting(_) | Mode::ChoosingDevice(_),
                Target::Row(_)
                | Target::Pane(_)
                | Target::Tab(_)
                | Target::Link(_)
                | Target::Lab(_)
                | Target::Page(_)
                | Target::Word(_)
                | Target::Program { .. },
            ) => {}
        }
        Step::Stay
    }
}
