//! Where a command reads and prints: the terminal, a pipe, or a test's strings.

use super::Failure;
use crate::shown::{Letters, Shown};
use serde::Serialize;
use std::io::{BufRead, Write};

/// What a command reads from and prints to.
pub struct Console<'a> {
    /// Answers.
    pub input: &'a mut dyn BufRead,
    /// Results.
    pub out: &'a mut dyn Write,
    /// Everything that is no result.
    pub err: &'a mut dyn Write,
    /// Whether somebody sits in front of input and output.
    pub is_terminal: bool,
    /// Columns.
    pub width: usize,
    /// What drawings may be made of.
    pub letters: Letters,
}

/// For whom a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For programs: one JSON object with stable keys.
    Json,
}

impl From<bool> for Format {
    /// The value of a `--json` flag.
    fn from(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

impl Console<'_> {
    /// Columns for running text: wider lines are hard to read.
    pub(super) fn prose_width(&self) -> usize {
        self.width.min(100)
    }

    /// Prints a line. A line feed in it is another line.
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.out, "{}", Shown::new(text))?;
        Ok(())
    }

    /// Prints text that ends its own lines.
    pub fn text(&mut self, text: &Shown) -> Result<(), Failure> {
        write!(self.out, "{text}")?;
        Ok(())
    }

    /// Prints a line that is no result.
    pub fn remark(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.err, "{}", Shown::new(text))?;
        Ok(())
    }

    /// Prints a value as one JSON object.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.text(&json(value)?)
    }

    /// Asks, and waits for a line. Nothing at the end of the input.
    pub fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        write!(self.out, "{}", Shown::new(prompt))?;
        self.out.flush()?;
        let mut bytes = Vec::new();
        // A pasted line without end must not fill the memory.
        let limit = 1 << 16;
        let mut input = std::io::Read::take(&mut *self.input, limit);
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
    }
}

/// A value as one JSON object and a line feed.
pub(super) fn json(value: &impl Serialize) -> Result<Shown, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(anyhow::Error::from)?;
    Ok(Shown::json(&format!("{text}\n")))
}

/// A number with its noun: `1 lesson`, `2 lessons`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{number} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Exit;
    use crate::commands::sample;

    #[test]
    fn json_hides_no_character_and_reads_back_the_same() {
        let untrusted = "a\u{202e}b\u{7f}\u{e0041}\x1b é";
        let (text, _) = sample::console("", |console| {
            console.json(&untrusted)?;
            Ok(Exit::Fine)
        });
        insta::assert_snapshot!(text, @r#""a\u202eb\u007f\udb40\udc41\u001b é""#);
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), untrusted);
    }
}
