//! Programs in Python that differ only in what people read: comments, and texts in quotes.

use crate::program_text::{ProgramPart, parts};

/// Signs that no code in Python has: they come with a text that was pasted.
const PASTED: [char; 7] = ['“', '”', '„', '‘', '’', '«', '»'];

/// The first lines of `a` and of `b`, from 1, that differ apart from comments and texts in quotes; nothing where none do. Of a line
/// that `a` does not have, its number is 0.
pub(super) fn first_difference(a: &str, b: &str) -> Option<(usize, usize)> {
    let (a, b) = (bones(a), bones(b));
    let same = a.iter().zip(&b).take_while(|(a, b)| a.1 == b.1).count();
    match (a.get(same), b.get(same)) {
        (None, None) => None,
        (was, is) => {
            let behind = || b.last().map_or(1, |it| it.0 + 1);
            Some((was.map_or(0, |it| it.0), is.map_or_else(behind, |it| it.0)))
        }
    }
}

/// Whether a program was pasted with what is around it, so that it is no Python: that is told where it stands.
pub(super) fn is_pasted(program: &str) -> bool {
    let has_prompt = program.lines().any(|it| it.starts_with(">>> "));
    let mut parts = parts(program).into_iter();
    has_prompt || parts.any(|(part, text)| part == ProgramPart::Code && text.contains(PASTED))
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
        assert_eq!(first_difference("a\nb\n", "a\n# c\nc\n"), Some((2, 3)));
        assert_eq!(first_difference("a\n", "a\n\nb\n"), Some((0, 3)));
        assert_eq!(first_difference("a\nb\n", "a\n"), Some((2, 2)));
        assert_eq!(first_difference("a = 1\n", "a = 2\n"), Some((1, 1)));
        assert_eq!(first_difference("  a\n", "a\n"), Some((1, 1)));
    }

    #[test]
    fn quotation_marks_and_prompts_of_a_pasted_program_are_found() {
        for program in ["print(“a”)\n", ">>> import torch\n", "x = 1\n>>> x\n"] {
            assert!(is_pasted(program), "{program}");
        }
        for program in ["print(\"“a”\")  # ‘b’\n", "a >>= 2\n", ""] {
            assert!(!is_pasted(program), "{program}");
        }
    }

    #[test]
    fn a_text_that_is_not_closed_ends_with_its_line() {
        assert_eq!(first_difference("a = 'b\nc\n", "a = 'd\nc\n"), None);
        assert_eq!(first_difference("a = '''b\nc\n", "a = '''\n"), None);
        assert_eq!(first_difference("", ""), None);
    }
}
