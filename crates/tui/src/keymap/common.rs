//! What the tables of keys have in common: how a binding is written, and the bindings of several contexts.
//!
//! One line a binding, and not formatted: a table is read by its columns.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::action::{Action, AppAction, Destination, EditAction, FormAction, LabAction, Motion, TextAction};
use super::binding::{Binding, Chord};

pub(super) const fn key(letter: char) -> Chord {
    Chord(KeyCode::Char(letter), KeyModifiers::NONE)
}

pub(super) const fn ctrl(letter: char) -> Chord {
    Chord(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

pub(super) const fn alt(letter: char) -> Chord {
    Chord(KeyCode::Char(letter), KeyModifiers::ALT)
}

pub(super) const fn shift(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::SHIFT)
}

pub(super) const fn ctrl_code(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::CONTROL)
}

pub(super) const fn alt_code(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::ALT)
}

pub(super) const fn alt_shift(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::ALT.union(KeyModifiers::SHIFT))
}

pub(super) const fn code(code: KeyCode) -> Chord {
    Chord(code, KeyModifiers::NONE)
}

pub(super) const fn bind(
    keys: &'static [Chord],
    action: Action,
    help: &'static str,
    short: &'static str,
) -> Binding {
    Binding {
        keys,
        action,
        help,
        short,
    }
}

pub(super) const UP: Binding = bind(&[code(KeyCode::Up), key('k')], Action::Scroll(Motion::Up), "up", "");
pub(super) const DOWN: Binding = bind(&[code(KeyCode::Down), key('j')], Action::Scroll(Motion::Down), "down", "");
pub(super) const PAGE_UP: Binding = bind(&[code(KeyCode::PageUp), key('b')], Action::Scroll(Motion::PageUp), "a screen up", "");
pub(super) const PAGE_DOWN: Binding = bind(&[code(KeyCode::PageDown), key(' ')], Action::Scroll(Motion::PageDown), "a screen down", "");
pub(super) const TOP: Binding = bind(&[key('g'), code(KeyCode::Home)], Action::Scroll(Motion::Top), "to the top", "");
pub(super) const BOTTOM: Binding = bind(&[key('G'), code(KeyCode::End)], Action::Scroll(Motion::Bottom), "to the end", "");
pub(super) const BACK: Binding = bind(&[key('q'), code(KeyCode::Esc)], Action::Back, "back", "back");
pub(super) const SUBMIT: Binding = bind(&[code(KeyCode::Enter)], Action::Form(FormAction::Submit), "answer", "answer");
pub(super) const CHOOSE: Binding = bind(&[code(KeyCode::Down), key('j')], Action::Scroll(Motion::Down), "choose the next option; a number chooses its own", "choose");
pub(super) const TOGGLE_ONE: Binding = bind(&[key(' ')], Action::Form(FormAction::Toggle), "choose the option; its number does so, too", "");
pub(super) const HINT: Binding = bind(&[key('h'), code(KeyCode::F(2))], Action::Form(FormAction::Hint), "next hint", "hint");
pub(super) const SURE: Binding = bind(&[key('s'), code(KeyCode::F(3))], Action::Form(FormAction::Confidence), "mark the answer as sure, not sure, or neither; no points depend on it", "sure?");
pub(super) const SCREEN_UP: Binding = bind(&[code(KeyCode::PageUp)], Action::Scroll(Motion::PageUp), "a screen up", "");
pub(super) const SCREEN_DOWN: Binding = bind(&[code(KeyCode::PageDown)], Action::Scroll(Motion::PageDown), "a screen down", "");
pub(super) const TEXT_START: Binding = bind(&[ctrl('a')], Action::Form(FormAction::Text(TextAction::LineStart)), "to the start of the line; Home, too", "");
pub(super) const TEXT_END: Binding = bind(&[ctrl('e')], Action::Form(FormAction::Text(TextAction::LineEnd)), "to the end of the line; End, too", "");
pub(super) const WORD_LEFT: Binding = bind(&[ctrl_code(KeyCode::Left)], Action::Form(FormAction::Text(TextAction::WordLeft)), "a word to the left", "");
pub(super) const WORD_RIGHT: Binding = bind(&[ctrl_code(KeyCode::Right)], Action::Form(FormAction::Text(TextAction::WordRight)), "a word to the right", "");
pub(super) const CUT_WORD: Binding = bind(&[ctrl('w')], Action::Form(FormAction::Text(TextAction::CutWord)), "delete the word before the cursor", "");
pub(super) const CUT_TO_START: Binding = bind(&[ctrl('u')], Action::Form(FormAction::Text(TextAction::CutToStart)), "delete to the start of the line", "");
pub(super) const CUT_TO_END: Binding = bind(&[ctrl('k')], Action::Form(FormAction::Text(TextAction::CutToEnd)), "delete to the end of the line", "");
pub(super) const EXPLAIN: Binding = bind(&[key('o')], Action::Go(Destination::Explain), "explain in your own words; nobody grades it", "own words");
pub(super) const GIVE_UP: Binding = bind(&[key('x'), code(KeyCode::F(4))], Action::Form(FormAction::GiveUp), "hand in the quiz now: open questions earn nothing", "hand in quiz");
pub(super) const SEARCH: Binding = bind(&[key('/')], Action::App(AppAction::Search), "search the page, the lesson and the course", "search");
pub(super) const PALETTE: Binding = bind(&[key(':'), ctrl('p')], Action::App(AppAction::Palette), "go to anything: lessons, pages, labs, words, keys", "");
pub(super) const LAB_WORDS: Binding = bind(&[key('w')], Action::App(AppAction::Words), "what the words of the glossary here mean", "words");
pub(super) const DIFF: Binding = bind(&[key('v'), code(KeyCode::F(5))], Action::Lab(LabAction::Diff), "the diff of your program against the starter", "");
pub(super) const EDITED_RUN: Binding = bind(&[ctrl('r')], Action::Lab(LabAction::Run), "run the program", "run");
pub(super) const EDITED_PANE: Binding = bind(&[code(KeyCode::F(6))], Action::Lab(LabAction::NextPane), "next pane, such as the task", "pane");
pub(super) const FIND_PREVIOUS: Binding = bind(&[code(KeyCode::Up), shift(KeyCode::F(3))], Action::Lab(LabAction::Type(EditAction::FindPrevious)), "the one before", "previous");
pub(super) const LEAVE_FIND: Binding = bind(&[code(KeyCode::Esc)], Action::Lab(LabAction::Type(EditAction::LeaveFind)), "go on editing here", "edit here");
pub(super) const EDITED_HINT: Binding = bind(&[code(KeyCode::F(2))], Action::Lab(LabAction::Hint), "next hint", "");
pub(super) const EDITED_DIFF: Binding = bind(&[code(KeyCode::F(5))], Action::Lab(LabAction::Diff), "the diff of your program against the starter", "");
pub(super) const EDITED_PANE_UP: Binding = bind(&[code(KeyCode::F(7))], Action::Scroll(Motion::PageUp), "the pane a screen up", "");
pub(super) const EDITED_PANE_DOWN: Binding = bind(&[code(KeyCode::F(8))], Action::Scroll(Motion::PageDown), "the pane a screen down", "");
pub(super) const FULL_PANE: Binding = bind(&[key('f')], Action::Lab(LabAction::FullPane), "the pane on the whole screen, or the program beside it again", "full");
pub(super) const SAVE_SCREEN: Binding = bind(&[key('S')], Action::App(AppAction::SaveElsewhere), "save the screen as a picture, with a summary", "save screen");
pub(super) const PANE_DOWN: Binding = bind(&[key('j')], Action::Scroll(Motion::Down), "the pane down", "pane down");
pub(super) const PANE_UP: Binding = bind(&[key('k')], Action::Scroll(Motion::Up), "the pane up", "");
pub(super) const PANE_TOP: Binding = bind(&[key('g'), code(KeyCode::Home)], Action::Scroll(Motion::Top), "the pane to its top", "");
pub(super) const PANE_END: Binding = bind(&[key('G'), code(KeyCode::End)], Action::Scroll(Motion::Bottom), "the pane to its end", "");
pub(super) const PANE_PAGE_DOWN: Binding = bind(&[key(' '), code(KeyCode::F(8))], Action::Scroll(Motion::PageDown), "the pane a screen down", "");
pub(super) const PANE_PAGE_UP: Binding = bind(&[key('b'), code(KeyCode::F(7))], Action::Scroll(Motion::PageUp), "the pane a screen up", "");
pub(super) const PROGRAM_PAGE_DOWN: Binding = bind(&[code(KeyCode::PageDown)], Action::Lab(LabAction::Program(Motion::PageDown)), "the program a screen down", "program");
pub(super) const PROGRAM_PAGE_UP: Binding = bind(&[code(KeyCode::PageUp)], Action::Lab(LabAction::Program(Motion::PageUp)), "the program a screen up", "");
pub(super) const PROGRAM_DOWN: Binding = bind(&[key('J'), shift(KeyCode::Down)], Action::Lab(LabAction::Program(Motion::Down)), "the next line of the program", "");
pub(super) const PROGRAM_UP: Binding = bind(&[key('K'), shift(KeyCode::Up)], Action::Lab(LabAction::Program(Motion::Up)), "the line above", "");
/// As [`PROGRAM_DOWN`], where no option is chosen by arrows.
pub(super) const LINE_DOWN: Binding = bind(&[code(KeyCode::Down), key('J'), shift(KeyCode::Down)], Action::Lab(LabAction::Program(Motion::Down)), "the next line of the program: the timeline marks its work and says what it waited for", "line");
pub(super) const LINE_UP: Binding = bind(&[code(KeyCode::Up), key('K'), shift(KeyCode::Up)], Action::Lab(LabAction::Program(Motion::Up)), "the line above", "");
pub(super) const PROGRAM_RIGHT: Binding = bind(&[code(KeyCode::Right)], Action::Lab(LabAction::ProgramRight), "the program to the right, where lines are cut (›)", "scroll");
pub(super) const PROGRAM_LEFT: Binding = bind(&[code(KeyCode::Left)], Action::Lab(LabAction::ProgramLeft), "the program to the left", "scroll");
pub(super) const NEXT_HINT: Binding = bind(&[key('h'), code(KeyCode::F(2))], Action::Lab(LabAction::Hint), "next hint", "hint");
