//! Text with its looks. It is untrusted: it is shown only through [`warpup_text::shown::Shown`].

/// Text of one block: pieces in reading order. A hard line break is a piece `"\n"`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

impl Text {
    /// The text without its looks; links lose their address.
    pub fn plain(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| piece.text.as_str())
            .collect()
    }

    /// Plain text as one piece.
    pub fn of(text: impl Into<String>) -> Self {
        Self {
            pieces: vec![Piece {
                text: text.into(),
                ..Piece::default()
            }],
        }
    }
}

/// A run of characters with one look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "looks are independent: all combinations occur"
)]
pub struct Piece {
    /// The characters.
    pub text: String,
    /// `**strong**`
    pub strong: bool,
    /// `*emphasis*`
    pub emphasis: bool,
    /// `` `code` ``
    pub code: bool,
    /// `~~struck~~`
    pub struck: bool,
    /// Where it links to: `https://…`, `#page`, or `lesson.md#page`.
    pub link: Option<String>,
    /// The label of the footnote it refers to; `text` is then the label.
    pub footnote: bool,
}
