//! Stopping what runs, and ending the app: what is recorded first, and when the learner is asked.

use super::Stack;
use crate::effect::Effect;
use crate::keymap::{Action, Context};
use crate::overlay::{Confirm, OnConfirm, Overlay};
use crate::session::{SaveReport, Session, UpdateContext};

impl Stack {
    /// Ends the app without asking or waiting.
    pub(crate) fn end(&mut self, ctx: &mut UpdateContext<'_>) {
        self.record_all(ctx);
        ctx.effects.push(Effect::Quit);
    }

    /// Records what the open screens have not recorded yet.
    fn record_all(&mut self, ctx: &mut UpdateContext<'_>) {
        for screen in &mut self.opened {
            screen.leave(ctx);
        }
    }

    /// Takes a report of the saver in. An app that only waited for it ends.
    pub(crate) fn saved(report: SaveReport, ctx: &mut UpdateContext<'_>) {
        ctx.session.learner.saving.learn(report);
        if ctx.session.learner.saving.is_leaving() && ctx.session.learner.saving.unsaved() == 0 {
            ctx.effects.push(Effect::Quit);
        }
    }

    /// The key for back on the map: elsewhere it leaves a screen, so it ends the app only when it is pressed twice.
    pub(super) fn ask_on_map(&mut self, ctx: &mut UpdateContext<'_>) {
        if ctx.session.learner.saving.is_failing() {
            return self.quit(ctx);
        }
        let key = ctx.session.keys.first(Context::MAP, Action::Back);
        let key = key.unwrap_or_default();
        self.is_asked_to_quit = true;
        let forgotten = if ctx.session.learner.is_guest {
            " What a guest did is forgotten then."
        } else {
            ""
        };
        ctx.session.view.notice = Some(format!("Quit warpup? {key} again quits.{forgotten}"));
    }

    /// Ends the app once all is saved; asks first if the disk refuses records. The second time it does not wait.
    pub(super) fn quit(&mut self, ctx: &mut UpdateContext<'_>) {
        if ctx.session.learner.saving.is_failing() {
            self.ask_to_quit(ctx.session);
            return;
        }
        self.record_all(ctx);
        if ctx.session.learner.saving.unsaved() == 0 {
            ctx.effects.push(Effect::Quit);
        } else {
            ctx.session.learner.saving.leave(true);
        }
    }

    /// Ends the app after the learner agreed: at once if waiting would not save more.
    pub(super) fn quit_as_agreed(&mut self, ctx: &mut UpdateContext<'_>) {
        if ctx.session.learner.saving.is_failing() {
            self.end(ctx);
        } else {
            self.overlay = None;
            self.quit(ctx);
        }
    }

    /// Ctrl-C: stops what runs; without that it asks, and asked for again it ends the app.
    pub(super) fn interrupt(&mut self, ctx: &mut UpdateContext<'_>) {
        if let Some(Overlay::Consent(_)) = &self.overlay {
            return self.refuse(ctx);
        }
        let is_asking = matches!(
            &self.overlay,
            Some(Overlay::Confirm(it)) if it.on_yes == OnConfirm::Quit
        );
        if is_asking {
            self.quit_as_agreed(ctx);
        } else if !self.lab_mut().is_some_and(|it| it.interrupt(ctx)) {
            self.ask_to_quit(ctx.session);
        }
    }

    fn ask_to_quit(&mut self, session: &Session) {
        let question = if session.learner.saving.is_failing() {
            match session.learner.saving.unsaved() {
                1 => "1 record is not saved where it belongs. Quit, and keep it in another folder?"
                    .to_owned(),
                several => format!(
                    "{several} records are not saved where they belong. Quit, and keep them in another folder?"
                ),
            }
        } else {
            "Quit warpup? Ctrl-C again quits, too.".to_owned()
        };
        self.overlay = Some(Overlay::Confirm(Confirm {
            question,
            on_yes: OnConfirm::Quit,
        }));
    }
}
