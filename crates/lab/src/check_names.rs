//! The names of a lab's checks, read from the Python that makes them, so that they can be shown before the first run.
//!
//! Pure, and no Python parser: it finds the calls of `lab.check` and takes the string that is their first argument. A name
//! that is computed is [`PLACEHOLDER`] alone. Those of `lab.at_most` get the name that `lab.at_most` makes.

/// How a check begins that has its name.
const CHECK: &str = "lab.check(";

/// How one begins that is named after what it counts.
const AT_MOST: &str = "lab.at_most(";

/// What stands for a value of a name that is known only when it is checked.
pub const PLACEHOLDER: char = '…';

/// The names of the checks, in the order of the text.
pub fn check_names(python: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    while let Some((call, of)) = next_call(python, at) {
        let before = python.get(..call).unwrap_or_default();
        let arguments = python.get(call + of.len()..).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        if !line.trim_start().starts_with('#') {
            names.extend(if of == AT_MOST {
                at_most(arguments)
            } else {
                let is_computed = arguments.trim_start().starts_with(char::is_alphabetic);
                let computed = || is_computed.then(|| PLACEHOLDER.to_string());
                strings(arguments).or_else(computed)
            });
        }
        at = call + of.len();
    }
    names
}

/// The next call from a byte on, and which one it is.
fn next_call(python: &str, from: usize) -> Option<(usize, &'static str)> {
    let rest = python.get(from..)?;
    let calls = [CHECK, AT_MOST].into_iter();
    let found = calls.filter_map(|of| Some((from + rest.find(of)?, of)));
    found.min()
}

/// The name of `lab.at_most(run.copies_to_host, 4, …)`: "At most 4 copies to the host". What a variable counts, or which number it
/// is, only the run says.
fn at_most(arguments: &str) -> Option<String> {
    let (counted, rest) = argument(arguments)?;
    let (most, _) = argument(rest)?;
    let counted = counted.split(".where(").next().unwrap_or_default();
    let what = match counted.rsplit_once('.') {
        Some((_, "copies_to_device")) => "copies to the card".to_owned(),
        Some((_, "copies_to_host")) => "copies to the host".to_owned(),
        Some((_, name)) => name.replace('_', " "),
        None => PLACEHOLDER.to_string(),
    };
    let is_number = most.chars().all(|it| it.is_ascii_digit());
    let most = if is_number { most } else { "…" };
    Some(format!("At most {most} {what}"))
}

/// An argument of a call, and what follows its comma.
fn argument(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                let (argument, rest) = text.split_at_checked(at)?;
                return Some((argument.trim(), rest.strip_prefix(',')?));
            }
            _ => {}
        }
    }
    None
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
lab.at_most(ran.copies_to_host, 4, "Too many.")
lab.at_most(
    _ran.waits.where(cause=("item", "print")),
    5,
    "Too many.",
)
lab.at_most(again.operations, most, "Too many.")
lab.at_most(_waits, 12, "Too many.")
lab.at_most(never, closed
lab.check("never closed
"#;
        assert_eq!(
            check_names(python),
            [
                "The total is 3.0",
                "… is on the card",
                "…",
                "It's one copy, not two",
                "At most 4 copies to the host",
                "At most 5 waits",
                "At most … operations",
                "At most 12 …",
            ]
        );
    }
}
