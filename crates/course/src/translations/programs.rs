//! Programs in Python that differ only in what people read: comments, and texts in quotes.

use crate::program_text::{ProgramPart, parts};

/// The first line of `b`, from 1, that is not that of `a` apart from comments and texts in quotes; nothing where all are.
pub(super) fn first_difference(a: &str, b: &str) -> Option<usize> {
    let (a, b) = (bones(a), bones(b));
    let differing = a.iter().zip(&b).find(|(a, b)| a.1 != b.1);
    let at = differing.map(|(_, b)| b.0);
    at.or_else(|| (a.len() < b.len()).then(|| b.get(a.len()).map_or(1, |it| it.0)))
        .or_else(|| (a.len() > b.len()).then(|| b.last().map_or(1, |it| it.0 + 1)))
}

/// The lines of a program without comments and without what is in quotes, with their numbers. Empty ones are left out.
fn bones(program: &str) -> Vec<(usize, String)> {
    let mut lines = vec![(1, String::new())];
    let mut number = 1;
    for (part, text) in parts(program) {
        let mut code = match part {
            ProgramPart::Comment => continue,
            ProgramPart::Quoted => "\"",
            ProgramPart::Code => text,
        }
        .split('\n');
        if let (Some((_, line)), Some(first)) = (lines.last_mut(), code.next()) {
            line.push_str(first);
        }
        for line in code {
            number += 1;
            lines.push((number, line.to_owned()));
        }
        if part == ProgramPart::Quoted {
            number += text.matches('\n').count();
        }
    }
    let lines = lines.into_iter();
    let lines = lines.map(|(number, line)| (number, line.trim_end().to_owned()));
    lines.filter(|it| !it.1.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_may_be_translated() {
        let english = "x = 1  # one\n\n# two\nprint(f\"x is {x}\")\n'''a\nb'''\ny = 2\n";
        let german = "x = 1\n# zwei und mehr\nprint(f\"x ist {x}, 'ja' \\\" #\")\n'''a'''\ny = 2\n";
        assert_eq!(first_difference(english, german), None);
    }

    #[test]
    fn other_code_is_found_at_its_line() {
        assert_eq!(first_difference("a\nb\n", "a\n# c\nc\n"), Some(3));
        assert_eq!(first_difference("a\n", "a\n\nb\n"), Some(3));
        assert_eq!(first_difference("a\nb\n", "a\n"), Some(2));
        assert_eq!(first_difference("a = 1\n", "a = 2\n"), Some(1));
        assert_eq!(first_difference("  a\n", "a\n"), Some(1));
    }

    #[test]
    fn a_text_that_is_not_closed_ends_with_its_line() {
        assert_eq!(first_difference("a = 'b\nc\n", "a = 'd\nc\n"), None);
        assert_eq!(first_difference("a = '''b\nc\n", "a = '''\n"), None);
        assert_eq!(first_difference("", ""), None);
    }
}
