//! What an instructor has sent back opens over the screen that it belongs to, once.

use super::Stack;
use crate::effect::Effect;
use crate::letter::Letter;
use crate::overlay::Overlay;
use crate::session::UpdateContext;

impl Stack {
    /// Opens what was sent back about the screen on top and was not seen yet.
    pub(crate) fn deliver(&mut self, ctx: &mut UpdateContext<'_>) {
        let session = &mut *ctx.session;
        if self.overlay.is_some() || session.learner.feedback.is_empty() {
            return;
        }
        let Some(top) = self.opened.last() else {
            return;
        };
        let mut feedback = std::mem::take(&mut session.learner.feedback);
        let lessons = session.course.lessons.iter();
        let new = lessons.flat_map(|it| feedback.take_new(it, |it| top.has_remark(it, session)));
        let new: Vec<_> = new.collect();
        session.learner.feedback = feedback;
        if !new.is_empty() {
            ctx.effects.push(Effect::KeepSeen(new.clone()));
            self.overlay = Some(Overlay::Letter(Letter::new(new)));
        }
    }
}
