//! Finds unmatched brackets in the text of a program, for the messages of [`super::syntax`].
//!
//! Not a tokenizer: it knows comments, string literals and brackets, and nothing else of Python.

/// The first bracket error of a text. Offsets are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketError {
    /// A closing bracket that nothing opened.
    Unmatched { close: char, at: usize },
    /// A closing bracket of another kind than the open one.
    Mismatched {
        open: char,
        close: char,
        /// Where the open bracket is.
        opened: usize,
        at: usize,
    },
    /// The innermost bracket that is open at the end of the text.
    Open { open: char, at: usize },
}

/// The first bracket error of a text.
pub(super) fn wrong(text: &str) -> Option<BracketError> {
    let mut open: Vec<(char, usize)> = Vec::new();
    for (at, sign) in code(text) {
        match sign {
            '(' | '[' | '{' => open.push((sign, at)),
            ')' | ']' | '}' => match open.pop() {
                None => return Some(BracketError::Unmatched { close: sign, at }),
                Some((begun, opened)) if closing(begun) != sign => {
                    return Some(BracketError::Mismatched {
                        open: begun,
                        close: sign,
                        opened,
                        at,
                    });
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    let (open, at) = open.pop()?;
    Some(BracketError::Open { open, at })
}

/// Whether a bracket is open at the end of a text.
pub(super) fn is_inside(text: &str) -> bool {
    matches!(wrong(text), Some(BracketError::Open { .. }))
}

/// Whether a text ends inside an f-string.
pub(super) fn in_format(text: &str) -> bool {
    let mut scan = Scan::new(text);
    while scan.next().is_some() {}
    scan.quote.is_some_and(|it| it.is_format)
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// The characters outside string literals and comments, with their byte offsets.
fn code(text: &str) -> impl Iterator<Item = (usize, char)> {
    Scan::new(text).flatten()
}

#[derive(Clone, Copy)]
struct Quote {
    sign: char,
    is_triple: bool,
    is_format: bool,
}

/// Iterates over characters; yields `None` for those inside string literals and comments.
struct Scan<'a> {
    text: &'a str,
    at: usize,
    quote: Option<Quote>,
    in_comment: bool,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            quote: None,
            in_comment: false,
        }
    }

    /// Reads a quote character and returns the length of the quote in bytes.
    fn quoted(&mut self, sign: char, rest: &str) -> usize {
        let is_triple = rest.chars().take_while(|it| *it == sign).take(3).count() == 3;
        let length = if is_triple { 3 } else { 1 };
        match self.quote {
            Some(quote) if quote.sign != sign || (quote.is_triple && !is_triple) => 1,
            Some(quote) => {
                self.quote = None;
                if quote.is_triple { 3 } else { 1 }
            }
            None => {
                let read = self.text.get(..self.at).unwrap_or_default();
                let prefix = read.trim_end_matches(|it: char| it.is_ascii_alphabetic());
                let prefix = read.get(prefix.len()..).unwrap_or_default();
                self.quote = Some(Quote {
                    sign,
                    is_triple,
                    is_format: prefix.len() <= 2 && prefix.contains(['f', 'F']),
                });
                length
            }
        }
    }
}

impl Iterator for Scan<'_> {
    type Item = Option<(usize, char)>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let rest = self.text.get(at..)?;
        let sign = rest.chars().next()?;
        let mut length = sign.len_utf8();
        let mut is_code = false;
        if sign == '\n' {
            self.in_comment = false;
            // A string literal with single quotes ends with its line, closed or not.
            self.quote = self.quote.filter(|it| it.is_triple);
            is_code = self.quote.is_none();
        } else if self.in_comment {
        } else if sign == '\\' {
            length += rest.chars().nth(1).map_or(0, char::len_utf8);
        } else if sign == '\'' || sign == '"' {
            length = self.quoted(sign, rest);
        } else if self.quote.is_none() {
            self.in_comment = sign == '#';
            is_code = !self.in_comment;
        }
        self.at += length;
        Some(is_code.then_some((at, sign)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn brackets_in_quotes_and_comments_do_not_count() {
        assert_eq!(wrong("x = '(' # [\ny = \"\"\"{\n\"\"\" + '\\'('"), None);
        assert_eq!(
            wrong("f('('"),
            Some(BracketError::Open { open: '(', at: 1 })
        );
        assert_eq!(
            wrong("(]"),
            Some(BracketError::Mismatched {
                open: '(',
                close: ']',
                opened: 0,
                at: 1
            })
        );
        assert_eq!(
            wrong("())"),
            Some(BracketError::Unmatched { close: ')', at: 2 })
        );
    }

    #[test]
    fn the_inside_of_an_f_string_is_known() {
        assert!(in_format("print(f'{"));
        assert!(in_format("rf\"a"));
        assert!(!in_format("print('{"));
        assert!(!in_format("f'{1}' + "));
    }

    proptest! {
        #[test]
        fn any_text_has_an_end(text in any::<String>()) {
            let _found = (wrong(&text), in_format(&text));
        }
    }
}
