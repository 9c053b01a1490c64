//! Which parts of a program in Python are code.

/// What a part of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgramPart {
    /// What Python runs.
    Code,
    /// From `#` to the end of the line.
    Comment,
    /// A text with its quotes.
    Quoted,
}

/// The parts of a program in order; together they are all of it.
pub(crate) fn parts(program: &str) -> Vec<(ProgramPart, &str)> {
    let mut parts = Vec::new();
    let mut rest = program;
    while let Some(letter) = rest.chars().next() {
        let (part, length) = match letter {
            '#' => (ProgramPart::Comment, rest.find('\n')),
            '"' | '\'' => (ProgramPart::Quoted, Some(quoted(rest, letter))),
            _ => (ProgramPart::Code, rest.find(['#', '"', '\''])),
        };
        let (text, after) = rest
            .split_at_checked(length.unwrap_or(rest.len()))
            .unwrap_or((rest, ""));
        parts.push((part, text));
        rest = after;
    }
    parts
}

/// How many bytes a text in quotes has. Without a second quote, it ends with its line.
fn quoted(text: &str, quote: char) -> usize {
    let triple = [quote; 3].iter().collect::<String>();
    let is_triple = text.starts_with(&triple);
    let close = if is_triple { triple } else { quote.to_string() };
    let start = close.len();
    let mut at = start;
    let mut escaped = false;
    for letter in text.get(start..).unwrap_or_default().chars() {
        if escaped {
            escaped = false;
        } else if letter == '\\' {
            escaped = true;
        } else if text.get(at..).is_some_and(|it| it.starts_with(&close)) {
            at += close.len();
            break;
        } else if letter == '\n' && !is_triple {
            break;
        }
        at += letter.len_utf8();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_comments_are_no_code() {
        let program = "x = 'a # b'  # c's\ny = \"\"\"d\n\"e\"\"\" + f('\\'')\nz = 'open\nw";
        let all = parts(program);
        assert_eq!(all.iter().map(|it| it.1).collect::<String>(), program);
        let code = all.iter().filter(|it| it.0 == ProgramPart::Code);
        let code: Vec<_> = code.map(|it| it.1).collect();
        assert_eq!(code, ["x = ", "  ", "\ny = ", " + f(", ")\nz = ", "\nw"]);
    }
}
