//! The names of actions, by which settings.toml gives them other keys.

use super::ALL;
use super::action::{
    Action, AppAction, Destination, DoctorAction, EditAction, FormAction, LabAction, Motion,
    PageAction, Sideways, TextAction,
};
use super::binding::Context;
use warpup_lab::timeline::Zoom;

impl Action {
    /// The name; nothing where the keys stay what they are: they quit, cancel, answer a dialog, or are digits.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::App(it) => of_app(it),
            Self::Back => Some("back"),
            Self::Open => Some("open"),
            Self::Scroll(it) => Some(of_motion(it)),
            Self::Go(it) => Some(of_destination(it)),
            Self::Page(it) => of_page(it),
            Self::Lab(it) => Some(of_lab(it)),
            Self::Form(it) => Some(of_form(it)),
            Self::Doctor(DoctorAction::LookAgain) => Some("look-again"),
            Self::Doctor(DoctorAction::Details) => Some("details"),
        }
    }
}

/// All names, in the order of the table.
pub(super) fn all() -> Vec<&'static str> {
    let mut names = Vec::new();
    for binding in ALL.into_iter().flat_map(Context::bindings) {
        names.extend(binding.action.name().filter(|it| !names.contains(it)));
    }
    names
}

fn of_app(action: AppAction) -> Option<&'static str> {
    match action {
        AppAction::Help => Some("help"),
        AppAction::SaveElsewhere => Some("save-elsewhere"),
        AppAction::NextStep => Some("go-on"),
        AppAction::Tour => Some("introduction"),
        AppAction::Palette => Some("palette"),
        AppAction::Settings => Some("settings"),
        AppAction::Words => Some("glossary"),
        AppAction::Search => Some("search"),
        AppAction::NextHit => Some("next-hit"),
        AppAction::PreviousHit => Some("previous-hit"),
        AppAction::Quit
        | AppAction::Interrupt
        | AppAction::Suspend
        | AppAction::EndSearch
        | AppAction::Yes
        | AppAction::No => None,
    }
}

fn of_motion(motion: Motion) -> &'static str {
    match motion {
        Motion::Up => "up",
        Motion::Down => "down",
        Motion::PageUp => "page-up",
        Motion::PageDown => "page-down",
        Motion::Top => "top",
        Motion::Bottom => "bottom",
    }
}

fn of_destination(destination: Destination) -> &'static str {
    match destination {
        Destination::Quiz => "quiz",
        Destination::RetryMissed => "review",
        Destination::RetryAll => "all-again",
        Destination::Explain => "own-words",
        Destination::NextLesson => "next-lesson",
        Destination::ReadAgain => "read-again",
        Destination::WordLesson => "word-lesson",
        Destination::Problems => "problems",
        Destination::Doctor => "doctor",
        Destination::Program => "program",
    }
}

fn of_page(action: PageAction) -> Option<&'static str> {
    match action {
        PageAction::Next => Some("next-page"),
        PageAction::Previous => Some("previous-page"),
        PageAction::NextLab => Some("next-lab"),
        PageAction::PreviousLab => Some("previous-lab"),
        PageAction::RunLab => Some("run"),
        PageAction::EditLab => Some("edit"),
        PageAction::Fold => Some("fold"),
        PageAction::Return => Some("return"),
        PageAction::Digit(_) | PageAction::OpenLink(_) => None,
    }
}

fn of_lab(action: LabAction) -> &'static str {
    match action {
        LabAction::Run => "run",
        LabAction::Cancel => "cancel",
        LabAction::Edit => "edit",
        LabAction::EditOutside => "edit-outside",
        LabAction::Save => "save",
        LabAction::Type(it) => of_edit(it),
        LabAction::Devices => "devices",
        LabAction::PreviousDevice => "previous-device",
        LabAction::NextPane => "next-pane",
        LabAction::FullPane => "full-pane",
        LabAction::PreviousPane => "previous-pane",
        LabAction::Hint => "hint",
        LabAction::Solution => "solution",
        LabAction::Restore => "starter",
        LabAction::Diff => "diff",
        LabAction::Zoom(Zoom::In) => "closer",
        LabAction::Zoom(Zoom::Out) => "farther",
        LabAction::Zoom(Zoom::Earlier) => "earlier",
        LabAction::Zoom(Zoom::Later) => "later",
        LabAction::Moment(Sideways::Left) => "moment-earlier",
        LabAction::Moment(Sideways::Right) => "moment-later",
        LabAction::Program(Motion::Up) => "program-up",
        LabAction::Program(Motion::Down) => "program-down",
        LabAction::Program(Motion::PageUp) => "program-page-up",
        LabAction::Program(Motion::PageDown) => "program-page-down",
        LabAction::Program(Motion::Top) => "program-top",
        LabAction::Program(Motion::Bottom) => "program-bottom",
        LabAction::ProgramLeft => "program-left",
        LabAction::ProgramRight => "program-right",
    }
}

fn of_edit(action: EditAction) -> &'static str {
    match action {
        EditAction::Undo => "undo",
        EditAction::Redo => "redo",
        EditAction::Cut => "cut",
        EditAction::Paste => "paste",
        EditAction::SelectAll => "select-all",
        EditAction::DeleteNext => "delete-next",
        EditAction::DeleteWord => "cut-word",
        EditAction::DeleteNextWord => "delete-next-word",
        EditAction::MoveUp => "line-up",
        EditAction::MoveDown => "line-down",
        EditAction::Double => "double-line",
        EditAction::CutLine => "cut-line",
        EditAction::CutToStart => "cut-to-start",
        EditAction::Indent => "indent",
        EditAction::Dedent => "dedent",
        EditAction::Comment => "comment",
        EditAction::Find => "find",
        EditAction::FindNext => "find-next",
        EditAction::FindPrevious => "find-previous",
        EditAction::LeaveFind => "leave-find",
        EditAction::AskForReplacement => "ask-for-replacement",
        EditAction::Replace => "replace",
        EditAction::ReplaceAll => "replace-all",
        EditAction::AskForLine => "ask-for-line",
        EditAction::GoToLine => "go-to-line",
    }
}

fn of_form(action: FormAction) -> &'static str {
    match action {
        FormAction::Submit => "answer",
        FormAction::GiveUp => "hand-in",
        FormAction::NextMissed => "next-missed",
        FormAction::Hint => "hint",
        FormAction::Confidence => "sure",
        FormAction::Toggle => "toggle",
        FormAction::MoveUp => "move-up",
        FormAction::MoveDown => "move-down",
        FormAction::Left => "previous-choice",
        FormAction::Right => "next-choice",
        FormAction::Text(TextAction::LineStart) => "line-start",
        FormAction::Text(TextAction::LineEnd) => "line-end",
        FormAction::Text(TextAction::WordLeft) => "word-left",
        FormAction::Text(TextAction::WordRight) => "word-right",
        FormAction::Text(TextAction::CutWord) => "cut-word",
        FormAction::Text(TextAction::CutToStart) => "cut-to-start",
        FormAction::Text(TextAction::CutToEnd) => "cut-to-end",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_action_in_each_context() {
        for context in ALL {
            for one in context.bindings() {
                for other in context.bindings() {
                    let is_same = one.action.name() == other.action.name();
                    assert!(
                        !is_same || one.action.name().is_none() || one.action == other.action,
                        "{:?} and {:?}",
                        one.action,
                        other.action
                    );
                }
            }
        }
    }
}
