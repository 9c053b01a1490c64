//! The open screens, after files of the course have changed.

use super::Stack;
use crate::overlay::Overlay;
use crate::session::{ReloadedCourse, UpdateContext};

impl Stack {
    /// Shows the course as it is now. Screens whose lesson or lab is gone are closed.
    pub(crate) fn reload(&mut self, read: ReloadedCourse, ctx: &mut UpdateContext<'_>) {
        let chosen = self.map.chosen(ctx.session).cloned();
        if !ctx.session.reload(read) {
            return;
        }
        self.map.choose_again(chosen.as_ref(), ctx.session);
        // They know pages by their numbers.
        let is_help = self.overlay.as_ref().is_some_and(Overlay::is_help);
        let knows_pages = matches!(
            self.overlay,
            Some(Overlay::Search(_) | Overlay::Hits(_) | Overlay::Palette(_))
        );
        if knows_pages && !is_help {
            self.overlay = None;
        }
        let gone = self
            .opened
            .iter_mut()
            .position(|it| !it.reload(ctx.session));
        let Some(gone) = gone else {
            return;
        };
        // Screens above one that is gone show the same lesson.
        if !is_help {
            self.refuse(ctx);
            self.overlay = None;
        }
        while self.opened.len() > gone {
            self.leave_top(ctx);
        }
        self.come_back(ctx);
        ctx.session.view.notice = Some("What was open is no longer in the course.".to_owned());
    }
}
