//! Bars as inline SVG. What a bar shows, the cells beside it say in numbers.

use crate::markup::escaped;
use std::fmt::Write as _;

/// A part of a bar: its class, which gives it a colour, and its length.
pub(super) type Part = (&'static str, usize);

/// A bar of parts. It is as long as its cell for `all`.
pub(super) fn bar(parts: &[Part], all: usize, label: &str) -> String {
    let mut svg = format!(
        "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">",
        escaped(label)
    );
    let mut before = 0;
    for (class, length) in parts {
        let at = |it: usize| 1000 * it / all.max(1);
        let (from, to) = (at(before), at(before + length));
        before += length;
        if to > from {
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{from}\" y=\"0\" width=\"{}\" height=\"10\"/>",
                to - from
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_its_parts_one_after_the_other() {
        let three = bar(&[("done", 1), ("begun", 0), ("new", 2)], 4, "1 of \"4\"");
        insta::assert_snapshot!(three, @r#"<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="1 of &quot;4&quot;"><rect class="done" x="0" y="0" width="250" height="10"/><rect class="new" x="250" y="0" width="500" height="10"/></svg>"#);
        insta::assert_snapshot!(bar(&[("done", 0)], 0, "nothing"), @r#"<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="nothing"></svg>"#);
    }
}
