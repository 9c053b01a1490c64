//! Where a command reads and prints: the terminal, a pipe, or a test's strings.

use super::course_argument::LanguageChoice;
use super::failure::Result;
use super::messages::at_words;
use super::secrets::Secret;
use anyhow::Context;
use serde::Serialize;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use warpup_course::Diagnostic;
use warpup_course::wrap::{self, wrap_str};
use warpup_protocol::Standard;
use warpup_text::shown::{Letters, Shown};

/// What a command reads from and prints to.
pub(super) struct Console<'a> {
    /// How a command begins that is about the same course, for commands that learners are told.
    pub(super) warpup: String,
    /// How a command begins that is about warpup's own course, which has the pages of findings.
    pub(super) built_in: String,
    /// Where learners type what they are told to type.
    pub(super) prompt: Prompt,
    /// Where answers come from.
    pub(super) input: &'a mut dyn BufRead,
    /// Where results go: stdout.
    pub(super) out: &'a mut dyn Write,
    /// Where remarks, warnings and errors go: stderr.
    pub(super) err: &'a mut dyn Write,
    /// Whether input and output are a terminal.
    pub(super) is_terminal: bool,
    /// Which outputs are terminals.
    pub(super) draws: TerminalStreams,
    /// Whether results may have colours.
    pub(super) has_colours: bool,
    /// Columns of the terminal.
    pub(super) width: usize,
    /// Which characters the terminal can draw.
    pub(super) letters: Letters,
}

/// Where commands are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prompt {
    /// In a shell: `warpup run LESSON/LAB`.
    Shell,
    /// In the course that `--plain` has open: `run LAB`.
    Course,
}

/// Which outputs go to a terminal, which acts on control characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TerminalStreams {
    /// Results.
    pub(super) out: bool,
    /// Remarks.
    pub(super) err: bool,
}

/// The form of a command's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Text for people.
    Text,
    /// One JSON object with stable keys, for programs.
    Json,
}

impl From<bool> for Format {
    /// The value of a `--json` flag.
    fn from(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

/// Executes a command with the standard streams as its console. Commands that learners are told begin with `warpup`.
pub(super) fn at_terminal<T>(
    (warpup, built_in): (String, String),
    command: impl FnOnce(&mut Console<'_>) -> T,
) -> T {
    let (mut input, mut out, mut err) =
        (io::stdin().lock(), io::stdout().lock(), io::stderr().lock());
    command(&mut Console {
        warpup,
        built_in,
        prompt: Prompt::Shell,
        input: &mut input,
        out: &mut out,
        err: &mut err,
        is_terminal: is_terminal(),
        draws: TerminalStreams {
            out: io::stdout().is_terminal(),
            err: io::stderr().is_terminal(),
        },
        has_colours: io::stdout().is_terminal()
            && can_draw()
            && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty()),
        width: width(),
        letters: Letters::of_environment(|name| std::env::var(name).ok()),
    })
}

/// How a command begins that is about the course that the command line names. A password in it is left to who types it.
pub(super) fn warpup(named: Option<&Secret<PathBuf>>, language: &LanguageChoice) -> String {
    let named = named.map(|it| format!(" --course {}", quoted(Path::new(&it.to_string()))));
    let dir = named.unwrap_or_default();
    match language {
        LanguageChoice::Named(language) => format!("warpup{dir} --language {language}"),
        LanguageChoice::Original | LanguageChoice::FirstOf(_) => format!("warpup{dir}"),
    }
}

/// A path as a shell takes it.
pub(super) fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |it: char| it.is_alphanumeric() || "/._-~".contains(it);
    if !path.is_empty() && path.chars().all(is_plain) {
        path
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// Whether input and output are a terminal.
pub(super) fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Whether the terminal can move its cursor, and not only print.
pub(super) fn can_draw() -> bool {
    std::env::var_os("TERM").is_some_and(|it| it != "dumb")
}

/// The columns of the terminal; 80 if there is no terminal.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout());
    match size {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
        Ok(_) | Err(_) => 80,
    }
}

impl Console<'_> {
    /// Columns for running text: wider lines are hard to read.
    pub(super) fn prose_width(&self) -> usize {
        self.width.min(100)
    }

    /// Prints a line. A line feed in it is another line.
    pub(super) fn line(&mut self, text: &str) -> Result<()> {
        printed(writeln!(self.out, "{}", Shown::new(text)))
    }

    /// Prints lines.
    pub(super) fn lines(&mut self, lines: impl IntoIterator<Item = String>) -> Result<()> {
        lines.into_iter().try_for_each(|it| self.line(&it))
    }

    /// Prints text in lines of prose, with `first` before the first line and `under` before the others.
    pub(super) fn wrapped(&mut self, first: &str, under: &str, text: &str) -> Result<()> {
        let before = wrap::width(first).max(wrap::width(under));
        let width = self.prose_width().saturating_sub(before).max(20);
        // Made safe before it is measured: a character can become longer when it is made safe.
        for (at, line) in wrap_str(Shown::new(text).as_str(), width)
            .iter()
            .enumerate()
        {
            let before = if at == 0 { first } else { under };
            self.line(&format!("{before}{line}"))?;
        }
        Ok(())
    }

    /// Prints text that ends its own lines.
    pub(super) fn text(&mut self, text: &Shown) -> Result<()> {
        printed(write!(self.out, "{text}"))
    }

    /// Prints a part of a text at once.
    pub(super) fn safely(&mut self, text: &str) -> Result<()> {
        printed(write!(self.out, "{}", Shown::new(text)))?;
        printed(self.out.flush())
    }

    /// Prints messages, which a terminal would break inside words.
    pub(super) fn message(&mut self, text: &str) -> Result<()> {
        let columns = self.draws.out.then_some(self.width);
        self.line(&at_words(text, columns))
    }

    /// Prints messages that are not part of the result.
    pub(super) fn remark(&mut self, text: &str) -> Result<()> {
        let columns = self.draws.err.then_some(self.width);
        printed(writeln!(self.err, "{}", at_words(text, columns)))
    }

    /// Prints text of a program of the learner's own, at once: unchanged into a pipe or a file, and safe to look at
    /// on a terminal. A carriage return stays, since a line that counts up needs it.
    pub(super) fn program(&mut self, text: &str, to: Standard) -> Result<()> {
        let (out, draws) = match to {
            Standard::Output => (&mut *self.out, self.draws.out),
            Standard::Error => (&mut *self.err, self.draws.err),
        };
        if draws {
            for (at, part) in text.split('\r').enumerate() {
                let before = if at == 0 { "" } else { "\r" };
                printed(write!(out, "{before}{}", Shown::new(part)))?;
            }
        } else {
            printed(out.write_all(text.as_bytes()))?;
        }
        printed(out.flush())
    }

    /// Prints bytes as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        printed(self.out.write_all(bytes))?;
        printed(self.out.flush())
    }

    /// Lets something print its results where remarks go.
    pub(super) fn with_remarks<T>(&mut self, print: impl FnOnce(&mut Console<'_>) -> T) -> T {
        let mut nowhere = io::sink();
        print(&mut Console {
            warpup: "warpup".to_owned(),
            built_in: self.built_in.clone(),
            prompt: self.prompt,
            input: &mut *self.input,
            out: &mut *self.err,
            err: &mut nowhere,
            is_terminal: self.is_terminal,
            draws: TerminalStreams {
                out: self.draws.err,
                err: false,
            },
            has_colours: false,
            width: self.width,
            letters: self.letters,
        })
    }

    /// Prints what is wrong with a file of this text.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic, text: &str) -> Result<()> {
        if self.has_colours {
            // Safe: all but the colours has gone through `Shown`.
            return printed(writeln!(self.out, "{}", diagnostic.render_in_colour(text)));
        }
        self.line(&diagnostic.render(text))
    }

    /// Prints a value as one JSON object.
    pub(super) fn json(&mut self, value: &impl Serialize) -> Result<()> {
        self.text(&json(value)?)
    }

    /// Asks a question. Returns true only for `y` or `yes`.
    pub(super) fn confirm(&mut self, question: &str) -> Result<bool> {
        let answer = self.ask(question)?;
        Ok(matches!(answer.as_deref(), Some("y" | "Y" | "yes")))
    }

    /// Asks, and waits for a line. Nothing at the end of the input.
    pub(super) fn ask(&mut self, prompt: &str) -> Result<Option<String>> {
        printed(write!(self.out, "{}", Shown::new(prompt)))?;
        printed(self.out.flush())?;
        let mut bytes = Vec::new();
        // A pasted line without end must not fill the memory.
        let limit = 1 << 16;
        let mut input = io::Read::take(&mut *self.input, limit);
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
    }
}

/// What came of printing, with what failed.
pub(super) fn printed(came: io::Result<()>) -> Result<()> {
    Ok(came.context("cannot print the result")?)
}

/// The columns of the terminal that errors go to, if they go to one.
pub(super) fn columns_of_errors() -> Option<usize> {
    io::stderr().is_terminal().then(width)
}

/// A value as one JSON object and a line feed.
pub(super) fn json(value: &impl Serialize) -> Result<Shown> {
    let text = serde_json::to_string_pretty(value).map_err(anyhow::Error::from)?;
    Ok(Shown::json(&format!("{text}\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::failure::Exit;
    use crate::commands::sample;

    #[test]
    fn commands_that_learners_are_told_are_about_the_course_that_is_open() {
        let language = &LanguageChoice::Original;
        assert_eq!(warpup(None, language), "warpup");
        let of = |dir: &str| warpup(Some(&Secret::new(dir.into())), language);
        assert_eq!(of("../talk"), "warpup --course ../talk");
        assert_eq!(of("my talk's"), r"warpup --course 'my talk'\''s'");
        assert_eq!(
            of("https://me:SECRET@host/r#v1"),
            "warpup --course 'https://…@host/r#v1'"
        );
    }

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
