//! The metrics of a lab whose values nothing in its programs uses, read from the Python that gives them.
//!
//! Pure, and no Python parser, as [`super::check_names`]: a name that is computed is left out, and a value counts as used where one of
//! its variables is an argument of a check, a plot or bars.

use super::check_names::{PLACEHOLDER, strings};
use std::collections::BTreeSet;

/// How a metric begins.
const METRIC: &str = "lab.metric(";

/// How what uses a value begins.
const USES: [&str; 4] = ["lab.check(", "lab.at_most(", "lab.plot(", "lab.bars("];

/// The names of the metrics that nothing uses, in the order of the text.
pub fn unread_metrics(python: &str) -> Vec<String> {
    let calls = USES.iter().flat_map(|it| arguments_of(python, it));
    let used: BTreeSet<&str> = calls.flat_map(variables).collect();
    let mut unread = Vec::new();
    for arguments in arguments_of(python, METRIC) {
        let is_used = variables(arguments).iter().any(|it| used.contains(it));
        let name = strings(arguments).filter(|it| !is_used && !it.contains(PLACEHOLDER));
        unread.extend(name);
    }
    unread
}

/// The arguments of each call that begins like this.
fn arguments_of<'a>(python: &'a str, call: &str) -> Vec<&'a str> {
    let mut all = Vec::new();
    let mut rest = python;
    while let Some((_, after)) = rest.split_once(call) {
        all.push(up_to_bracket(after));
        rest = after;
    }
    all
}

/// What is in front of the bracket that closes a call.
fn up_to_bracket(text: &str) -> &str {
    let mut open = 1;
    for (at, letter) in outside_of_strings(text) {
        match letter {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// The letters of a program that are in no string, with their places; of a string, the words in braces.
fn outside_of_strings(text: &str) -> Vec<(usize, char)> {
    let mut outside = Vec::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        if !['"', '\''].contains(&letter) {
            outside.push((at, letter));
            continue;
        }
        let mut in_braces = false;
        while let Some((at, inside)) = letters.next() {
            let is_word = inside.is_alphanumeric() || ['_', '.'].contains(&inside);
            if inside == '\\' {
                letters.next();
            } else if inside == letter {
                break;
            } else if ['{', '}'].contains(&inside) {
                in_braces = inside == '{';
                outside.push((at, ' '));
            } else if in_braces {
                outside.push((at, if is_word { inside } else { ' ' }));
            }
        }
    }
    outside
}

/// The names in a text that are neither called nor parts of others.
fn variables(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from: Option<usize> = None;
    let mut before = ' ';
    let end = (text.len(), ' ');
    for (at, letter) in outside_of_strings(text).into_iter().chain([end]) {
        let is_word = letter.is_alphanumeric() || letter == '_';
        match from {
            None if is_word => {
                let is_part = before == '.';
                from = Some(at).filter(|_| !is_part);
            }
            Some(start) if !is_word => {
                let word = text.get(start..at).unwrap_or_default();
                let is_name = !word.starts_with(|it: char| it.is_ascii_digit());
                found.extend(Some(word).filter(|_| is_name && letter != '('));
                from = None;
            }
            None | Some(_) => {}
        }
        before = if is_word && before == '.' {
            '.'
        } else {
            letter
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_read_where_a_check_or_a_plot_has_one_of_its_variables() {
        let python = r#"
lab.metric("checked", 1e3 * took, "ms")
lab.check("It is short (or not)", len(rows) == 3 and took < 1, "Which (line)?")
lab.metric("drawn", sum(rows) / len(rows))
lab.plot(sizes, {"rows": rows}, log="x")
lab.metric("told", told, "ms")
lab.check("Short", True, f"It took {told:.1f} ms (", None)
lab.metric("left", len(left), "rows")
lab.metric("part", other.took)
lab.metric(name, left)
lab.metric(f"{name} again", left)
"#;
        assert_eq!(unread_metrics(python), ["left", "part"]);
    }
}
