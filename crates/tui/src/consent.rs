//! The question before a program of somebody else's course runs for the first time, with all that would run.
//!
//! It is asked where requests leave the app, so no screen can forget it. Pure.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::effect::Effect;
use super::page::{self, highlight};
use super::scroll::Scroll;
use super::theme::{Role, Theme};
use warpup_course::Lesson;
use warpup_lab::memory_limit;
use warpup_protocol::RunRequest;

/// The open question, and the run that waits for its answer.
#[derive(Debug)]
pub(super) struct Consent {
    pub(super) request: Box<RunRequest>,
    /// What the course asks for beyond what is usual, in a sentence.
    pub(super) memory: Option<String>,
    pub(super) scroll: Scroll,
}

/// Takes the request to run something out of the effects, if there is one.
pub(super) fn held_back<'a>(
    effects: &mut Vec<Effect>,
    lessons: impl IntoIterator<Item = &'a Lesson>,
) -> Option<Consent> {
    let at = effects.iter().position(|it| matches!(it, Effect::Run(_)))?;
    let Effect::Run(request) = effects.remove(at) else {
        return None;
    };
    Some(Consent {
        request: Box::new(request),
        memory: memory_limit::more_than_usual(lessons),
        scroll: Scroll::default(),
    })
}

impl Consent {
    pub(super) fn fit(&mut self, body: Rect, theme: Theme) {
        let width = super::frame::column(body).width;
        let plain = Style::new();
        let mut lines = page::paragraph(
            "This course is not part of warpup, and its labs run programs that its author wrote. They run in a process \
             of their own, with limits; still, run only what you would run in Python. Press y to run the labs of this \
             course, as long as none of their programs changes, or n to run nothing.",
            plain,
            width,
        );
        if let Some(memory) = &self.memory {
            lines.push(Line::default());
            lines.extend(page::paragraph(memory, plain, width));
        }
        lines.push(Line::default());
        lines.push(theme.line("The program, as it would run now", Role::Heading));
        lines.extend(code(&self.request.source, width, theme));
        if let Some(check) = &self.request.check {
            lines.push(Line::default());
            lines.push(theme.line("The check that runs after it", Role::Heading));
            lines.extend(code(check, width, theme));
        }
        self.scroll.set(lines);
        self.scroll.fit(body.height);
    }

    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect) {
        self.scroll.view(frame, super::frame::column(body));
    }
}

fn code(source: &str, width: u16, theme: Theme) -> Vec<Line<'static>> {
    page::wrap_code(&highlight::code("python", source, theme), width, theme)
}
