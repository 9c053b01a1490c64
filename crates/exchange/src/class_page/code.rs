//! Names of commands and lessons in a sentence.

use maud::{Markup, html};

/// A text with what is between backticks as code.
pub(super) fn coded(text: &str) -> Markup {
    let parts: Vec<_> = text.split('`').collect();
    // One backtick alone is a letter.
    let pairs = (parts.len() - 1) / 2 * 2;
    html! {
        @for (at, part) in parts.iter().enumerate() {
            @if at > pairs { "`" (part) }
            @else if at % 2 == 1 { code { (part) } }
            @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_backticks_is_code_and_one_alone_is_a_letter() {
        let coded = |text| coded(text).into_string();
        assert_eq!(
            coded("an attempt at `a<b` claims"),
            "an attempt at <code>a&lt;b</code> claims"
        );
        assert_eq!(coded("`a` and ` b"), "<code>a</code> and ` b");
        assert_eq!(coded(""), "");
    }
}
