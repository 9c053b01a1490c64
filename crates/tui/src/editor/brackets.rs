//! The bracket that belongs to another one, in Python.

/// A line and a letter in it, both from 0.
pub(super) type CodePosition = (usize, usize);

/// The bracket at the cursor, or else in front of it, and its partner.
pub(super) fn pair(lines: &[String], cursor: CodePosition) -> Option<[CodePosition; 2]> {
    let pairs = pairs(lines);
    let before = cursor.1.checked_sub(1).map(|it| (cursor.0, it));
    [Some(cursor), before].into_iter().flatten().find_map(|at| {
        let found = pairs.iter().find(|it| it.contains(&at));
        found.copied()
    })
}

/// All pairs of brackets outside of strings and comments.
fn pairs(lines: &[String]) -> Vec<[CodePosition; 2]> {
    let mut open: Vec<(char, CodePosition)> = Vec::new();
    let mut pairs = Vec::new();
    let mut quote: Option<Quote> = None;
    for (row, line) in lines.iter().enumerate() {
        let letters: Vec<char> = line.chars().collect();
        let mut at = 0;
        while let Some(letter) = letters.get(at) {
            let rest = letters.get(at..).unwrap_or_default();
            let place = (row, at);
            at += 1;
            match (&quote, letter) {
                (Some(_), '\\') => at += 1,
                (Some(it), _) if it.ends(rest) => {
                    at += it.length - 1;
                    quote = None;
                }
                (None, '"' | '\'') => {
                    let starts = Quote::starting(*letter, rest);
                    at += starts.length - 1;
                    quote = Some(starts);
                }
                (None, '#') => break,
                (None, '(' | '[' | '{') => open.push((*letter, place)),
                (None, ')' | ']' | '}') => {
                    if let Some((_, partner)) = open.pop_if(|it| closes(it.0, *letter)) {
                        pairs.push([partner, place]);
                    }
                }
                (Some(_) | None, _) => {}
            }
        }
        // Only three quotes go on in the next line.
        quote = quote.filter(|it| it.length == 3);
    }
    pairs
}

/// The quotes of a string: one or three of a kind.
struct Quote {
    letter: char,
    length: usize,
}

impl Quote {
    fn starting(letter: char, rest: &[char]) -> Self {
        let is_long = rest.iter().take(3).filter(|it| **it == letter).count() == 3;
        let length = if is_long { 3 } else { 1 };
        Self { letter, length }
    }

    fn ends(&self, rest: &[char]) -> bool {
        let same = rest.iter().take_while(|it| **it == self.letter).count();
        same >= self.length
    }
}

fn closes(open: char, close: char) -> bool {
    matches!((open, close), ('(', ')') | ('[', ']') | ('{', '}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, cursor: CodePosition) -> Option<[CodePosition; 2]> {
        let lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
        pair(&lines, cursor)
    }

    #[test]
    fn a_bracket_has_a_partner_over_lines_and_outside_of_strings() {
        let text = "f(a[0], \")\",  # )\n  {1: '('})";
        assert_eq!(found(text, (0, 1)), Some([(0, 1), (1, 10)]));
        assert_eq!(found(text, (1, 11)), Some([(0, 1), (1, 10)]));
        assert_eq!(found(text, (0, 3)), Some([(0, 3), (0, 5)]));
        assert_eq!(found(text, (0, 9)), None);
        assert_eq!(found("\"\"\"(\n\"\"\" ()", (1, 4)), Some([(1, 4), (1, 5)]));
        assert_eq!(found("(]", (0, 0)), None);
    }
}
