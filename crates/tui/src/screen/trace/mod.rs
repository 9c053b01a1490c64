//! Traces of the learner's own: what was found, the timeline, curves, and tables; of several also what they are to each other. The
//! session keeps the traces.

mod comparison;
mod curves;
mod findings;
mod lanes;
mod tables;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::behaviour::{Route, Screen, Step, Target};
use super::finding_list;
use crate::effect::Effect;
use crate::frame::{self, Title};
use crate::keymap::{Action, Context, LabAction, Motion, PageAction};
use crate::page;
use crate::scroll::{Scroll, VisibleLines};
use crate::session::{ReadTrace, ReadTraces, Session, TraceRelation, TraceState, UpdateContext};
use crate::theme::Role;
use warpup_kineto::findings::headline;
use warpup_lab::timeline::{Window, Zoom};

/// Columns of running text, which is hard to read in longer lines.
const PROSE: usize = 100;

/// The parts of the screen, in the order of the key that leads to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TracePane {
    /// What several traces are to each other.
    Together,
    Findings,
    Timeline,
    Curves,
    Tables,
}

impl TracePane {
    /// The parts for these traces.
    fn all(read: &ReadTraces) -> &'static [Self] {
        const ALL: [TracePane; 5] = [
            TracePane::Together,
            TracePane::Findings,
            TracePane::Timeline,
            TracePane::Curves,
            TracePane::Tables,
        ];
        match read.together {
            TraceRelation::Alone => ALL.split_first().map_or(&[], |it| it.1),
            TraceRelation::Compared(_) | TraceRelation::Ranks(_) => &ALL,
        }
    }

    fn name(self, read: &ReadTraces) -> &'static str {
        match (self, &read.together) {
            (Self::Together, TraceRelation::Ranks(_)) => "ranks",
            (Self::Together, TraceRelation::Alone | TraceRelation::Compared(_)) => "compared",
            (Self::Findings, _) => "found",
            (Self::Timeline, _) => "timeline",
            (Self::Curves, _) => "over time",
            (Self::Tables, _) => "tables",
        }
    }
}

/// The screen of traces.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// The part that is shown; the first if the learner has not chosen.
    part: Option<TracePane>,
    /// Which file the parts show that are about one.
    file: usize,
    /// The finding that the keys are at.
    at: usize,
    /// The part of the timeline that is visible; all of the steps if there is none.
    window: Option<Window>,
    scroll: Scroll,
}

impl Trace {
    fn part(&self, read: &ReadTraces) -> TracePane {
        let first = TracePane::all(read).first().copied();
        self.part.or(first).unwrap_or(TracePane::Findings)
    }

    /// The part that so many keys later is shown.
    fn go(&mut self, steps: isize, session: &Session) {
        let Some(read) = session.traces.read() else {
            return;
        };
        let all = TracePane::all(read);
        let now = all.iter().position(|it| *it == self.part(read));
        let after = now.unwrap_or(0).checked_add_signed(steps);
        let last = all.len().saturating_sub(1);
        let after = after.map_or(last, |it| if it > last { 0 } else { it });
        self.part = all.get(after).copied();
        self.scroll.go_to_top();
    }

    /// The file that is shown.
    fn read<'a>(&self, session: &'a Session) -> Option<&'a ReadTrace> {
        session.traces.read()?.all.get(self.file)
    }

    fn shows(&self, part: TracePane, session: &Session) -> bool {
        let read = session.traces.read();
        read.is_some_and(|it| self.part(it) == part)
    }

    /// The file after this one, or before it, if there is one.
    fn file_after(&self, action: PageAction, session: &Session) -> Option<usize> {
        let read = session.traces.read()?;
        if self.part(read) == TracePane::Together {
            return None;
        }
        let after = match action {
            PageAction::Next => self.file + 1,
            PageAction::Previous => self.file.checked_sub(1)?,
            PageAction::NextLab
            | PageAction::PreviousLab
            | PageAction::RunLab
            | PageAction::EditLab
            | PageAction::Fold
            | PageAction::Digit(_)
            | PageAction::OpenLink(_)
            | PageAction::Return => return None,
        };
        (after < read.all.len()).then_some(after)
    }

    fn turn_to(&mut self, file: usize) {
        self.file = file;
        (self.at, self.window) = (0, None);
        self.scroll.go_to_top();
    }

    /// Moves the choice while there is a finding to choose, and else the window.
    fn move_by(&mut self, motion: Motion, session: &Session) {
        let found = self.read(session).map_or(0, |it| it.report.findings.len());
        let chosen = finding_list::moved(self.at, motion, found);
        match chosen.filter(|_| self.shows(TracePane::Findings, session)) {
            Some(at) => {
                self.at = at;
                self.scroll.show_row(at);
            }
            None => self.scroll.go(motion),
        }
    }

    /// The page of the course that explains the chosen finding.
    fn page(&self, session: &Session) -> Option<Route> {
        let findings = self.read(session).map(|it| &it.report.findings);
        finding_list::page_of(findings?.get(self.at), session)
    }

    /// Opens the page of the course that explains the finding.
    fn explain(&self, session: &Session) -> Step {
        self.page(session).map_or(Step::Stay, Step::Open)
    }

    fn zoom(&mut self, zoom: Zoom, session: &Session) {
        let Some(read) = self.read(session) else {
            return;
        };
        let whole = lanes::whole(read);
        self.window = Some(self.after(zoom, read)).filter(|it| *it != whole);
    }

    fn after(&self, zoom: Zoom, read: &ReadTrace) -> Window {
        let total = u64::try_from(read.analysis.span_ns).unwrap_or(0);
        let now = self.window.unwrap_or_else(|| lanes::whole(read));
        now.after(zoom, total)
    }

    fn lines(&self, session: &Session, width: usize) -> VisibleLines {
        let theme = session.theme;
        let read = match &session.traces {
            TraceState::None => return VisibleLines::default(),
            TraceState::Reading { file, percent } => {
                let percent = percent.map_or_else(String::new, |it| format!(": {it} %"));
                let said = format!("Reading {file}{percent} …");
                return of(page::paragraph(&said, theme.style(Role::Dim), width));
            }
            TraceState::Failed { why, hint } => {
                let said = format!("The trace cannot be read: {why}.");
                let mut lines = page::paragraph(&said, theme.style(Role::Bad), width);
                if let Some(hint) = hint {
                    let hint = format!("Hint: {hint}.");
                    lines.extend(page::paragraph(&hint, theme.style(Role::Text), width));
                }
                return of(lines);
            }
            TraceState::Read(read) => read,
        };
        let mut head = page::paragraph(&self.tabs(read), theme.style(Role::Key), width);
        let part = self.part(read);
        let Some(shown) = read.all.get(self.file) else {
            return of(head);
        };
        head.extend(self.about(read, session, width));
        if part != TracePane::Together {
            let said = headline(&shown.analysis);
            head.extend(page::clauses(&said, theme.style(Role::Strong), width));
        }
        head.push(Line::default());
        let drawn = match part {
            TracePane::Together => of(comparison::lines(read, theme, width)),
            TracePane::Findings => {
                let mut drawn = findings::lines(shown, self.at, session, width.min(PROSE));
                drawn.lines.push(Line::default());
                let timeline = lanes::picture(shown, self.window, theme, width);
                drawn.lines.extend(timeline);
                drawn
            }
            TracePane::Timeline => of(lanes::lines(shown, self.window, theme, width)),
            TracePane::Curves => of(curves::lines(&shown.analysis, theme, width)),
            TracePane::Tables => of(tables::lines(&shown.analysis, theme, width)),
        };
        drawn.below(head)
    }

    /// Which file is shown, where there are several, and that nothing was measured where a script computed it.
    fn about(&self, read: &ReadTraces, session: &Session, width: usize) -> Vec<Line<'static>> {
        let theme = session.theme;
        let mut lines = Vec::new();
        let is_together = self.part(read) == TracePane::Together;
        let shown = self.read(session).filter(|_| !is_together);
        if let (Some(shown), 2..) = (shown, read.all.len()) {
            let (number, of) = (self.file + 1, read.all.len());
            let said = format!("File {number} of {of}: {}", shown.analysis.file);
            lines.extend(page::paragraph(&said, theme.style(Role::Strong), width));
        }
        let mut about = read.all.iter().filter(|it| it.analysis.about.is_synthetic);
        let is_synthetic = shown.map_or_else(
            || about.next().is_some(),
            |it| it.analysis.about.is_synthetic,
        );
        if is_synthetic {
            let said = "This trace is synthetic: computed by a script, not measured.";
            lines.extend(page::paragraph(said, theme.style(Role::Warn), width));
        }
        lines
    }

    fn tabs(&self, read: &ReadTraces) -> String {
        let tabs = TracePane::all(read).iter().map(|it| {
            if *it == self.part(read) {
                format!("[{}]", it.name(read))
            } else {
                format!(" {} ", it.name(read))
            }
        });
        tabs.collect::<Vec<_>>().join(" ")
    }
}

fn of(lines: Vec<Line<'static>>) -> VisibleLines {
    VisibleLines {
        lines,
        ..VisibleLines::default()
    }
}

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
                let now = self.window.unwrap_or_else(|| lanes::whole(read));
                let is_drawn = [TracePane::Timeline, TracePane::Findings];
                is_drawn.iter().any(|it| self.shows(*it, session)) && self.after(zoom, read) != now
            }
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
            Action::Page(action) => {
                if let Some(file) = self.file_after(action, ctx.session) {
                    self.turn_to(file);
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
        let row = self.scroll.row_at(place, frame::full_width(body))?;
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
        let width = usize::from(frame::full_width(body).width);
        self.scroll.draw(self.lines(session, width), body.height);
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let column = frame::full_width(body);
        frame::scrolled_in(frame, column, &self.scroll, session.theme);
    }
}
