//! The problems in the course files, as a list. `warpup check` shows each with its line.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::behaviour::{Screen, Step, Target};
use crate::frame::{self, Title};
use crate::keymap::{Action, Context};
use crate::scroll::Scroll;
use crate::session::{Session, UpdateContext};
use crate::theme::Role;
use crate::{page, styled};
use warpup_course::Severity;

#[derive(Debug, Default)]
pub(crate) struct Problems {
    scroll: Scroll,
}

impl Screen for Problems {
    fn context(&self) -> Context {
        Context::SCROLL
    }

    fn title(&self, _session: &Session) -> Title {
        Title::new("Problems in the course files", self.scroll.place())
    }

    fn offers(&self, _action: Action, _session: &Session) -> bool {
        true
    }

    fn act(&mut self, action: Action, _ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => return Step::Back,
            Action::Scroll(motion) => self.scroll.go(motion),
            Action::App(_)
            | Action::Open
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    fn at(&self, _place: Position, _body: Rect, _session: &Session) -> Option<Target> {
        None
    }

    fn click(&mut self, _target: Target, _ctx: &mut UpdateContext<'_>) -> Step {
        Step::Stay
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let width = usize::from(frame::column(body).width);
        let theme = session.theme;
        let mut lines = Vec::new();
        for problem in &session.course.problems {
            let (word, role) = match problem.severity {
                Severity::Error => ("error", Role::Bad),
                Severity::Warning => ("warning", Role::Warn),
            };
            let word = format!("{word}[{}]: ", problem.rule.name());
            let head = [
                theme.span(&problem.file, Role::Strong),
                styled::span(": ", Style::new()),
                theme.span(&word, role),
                styled::span(&problem.message, Style::new()),
            ];
            lines.extend(page::wrap(&head, width));
            if let Some(hint) = &problem.hint {
                let hint = format!("hint: {hint}");
                lines.extend(page::paragraph(&hint, theme.style(Role::Dim), width));
            }
            lines.push(Line::default());
        }
        let more = if session.course.problems.is_empty() {
            "none"
        } else {
            "`warpup check` shows each at its place in the file, and `warpup check --explain RULE` what a rule in brackets means."
        };
        lines.extend(page::paragraph(more, theme.style(Role::Dim), width));
        self.scroll.set(lines);
        self.scroll.fit(body.height);
    }

    fn view(&self, _session: &Session, frame: &mut Frame<'_>, body: Rect) {
        self.scroll.view(frame, frame::column(body));
    }
}
