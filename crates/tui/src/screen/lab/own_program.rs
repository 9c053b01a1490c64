//! A program of the learner's own in the screen of a lab.
//!
//! Its file has the place of the records: a run, and who stops editing, writes it, and what another editor writes there is taken.
//! Nothing is checked, and nothing counts.

use std::rc::Rc;

use super::origin::ProgramOrigin;
use super::state::Lab;
use crate::editor::Editor;
use crate::effect::Effect;
use crate::session::{Pane, Session, UpdateContext};
use crate::theme::Role;
use warpup_course::{self as course, DeviceWish, LabBlocks, LabId, Lesson, LimitedBy, PageId};
use warpup_lab::own_program::OwnProgram;

impl Lab {
    /// Opens the learner's own program, as it was left.
    pub(crate) fn open_program(session: &mut Session) -> Option<Self> {
        let opened = session.labs.program.as_mut()?;
        let (program, device) = (opened.program.clone(), opened.device.clone());
        let stem = program.name.trim_end_matches(".py");
        let definition = course::Lab {
            id: LabId::new(stem),
            title: program.name.clone(),
            page: PageId::new(stem),
            device: DeviceWish::Any,
            predict: None,
            time_limit: program.time_limit,
            limited_by: LimitedBy::Lab,
            memory: None,
            starter: program.source.clone(),
            check: None,
            solution: None,
            other_ways: Vec::new(),
            rust: None,
            hints: Vec::new(),
            blocks: LabBlocks::default(),
            span: 0..0,
        };
        let (source, began_with) = (program.source.clone(), opened.began_with.clone());
        let lesson = Rc::new(Lesson::around(definition.clone()));
        let (left, saved_text) = (
            Some(std::mem::take(&mut opened.left)),
            opened.saved_text.clone(),
        );
        let mut lab = Self::new(lesson, definition, (Editor::new(&source), device), left);
        lab.origin = ProgramOrigin::File(program);
        lab.starter = Editor::new(&began_with).text();
        if let Some(saved) = saved_text {
            lab.saved_text = saved;
        }
        if lab.pane == Pane::Task {
            lab.pane = Pane::Output;
        }
        Some(lab)
    }

    /// Writes the program to its file if it has changed.
    pub(super) fn save_file(&mut self, ctx: &mut UpdateContext<'_>) {
        let text = self.editor.text();
        if text != self.saved_text {
            ctx.effects.push(Effect::SaveProgram(text.clone()));
            self.saved_text = text;
        }
    }

    /// Takes what is in the file now. What was typed here and is not in the file stays: R brings the file's text.
    pub(crate) fn file_changed(&mut self, now: &OwnProgram) {
        let ProgramOrigin::File(own) = &mut self.origin else {
            return;
        };
        own.clone_from(now);
        let (name, text) = (&now.name, &now.source);
        let here = self.editor.text();
        if same_text(text, &here) {
            self.saved_text = here;
        } else if same_text(text, &self.saved_text) {
            // Our own save, reported after more was typed.
        } else if here == self.saved_text {
            self.editor.replace(text);
            self.saved_text = self.editor.text();
            let said = format!("{name} was changed outside of warpup, and read again");
            self.notice = Some((said, Role::Key));
        } else {
            self.starter.clone_from(text);
            let said = format!(
                "{name} was changed outside of warpup while you typed here: the next run saves yours, R takes the file's"
            );
            self.notice = Some((said, Role::Warn));
        }
    }

    /// Takes note of a save that failed: the text is not in the file.
    pub(crate) fn file_not_saved(&mut self, why: &str) {
        if let ProgramOrigin::File(OwnProgram { name, .. }) = &self.origin {
            let said = format!("{name} is not saved: {why}. The run is of what you see");
            self.notice = Some((said, Role::Bad));
            // The next save tries again.
            self.saved_text.clear();
        }
    }
}

/// Whether two texts are the same program: the editor ends each with one line feed.
fn same_text(one: &str, other: &str) -> bool {
    one.trim_end_matches('\n') == other.trim_end_matches('\n')
}
