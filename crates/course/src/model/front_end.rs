//! Where a learner reads a lesson.

/// Where a learner reads a lesson: what can be done there has other names and other keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    /// The app with its screens.
    Screen,
    /// `warpup --plain`, line by line.
    Plain,
}

impl FrontEnd {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Screen, Self::Plain];

    /// Its word in the marks around text that only it shows: `<!-- plain -->`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Screen => "screen",
            Self::Plain => "plain",
        }
    }
}
