//! The stack of open screens, and the overlay above them.
//!
//! Decides who gets a key; the screen decides what the key does.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::mouse::LastClick;
use crate::consent;
use crate::effect::Effect;
use crate::keymap::{Action, AppAction, Context, Destination, FooterKey, FormAction, Motion};
use crate::letter::Letter;
use crate::overlay::{Address, OnConfirm, Overlay};
use crate::screen::{Lab, Map, OpenScreen, Reader, Route, Screen, Step};
use crate::scroll::Scroll;
use crate::search::Search;
use crate::session::{LabsMayRun, Session, UpdateContext};
use crate::tour::{self, Tour};
use warpup_protocol::{Outcome, Reply, Report};

/// The stack of open screens, of which the top one is drawn.
#[derive(Debug)]
pub(crate) struct Stack {
    pub(super) map: Map,
    /// What was opened from the map; the last one is on top.
    pub(super) opened: Vec<OpenScreen>,
    pub(super) overlay: Option<Overlay>,
    /// Whether the last key was the first of the two that quit on the map.
    pub(super) is_asked_to_quit: bool,
    pub(super) last_click: LastClick,
}

impl Stack {
    pub(crate) fn new(session: &Session) -> Self {
        Self {
            map: Map::new(session),
            opened: Vec::new(),
            overlay: None,
            is_asked_to_quit: false,
            last_click: LastClick::default(),
        }
    }

    /// The context in which keys are looked up.
    pub(crate) fn context(&self, session: &Session) -> Context {
        match &self.overlay {
            Some(Overlay::Address(_) | Overlay::Letter(_)) => Context::SCROLL,
            Some(Overlay::Confirm(it)) if it.on_yes == OnConfirm::LeaveProgram => {
                Context::LEAVE_PROGRAM
            }
            Some(Overlay::Confirm(_)) => Context::CONFIRM,
            Some(Overlay::Consent(_)) => Context::CONSENT,
            Some(Overlay::Search(_)) => Context::SEARCHING,
            Some(Overlay::Hits(_)) => Context::HITS,
            Some(Overlay::Palette(_)) => Context::PALETTE,
            Some(Overlay::Words(_)) => Context::WORDS,
            None if session.view.search.is_some() => self.top().context().while_searching(),
            None => self.top().context(),
        }
    }

    /// The keys that do something now, for the footer.
    pub(crate) fn footer(&self, session: &Session) -> Vec<FooterKey> {
        let top = self.top();
        let keys = &session.keys;
        let mut keys = keys.footer(self.context(session), |action, word| {
            match (&self.overlay, action) {
                (Some(Overlay::Palette(palette)), _) => {
                    palette.word(action, word).map(Cow::Borrowed)
                }
                (
                    Some(Overlay::Address(Address { scroll, .. })),
                    Action::Scroll(Motion::PageDown),
                ) => (!scroll.at_end()).then_some(Cow::Borrowed(word)),
                (
                    Some(Overlay::Letter(Letter { scroll, .. })),
                    Action::Scroll(Motion::PageDown),
                ) if scroll.at_end() => Some(Cow::Borrowed("close")),
                (Some(Overlay::Words(words)), Action::Go(Destination::WordLesson)) => {
                    words.lesson(session).map(|_| Cow::Borrowed(word))
                }
                (Some(_), _) => Some(Cow::Borrowed(word)),
                (None, _) => {
                    let own = || top.word(action, session).unwrap_or(Cow::Borrowed(word));
                    top.offers(action, session).then(own)
                }
            }
        });
        // Of keys that do the same, such as Enter and n at the end of a page, the first is enough.
        let mut seen = BTreeSet::new();
        keys.retain(|it| seen.insert(it.word.clone()));
        keys
    }

    pub(crate) fn key(&mut self, key: KeyEvent, ctx: &mut UpdateContext<'_>) {
        let context = self.context(ctx.session);
        let action = ctx.session.keys.action(context, key);
        let is_asked_to_quit = std::mem::take(&mut self.is_asked_to_quit);
        if is_asked_to_quit && action == Some(Action::Back) && self.is_at_home() {
            return self.quit(ctx);
        }
        if ctx.session.learner.saving.is_leaving() {
            let is_again = matches!(key.code, KeyCode::Char('q' | 'Q'))
                || matches!(action, Some(Action::Back | Action::App(AppAction::Quit)));
            if is_again {
                ctx.effects.push(Effect::Quit);
                return;
            }
            // Who goes on does not leave.
            ctx.session.learner.saving.leave(false);
        }
        let Some(action) = action else {
            match &mut self.overlay {
                // The key that opened it closes it, until something is typed.
                Some(Overlay::Palette(it))
                    if it.is_help() && it.is_empty() && opens_help(ctx.session, key) =>
                {
                    self.overlay = None;
                }
                Some(overlay) => overlay.key(key),
                None => {
                    ctx.session.view.notice = ctx.session.keys.elsewhere(context, key);
                    if let Some(top) = self.opened.last_mut() {
                        top.key(key, ctx);
                    }
                }
            }
            return;
        };
        self.act(action, ctx);
    }

    /// Performs an action on what is on top.
    pub(super) fn act(&mut self, action: Action, ctx: &mut UpdateContext<'_>) {
        if let Action::App(action) = action {
            return self.act_for_app(action, ctx);
        }
        match (&mut self.overlay, action) {
            (Some(Overlay::Address(_) | Overlay::Letter(_)), Action::Back) => {
                self.overlay = None;
            }
            // Who pages through it has read it at its end.
            (Some(Overlay::Letter(letter)), Action::Scroll(Motion::PageDown))
                if letter.scroll.at_end() =>
            {
                self.overlay = None;
            }
            (Some(Overlay::Letter(letter)), _) => drop(letter.scroll.act(action)),
            (Some(Overlay::Address(address)), _) => drop(address.scroll.act(action)),
            (Some(Overlay::Consent(consent)), _) => drop(consent.scroll.act(action)),
            (Some(Overlay::Confirm(_)), _) => {}
            (Some(Overlay::Search(_)), Action::Open) => self.find(ctx),
            (Some(Overlay::Search(line)), Action::Form(FormAction::Text(it))) => line.edit(it),
            (Some(Overlay::Hits(_)), Action::Open) => self.go_to_listed_hit(ctx),
            (Some(Overlay::Hits(hits)), Action::Scroll(motion)) => hits.go(motion),
            (Some(Overlay::Palette(_)), Action::Open) => self.choose(ctx),
            (Some(Overlay::Palette(palette)), Action::Form(FormAction::Text(it))) => {
                palette.edit(it);
            }
            (Some(Overlay::Palette(palette)), Action::Scroll(motion)) => palette.go(motion),
            (Some(Overlay::Words(_)), Action::Open) => self.go_to_word(ctx),
            (Some(Overlay::Words(_)), Action::Go(Destination::WordLesson)) => {
                self.go_to_lesson_of_word(ctx);
            }
            (Some(Overlay::Words(words)), Action::Scroll(motion)) => words.go(motion),
            (
                Some(
                    Overlay::Search(_) | Overlay::Hits(_) | Overlay::Palette(_) | Overlay::Words(_),
                ),
                _,
            ) => {
                self.overlay = None;
            }
            (None, _) => {
                let top = self.top();
                let is_offered = top.offers(action, ctx.session);
                let why_not = top.why_not(action, ctx.session);
                if let Some(said) = why_not.filter(|_| !is_offered) {
                    ctx.session.view.notice = Some(said.to_owned());
                    return;
                }
                let step = self.top_mut().act(action, ctx);
                self.step(step, ctx);
            }
        }
    }

    pub(super) fn act_for_app(&mut self, action: AppAction, ctx: &mut UpdateContext<'_>) {
        match action {
            AppAction::Help if self.overlay.is_none() => self.open_help(ctx.session),
            AppAction::Help => drop(self.overlay.take_if(|it| it.is_help())),
            AppAction::Quit => self.quit(ctx),
            AppAction::Interrupt => self.interrupt(ctx),
            AppAction::Suspend => ctx.effects.push(Effect::Suspend),
            AppAction::SaveElsewhere => {
                if ctx.session.learner.saving.is_failing() {
                    ctx.effects.push(Effect::SaveElsewhere);
                } else if self.overlay.is_none()
                    && let Some(lab) = self.lab_mut()
                {
                    lab.save_screen(ctx);
                }
            }
            AppAction::NextStep => self.go_on(ctx),
            AppAction::Tour => self.begin_tour(ctx),
            AppAction::Search => self.open_search(ctx.session),
            AppAction::Palette => self.open_palette(ctx.session),
            AppAction::Settings => {
                if self.overlay.is_none() && self.top().context() != Context::SETTINGS {
                    self.step(Step::Open(Route::Settings), ctx);
                }
            }
            AppAction::Words => self.open_words(None, ctx.session),
            AppAction::NextHit => self.go_to_hit(Search::next, ctx),
            AppAction::PreviousHit => self.go_to_hit(Search::previous, ctx),
            AppAction::EndSearch => ctx.session.view.search = None,
            AppAction::Yes => match self.overlay.take() {
                Some(Overlay::Confirm(confirm)) => self.confirmed(confirm.on_yes, ctx),
                Some(Overlay::Consent(consent)) => {
                    ctx.session.labs.may_run = LabsMayRun::Yes;
                    ctx.effects.push(Effect::KeepConsent);
                    ctx.effects.push(Effect::Run(*consent.request));
                }
                Some(
                    Overlay::Search(_)
                    | Overlay::Hits(_)
                    | Overlay::Palette(_)
                    | Overlay::Words(_)
                    | Overlay::Address(_)
                    | Overlay::Letter(_),
                )
                | None => {}
            },
            AppAction::No => self.refuse(ctx),
        }
    }

    /// Opens the lab of the tour, if the course has a lab.
    fn begin_tour(&mut self, ctx: &mut UpdateContext<'_>) {
        let Some(route) = tour::route(ctx.session) else {
            ctx.session.view.notice = Some("This course has no lab to run.".to_owned());
            return;
        };
        self.step(Step::FromMap(route), ctx);
        ctx.session.view.tour = Some(Tour::default());
    }

    /// Takes the tour to where the lab on top is; it ends with the lab.
    pub(crate) fn follow_tour(&mut self, session: &mut Session) {
        let tour = session.view.tour.take();
        let lab = self.lab_mut();
        session.view.tour = tour.zip(lab).map(|(mut tour, lab)| {
            tour.follow(lab, session);
            tour
        });
    }

    /// Closes the question. A run that waited for its answer ends.
    pub(super) fn refuse(&mut self, ctx: &mut UpdateContext<'_>) {
        if let Some(Overlay::Consent(consent)) = self.overlay.take() {
            let run = consent.request.run;
            let report = Report::without_times(Outcome::Cancelled);
            self.reply(&Reply::Finished { run, report }, ctx);
        }
    }

    /// Asks before a run that somebody else's course wants.
    pub(crate) fn hold_back(&mut self, ctx: &mut UpdateContext<'_>) {
        let lessons = ctx.session.course.lessons.iter().map(AsRef::as_ref);
        if let Some(consent) = consent::held_back(&mut ctx.effects, lessons) {
            self.overlay = Some(Overlay::Consent(consent));
        }
    }

    /// Passes a reply to all open screens: the lab it is for need not be on top.
    pub(crate) fn reply(&mut self, reply: &Reply, ctx: &mut UpdateContext<'_>) {
        if let Reply::Hello { devices, .. } = reply {
            ctx.session.machine.devices.learn(devices.clone());
        }
        for lab in self.opened.iter_mut().filter_map(OpenScreen::as_lab_mut) {
            lab.reply(reply, ctx);
        }
    }

    /// Opens and closes screens as a screen asked.
    pub(crate) fn step(&mut self, step: Step, ctx: &mut UpdateContext<'_>) {
        match step {
            Step::Stay => {}
            Step::Address(address) => {
                self.overlay = Some(Overlay::Address(Address {
                    address,
                    scroll: Scroll::default(),
                }));
            }
            Step::Word(word) => self.open_words(Some(word), ctx.session),
            Step::Confirm(confirm) => self.overlay = Some(Overlay::Confirm(confirm)),
            Step::Back if self.opened.is_empty() => self.ask_on_map(ctx),
            Step::Back => {
                self.leave_top(ctx);
                // The map shows no hits.
                if self.opened.is_empty() {
                    ctx.session.view.search = None;
                }
                self.come_back(ctx);
            }
            Step::ReadOn => {
                self.step(Step::Back, ctx);
                if let Some(OpenScreen::Reader(reader)) = self.opened.last_mut() {
                    reader.read_on_behind_lab();
                }
            }
            Step::Open(route) => {
                if matches!(route, Route::Lab(..) | Route::Quiz(_) | Route::NewQuiz(_)) {
                    self.leave_below_page(ctx);
                }
                self.opened.extend(OpenScreen::open(route, ctx));
            }
            Step::Replace(route) => {
                self.leave_top(ctx);
                self.open_over_top(route, ctx);
            }
            Step::FromMap(route) => {
                while !self.opened.is_empty() {
                    self.leave_top(ctx);
                }
                self.open_over_top(route, ctx);
            }
        }
    }

    fn confirmed(&mut self, on_yes: OnConfirm, ctx: &mut UpdateContext<'_>) {
        match (on_yes, self.opened.last_mut()) {
            (OnConfirm::Quit, _) => self.quit_as_agreed(ctx),
            (OnConfirm::HandIn, Some(OpenScreen::Quiz(quiz))) => {
                let step = quiz.hand_in(ctx);
                self.step(step, ctx);
            }
            (OnConfirm::ShowSolution, Some(OpenScreen::Lab(lab))) => lab.show_solution(),
            (OnConfirm::RestoreStarter, Some(OpenScreen::Lab(lab))) => lab.restore_starter(ctx),
            (OnConfirm::LeaveProgram, _) => self.step(Step::Back, ctx),
            (OnConfirm::HandIn | OnConfirm::ShowSolution | OnConfirm::RestoreStarter, _) => {}
        }
    }

    /// Gives the lab on top what the learner's own editor wrote.
    pub(crate) fn edited_outside(
        &mut self,
        edited: Result<String, String>,
        ctx: &mut UpdateContext<'_>,
    ) {
        if let Some(lab) = self.lab_mut() {
            lab.edited_outside(edited, ctx);
        }
    }

    /// When the learner typed the first letter that is not recorded yet.
    pub(crate) fn typed_since(&self) -> Option<u64> {
        let typed = self.opened.iter().filter_map(OpenScreen::typed_since);
        typed.min()
    }

    /// When a screen has something else to show; only the visible one needs to.
    pub(crate) fn wake_at(&self) -> Option<u64> {
        let Some(OpenScreen::Lab(lab)) = self.opened.last() else {
            return None;
        };
        lab.wake_at()
    }

    /// Whether the map is what is on the screen.
    pub(crate) fn is_at_home(&self) -> bool {
        self.opened.is_empty() && self.overlay.is_none()
    }

    /// Some time has passed.
    pub(crate) fn tick(&mut self, ctx: &mut UpdateContext<'_>) {
        if self.is_at_home() && ctx.session.machine.cards.is_due(ctx.now_ms) {
            ctx.effects.push(Effect::AskCards);
        }
        if let Some(lab) = self.lab_mut() {
            lab.tick(ctx.now_ms);
        }
        self.record_typed(ctx);
    }

    /// Records what is typed so far.
    pub(crate) fn record_typed(&mut self, ctx: &mut UpdateContext<'_>) {
        for screen in &mut self.opened {
            screen.record_typed(ctx);
        }
    }

    fn open_over_top(&mut self, route: Route, ctx: &mut UpdateContext<'_>) {
        self.come_back(ctx);
        self.opened.extend(OpenScreen::open(route, ctx));
    }

    /// Closes what is under the page on top: who opens a lab there goes back to the page, and no lab is open twice.
    fn leave_below_page(&mut self, ctx: &mut UpdateContext<'_>) {
        if self.place(ctx.session).is_some() {
            let page = self.opened.pop();
            while !self.opened.is_empty() {
                self.leave_top(ctx);
            }
            self.opened.extend(page);
        }
    }

    pub(super) fn leave_top(&mut self, ctx: &mut UpdateContext<'_>) {
        if let Some(mut screen) = self.opened.pop() {
            screen.leave(ctx);
        }
    }

    pub(super) fn top(&self) -> &dyn Screen {
        let opened = self.opened.last();
        opened.map_or(&self.map, OpenScreen::as_screen)
    }

    pub(super) fn top_mut(&mut self) -> &mut dyn Screen {
        match self.opened.last_mut() {
            Some(screen) => screen.as_screen_mut(),
            None => &mut self.map,
        }
    }

    /// The screen on top, if it is a reader.
    pub(super) fn reader(&self) -> Option<&Reader> {
        let Some(OpenScreen::Reader(reader)) = self.opened.last() else {
            return None;
        };
        Some(reader)
    }

    /// The screen on top, if it is a lab.
    pub(super) fn lab_mut(&mut self) -> Option<&mut Lab> {
        self.opened.last_mut()?.as_lab_mut()
    }

    /// Tells the labs that are open of the learner's own program; those of lessons take nothing.
    pub(crate) fn change_program(&mut self, change: impl FnMut(&mut Lab)) {
        let opened = self.opened.iter_mut();
        opened.filter_map(OpenScreen::as_lab_mut).for_each(change);
    }

    /// Tells the screen on top that it is there again.
    pub(crate) fn come_back(&mut self, ctx: &UpdateContext<'_>) {
        match self.opened.last_mut() {
            Some(screen) => screen.come_back(),
            None => self.map.come_back(ctx.session),
        }
    }
}

/// Whether a key opens the help where nothing is typed.
fn opens_help(session: &Session, key: KeyEvent) -> bool {
    let action = session.keys.action(Context::EVERYWHERE, key);
    action == Some(Action::App(AppAction::Help))
}
