//! Traces as a screen: actions, layout and drawing.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::borrow::Cow;

use super::{Trace, TracePane, lanes};
use crate::effect::Effect;
use crate::frame::{self, Title};
use crate::keymap::{Action, Context, LabAction};
use crate::screen::behaviour::{Screen, Step, Target};
use crate::session::{Session, TraceRelation, TraceState, UpdateContext};
use crate::styled;
use crate::theme::Role;

impl Screen for Trace {
    fn context(&self) -> Context {
        Context::TRACE
    }

    fn title(&self, session: &Session) -> Title {
        let right = match &session.traces {
            TraceState::Reading { .. } => "reading …".to_owned(),
            TraceState::None | TraceState::Failed { .. } => String::new(),
            TraceState::Read(_) => self.scroll.place(),
        };
        let name = match session.traces.read() {
            None => "A trace".to_owned(),
            Some(read) => match (read.all.as_slice(), &read.together) {
                ([only], _) => only.analysis.file.clone(),
                (all, TraceRelation::Ranks(_)) => format!("{} ranks", all.len()),
                (all, TraceRelation::Alone | TraceRelation::Compared(_)) => {
                    let names = all.iter().map(|it| it.analysis.file.as_str());
                    names.collect::<Vec<_>>().join(" and ")
                }
            },
        };
        Title::new(name, right)
    }

    fn column(&self, area: Rect) -> Rect {
        frame::full_width(area)
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        let Some(read) = self.read(session) else {
            return matches!(action, Action::Back | Action::App(_));
        };
        match action {
            Action::Open => {
                self.shows(TracePane::Findings, session) && self.page(session).is_some()
            }
            Action::Lab(LabAction::Zoom(zoom)) => {
                let now = self.timeline.window.unwrap_or_else(|| lanes::whole(read));
                self.shows_timeline(session) && self.after(zoom, read) != now
            }
            Action::Lab(LabAction::Moment(_)) => {
                self.shows_timeline(session) && read.trace.is_some()
            }
            Action::Lab(LabAction::FullPane) => {
                let is_beside = self.areas.is_some() && !self.has_source_above;
                self.can_have_source(session) && !is_beside
            }
            Action::Lab(LabAction::Program(_)) => self.areas.is_some(),
            Action::Page(action) => self.file_after(action, session).is_some(),
            Action::App(_)
            | Action::Back
            | Action::Scroll(_)
            | Action::Go(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => true,
        }
    }

    fn word(&self, action: Action, _session: &Session) -> Option<Cow<'static, str>> {
        let brings_source = action == Action::Lab(LabAction::FullPane) && !self.has_source_above;
        brings_source.then_some(Cow::Borrowed("source"))
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            Action::Back => {
                if ctx.session.learner.saving.unsaved() == 0 {
                    ctx.effects.push(Effect::Quit);
                    return Step::Stay;
                }
                return Step::Back;
            }
            Action::Open if self.shows(TracePane::Findings, ctx.session) => {
                return self.explain(ctx.session);
            }
            Action::Lab(LabAction::NextPane) => self.go(1, ctx.session),
            Action::Lab(LabAction::PreviousPane) => self.go(-1, ctx.session),
            Action::Lab(LabAction::Zoom(zoom)) => self.zoom(zoom, ctx.session),
            Action::Lab(LabAction::Moment(to)) => self.move_cursor(to, ctx.session),
            Action::Lab(LabAction::FullPane) => self.has_source_above = !self.has_source_above,
            Action::Lab(LabAction::Program(motion)) => self.source.go(motion),
            Action::Page(action) => {
                if let Some(file) = self.file_after(action, ctx.session) {
                    self.turn_to(file, ctx.session);
                }
            }
            Action::Scroll(motion) => self.move_by(motion, ctx.session),
            Action::App(_)
            | Action::Open
            | Action::Go(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    fn at(&self, place: Position, body: Rect, session: &Session) -> Option<Target> {
        let row = self.scroll.row_at(place, self.pane(body))?;
        self.shows(TracePane::Findings, session)
            .then_some(Target::Row(row))
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
        self.lay_out(session, body);
        let pane = self.pane(body);
        let drawn = self.lines(session, usize::from(pane.width));
        self.scroll.draw(drawn, pane.height);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let theme = session.theme;
        frame::scrolled_in(frame, self.pane(body), &self.scroll, theme);
        let (Some(areas), Some(read)) = (&self.areas, session.traces.read()) else {
            return;
        };
        self.source.view(frame, areas.clocks, areas.program, theme);
        styled::put_all(frame, areas.status, &self.status);
        let tabs = theme.line(&self.tabs(read), Role::Key);
        frame::rule(frame, areas.tabs, &tabs, theme);
        for (rule, below) in areas.others.iter().filter(|it| it.1.height > 0) {
            let title = theme.line(" timeline ", Role::Strong);
            frame::rule(frame, *rule, &title, theme);
            styled::put_all(frame, *below, &self.drawn_timeline.lines);
        }
    }
}

impl Trace {
    /// Where the shown part is.
    fn pane(&self, body: Rect) -> Rect {
        let areas = self.areas.as_ref();
        areas.map_or_else(|| frame::full_width(body), |it| it.pane)
    }
}
