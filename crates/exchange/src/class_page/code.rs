//! Names of commands and lessons in a sentence.

use crate::markup::escaped;

/// A text with what is between backticks as code.
pub(super) fn coded(text: &str) -> String {
    let mut out = String::new();
    let parts: Vec<_> = text.split('`').collect();
    // One backtick alone is a letter.
    let pairs = (parts.len() - 1) / 2 * 2;
    for (at, part) in parts.iter().enumerate() {
        match at {
            0 => {}
            at if at > pairs => out.push('`'),
            at if at % 2 == 1 => out.push_str("<code>"),
            _ => out.push_str("</code>"),
        }
        out.push_str(&escaped(part));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_backticks_is_code_and_one_alone_is_a_letter() {
        assert_eq!(
            coded("an attempt at `a<b` claims"),
            "an attempt at <code>a&lt;b</code> claims"
        );
        assert_eq!(coded("`a` and ` b"), "<code>a</code> and ` b");
        assert_eq!(coded(""), "");
    }
}
