//! How a command ends, for the shell and for people.

use super::messages::at_words;
use super::secrets;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

/// The exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// All is well.
    Fine,
    /// The answer, the lab or the course is wrong.
    Wrong,
    /// The arguments are wrong.
    Arguments,
    /// It is our fault, or the machine's.
    InternalError,
    /// Nothing is wrong, but others have the device: the same again may go well later.
    Later,
    /// Ctrl-C stopped it.
    Interrupted,
    /// The program of a file chose it, with `sys.exit`.
    Program(u8),
}

impl Exit {
    /// Fine or wrong.
    pub(super) fn of(is_right: Option<bool>) -> Self {
        if is_right == Some(true) {
            Self::Fine
        } else {
            Self::Wrong
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Wrong => 1,
            Exit::Arguments => 2,
            Exit::InternalError => 3,
            Exit::Later => 4,
            Exit::Interrupted => 130,
            Exit::Program(status) => status,
        })
    }
}

/// Why a command could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The arguments are wrong, or name something that does not exist.
    #[error("{what}")]
    Arguments {
        /// What is wrong.
        what: String,
        /// What to try.
        hint: Option<String>,
    },
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

/// What a command or a part of one returns.
pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// Wrong arguments, without a hint.
    pub(super) fn arguments(what: impl Into<String>) -> Self {
        Self::Arguments {
            what: what.into(),
            hint: None,
        }
    }

    /// Wrong arguments, and what to try.
    pub(super) fn arguments_but(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Arguments {
            what: what.into(),
            hint: Some(hint.into()),
        }
    }

    /// Says what is wrong, with causes and the hint, and gives the exit status.
    ///
    /// `columns` is that of the terminal that it goes to, if it goes to one. A closed output, as `head` leaves it, is not an error.
    pub(super) fn report(&self, err: &mut dyn Write, columns: Option<usize>) -> Exit {
        let (exit, causes, hint) = match self {
            Self::Arguments { hint, .. } => (Exit::Arguments, Vec::new(), hint.as_deref()),
            Self::Internal(error) if is_broken_pipe(error) => return Exit::Fine,
            Self::Internal(error) => (Exit::InternalError, error.chain().skip(1).collect(), None),
        };
        let mut text = format!("error: {self}\n");
        for cause in causes {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "cause: {cause}");
        }
        if let Some(hint) = hint {
            let _ = writeln!(text, "hint: {hint}");
        }
        // It may quote an argument.
        let text = secrets::shown(&text);
        // Where errors cannot be said, the exit status has to do.
        drop(err.write_all(at_words(&text, columns).as_bytes()));
        exit
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Internal(error.into())
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|it| it.downcast_ref::<io::Error>())
        .any(|it| it.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    fn reported(failure: &Failure) -> (String, Exit) {
        let mut err = Vec::new();
        let exit = failure.report(&mut err, None);
        (String::from_utf8(err).unwrap(), exit)
    }

    #[test]
    fn causes_and_hints_stand_below_the_error() {
        let failure = Failure::arguments_but("there is no lesson `\x1bx`", "did you mean `x`?");
        let expected = "error: there is no lesson `␛x`\nhint: did you mean `x`?\n";
        assert_eq!(reported(&failure), (expected.to_owned(), Exit::Arguments));
        let quoted = Failure::arguments("cannot read https://me:SECRET@host/r");
        assert_eq!(reported(&quoted).0, "error: cannot read https://…@host/r\n");
        let full = Err::<(), _>(io::Error::other("no space left")).context("cannot save");
        let expected = "error: cannot save\ncause: no space left\n";
        assert_eq!(
            reported(&full.unwrap_err().into()),
            (expected.to_owned(), Exit::InternalError)
        );
    }

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(reported(&failure), (String::new(), Exit::Fine));
    }
}
