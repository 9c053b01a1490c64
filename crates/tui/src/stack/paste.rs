//! Pasted text: who takes it, and what is said where nobody does.

use super::Stack;
use crate::keymap::{Action, LabAction};
use crate::session::UpdateContext;

impl Stack {
    /// Takes pasted text; a notice says where it can be pasted if nothing is typed here.
    pub(crate) fn paste(&mut self, text: &str, ctx: &mut UpdateContext<'_>) {
        let is_taken = match (&mut self.overlay, self.opened.last_mut()) {
            (Some(overlay), _) => overlay.paste(text),
            (None, top) => top.is_some_and(|it| it.paste(text, ctx)),
        };
        if !is_taken {
            let context = self.context(ctx.session);
            let edit = Action::Lab(LabAction::Edit);
            let said = match ctx.session.keys.first(context, edit) {
                Some(key) => {
                    format!("Nothing was pasted: {key} edits the program, and then you can.")
                }
                None => {
                    "Nothing is typed here. Paste into a program, an answer or a search.".to_owned()
                }
            };
            ctx.session.view.notice = Some(said);
        }
    }
}
