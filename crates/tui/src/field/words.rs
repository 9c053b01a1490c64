//! Where words begin and end in what is typed, for keys that move and cut by words.
//!
//! A word ends at white space and at nothing else, as for Ctrl-W in a shell.

/// Where the word in front of a place begins; space between is passed over.
pub(crate) fn word_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let space = before.char_indices().rev().find(|it| it.1.is_whitespace());
    space.map_or(0, |(place, letter)| place + letter.len_utf8())
}

/// Where the word behind a place ends; space between is passed over.
pub(crate) fn word_end(text: &str, at: usize) -> usize {
    let after = text.get(at..).unwrap_or_default();
    let word = after.trim_start();
    let length = word.find(char::is_whitespace).unwrap_or(word.len());
    at + (after.len() - word.len()) + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_space_and_space_is_passed_over() {
        let text = "x.to(1)  漢字 b";
        let starts = [0, 3, 7, 9, 15, text.len()].map(|it| word_start(text, it));
        assert_eq!(starts, [0, 0, 0, 0, 9, 16]);
        let ends = [0, 3, 7, 9, 15, text.len()].map(|it| word_end(text, it));
        assert_eq!(ends, [7, 7, 15, 15, 17, 17]);
    }
}
