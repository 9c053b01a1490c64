//! Programs in Python that differ only in what people read: comments, and texts in quotes.

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
    let mut rest = program;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                if let Some((_, line)) = lines.last_mut() {
                    line.push('"');
                }
                let (length, breaks) = quoted(rest, letter);
                number += breaks;
                length
            }
            '\n' => {
                number += 1;
                lines.push((number, String::new()));
                1
            }
            letter => {
                if let Some((_, line)) = lines.last_mut() {
                    line.push(letter);
                }
                letter.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    let lines = lines.into_iter();
    let lines = lines.map(|(number, line)| (number, line.trim_end().to_owned()));
    lines.filter(|it| !it.1.is_empty()).collect()
}

/// How many bytes a text in quotes has, and how many ends of lines are in it.
fn quoted(text: &str, quote: char) -> (usize, usize) {
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
    let inside = text.get(..at).unwrap_or(text);
    (at, inside.matches('\n').count())
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
