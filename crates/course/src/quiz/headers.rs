//! The lines that begin a question or a version: `[[question]]`, not `[question]`.
//!
//! TOML reads `[question]` as one table. What it then says about the second one, or about a missing list, does not name the
//! brackets.

use crate::diagnostics::{Report, Rule};
use std::ops::Range;

/// The lists of a quiz.
const LISTS: [&str; 2] = ["question", "question.version"];

/// A version that says of no question that it is one.
const VERSION: &str = "[[version]]";

/// The first line with single brackets where a list needs double ones. Texts of several lines are passed over.
pub(super) fn single_brackets(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    let mut within = None;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let was_within = within;
        for quotes in ["\"\"\"", "'''"] {
            let odd = line.matches(quotes).count() % 2 == 1;
            within = match within {
                None if odd => Some(quotes),
                Some(open) if odd && open == quotes => None,
                other => other,
            };
        }
        let code = line.split('#').next().unwrap_or_default().trim();
        let name = code.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let is_list = |name: &str| LISTS.contains(&name.trim());
        if was_within.is_none() && (name.is_some_and(is_list) || code == VERSION) {
            let begin = start + line.find('[').unwrap_or_default();
            return Some(begin..begin + code.len());
        }
    }
    None
}

/// Reports such a line.
pub(super) fn report(header: &Range<usize>, text: &str, report: &mut Report) {
    let written = text.get(header.clone()).unwrap_or_default();
    if written == VERSION {
        report
            .error(
                Rule::UnknownKey,
                header.clone(),
                "`[[version]]` belongs to no question",
            )
            .fixed_by(written, "[[question.version]]")
            .hint("write `[[question.version]]`, below the question, each time");
        return;
    }
    let right = format!("[{written}]");
    report
        .error(
            Rule::SingleBrackets,
            header.clone(),
            format!("`{written}` begins a table, and a quiz needs a list"),
        )
        .fixed_by(written, right.clone())
        .hint(format!(
            "write `{right}`, with two brackets on each side, each time"
        ));
}
