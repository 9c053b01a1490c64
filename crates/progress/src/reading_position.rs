//! A place on a page that stays the same at every width of the terminal.

use serde::{Deserialize, Serialize};

/// What is at the top of the screen: a block of the page, and how much of the block is above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReadingPosition {
    /// The position of the block on its page, from 0.
    pub block: usize,
    /// Thousandths of its lines that are above.
    pub above: u16,
}

impl ReadingPosition {
    /// The place that is `line` lines below the start of a block with so many lines.
    pub fn in_block(block: usize, line: usize, lines: usize) -> Self {
        let above = (line * 1000).checked_div(lines).unwrap_or(0).min(1000);
        Self {
            block,
            above: u16::try_from(above).unwrap_or(0),
        }
    }

    /// The line of its block, if that has so many lines. Undoes [`ReadingPosition::in_block`].
    pub fn line(self, lines: usize) -> usize {
        (usize::from(self.above) * lines).div_ceil(1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_keep_it_in_this_form() {
        let text = r#"{"block":4,"above":250}"#;
        let spot: ReadingPosition = serde_json::from_str(text).unwrap();
        assert_eq!((spot.block, spot.above), (4, 250));
        assert_eq!(serde_json::to_string(&spot).unwrap(), text);
    }

    #[test]
    fn a_line_is_found_again() {
        for lines in 1..400 {
            for line in 0..lines {
                assert_eq!(ReadingPosition::in_block(0, line, lines).line(lines), line);
            }
        }
        assert_eq!(
            ReadingPosition::in_block(7, 3, 0),
            ReadingPosition { block: 7, above: 0 }
        );
    }
}
