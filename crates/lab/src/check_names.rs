//! The names of a lab's checks, read from the Python that makes them, so that they can be shown before the first run.
//!
//! Pure, and no Python parser: it finds the calls of `lab.check` and takes the string that is their first argument. A name
//! that is computed is [`PLACEHOLDER`] alone.

/// How a check begins.
const CALL: &str = "lab.check(";

/// What stands for a value of a name that is known only when it is checked.
pub const PLACEHOLDER: char = '…';

/// The names of the checks, in the order of the text.
pub fn check_names(python: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = python;
    while let Some((before, after)) = rest.split_once(CALL) {
        let line = before.rsplit('\n').next().unwrap_or_default();
        if !line.trim_start().starts_with('#') {
            let is_computed = after.trim_start().starts_with(char::is_alphabetic);
            let computed = || is_computed.then(|| PLACEHOLDER.to_string());
            names.extend(strings(after).or_else(computed));
        }
        rest = after;
    }
    names
}

/// The string literals that a text begins with, joined as Python joins them; `None` if it begins with something else.
pub(super) fn strings(text: &str) -> Option<String> {
    let mut joined: Option<String> = None;
    let mut rest = text.trim_start();
    while let Some((literal, after)) = string(rest) {
        joined.get_or_insert_default().push_str(&literal);
        rest = after.trim_start();
    }
    joined
}

/// One string literal and what follows it. The values of an f-string are not known yet.
fn string(text: &str) -> Option<(String, &str)> {
    let is_formatted = text.starts_with(['f', 'F']);
    let text = text.strip_prefix(['f', 'F', 'r', 'R']).unwrap_or(text);
    let quote = text.chars().next().filter(|it| ['"', '\''].contains(it))?;
    let mut kept = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => kept.extend(
                letters
                    .next()
                    .map(|(_, it)| if it == 'n' { ' ' } else { it }),
            ),
            '{' if is_formatted => {
                letters.by_ref().find(|(_, it)| *it == '}');
                kept.push(PLACEHOLDER);
            }
            '\n' => return None,
            it if it == quote => {
                let after = text.get(at + quote.len_utf8()..).unwrap_or_default();
                return Some((kept, after));
            }
            it => kept.push(it),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_argument_of_each_check_is_its_name() {
        let python = r#"
lab.check("The total is 3.0", value == 3.0, "Leave `small` as it was.")
for name in names:
    lab.check(f"{name} is on the card", True)
    lab.check(name, True)
# lab.check("not yet", False)
lab.check(
    'It\'s one copy, '
    "not two", copies == 1)
lab.check("never closed
"#;
        assert_eq!(
            check_names(python),
            [
                "The total is 3.0",
                "… is on the card",
                "…",
                "It's one copy, not two"
            ]
        );
    }
}
