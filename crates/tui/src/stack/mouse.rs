//! The mouse: a click on a key of the footer presses it, one on a screen is for that screen, and the wheel scrolls.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};

use super::screens::Stack;
use crate::frame;
use crate::keymap::{Action, Context, FormAction, Keys, LabAction, Motion};
use crate::screen::{ClickCount, Target};
use crate::session::UpdateContext;

/// Lines of text for one step of the wheel.
const LINES: usize = 3;

/// The way that a wheel was turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wheel {
    Up,
    Down,
}

/// In so many milliseconds, two clicks at one place belong together.
const AGAIN_MS: u64 = 400;

/// Where the button of the mouse went down last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastClick {
    at: Position,
    at_ms: u64,
    count: ClickCount,
    is_in_program: bool,
}

impl LastClick {
    /// Counts a click.
    fn count(&mut self, at: Position, now_ms: u64) -> ClickCount {
        let is_again = at == self.at && now_ms.saturating_sub(self.at_ms) <= AGAIN_MS;
        let count = match self.count {
            ClickCount::First if is_again => ClickCount::Second,
            ClickCount::Second if is_again => ClickCount::Third,
            ClickCount::First | ClickCount::Second | ClickCount::Third => ClickCount::First,
        };
        *self = Self {
            at,
            at_ms: now_ms,
            count,
            is_in_program: false,
        };
        count
    }
}

impl Stack {
    /// Presses the key of the footer that was clicked, or does what the screen does where it was clicked. There is no footer
    /// where its keys share a row with other things.
    pub(crate) fn click(
        &mut self,
        at: Position,
        (footer, body): (Option<Rect>, Option<Rect>),
        ctx: &mut UpdateContext<'_>,
    ) {
        let count = self.last_click.count(at, ctx.now_ms);
        let keys = self.footer(ctx.session);
        let clicked = footer.and_then(|it| frame::clicked(&keys, self.column(it), at));
        if let Some(key) = clicked.map(|it| it.pressed) {
            self.key(key, ctx);
            return;
        }
        self.is_asked_to_quit = false;
        let body = body.filter(|_| self.overlay.is_none());
        if let Some(target) = body.and_then(|it| self.top().at(at, it, ctx.session)) {
            self.last_click.is_in_program = matches!(target, Target::Program { .. });
            let step = self.top_mut().click(target, ctx);
            self.top_mut().click_again(target, count);
            self.step(step, ctx);
        }
    }

    /// Selects in the program in which the button went down.
    pub(crate) fn drag(&mut self, at: Position, body: Option<Rect>) {
        let is_open = self.last_click.is_in_program && self.overlay.is_none();
        if let Some(body) = body.filter(|_| is_open) {
            self.top_mut().drag(at, body);
        }
    }

    /// Scrolls text by some lines, and a choice by one.
    pub(crate) fn wheel(&mut self, wheel: Wheel, ctx: &mut UpdateContext<'_>) {
        self.is_asked_to_quit = false;
        let code = match wheel {
            Wheel::Up => KeyCode::Up,
            Wheel::Down => KeyCode::Down,
        };
        let lines = if scrolls(self.context(ctx.session)) {
            LINES
        } else {
            1
        };
        for _ in 0..lines {
            let context = self.context(ctx.session);
            let arrow = KeyEvent::new(code, KeyModifiers::NONE);
            // As in the table: other keys of the learner change nothing for the wheel.
            match Keys::default().action(context, arrow) {
                // Arrows choose a line there.
                Some(Action::Lab(LabAction::Program(motion))) => {
                    self.act(Action::Scroll(motion), ctx);
                }
                Some(action) => self.act(action, ctx),
                None => self.key(arrow, ctx),
            }
        }
    }
}

/// Whether up and down move text, and choose nothing.
fn scrolls(context: Context) -> bool {
    let has = |wanted: &[Action]| context.bindings().any(|it| wanted.contains(&it.action));
    let ends = [
        Action::Scroll(Motion::PageDown),
        Action::Scroll(Motion::Bottom),
    ];
    has(&ends) && !has(&[Action::Form(FormAction::Submit)]) && context != Context::MAP
}
