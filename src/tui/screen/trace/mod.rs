//! A trace of the learner's own: what was found, its timeline, and its tables. The session keeps the trace.

mod findings;
mod lanes;
mod tables;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::behaviour::{Route, ScreenBehaviour, Step, Target};
use crate::course::{LessonId, PageId};
use crate::lab::timeline::{Window, Zoom};
use crate::tui::effect::Effect;
use crate::tui::frame::{self, Title};
use crate::tui::keymap::{Action, Context, LabAction, Motion};
use crate::tui::page;
use crate::tui::scroll::{Drawn, Scroll};
use crate::tui::session::{ReadTrace, Session, TraceState, UpdateContext};
use crate::tui::theme::Role;

/// The parts of the screen, in the order of the key that leads to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Findings,
    Timeline,
    Tables,
}

impl Part {
    const ALL: [Self; 3] = [Self::Findings, Self::Timeline, Self::Tables];

    fn name(self) -> &'static str {
        match self {
            Self::Findings => "found",
            Self::Timeline => "timeline",
            Self::Tables => "tables",
        }
    }

    fn after(self, steps: usize) -> Self {
        let at = Self::ALL.iter().position(|it| *it == self).unwrap_or(0);
        let all = Self::ALL.len();
        Self::ALL.get((at + steps) % all).copied().unwrap_or(self)
    }
}

/// The screen of a trace.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    part: Part,
    /// The finding that the keys are at.
    at: usize,
    /// The part of the timeline that is visible; all of the steps if there is none.
    window: Option<Window>,
    scroll: Scroll,
}

impl Trace {
    fn show(&mut self, part: Part) {
        if self.part != part {
            self.part = part;
            self.scroll.go_to_top();
        }
    }

    /// Opens the page of the course that explains the finding.
    fn explain(&self, session: &Session) -> Step {
        let report = session.trace.read().map(|it| &it.report);
        let finding = report.and_then(|it| it.findings.get(self.at));
        let Some(page) = finding.map(|it| it.page) else {
            return Step::Stay;
        };
        let page = Route::Lesson(LessonId::new(page.lesson), Some(PageId::new(page.page)));
        Step::Open(page)
    }

    fn zoom(&mut self, zoom: Zoom, session: &Session) {
        let Some(read) = session.trace.read() else {
            return;
        };
        let whole = lanes::whole(read);
        self.window = Some(self.after(zoom, read)).filter(|it| *it != whole);
    }

    fn after(&self, zoom: Zoom, read: &ReadTrace) -> Window {
        let total = u64::try_from(read.trace.end_ns()).unwrap_or(0);
        let now = self.window.unwrap_or_else(|| lanes::whole(read));
        now.after(zoom, total)
    }

    fn lines(&self, session: &Session, width: usize) -> Drawn {
        let theme = session.theme;
        let read = match &session.trace {
            TraceState::None => return Drawn::default(),
            TraceState::Reading { file, percent } => {
                let percent = percent.map_or_else(String::new, |it| format!(": {it} %"));
                let said = format!("Reading {file}{percent} …");
                return of(page::paragraph(&said, theme.style(Role::Dim), width));
            }
            TraceState::Failed(why) => {
                let said = format!("The trace cannot be read: {why}.");
                let mut lines = page::paragraph(&said, theme.style(Role::Bad), width);
                let hint = "A trace is what export_chrome_trace of torch.profiler writes; `warpup trace --how` prints the lines that record one.";
                lines.extend(page::paragraph(hint, theme.style(Role::Text), width));
                return of(lines);
            }
            TraceState::Read(read) => read,
        };
        let mut head = page::paragraph(&self.tabs(), theme.style(Role::Key), width);
        if read.analysis.about.is_synthetic {
            let said = "This trace is synthetic: computed by a script, not measured.";
            head.extend(page::paragraph(said, theme.style(Role::Warn), width));
        }
        head.push(Line::default());
        let drawn = match self.part {
            Part::Findings => findings::lines(read, self.at, session, width),
            Part::Timeline => of(lanes::lines(read, self.window, theme, width)),
            Part::Tables => of(tables::lines(&read.analysis, theme, width)),
        };
        drawn.below(head)
    }

    fn tabs(&self) -> String {
        let tabs = Part::ALL.map(|it| {
            if it == self.part {
                format!("[{}]", it.name())
            } else {
                format!(" {} ", it.name())
            }
        });
        tabs.join(" ")
    }
}

fn of(lines: Vec<Line<'static>>) -> Drawn {
    Drawn {
        lines,
        ..Drawn::default()
    }
}

impl ScreenBehaviour for Trace {
    fn context(&self) -> Context {
        Context::TRACE
    }

    fn title(&self, session: &Session) -> Title {
        let right = match &session.trace {
            TraceState::Reading { .. } => "reading …".to_owned(),
            TraceState::None | TraceState::Failed(_) => String::new(),
            TraceState::Read(_) => self.scroll.place(),
        };
        let file = session.trace.read().map(|it| it.analysis.file.as_str());
        Title::new(file.unwrap_or("A trace").to_owned(), right)
    }

    fn column(&self, area: Rect) -> Rect {
        frame::full_width(area)
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        let Some(read) = session.trace.read() else {
            return matches!(action, Action::Back | Action::App(_));
        };
        match action {
            Action::Open => {
                let finding = read.report.findings.get(self.at);
                let lesson = finding.map(|it| it.page.lesson);
                let mut lessons = session.lessons.iter();
                self.part == Part::Findings && lessons.any(|it| Some(it.id.as_str()) == lesson)
            }
            Action::Lab(LabAction::Zoom(zoom)) => {
                let now = self.window.unwrap_or_else(|| lanes::whole(read));
                self.part == Part::Timeline && self.after(zoom, read) != now
            }
            Action::App(_)
            | Action::Back
            | Action::Scroll(_)
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => true,
        }
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => {
                if ctx.session.saving.unsaved() == 0 {
                    ctx.effects.push(Effect::Quit);
                    return Step::Stay;
                }
                return Step::Back;
            }
            Action::Open if self.part == Part::Findings => return self.explain(ctx.session),
            Action::Lab(LabAction::NextPane) => self.show(self.part.after(1)),
            Action::Lab(LabAction::PreviousPane) => self.show(self.part.after(Part::ALL.len() - 1)),
            Action::Lab(LabAction::Zoom(zoom)) => self.zoom(zoom, ctx.session),
            Action::Scroll(motion @ (Motion::Down | Motion::Up)) if self.part == Part::Findings => {
                let findings = ctx.session.trace.read().map(|it| it.report.findings.len());
                let last = findings.unwrap_or(0).saturating_sub(1);
                let is_at_end = self.at == last && motion == Motion::Down;
                if is_at_end || findings == Some(0) {
                    self.scroll.go(motion);
                } else if motion == Motion::Down {
                    self.at += 1;
                } else {
                    self.at = self.at.saturating_sub(1);
                }
            }
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

    fn at(&self, place: Position, body: Rect, _session: &Session) -> Option<Target> {
        let row = self.scroll.row_at(place, frame::full_width(body))?;
        (self.part == Part::Findings).then_some(Target::Row(row))
    }

    fn click(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step {
        let Target::Row(row) = target else {
            return Step::Stay;
        };
        if self.at == row {
            return self.explain(ctx.session);
        }
        self.at = row;
        Step::Stay
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        let width = usize::from(frame::full_width(body).width);
        let drawn = self.lines(session, width);
        let is_list = !drawn.rows.is_empty();
        if is_list {
            self.scroll.draw(drawn, body.height);
        } else {
            self.scroll.set(drawn.lines);
            self.scroll.fit(body.height);
        }
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        frame::scrolled(frame, body, &self.scroll, session.theme);
    }
}
