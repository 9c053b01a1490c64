//! The editor, from keys to text.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::*;
use crate::keymap::EditAction;

/// An editor of a text whose cursor is at `|`.
fn editor(text: &str) -> Editor {
    let mut editor = Editor::new(&text.replacen('|', "", 1));
    let lines = text.lines().enumerate();
    for (row, line) in lines {
        if let Some((before, _)) = line.split_once('|') {
            editor.place_cursor((row, before.chars().count()));
        }
    }
    editor
}

/// Its text, with `|` at the cursor.
fn shown(editor: &Editor) -> String {
    let (row, before) = editor.before_cursor();
    let mut lines: Vec<String> = editor.area.lines().to_vec();
    lines[row].insert(before.len(), '|');
    lines.join("\n")
}

fn press(editor: &mut Editor, code: KeyCode, modifiers: KeyModifiers) {
    editor.key(KeyEvent::new(code, modifiers));
}

/// The text after keys without modifiers.
fn typed(text: &str, keys: &[KeyCode]) -> String {
    let mut editor = editor(text);
    for code in keys {
        press(&mut editor, *code, KeyModifiers::NONE);
    }
    shown(&editor)
}

fn letters(text: &str) -> Vec<KeyCode> {
    text.chars().map(KeyCode::Char).collect()
}

fn type_all(editor: &mut Editor, text: &str) {
    for code in letters(text) {
        press(editor, code, KeyModifiers::NONE);
    }
}

fn select(editor: &mut Editor, code: KeyCode, times: usize) {
    for _ in 0..times {
        press(editor, code, KeyModifiers::SHIFT);
    }
}

#[test]
fn text_comes_back_as_it_went_in() {
    assert_eq!(editor("a = 1\nb = 2\n").text(), "a = 1\nb = 2\n");
}

#[test]
fn a_new_line_is_indented_like_the_last_and_deeper_behind_a_colon() {
    let keys = [
        KeyCode::Enter,
        KeyCode::Char('x'),
        KeyCode::Enter,
        KeyCode::Char('y'),
    ];
    assert_eq!(typed("if a:|", &keys), "if a:\n    x\n    y|");
}

#[test]
fn backspace_in_the_indentation_deletes_one_step() {
    assert_eq!(typed("        |x", &[KeyCode::Backspace]), "    |x");
    assert_eq!(typed("      |x", &[KeyCode::Backspace]), "    |x");
    assert_eq!(typed("ab|x", &[KeyCode::Backspace]), "a|x");
}

#[test]
fn pasted_text_is_made_visible_and_keeps_its_lines() {
    let mut editor = editor("|");
    editor.paste("a\rb\u{202e}\tc");
    assert_eq!(editor.text(), "a\nb<U+202E>   c\n");
}

#[test]
fn undo_takes_words_and_has_no_end() {
    let mut editor = editor("|");
    for word in 0..500 {
        type_all(&mut editor, &format!("w{word} "));
    }
    for _ in 0..2 {
        editor.act(EditAction::Undo);
    }
    assert!(editor.text().ends_with("w498\n"), "{}", editor.text());
    editor.act(EditAction::Redo);
    assert!(editor.text().ends_with("w499\n"), "{}", editor.text());
    for _ in 0..1001 {
        editor.act(EditAction::Undo);
    }
    assert_eq!(editor.text(), "\n");
}

#[test]
fn undo_takes_a_call_with_its_signs_as_one_word() {
    let mut it = editor("|");
    type_all(&mut it, "x = f(a.b[0],  c=1)");
    it.act(EditAction::Undo);
    assert_eq!(it.text(), "x = f(a.b[0],\n");
    it.act(EditAction::Undo);
    assert_eq!(it.text(), "x =\n");
}

#[test]
fn what_is_selected_is_cut_copied_and_pasted() {
    let mut it = editor("ab|cd\nef");
    select(&mut it, KeyCode::Right, 2);
    assert_eq!(it.copy().as_deref(), Some("cd"));
    select(&mut it, KeyCode::Down, 1);
    assert_eq!(it.act(EditAction::Cut).as_deref(), Some("cd\nef"));
    it.act(EditAction::Paste);
    it.act(EditAction::Paste);
    assert_eq!(shown(&it), "abcd\nefcd\nef|");
    assert_eq!(it.copy(), None);
}

#[test]
fn without_a_selection_cut_takes_the_line() {
    let mut it = editor("a\nb|c\nd");
    assert_eq!(it.act(EditAction::Cut).as_deref(), Some("bc\n"));
    assert_eq!(shown(&it), "a\n|d");
    it.act(EditAction::Undo);
    assert_eq!(it.text(), "a\nbc\nd\n");
}

#[test]
fn a_letter_replaces_what_is_selected() {
    let mut it = editor("a|bc");
    select(&mut it, KeyCode::End, 1);
    type_all(&mut it, "x");
    assert_eq!(shown(&it), "ax|");
}

#[test]
fn blocks_are_indented_dedented_and_made_comments_in_one_step() {
    let mut it = editor("|if a:\n    b\n\nc");
    select(&mut it, KeyCode::Down, 3);
    it.act(EditAction::Indent);
    assert_eq!(it.text(), "    if a:\n        b\n\nc\n");
    it.act(EditAction::Comment);
    assert_eq!(it.text(), "    # if a:\n    #     b\n\nc\n");
    it.act(EditAction::Comment);
    it.act(EditAction::Dedent);
    assert_eq!(it.text(), "if a:\n    b\n\nc\n");
    it.act(EditAction::Undo);
    assert_eq!(it.text(), "    if a:\n        b\n\nc\n");
}

#[test]
fn the_cursor_goes_by_words_and_to_both_ends() {
    let mut it = editor("    ab cd|\nef");
    press(&mut it, KeyCode::Left, KeyModifiers::CONTROL);
    assert_eq!(shown(&it), "    ab |cd\nef");
    press(&mut it, KeyCode::Home, KeyModifiers::NONE);
    assert_eq!(shown(&it), "    |ab cd\nef");
    press(&mut it, KeyCode::Home, KeyModifiers::NONE);
    assert_eq!(shown(&it), "|    ab cd\nef");
    press(&mut it, KeyCode::End, KeyModifiers::CONTROL);
    assert_eq!(shown(&it), "    ab cd\nef|");
    press(&mut it, KeyCode::Home, KeyModifiers::CONTROL);
    assert_eq!(shown(&it), "|    ab cd\nef");
}

#[test]
fn words_are_deleted_on_both_sides_of_the_cursor() {
    let mut it = editor("ab cd| ef gh");
    it.act(EditAction::DeleteWord);
    assert_eq!(shown(&it), "ab | ef gh");
    it.act(EditAction::DeleteNextWord);
    assert_eq!(shown(&it), "ab | gh");
}

#[test]
fn a_letter_of_several_code_points_is_one_for_the_cursor() {
    let family = "👩\u{200d}👩\u{200d}👧";
    let text = format!("|a{family}e\u{301}b");
    let mut it = editor(&text);
    press(&mut it, KeyCode::Right, KeyModifiers::NONE);
    press(&mut it, KeyCode::Right, KeyModifiers::NONE);
    assert_eq!(shown(&it), format!("a{family}|e\u{301}b"));
    press(&mut it, KeyCode::Right, KeyModifiers::NONE);
    assert_eq!(shown(&it), format!("a{family}e\u{301}|b"));
    press(&mut it, KeyCode::Left, KeyModifiers::NONE);
    press(&mut it, KeyCode::Left, KeyModifiers::SHIFT);
    assert_eq!(it.copy().as_deref(), Some(family));
    press(&mut it, KeyCode::Right, KeyModifiers::NONE);
    press(&mut it, KeyCode::Backspace, KeyModifiers::NONE);
    press(&mut it, KeyCode::Delete, KeyModifiers::NONE);
    assert_eq!(shown(&it), "a|b");
    // From the line above, it does not stop inside.
    let mut it = editor(&format!("ab|\n{family}"));
    press(&mut it, KeyCode::Down, KeyModifiers::NONE);
    assert_eq!(shown(&it), format!("ab\n{family}|"));
}

#[test]
fn lines_are_moved_and_doubled_with_what_is_selected() {
    let mut it = editor("a\nb|b\nc\nd");
    it.act(EditAction::MoveUp);
    assert_eq!(shown(&it), "b|b\na\nc\nd");
    it.act(EditAction::MoveUp);
    assert_eq!(shown(&it), "b|b\na\nc\nd");
    select(&mut it, KeyCode::Down, 1);
    it.act(EditAction::MoveDown);
    assert_eq!(shown(&it), "c\nbb\na|\nd");
    assert_eq!(it.copy().as_deref(), Some("b\na"));
    it.act(EditAction::Double);
    assert_eq!(shown(&it), "c\nbb\na\nbb\na|\nd");
    assert_eq!(it.copy().as_deref(), Some("b\na"));
    it.act(EditAction::MoveDown);
    it.act(EditAction::MoveDown);
    assert_eq!(shown(&it), "c\nbb\na\nd\nbb\na|");
    for _ in 0..4 {
        it.act(EditAction::Undo);
    }
    assert_eq!(it.text(), "a\nbb\nc\nd\n");
}

#[test]
fn the_whole_program_is_selected_and_stays_selected_when_it_is_copied() {
    let mut it = editor("a|\nbc");
    it.act(EditAction::SelectAll);
    assert_eq!(it.copy().as_deref(), Some("a\nbc"));
    assert!(it.has_copied());
    assert_eq!(it.act(EditAction::Cut).as_deref(), Some("a\nbc"));
    assert_eq!(shown(&it), "|");
    assert!(!it.has_copied());
}

#[test]
fn a_line_is_gone_to_by_its_number() {
    let go_to = |number: &str, last: EditAction| {
        let mut it = editor("a|\nb\nc");
        it.act(EditAction::AskForLine);
        type_all(&mut it, number);
        it.act(last);
        assert_eq!(it.context(), Context::EDITING);
        shown(&it)
    };
    assert_eq!(go_to("3", EditAction::GoToLine), "a\nb\n|c");
    assert_eq!(go_to("99", EditAction::GoToLine), "a\nb\n|c");
    assert_eq!(go_to("0", EditAction::GoToLine), "|a\nb\nc");
    assert_eq!(go_to("b", EditAction::GoToLine), "a|\nb\nc");
    assert_eq!(go_to("3", EditAction::LeaveFind), "a|\nb\nc");
}

#[test]
fn find_goes_from_hit_to_hit_and_leaves_the_text() {
    let mut it = editor("x|\ntensor\nTensor");
    it.act(EditAction::Find);
    type_all(&mut it, "tens");
    assert_eq!(shown(&it), "x\n|tensor\nTensor");
    it.act(EditAction::FindNext);
    assert_eq!(shown(&it), "x\ntensor\n|Tensor");
    it.act(EditAction::FindNext);
    it.act(EditAction::LeaveFind);
    type_all(&mut it, "a");
    assert_eq!(shown(&it), "x\na|tensor\nTensor");
}

#[test]
fn replacing_goes_from_hit_to_hit_and_all_of_them_are_one_step() {
    let replacing = |with: &str| {
        let mut it = editor("|x = ones(x)\nX = x");
        it.act(EditAction::Find);
        type_all(&mut it, "x");
        it.act(EditAction::AskForReplacement);
        type_all(&mut it, with);
        it
    };
    let mut it = replacing("xy");
    let mut steps = Vec::new();
    for action in [
        EditAction::Replace,
        EditAction::FindNext,
        EditAction::Replace,
        EditAction::Undo,
        EditAction::Undo,
    ] {
        it.act(action);
        steps.push(shown(&it).replace('\n', " / "));
    }
    insta::assert_snapshot!(steps.join("\n"), @"
    xy = ones(|x) / X = x
    xy = ones(x) / |X = x
    xy = ones(x) / xy = |x
    xy = ones(x) / |X = x
    |x = ones(x) / X = x
    ");
    let mut it = replacing("a, b");
    it.act(EditAction::ReplaceAll);
    assert_eq!(shown(&it), "a, b = ones(a, b)\na, b = a, b|");
    assert_eq!(it.context(), Context::REPLACING);
    it.act(EditAction::LeaveFind);
    it.act(EditAction::Undo);
    assert_eq!(it.text(), "x = ones(x)\nX = x\n");
    // Nothing in its place deletes it.
    let mut it = replacing("");
    it.act(EditAction::ReplaceAll);
    assert_eq!(it.text(), " = ones()\n = \n");
    // What is nowhere is not replaced.
    let mut it = editor("|a");
    it.act(EditAction::Find);
    type_all(&mut it, "x");
    it.act(EditAction::AskForReplacement);
    assert_eq!(it.context(), Context::FINDING);
}
