//! Gathers the text of one block: characters with a look, merged into as few pieces as possible.

use crate::model::{Piece, Text};

/// A longer address is cut: each piece of a link carries it.
pub(crate) const MAX_LINK: usize = 1000;

/// The text so far and the look of what comes next.
#[derive(Debug, Default)]
pub(crate) struct Inline {
    text: Text,
    strong: usize,
    emphasis: usize,
    struck: usize,
    link: Option<String>,
}

/// A look that is switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InlineStyle {
    /// `**strong**`
    Strong,
    /// `*emphasis*`
    Emphasis,
    /// `~~struck~~`
    Struck,
}

impl Inline {
    /// Switches a look on; it nests.
    pub(crate) fn begin(&mut self, look: InlineStyle) {
        *self.count(look) += 1;
    }

    /// Switches a look off.
    pub(crate) fn end(&mut self, look: InlineStyle) {
        let count = self.count(look);
        *count = count.saturating_sub(1);
    }

    /// Begins a link.
    pub(crate) fn begin_link(&mut self, address: &str) {
        let end = address.floor_char_boundary(address.len().min(MAX_LINK));
        self.link = address.get(..end).map(str::to_owned);
    }

    /// Ends the link.
    pub(crate) fn end_link(&mut self) {
        self.link = None;
    }

    /// Adds running text.
    pub(crate) fn text(&mut self, text: &str) {
        self.push(text, false, false);
    }

    /// Adds `` `code` ``.
    pub(crate) fn code(&mut self, text: &str) {
        self.push(text, true, false);
    }

    /// Adds a reference to a footnote.
    pub(crate) fn footnote(&mut self, label: &str) {
        self.push(label, false, true);
    }

    /// Whether there is any text.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.pieces.is_empty()
    }

    /// The text so far without code and links.
    pub(crate) fn plain(&self) -> String {
        let pieces = self.text.pieces.iter();
        let pieces = pieces.filter(|it| !it.code && it.link.is_none() && !it.footnote);
        pieces.map(|it| it.text.as_str()).collect()
    }

    /// The text so far; the next block starts afresh.
    pub(crate) fn take(&mut self) -> Text {
        self.link = None;
        (self.strong, self.emphasis, self.struck) = (0, 0, 0);
        std::mem::take(&mut self.text)
    }

    fn count(&mut self, look: InlineStyle) -> &mut usize {
        match look {
            InlineStyle::Strong => &mut self.strong,
            InlineStyle::Emphasis => &mut self.emphasis,
            InlineStyle::Struck => &mut self.struck,
        }
    }

    fn push(&mut self, text: &str, code: bool, footnote: bool) {
        if let Some(last) = self.text.pieces.last_mut()
            && !footnote
            && !last.footnote
            && last.code == code
            && last.strong == (self.strong > 0)
            && last.emphasis == (self.emphasis > 0)
            && last.struck == (self.struck > 0)
            && last.link == self.link
        {
            last.text.push_str(text);
            return;
        }
        self.text.pieces.push(Piece {
            text: text.to_owned(),
            strong: self.strong > 0,
            emphasis: self.emphasis > 0,
            code,
            struck: self.struck > 0,
            link: self.link.clone(),
            footnote,
        });
    }
}
