//! The pauses of pages: what follows is hidden until the learner goes on.

use super::Reader;
use super::state::Goal;
use crate::session::{Session, UpdateContext, lab_blocks};

impl Reader {
    /// Whether there is more on this page than is shown.
    pub(super) fn is_paused(&self, session: &Session) -> bool {
        session.is_paused(&self.lesson, self.page)
    }

    /// Shows what follows the pause. Says whether there was one.
    pub(super) fn reveal_next(&mut self, ctx: &mut UpdateContext<'_>) -> bool {
        if !self.is_paused(ctx.session) {
            return false;
        }
        let block = ctx.session.shown_blocks(&self.lesson, self.page);
        self.reveal(block, ctx);
        self.read_on(ctx);
        self.goal = Some(Goal::Rest(block));
        true
    }

    /// Shows this page as far as a block at least.
    pub(super) fn reveal(&mut self, block: usize, ctx: &mut UpdateContext<'_>) {
        if block >= ctx.session.shown_blocks(&self.lesson, self.page) {
            ctx.session.reveal(&self.lesson, self.page, block);
            self.text.begin_again();
        }
    }

    /// Shows this page as far as the lab with this index, or to its last one.
    pub(super) fn reveal_lab(&mut self, lab: usize, ctx: &mut UpdateContext<'_>) {
        let labs = lab_blocks(&self.lesson, self.page);
        let block = labs.get(lab).or(labs.last()).map(|it| it.1);
        if let Some(block) = block {
            self.reveal(block, ctx);
        }
    }

    /// Brings what follows a block into sight, and the end of what was above it.
    pub(super) fn show_rest(&mut self, block: usize) {
        let start = self.text.block(block).start;
        let end = self.text.lines().len();
        self.text.show(&(start.saturating_sub(1)..end));
    }
}
