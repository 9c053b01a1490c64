//! How a command ends, for the shell and for people.

use super::messages::at_words;
use super::secrets;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;
use warpup_store::log::SaveError;

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
        /// What the system says about it.
        cause: Option<String>,
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
            cause: None,
            hint: None,
        }
    }

    /// Wrong arguments, and what to try.
    pub(super) fn arguments_but(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Arguments {
            what: what.into(),
            cause: None,
            hint: Some(hint.into()),
        }
    }

    /// Wrong arguments, and why: what the system says is a cause, and no hint.
    pub(super) fn arguments_because(what: impl Into<String>, cause: impl Into<String>) -> Self {
        Self::Arguments {
            what: what.into(),
            cause: Some(cause.into()),
            hint: None,
        }
    }

    /// The same with what to try, in place of what there was.
    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Arguments { what, cause, .. } => Self::Arguments {
                what,
                cause,
                hint: Some(hint.into()),
            },
            Self::Internal(error) => Self::Internal(error),
        }
    }

    /// Says what is wrong, with causes and the hint, and gives the exit status.
    ///
    /// `columns` is that of the terminal that it goes to, if it goes to one. A closed output, as `head` leaves it, is not an error.
    pub(super) fn report(&self, err: &mut dyn Write, columns: Option<usize>) -> Exit {
        let (exit, causes, hint) = match self {
            Self::Arguments { cause, hint, .. } => {
                let causes = cause.iter().cloned().collect();
                (Exit::Arguments, causes, hint.as_deref())
            }
            Self::Internal(error) if is(error, io::ErrorKind::BrokenPipe) => return Exit::Fine,
            Self::Internal(error) => {
                let causes: Vec<_> = error.chain().skip(1).map(ToString::to_string).collect();
                (Exit::InternalError, causes, advice(error))
            }
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

/// Whether the system said this.
fn is(error: &anyhow::Error, kind: io::ErrorKind) -> bool {
    error
        .chain()
        .filter_map(|it| it.downcast_ref::<io::Error>())
        .any(|it| it.kind() == kind)
}

/// Whether progress cannot be written where it belongs.
fn is_unsaved(error: &(dyn Error + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(SaveError::Disk { .. }))
}

/// What to try where the machine refuses, as far as that is clear.
fn advice(error: &anyhow::Error) -> Option<&'static str> {
    if is(error, io::ErrorKind::StorageFull) {
        Some("make room on that disk, or write to another one")
    } else if is(error, io::ErrorKind::QuotaExceeded) {
        Some("delete files of yours on that disk, or write to another one")
    } else if is(error, io::ErrorKind::ReadOnlyFilesystem) {
        Some("nobody can write to that disk: write to another one")
    } else if error.chain().any(is_unsaved) {
        Some("set WARPUP_DATA to a folder that you may write to")
    } else {
        None
    }
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
        let typo = Failure::arguments_because("cannot read a.py", "there is no such file");
        let expected = "error: cannot read a.py\ncause: there is no such file\nhint: look\n";
        assert_eq!(
            reported(&typo.with_hint("look")),
            (expected.to_owned(), Exit::Arguments)
        );
    }

    #[test]
    fn a_full_disk_is_told_with_what_to_try() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let full = Err::<(), _>(full).context("cannot write the result");
        let (text, exit) = reported(&full.unwrap_err().into());
        assert_eq!(exit, Exit::InternalError);
        insta::assert_snapshot!(text, @r"
        error: cannot write the result
        cause: no storage space
        hint: make room on that disk, or write to another one
        ");
    }

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(reported(&failure), (String::new(), Exit::Fine));
    }
}
