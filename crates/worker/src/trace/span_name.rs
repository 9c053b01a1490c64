//! The name of a span while the program runs: no text is made of it before the end of the run.

use std::fmt;
use std::rc::Rc;

/// What a span is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SpanName {
    /// An operation, or one of the constants of [`Span`](warpup_protocol::Span).
    Fixed(&'static str),
    /// An operation on a card that the host computed.
    OnHost(&'static str),
    /// A launch of many operations, as the program calls it.
    Launch(Rc<str>),
}

impl From<&'static str> for SpanName {
    fn from(name: &'static str) -> Self {
        Self::Fixed(name)
    }
}

impl fmt::Display for SpanName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(name) => f.write_str(name),
            Self::OnHost(name) => write!(f, "{}{name}", warpup_protocol::Span::ON_HOST),
            Self::Launch(name) => f.write_str(name),
        }
    }
}
