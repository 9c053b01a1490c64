//! The state of a rung, with its word and its sign.

use serde::Serialize;

/// The state of a rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It holds.
    Ok,
    /// It holds, but something about it may surprise.
    Warning,
    /// It does not hold, although it should.
    Broken,
    /// This machine has no such thing, which is not an error.
    NotHere,
    /// It was not judged: a rung that it needs does not hold.
    NotLookedAt,
}

impl State {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Broken => "broken",
            Self::NotHere => "not here",
            Self::NotLookedAt => "not looked at",
        }
    }

    /// The sign for it.
    pub fn sign(self) -> char {
        match self {
            Self::Ok => '✓',
            Self::Warning => '!',
            Self::Broken => '✗',
            Self::NotHere => '–',
            Self::NotLookedAt => '·',
        }
    }

    /// The sign where only ASCII can be drawn.
    pub fn ascii_sign(self) -> char {
        match self {
            Self::Ok => '*',
            Self::Warning => '!',
            Self::Broken => 'x',
            Self::NotHere => '-',
            Self::NotLookedAt => '.',
        }
    }
}
