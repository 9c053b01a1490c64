//! Bars as inline SVG. What a bar shows, the cells beside it say in numbers.

use maud::{Markup, html};

/// A part of a bar: its class, which gives it a colour, and its length.
pub(super) type BarSegment = (&'static str, usize);

/// A bar of parts. It is as long as its cell for `all`.
pub(super) fn bar(parts: &[BarSegment], all: usize, label: &str) -> Markup {
    let mut before = 0;
    let placed = parts.iter().map(|(class, length)| {
        let at = |it: usize| 1000 * it / all.max(1);
        let (from, to) = (at(before), at(before + length));
        before += length;
        (class, from, to - from)
    });
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label=(label) {
            @for (class, from, width) in placed.filter(|it| it.2 > 0) {
                rect class=(class) x=(from) y="0" width=(width) height="10" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_its_parts_one_after_the_other() {
        let parts = [("done", 1), ("begun", 0), ("new", 2)];
        let three = bar(&parts, 4, "1 of \"4\"").into_string();
        insta::assert_snapshot!(three, @r#"<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="1 of &quot;4&quot;"><rect class="done" x="0" y="0" width="250" height="10"></rect><rect class="new" x="250" y="0" width="500" height="10"></rect></svg>"#);
        let nothing = bar(&[("done", 0)], 0, "nothing").into_string();
        insta::assert_snapshot!(nothing, @r#"<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="nothing"></svg>"#);
    }
}
