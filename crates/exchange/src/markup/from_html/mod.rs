//! HTML, as the editors of other tools write it, as Markdown.
//!
//! In one pass and without recursion, and it never fails: an unknown tag means what is in it. No address is opened, and no entity
//! is defined in a text, so nothing grows. `htmd` brings html5ever, a browser's parser, for the one import that needs this.

mod reader;
mod tokens;

use super::markdown::markdown_of_blocks;
pub(crate) use reader::LineFeeds;
use reader::Reader;
use std::collections::BTreeSet;
use tokens::tokens;

/// Text from HTML.
#[derive(Debug, Default)]
pub(crate) struct FromHtml {
    /// The Markdown.
    pub(crate) markdown: String,
    /// What Markdown has no form for, such as `images`.
    pub(crate) lost: BTreeSet<&'static str>,
}

/// The Markdown of a text in HTML, and what it lost.
pub(crate) fn markdown_of_html(html: &str, lines: LineFeeds) -> FromHtml {
    let mut reader = Reader::new(lines);
    for token in tokens(html) {
        reader.token(token);
    }
    let (blocks, lost) = reader.finish();
    FromHtml {
        markdown: markdown_of_blocks(&blocks),
        lost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn markdown(html: &str) -> String {
        markdown_of_html(html, LineFeeds::Joined).markdown
    }

    #[test]
    fn the_usual_tags_become_markdown() {
        insta::assert_snapshot!(markdown(
            "<p>A <b>bold </b>word, <i>one</i> <code>x &lt; 1</code>&nbsp;and<br>10<sup>9</sup> H<sub>2</sub>O.</p>\
             <ul><li>first</li><li><p>second</p><ol><li>deep</li></ol></li></ul>\
             <pre><code>for x in y:\n    pass</code></pre>\
             <p>See <a href='https://example.org/a'>there</a> 1*2*3 <span style=\"color:red\">red</span></p>\
             <blockquote>said</blockquote><h2>Head</h2><hr/>"
        ), @r"
        A **bold** word, *one* `x < 1` and\
        10⁹ H₂O.

        - first
        - second

          1. deep

        ```
        for x in y:
            pass
        ```

        See [there](https://example.org/a) 1\*2\*3 red

        > said

        ### Head

        ---
        ");
    }

    #[test]
    fn a_table_has_its_first_row_as_head() {
        insta::assert_snapshot!(markdown(
            "<table><tbody><tr><td>a</td><th>b</th></tr>\n<tr><td>1</td><td><p>2</p></td></tr></tbody></table>"
        ), @"
        | a | b |
        | --- | --- |
        | 1 | 2 |
        ");
    }

    #[test]
    fn what_has_no_form_is_named_and_scripts_are_nothing() {
        let read = markdown_of_html(
            "<script>alert('no')</script><img src='data:image/png;base64,AAAA' alt='a bus'> \\(x^2\\) <!-- no --><iframe></iframe>",
            LineFeeds::Joined,
        );
        assert_eq!(read.markdown, r"(image: a bus) \\(x^2\\)");
        let lost: Vec<_> = read.lost.into_iter().collect();
        assert_eq!(lost, ["embedded media", "formulas", "images"]);
    }

    #[test]
    fn lines_of_moodles_own_format_stay_lines() {
        assert_eq!(markdown_of_html("a\nb", LineFeeds::Kept).markdown, "a\\\nb");
        assert_eq!(markdown("a\nb"), "a b");
        assert_eq!(markdown("<br>a<br> <br/>b<br>c"), "a\n\nb\\\nc");
        assert_eq!(
            markdown("x &eacute;&#x3b1;&unknown; AT&T"),
            "x éα\\&unknown; AT\\&T"
        );
    }

    proptest! {
        #[test]
        fn any_text_ends_and_is_no_longer_than_it_may(pieces in prop::collection::vec(prop_oneof![
            any::<char>().prop_map(|it| it.to_string()),
            prop::sample::select(vec!["<p>", "</p>", "<ul>", "<li>", "</li>", "</ul>", "<b>", "</b>", "<pre>", "</pre>",
                "<table>", "<tr>", "<td>", "</table>", "<", ">", "&", "&lt;", "<!--", "-->", "<a href='", "'>", "</a>",
                "<sup>", "</sup>", "<blockquote>", "\n", " "]).prop_map(str::to_owned),
        ], 0..60)) {
            let html = pieces.concat();
            let read = markdown_of_html(&html, LineFeeds::Joined);
            prop_assert!(read.markdown.len() <= 200 * (html.len() + 1));
        }
    }
}
