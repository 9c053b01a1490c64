//! Cuts texts of replies: in the worker so that they fit a message, in the app because it trusts no worker.

use std::fmt::Write;

/// Keeps so many bytes of a text at most, and says how many are left out.
pub fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        let end = text.floor_char_boundary(most);
        let more = text.len() - end;
        text.truncate(end);
        let _infallible = write!(text, "… ({more} bytes more)");
        text.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_says_how_much_is_left_out() {
        let mut text = "é".repeat(5);
        cut(&mut text, 5);
        assert_eq!(text, "éé… (6 bytes more)");
        let mut short = "abc".to_owned();
        cut(&mut short, 3);
        assert_eq!(short, "abc");
    }
}
