//! Python's message for a syntax error that RustPython's parser has found.
//!
//! The parser's messages ("expected a statement", "invalid assignment target") say less to a beginner, and a
//! web search does not find them. Nothing here decides whether a program is wrong or changes the parser.
//! Without it, 40 of the 57 programs `tests/fixtures/wrong/pytorch/syntax-*` would get another message than in
//! Python: a bare "invalid syntax" for a missing colon, an open bracket or a typographic quote, for example.

use super::brackets::{self, BracketError};

/// A syntax error as the parser reports it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParserError<'a> {
    /// The parser's message.
    pub(super) message: &'a str,
    /// The text of the program.
    pub(super) source: &'a str,
    /// Byte offset of the token at which the parser stopped.
    pub(super) start: usize,
    /// Byte offset of the end of that token.
    pub(super) end: usize,
}

/// The same error in Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CpythonError {
    /// Python's message.
    pub(super) message: String,
    /// The byte offset that Python reports, if it is not where the parser stopped.
    pub(super) at: Option<usize>,
}

impl<'a> ParserError<'a> {
    /// Python's message for this error; `None` if the parser's message will do.
    pub(super) fn as_cpython(self) -> Option<CpythonError> {
        let here = |message| CpythonError { message, at: None };
        let other = || self.fixed().or_else(|| self.target());
        let other = || other().or_else(|| self.block().or_else(|| self.token()));
        let found = self.unreadable().map(here).or_else(|| self.bracket());
        found.or_else(|| other().map(here))
    }

    /// The token at which the parser stopped.
    fn here(&self) -> &'a str {
        self.source.get(self.start..self.end).unwrap_or_default()
    }

    /// The text in front of that token.
    fn read(&self) -> &'a str {
        self.source.get(..self.start).unwrap_or_default()
    }

    /// The part of its line in front of that token.
    fn before(&self) -> &'a str {
        self.read().rsplit('\n').next().unwrap_or_default()
    }

    /// The line of a byte offset, counted from 1.
    fn line_of(&self, at: usize) -> usize {
        let above = self.source.get(..at).unwrap_or_default();
        1 + above.matches('\n').count()
    }

    /// Invalid characters and unterminated strings.
    fn unreadable(&self) -> Option<String> {
        if self.message.starts_with("Got unexpected token ") {
            let character = self.here().chars().next().filter(|it| !it.is_ascii())?;
            let number = u32::from(character);
            return Some(if character.is_whitespace() || character.is_control() {
                format!("invalid non-printable character U+{number:04X}")
            } else {
                format!("invalid character '{character}' (U+{number:04X})")
            });
        }
        if self.message != "missing closing quote in string literal" {
            return None;
        }
        if brackets::in_format(self.read()) {
            return Some("f-string: expecting '}'".to_owned());
        }
        let is_triple = ["'''", "\"\"\""].iter().any(|it| self.here().contains(it));
        let (triple, at) = if is_triple {
            let end = self.source.trim_end_matches('\n').len();
            ("triple-quoted ", end.max(self.start))
        } else {
            ("", self.start)
        };
        let line = self.line_of(at);
        Some(format!(
            "unterminated {triple}string literal (detected at line {line})"
        ))
    }

    /// Brackets that do not match. Python reports them before any other error.
    fn bracket(&self) -> Option<CpythonError> {
        let read = self.source.get(..self.end)?;
        let line_of = |at| self.line_of(at);
        let (message, at) = match brackets::wrong(read)? {
            BracketError::Unmatched { close, at } => (format!("unmatched '{close}'"), at),
            BracketError::Mismatched {
                open,
                close,
                opened,
                at,
            } => {
                let far = if line_of(opened) == line_of(at) {
                    String::new()
                } else {
                    format!(" on line {}", line_of(opened))
                };
                let text = format!(
                    "closing parenthesis '{close}' does not match opening parenthesis '{open}'{far}"
                );
                (text, at)
            }
            // Something is missing at the end of a line; on one and the same line it may be a comma.
            BracketError::Open { open, at } if line_of(at) < line_of(self.start) => {
                (format!("'{open}' was never closed"), at)
            }
            BracketError::Open { .. } => return None,
        };
        let at = Some(at);
        Some(CpythonError { message, at })
    }

    /// Messages that differ in wording alone.
    fn fixed(&self) -> Option<String> {
        if let Some(name) = self.message.strip_prefix("Duplicate keyword argument ") {
            return Some(format!(
                "keyword argument repeated: {}",
                name.trim_matches('"')
            ));
        }
        if self.message.starts_with("cannot define nonlocal ") {
            return Some("nonlocal declaration not allowed at module level".to_owned());
        }
        let words = match self.message {
            "Unexpected indentation" => "unexpected indent",
            "Expected a newline after line continuation character" => {
                "unexpected character after line continuation character"
            }
            "Parameter without a default cannot follow a parameter with a default" => {
                "non-default argument follows default argument"
            }
            "Positional argument cannot follow keyword argument" => {
                "positional argument follows keyword argument"
            }
            "Positional argument cannot follow keyword argument unpacking" => {
                "positional argument follows keyword argument unpacking"
            }
            "Expected `except` or `finally` after `try` block" => {
                "expected 'except' or 'finally' block"
            }
            "Invalid decimal integer literal" => {
                "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"
            }
            "'continue' outside loop" => "'continue' not properly in loop",
            "'import *' only allowed at module level" => "import * only allowed at module level",
            _ => return None,
        };
        Some(words.to_owned())
    }

    /// An expression that cannot be assigned to or deleted.
    fn target(&self) -> Option<String> {
        let kind = kind_of(self.here());
        match self.message {
            "Invalid assignment target" if is_constant(self.here()) => {
                Some(format!("cannot assign to {kind}"))
            }
            "Invalid assignment target" => Some(format!(
                "cannot assign to {kind} here. Maybe you meant '==' instead of '='?"
            )),
            "Invalid augmented assignment target" => Some(format!(
                "'{kind}' is an illegal expression for augmented assignment"
            )),
            "Invalid delete target" => Some(format!("cannot delete {kind}")),
            _ => None,
        }
    }

    /// A missing indented block.
    fn block(&self) -> Option<String> {
        let after = self
            .message
            .strip_prefix("Expected an indented block after ")?;
        let read = self.source.get(..self.start)?;
        let is_code = |line: &str| !line.trim().is_empty() && !line.trim().starts_with('#');
        // A token where the block should be is on a line after the block's header.
        let above = if self.here().trim().is_empty() {
            read.len()
        } else {
            read.rfind('\n').unwrap_or(0)
        };
        let lines = read.get(..above)?.lines().enumerate();
        let head = lines
            .filter(|(_, line)| is_code(line))
            .last()
            .map_or(0, |(at, _)| at);
        let after = after.replace('`', "'");
        Some(format!(
            "expected an indented block after {after} on line {}",
            head + 1
        ))
    }

    /// A token in place of another one.
    fn token(&self) -> Option<String> {
        let (before, here) = (self.before(), self.here());
        let is_glued = before.ends_with(|it: char| it.is_ascii_digit())
            && here.starts_with(|it: char| it.is_alphabetic());
        if is_glued {
            return Some("invalid decimal literal".to_owned());
        }
        if let Some(found) = self.message.strip_prefix("Expected `:`, found ") {
            return Some(self.colon(found).to_owned());
        }
        let in_brackets = brackets::is_inside(self.read());
        let is_operand = here.starts_with(|it: char| it.is_alphanumeric() || "_'\"".contains(it));
        let is_expected =
            self.message.starts_with("Expected ") && self.message.contains(", found ");
        if is_expected && in_brackets && is_operand && ends_an_operand(before) {
            return Some("invalid syntax. Perhaps you forgot a comma?".to_owned());
        }
        match self.message {
            "Simple statements must be separated by newlines or semicolons"
                if before.trim() == "print" =>
            {
                Some("Missing parentheses in call to 'print'. Did you mean print(...)?".to_owned())
            }
            "Expected an expression" if here == "}" && before.trim_end().ends_with(':') => {
                Some("expression expected after dictionary key and ':'".to_owned())
            }
            "Expected an expression" if here == "}" && brackets::in_format(self.read()) => {
                Some("f-string: empty expression not allowed".to_owned())
            }
            said if said.starts_with("Expected ") => Some("invalid syntax".to_owned()),
            _ => None,
        }
    }

    /// The message for a missing colon.
    fn colon(&self, found: &str) -> &'static str {
        let head = self.before().split_whitespace().next().unwrap_or_default();
        // After these, nothing but the colon could follow.
        let is_certain = ["for", "def", "else", "try", "finally"].contains(&head);
        if found == "`=`" {
            "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
        } else if found == "newline" || is_certain {
            "expected ':'"
        } else {
            "invalid syntax"
        }
    }
}

fn ends_an_operand(text: &str) -> bool {
    text.trim_end()
        .ends_with(|it: char| it.is_alphanumeric() || "_'\")]}".contains(it))
}

fn is_constant(text: &str) -> bool {
    ["None", "True", "False"].contains(&text)
}

/// Python's name for the kind of an expression.
fn kind_of(text: &str) -> &str {
    let begins = |signs: &str| text.starts_with(|it| signs.contains(it));
    let is_call = text.ends_with(')') && !begins("(") && !text.contains([' ', '+', '*', '/']);
    if is_constant(text) {
        text
    } else if text.starts_with("lambda") {
        "lambda"
    } else if text.contains("==") || text.contains(['<', '>']) {
        "comparison"
    } else if begins("0123456789'\"") && !text.contains([' ', '+', '*', '/']) {
        "literal"
    } else if is_call {
        "function call"
    } else {
        "expression"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(said: &str, source: &str, here: &str) -> String {
        let start = source.find(here).unwrap();
        let found = ParserError {
            message: said,
            source,
            start,
            end: start + here.len(),
        };
        found.as_cpython().map_or("-".to_owned(), |it| it.message)
    }

    // The right sides are CPython's; those of whole programs are in `tests/fixtures/wrong`.
    #[test]
    fn a_missing_comma_is_guessed_in_brackets_only() {
        let said = "Expected `,`, found int";
        assert_eq!(
            words(said, "x = [1 2]", "2"),
            "invalid syntax. Perhaps you forgot a comma?"
        );
        assert_eq!(words(said, "x = 1 2", "2"), "invalid syntax");
    }

    #[test]
    fn brackets_are_told_before_what_follows_them() {
        let said = "Expected `,`, found name";
        assert_eq!(
            words(said, "x = [1,\ny)", ")"),
            "closing parenthesis ')' does not match opening parenthesis '[' on line 1"
        );
        assert_eq!(words(said, "x = (1\ny = 2", "y"), "'(' was never closed");
    }

    #[test]
    fn what_cannot_be_assigned_to_is_named() {
        let said = "Invalid assignment target";
        for (target, kind) in [
            (
                "f(1)",
                "function call here. Maybe you meant '==' instead of '='?",
            ),
            ("'a'", "literal here. Maybe you meant '==' instead of '='?"),
            (
                "a + b",
                "expression here. Maybe you meant '==' instead of '='?",
            ),
            (
                "a < b",
                "comparison here. Maybe you meant '==' instead of '='?",
            ),
            ("True", "True"),
        ] {
            let found = words(said, &format!("{target} = 1"), target);
            assert_eq!(found, format!("cannot assign to {kind}"));
        }
    }

    #[test]
    fn places_outside_of_the_program_are_no_panic() {
        let found = ParserError {
            message: "Expected an indented block after x",
            source: "é",
            start: 1,
            end: 99,
        };
        assert_eq!(found.as_cpython().unwrap().message, "invalid syntax");
    }
}
