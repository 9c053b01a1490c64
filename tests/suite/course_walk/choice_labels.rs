//! Finds on a screen the number or letter that selects a choice, by the text of the choice.

/// The signs between a number and its text, by kind of question.
const MARKS: [&str; 6] = ["○ ", "● ", "[ ] ", "[x] ", "↕ ", "· "];

/// The number in front of the choice with this text, if it is on the screen.
pub(crate) fn number_of(screen: &str, text: &str) -> Option<String> {
    label_of(screen, text, |label, rest| {
        label.parse::<u32>().ok()?;
        MARKS.iter().find_map(|mark| rest.strip_prefix(mark))
    })
}

/// The letter in front of the right side with this text, if it is on the screen.
pub(crate) fn letter_of(screen: &str, text: &str) -> Option<String> {
    label_of(screen, text, |label, rest| {
        let is_letter = label.len() == 1 && label.bytes().all(|it| it.is_ascii_lowercase());
        rest.strip_prefix(' ').filter(|_| is_letter)
    })
}

/// The label of the text. `read` returns the text after a label, and nothing for any other line. A text goes on
/// until the next label or an empty line.
fn label_of(
    screen: &str,
    text: &str,
    read: impl for<'a> Fn(&str, &'a str) -> Option<&'a str>,
) -> Option<String> {
    let mut choices: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for line in screen.lines() {
        let line = line.trim_start();
        let row = line.strip_prefix("▸ ").unwrap_or(line);
        let begins = row
            .split_once(' ')
            .and_then(|(label, rest)| Some((label, read(label, rest)?)));
        match (begins, choices.last_mut()) {
            (Some((label, text)), _) => {
                choices.push((label.to_owned(), without_spaces(text)));
                is_inside = true;
            }
            (None, Some((_, text))) if is_inside && !row.is_empty() => {
                text.push_str(&without_spaces(row));
            }
            (None, _) => is_inside = false,
        }
    }
    let wanted = without_spaces(text);
    let mut found = choices.into_iter().filter(|(_, shown)| *shown == wanted);
    found.next().map(|(label, _)| label)
}

/// The text without white space, so that line breaks do not matter.
fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn a_choice_is_known_by_all_of_its_text() {
    let screen = "\
  Which?

    1 ○ a choice that begins as the other one does, and is
        longer
  ▸ 2 ● a choice that begins as the other one does, and is
        short

  Esc back";
    let number = |end| {
        let text = format!("a choice that begins as the other one does, and is {end}");
        number_of(screen, &text)
    };
    assert_eq!(number("longer").as_deref(), Some("1"));
    assert_eq!(number("short").as_deref(), Some("2"));
    assert_eq!(number(""), None);
    let screen = "  1 · host\n       → ?\n\n  a  Python\n  b  kernels";
    assert_eq!(letter_of(screen, "kernels").as_deref(), Some("b"));
}
