//! Whether a fenced block ends where its author meant it to.
//!
//! Markdown reads a block without a closing fence to the end of the text, or to the closing fence of the next block.

/// Why a block does not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UnclosedBlock {
    /// The text ends first.
    AtEnd,
    /// Another block begins first, with this line.
    Before(String),
}

/// What keeps a fenced block from ending; nothing if it has a closing fence. `block` is all of it.
pub(super) fn unclosed(block: &str) -> Option<UnclosedBlock> {
    let mut lines = block.lines();
    let first = lines.next()?.trim_start();
    let fence = first.chars().next().filter(|it| ['`', '~'].contains(it))?;
    let length = count(first, fence);
    for line in lines {
        // What a list or a quotation puts in front of its lines.
        let line = line.trim_start_matches([' ', '\t', '>']);
        if count(line, fence) < length {
            continue;
        }
        let info = line.trim_start_matches(fence).trim();
        if info.is_empty() {
            return None;
        }
        if info.starts_with(char::is_alphabetic) && !info.contains(fence) {
            return Some(UnclosedBlock::Before(line.trim_end().to_owned()));
        }
    }
    Some(UnclosedBlock::AtEnd)
}

/// How often a text begins with a letter.
fn count(text: &str, letter: char) -> usize {
    text.chars().take_while(|it| *it == letter).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_with_a_fence_that_is_long_enough() {
        assert_eq!(unclosed("```python\nx\n```"), None);
        assert_eq!(unclosed("~~~~\n~~~\n```\n~~~~"), None);
        assert_eq!(unclosed("````markdown\n```python lab\n```\n````"), None);
        assert_eq!(unclosed("```\n> x\n> ```"), None);
        assert_eq!(unclosed("````\nx\n```"), Some(UnclosedBlock::AtEnd));
        assert_eq!(unclosed("```python"), Some(UnclosedBlock::AtEnd));
    }

    #[test]
    fn the_beginning_of_another_block_is_no_end() {
        let next = "```python check=a";
        let found = unclosed(&format!("```python lab id=a\nx\n\n{next}\ny\n```"));
        assert_eq!(found, Some(UnclosedBlock::Before(next.to_owned())));
    }
}
