//! A lab as a screen: actions, keys, replies, layout and drawing.

use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;
use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;

use super::origin::ProgramOrigin;
use super::prediction_form::FormTab;
use super::shares::OtherPane;
use super::state::{Lab, Mode};
use crate::editor::{self, Editor};
use crate::effect::Effect;
use crate::frame::{self, Title};
use crate::keymap::{Action, Context, Destination, FormAction, LabAction, Motion};
use crate::overlay::OnConfirm;
use crate::screen::areas;
use crate::screen::behaviour::{ClickCount, Screen, Step, Target};
use crate::session::{Pane, RunClock, Session, UpdateContext};
use crate::styled;
use crate::theme::Role;
use warpup_protocol::Reply;

/// Columns between the headings of the gutter and what is said of the program, so that they are not read as one sentence.
const HEADER_GAP: usize = 3;

impl Screen for Lab {
    fn context(&self) -> Context {
        match &self.mode {
            Mode::Editing => self.editor.context(),
            Mode::Predicting(predicting) => predicting.context(),
            Mode::ChoosingDevice(_) => Context::DEVICES,
            Mode::Reading if self.is_running() => Context::RUNNING,
            Mode::Reading => Context::LAB,
        }
    }

    fn title(&self, session: &Session) -> Title {
        let mode = match self.mode {
            Mode::Editing => "EDITING · ",
            Mode::Reading | Mode::Predicting(_) | Mode::ChoosingDevice(_) => {
                self.origin.words().reading
            }
        };
        Title::new(
            format!("{mode}{}", self.definition.title),
            format!("on {}", session.machine.devices.title(&self.device)),
        )
    }

    fn column(&self, area: Rect) -> Rect {
        frame::full_width(area)
    }

    fn offers(&self, action: Action, session: &Session) -> bool {
        if let Mode::ChoosingDevice(list) = &self.mode {
            return action != Action::Open || Self::can_take(list.at, session);
        }
        match action {
            _ if !self.knows(action, session) => false,
            Action::Open if self.shows_findings() => self.page_of_finding(session).is_some(),
            Action::Open => self.has_passed_now(),
            Action::Lab(LabAction::Zoom(zoom)) => self.can_zoom(zoom),
            Action::Lab(LabAction::FullPane) => {
                // A plot has more rows where there are more.
                let has_more = self.scroll.is_cut() || self.pane == Pane::Plot;
                self.is_stacked && (self.is_full || has_more)
            }
            Action::Lab(LabAction::Solution) => self.definition.solution_program().is_some(),
            Action::Lab(LabAction::Hint) => self.help.hints < self.definition.hints.len(),
            Action::Lab(LabAction::Program(Motion::PageDown)) => {
                !self.shows_only_pane() && !self.editor.at_end()
            }
            Action::Lab(LabAction::ProgramRight) => self.editor.is_cut(),
            Action::Lab(LabAction::ProgramLeft) => self.editor.is_scrolled_right(),
            Action::Scroll(Motion::Down) => {
                let has_next = self.shows_findings() && self.finding + 1 < self.findings().len();
                matches!(self.mode, Mode::Predicting(_)) || has_next || !self.scroll.at_end()
            }
            Action::Form(FormAction::Submit) if let Mode::Predicting(it) = &self.mode => {
                // Where the answer is typed, its line names the key from the start.
                let is_typed = it.context() == Context::PREDICT_TYPING;
                it.looks_at == FormTab::Question && (is_typed || it.form.answer().is_ok())
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

    fn word(&self, action: Action, session: &Session) -> Option<Cow<'static, str>> {
        let is_file = matches!(self.origin, ProgramOrigin::File(_));
        if action == Action::Back && is_file && matches!(self.mode, Mode::Editing) {
            return Some(Cow::Borrowed("save and stop"));
        }
        let goes_to_map = session.view.tour.is_some() && !self.shows_findings();
        if action == Action::Open && goes_to_map && matches!(self.mode, Mode::Reading) {
            return Some(Cow::Borrowed("map"));
        }
        let words = [
            (Action::Open, "its page"),
            (Action::Scroll(Motion::Down), "next"),
        ];
        let found = words.into_iter().find(|it| it.0 == action);
        let found = found.filter(|_| self.shows_findings());
        found.map(|it| Cow::Borrowed(it.1))
    }

    fn knows(&self, action: Action, _session: &Session) -> bool {
        let is_of_lesson = matches!(
            action,
            Action::Lab(LabAction::Hint | LabAction::Solution) | Action::Go(Destination::Program)
        );
        !is_of_lesson || matches!(self.origin, ProgramOrigin::Lesson)
    }

    fn has_pane(&self, pane: Pane) -> bool {
        self.origin.has_pane(pane)
    }

    fn why_not(&self, action: Action, _session: &Session) -> Option<&'static str> {
        match action {
            Action::Lab(LabAction::Zoom(zoom)) => Some(self.why_no_zoom(zoom)),
            Action::Lab(LabAction::Hint) if !self.has_hints() => Some("This lab has no hints."),
            Action::Lab(LabAction::Solution) => Some("This lab has no solution to show."),
            Action::Lab(LabAction::FullPane) => Some("All of the pane is on the screen."),
            Action::Open if matches!(self.mode, Mode::ChoosingDevice(_)) => {
                Some("This device is not available here: below its name is why.")
            }
            Action::Open if self.shows_findings() => {
                Some("This course has no such page; the command beside the finding prints it.")
            }
            Action::Open
                if self.runs.last.is_some() && matches!(self.origin, ProgramOrigin::Lesson) =>
            {
                Some("Not passed yet: this key reads on after a pass.")
            }
            Action::Open => Some(self.origin.words().no_page),
            Action::App(_)
            | Action::Back
            | Action::Scroll(_)
            | Action::Go(_)
            | Action::Page(_)
            | Action::Lab(_)
            | Action::Form(_)
            | Action::Doctor(_) => None,
        }
    }

    fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) -> Step {
        self.notice = None;
        match self.mode {
            Mode::Predicting(_) => return self.predict(action, ctx),
            Mode::ChoosingDevice(_) => {
                self.choose_device(action, ctx);
                return Step::Stay;
            }
            Mode::Reading | Mode::Editing => {}
        }
        match action {
            Action::Lab(action) => return self.act_in_lab(action, ctx),
            Action::Back if self.shows_only_pane() => self.is_full = false,
            Action::Back if matches!(self.mode, Mode::Editing) => {
                self.mode = Mode::Reading;
                self.save_changes(ctx);
            }
            Action::Back => {
                let Some(question) = self.origin.words().leave else {
                    return Step::Back;
                };
                let question = if self.is_saved() {
                    question.to_owned()
                } else {
                    format!("What you typed is not in the file, and is lost. {question}")
                };
                return Step::confirm(question, OnConfirm::LeaveProgram);
            }
            Action::Open if self.shows_findings() => {
                let page = self.page_of_finding(ctx.session);
                return page.map_or(Step::Stay, Step::Open);
            }
            Action::Open if self.has_passed_now() => return Step::ReadOn,
            Action::Scroll(motion) => {
                self.scroll_pane(motion);
                self.follows_end = self.is_running() && self.scroll.at_end();
            }
            Action::App(_)
            | Action::Open
            | Action::Go(_)
            | Action::Page(_)
            | Action::Form(_)
            | Action::Doctor(_) => {}
        }
        Step::Stay
    }

    fn at(&self, place: Position, body: Rect, session: &Session) -> Option<Target> {
        self.clicked(place, body, session)
    }

    fn click(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step {
        self.clicked_on(target, ctx)
    }

    fn click_again(&mut self, target: Target, times: ClickCount) {
        self.clicked_again(target, times);
    }

    fn drag(&mut self, place: Position, body: Rect) {
        self.dragged(place, body);
    }

    fn fit(&mut self, session: &Session, body: Rect) {
        self.gutter = self.gutter_for(body.width);
        // Not while it is edited: a long line would move everything.
        if !matches!(self.mode, Mode::Editing) || self.columns == 0 {
            self.columns = self
                .editor
                .text()
                .lines()
                .map(UnicodeWidthStr::width)
                .max()
                .unwrap_or(0);
        }
        self.is_stacked = areas::pane_beside(body, self.columns).is_none();
        let result = areas::result_width(body, self.columns);
        let result = self.status(session, Size::new(result, u16::MAX)).len();
        self.result = u16::try_from(result).unwrap_or(u16::MAX);
        self.lay_out_others(session, body);
        // The pane's height depends on its content, its width does not.
        let largest = self.areas(body, usize::from(u16::MAX)).pane;
        let drawn = self.draw_pane(session, largest);
        let areas = self.areas(body, drawn.lines.len());
        let follow = self.follow();
        self.editor
            .fit(areas.program, &self.gutter, session.theme, follow);
        let goes_to_end = self.follows_end && drawn.focus.is_empty();
        self.scroll.draw(drawn, areas.pane.height);
        if goes_to_end {
            self.scroll.go_to_end();
        }
        if let Some(view) = self.view_again.take() {
            self.scroll.go_to(view.pane_top);
            self.editor.go_to(view.program_top);
        }
    }

    fn view(&self, session: &Session, frame: &mut Frame<'_>, body: Rect) {
        let theme = session.theme;
        let areas = self.areas(body, self.scroll.lines().len());
        let saved = match &self.origin {
            ProgramOrigin::File(_) if !self.is_saved() => " · not saved",
            // What is typed is in the file only after a run or Esc, which is said, since it is a file of the learner's own.
            ProgramOrigin::File(_) if self.saved_text != self.starter => " · saved",
            ProgramOrigin::Lesson | ProgramOrigin::File(_) => "",
        };
        let name = format!("{}  {}.py{saved}", self.editor.place(), self.definition.id);
        let name = theme.line(name.trim_start(), Role::Dim);
        let header = self.gutter.header(areas.program.width, theme);
        styled::put(frame, areas.clocks, 0, &header);
        if header.width() + HEADER_GAP + name.width() <= usize::from(areas.clocks.width) {
            styled::put_right(frame, areas.clocks, 0, &name);
        }
        self.editor.view(frame, areas.program, &self.gutter, theme);
        let status = self.status(session, areas.status.as_size());
        styled::put_all(frame, areas.status, &status);
        let (tabs, right) = self.tab_row(session, areas.tabs.width);
        frame::rule(frame, areas.tabs, &tabs, theme);
        styled::put_right(frame, areas.tabs, 0, &right);
        self.scroll.view(frame, areas.pane);
        let others = self.others.iter().zip(&areas.others);
        for (OtherPane { pane, lines, .. }, (rule, below)) in others.filter(|it| it.1.1.height > 0)
        {
            let title = theme.line(&format!(" {} ", pane.word()), Role::Strong);
            frame::rule(frame, *rule, &title, theme);
            let cut = lines.len().saturating_sub(usize::from(below.height));
            if cut > 0 {
                let lines = if cut == 1 { "line" } else { "lines" };
                let more = theme.line(&format!(" {cut} more {lines} in its pane "), Role::Dim);
                styled::put_right(frame, *rule, 0, &more);
            }
            styled::put_all(frame, *below, lines);
        }
    }
}

impl Lab {
    pub(super) fn visible(&self) -> &[Line<'static>] {
        let lines = self.scroll.lines().get(self.scroll.visible());
        lines.filter(|_| self.shows_words()).unwrap_or_default()
    }

    pub(in crate::screen) fn glossary_text(&self, session: &Session) -> Vec<Line<'static>> {
        let pane = self.scroll.lines().get(self.scroll.visible());
        let mut lines = pane.unwrap_or_default().to_vec();
        // A sign between the two, so that no word is found across them.
        lines.push(session.theme.line("…", Role::Dim));
        lines.extend(self.task(session, u16::MAX));
        lines
    }

    pub(in crate::screen) fn key(&mut self, key: KeyEvent, ctx: &UpdateContext<'_>) {
        match &mut self.mode {
            Mode::Editing => {
                self.editor.key(key);
                self.note_typed(ctx);
            }
            Mode::Predicting(predicting) => predicting.key(key),
            Mode::Reading | Mode::ChoosingDevice(_) => {}
        }
    }

    pub(in crate::screen) fn paste(&mut self, text: &str, ctx: &UpdateContext<'_>) -> bool {
        match &mut self.mode {
            Mode::Editing => {
                self.editor.paste(text);
                self.note_typed(ctx);
            }
            Mode::Predicting(predicting) => predicting.paste(text),
            Mode::Reading | Mode::ChoosingDevice(_) => return false,
        }
        true
    }

    pub(crate) fn edited_outside(
        &mut self,
        edited: Result<String, String>,
        ctx: &mut UpdateContext<'_>,
    ) {
        match edited {
            Ok(text) => {
                self.editor.replace(&text);
                self.save_changes(ctx);
            }
            Err(why) => self.notice = Some((why, Role::Bad)),
        }
    }

    pub(crate) fn reply(&mut self, reply: &Reply, ctx: &mut UpdateContext<'_>) {
        let Some(ran) = &mut self.runs.last else {
            return;
        };
        if let Reply::Started { run, .. } = reply
            && *run == ran.run.id
        {
            ran.clock = Some(RunClock::begin(ctx.now_ms));
        }
        let was_running = ran.run.report.is_none();
        if was_running && ran.run.apply(reply.clone()) && ran.run.report.is_some() {
            self.finished(ctx);
        }
    }

    /// Shows the solution, then one other way after the other, then the solution again.
    pub(crate) fn show_solution(&mut self) {
        let programs = 1 + self.definition.other_ways.len();
        self.help.solution = Some(match self.help.solution {
            None => 0,
            Some(shown) if self.pane == Pane::Hints => (shown + 1) % programs,
            Some(shown) => shown,
        });
        self.look_at(Pane::Hints);
    }

    pub(crate) fn restore_starter(&mut self, ctx: &mut UpdateContext<'_>) {
        // The last run was of another program.
        self.runs.retire();
        match self.origin {
            ProgramOrigin::Lesson => {
                self.editor = Editor::new(&self.starter);
                self.save_changes(ctx);
            }
            ProgramOrigin::File(_) => self.editor.replace(&self.starter),
        }
    }

    /// Something was typed. A file is written when it runs, as an editor would.
    pub(super) fn note_typed(&mut self, ctx: &UpdateContext<'_>) {
        if let ProgramOrigin::Lesson = self.origin {
            self.typed_since.get_or_insert(ctx.now_ms);
        }
    }

    pub(in crate::screen) fn typed_since(&self) -> Option<u64> {
        self.typed_since
    }

    /// Records what is typed so far.
    pub(in crate::screen) fn record_typed(&mut self, ctx: &mut UpdateContext<'_>) {
        if self.typed_since.is_some() {
            self.save_changes(ctx);
        }
    }

    pub(crate) fn wake_at(&self) -> Option<u64> {
        let last = self.runs.last.as_ref();
        let running = last.filter(|it| it.run.report.is_none())?;
        Some(running.clock?.next_ms())
    }

    pub(crate) fn tick(&mut self, now_ms: u64) {
        let last = self.runs.last.as_mut();
        if let Some(clock) = last.and_then(|it| it.clock.as_mut()) {
            clock.tick(now_ms);
        }
    }

    pub(crate) fn interrupt(&mut self, ctx: &mut UpdateContext<'_>) -> bool {
        let copied = match self.mode {
            // What is selected stays so: the same key again is for the run.
            Mode::Editing if self.is_running() && self.editor.has_copied() => None,
            Mode::Editing => self.editor.copy(),
            Mode::Reading | Mode::Predicting(_) | Mode::ChoosingDevice(_) => None,
        };
        match copied {
            Some(text) => {
                ctx.session.view.notice = Some(editor::copied(&text));
                ctx.effects.push(Effect::Copy(text));
                true
            }
            None => self.cancel(ctx),
        }
    }

    pub(in crate::screen) fn come_back(&mut self) {
        self.editor.colour_again();
    }

    pub(in crate::screen) fn leave(&mut self, ctx: &mut UpdateContext<'_>) {
        self.save_changes(ctx);
        self.keep(ctx);
        if self.cancel(ctx) {
            ctx.session.view.notice =
                Some("The run was cancelled, since you left the lab.".to_owned());
        }
    }
}
