//! What a text on screen is, which decides how it looks.

/// The role of a text on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Text,
    /// Less important text.
    Dim,
    /// `**strong**`
    Strong,
    /// `*emphasis*`
    Emphasis,
    /// The name of the screen.
    Title,
    Heading,
    Code,
    /// A keyword in code.
    Keyword,
    /// A string or number in code.
    Literal,
    /// A comment in code.
    Comment,
    Link,
    /// Right, passed, done.
    Good,
    /// Wrong, failed.
    Bad,
    /// A warning.
    Warn,
    /// The mark of a time that is modelled.
    Modelled,
    /// A key to press.
    Key,
    /// Where the cursor or the focus is.
    Selected,
    /// Lines between things.
    Border,
    /// Host time.
    Host,
    /// Device time.
    Device,
    /// Copies between host and device.
    Copy,
    /// The series of a plot with this index; its marker differs, too.
    Series(usize),
}
