//! What the keys of a lab do.

use super::state::{Lab, Mode};
use crate::effect::Effect;
use crate::keymap::{LabAction, Motion};
use crate::overlay::OnConfirm;
use crate::screen::behaviour::Step;
use crate::session::{Pane, UpdateContext};
use crate::theme::Role;

impl Lab {
    /// Performs an action; the context decides which of them have keys while the lab runs or is edited.
    pub(super) fn act_in_lab(&mut self, action: LabAction, ctx: &mut UpdateContext<'_>) -> Step {
        match action {
            LabAction::Run => self.run(ctx),
            LabAction::Cancel => {
                self.cancel(ctx);
            }
            LabAction::Edit => {
                self.editor.begin_in_sight();
                self.mode = Mode::Editing;
            }
            LabAction::EditOutside => {
                self.save_changes(ctx);
                ctx.effects.push(Effect::EditOutside {
                    name: format!("{}.py", self.definition.id),
                    text: self.editor.text(),
                });
            }
            LabAction::Type(action) => {
                let copied = self.editor.act(action);
                ctx.effects.extend(copied.map(Effect::Copy));
                self.note_typed(ctx);
            }
            LabAction::Save => {
                self.save_changes(ctx);
                self.notice = Some((self.origin.words().saved.to_owned(), Role::Good));
            }
            LabAction::Devices => self.list_devices(ctx.session),
            LabAction::PreviousDevice => {
                let before = ctx.session.machine.devices.before(&self.device);
                self.change_device(before, ctx);
            }
            LabAction::NextPane => self.look_at(self.pane_after()),
            LabAction::PreviousPane => self.look_at(self.pane_before()),
            LabAction::FullPane => self.is_full = !self.is_full,
            LabAction::Diff => self.look_at(Pane::Diff),
            LabAction::Hint => {
                self.next_hint();
                self.pane = Pane::Hints;
            }
            LabAction::Zoom(zoom) => self.zoom(zoom),
            LabAction::Solution => return self.ask_for_solution(ctx),
            LabAction::Restore if self.is_starter() => {
                let said = format!("This is {} already.", self.origin.words().starter);
                self.notice = Some((said, Role::Key));
            }
            LabAction::Restore => {
                let question = self.origin.words().restore;
                return Step::confirm(question, OnConfirm::RestoreStarter);
            }
            // The timeline of a run has no cursor: its marks are those of a line.
            LabAction::Moment(_) => {}
            LabAction::Program(motion) if self.shows_only_pane() => self.scroll.go(motion),
            LabAction::Program(Motion::Up) => self.editor.previous_line(),
            LabAction::Program(Motion::Down) => self.editor.next_line(),
            LabAction::Program(motion) => self.editor.scroll(motion),
            LabAction::ProgramLeft => self.editor.scroll_left(),
            LabAction::ProgramRight => self.editor.scroll_right(),
        }
        Step::Stay
    }

    /// Opens one more hint, and shows it.
    pub(super) fn next_hint(&mut self) {
        self.help.hints = (self.help.hints + 1).min(self.definition.hints.len());
        self.follows_end = true;
    }

    fn ask_for_solution(&mut self, ctx: &UpdateContext<'_>) -> Step {
        let progress = ctx.session.learner.progress.lesson(&self.lesson.id);
        if self.definition.solution_program().is_none() {
            Step::Stay
        } else if self.help.solution.is_some() || progress.lab(&self.definition.id).has_passed() {
            self.show_solution();
            Step::Stay
        } else {
            let question = "Show the solution before you have passed?";
            Step::confirm(question, OnConfirm::ShowSolution)
        }
    }
}
