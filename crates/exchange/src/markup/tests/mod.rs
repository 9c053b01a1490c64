//! Markdown that is written reads as what it was written from.

use super::*;
use proptest::prelude::*;
use warpup_course::sample::changed;
use warpup_course::{self as course, Block, BlockKind, Course};
use warpup_store::course::embedded;

/// Blocks without their places, which differ.
fn placeless(blocks: &[Block]) -> Vec<Block> {
    let mut blocks = blocks.to_vec();
    for block in &mut blocks {
        block.span = 0..0;
    }
    blocks
}

/// The blocks of a page that is all of this Markdown.
fn read(markdown: &str) -> Vec<Block> {
    let (course, _) = changed(|file, text| {
        let more = format!("\n## Read {{#read}}\n\n{markdown}\n");
        let more = if file == "lessons/places.md" {
            more
        } else {
            String::new()
        };
        format!("{text}\n{more}")
    });
    let lesson = &course.lessons[0];
    let page = lesson.pages.iter().find(|it| it.id.as_str() == "read");
    placeless(&page.unwrap().blocks)
}

/// The same blocks written and read; labs and figures are not compared, for they are written as other blocks.
fn assert_same(blocks: &[Block], what: &str) {
    let is_plain = |it: &&Block| !matches!(it.kind, BlockKind::Lab(_) | BlockKind::Figure { .. });
    let blocks: Vec<Block> = placeless(blocks).iter().filter(is_plain).cloned().collect();
    let written = markdown_of_blocks(&blocks);
    assert_eq!(read(&written), blocks, "{what}:\n{written}");
}

fn shipped() -> Course {
    course::parse(&embedded()).0
}

#[test]
fn the_whole_course_reads_the_same_after_it_was_written() {
    for lesson in &shipped().lessons {
        for page in &lesson.pages {
            let is_marked = |it: &Block| {
                it.within
                    .iter()
                    .any(|it| matches!(it, course::Container::Footnote { .. }))
            };
            if !page.blocks.iter().any(is_marked) {
                assert_same(&page.blocks, &format!("{}#{}", lesson.id, page.id));
            }
        }
        for question in lesson.quiz.iter().flat_map(|it| &it.questions) {
            let what = format!("{}/{}", lesson.id, question.id);
            assert_same(&question.prompt, &what);
            assert_same(&question.explain, &what);
        }
    }
}

#[test]
fn signs_that_mean_something_stay_what_they_are() {
    for text in [
        "# no heading",
        "- no item",
        "1. no number",
        "> no quote",
        "a * b * c",
        "*a*",
        "snake_case_name",
        "_a_",
        "x[0] = 1",
        "[a](b)",
        "[!NOTE] x",
        "a < b > c",
        "<b>",
        "&amp; &",
        "~~a~~",
        "`a`",
        "a|b",
        "--- x",
        "+++",
        "~~~",
        "\\",
        "\\(x\\)",
        "2^10",
        "$x$",
        "=====",
        "|a|b|",
        "!",
        "![a](b)",
        "[^1]",
        "* x",
        "+ x",
        "1) x",
        "https://example.org",
        "a\\*b",
    ] {
        let written = markdown_of_plain(text);
        let block = Block {
            within: Vec::new(),
            kind: BlockKind::Paragraph(course::Text::of(text)),
            span: 0..0,
        };
        assert_same(&[block], &format!("{text} as {written}"));
    }
}

#[test]
fn html_of_the_whole_course_is_well_formed() {
    let mut all = String::from("<all>");
    for lesson in &shipped().lessons {
        for page in &lesson.pages {
            all.push_str(&html_of_blocks(&page.blocks, Dialect::Web));
        }
        for question in lesson.quiz.iter().flat_map(|it| &it.questions) {
            all.push_str(&html_of_blocks(&question.prompt, Dialect::Qti));
            all.push_str(&html_of_blocks(&question.explain, Dialect::Qti));
        }
    }
    all.push_str("</all>");
    let mut reader = quick_xml::Reader::from_str(&all);
    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
}

#[test]
fn html_says_what_each_block_is() {
    let blocks = read(
        "A **b *c*** `<d>` [e](https://example.org/?a=1&b=2) [f](#start).\n\n- one\n- [x] two\n\n  more\n\n3. three\n\n> [!TIP]\n> five\n\n<details><summary>Why < ?</summary>\n\nSo.\n\n</details>\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n---\n",
    );
    insta::assert_snapshot!(html_of_blocks(&blocks, Dialect::Web), @r#"
    <p>A <strong>b </strong><strong><em>c</em></strong> <code>&lt;d&gt;</code> <a href="https://example.org/?a=1&amp;b=2">e</a> f.</p>
    <ul>
    <li>one</li>
    <li>☑ two
    <p>more</p>
    </li>
    </ul>
    <ol start="3">
    <li>three</li>
    </ol>
    <blockquote class="tip">
    <p><strong>Tip</strong></p>
    <p>five</p>
    </blockquote>
    <details>
    <summary>Why &lt; ?</summary>
    <p>So.</p>
    </details>
    <table>
    <thead>
    <tr><th>a</th><th style="text-align: right">b</th></tr>
    </thead>
    <tbody>
    <tr><td>1</td><td style="text-align: right">2</td></tr>
    </tbody>
    </table>
    <hr/>
    "#);
}

proptest! {
    #[test]
    fn any_plain_text_reads_as_itself(text in "[ -~é\u{1F600}]{1,40}") {
        let text = text.trim();
        prop_assume!(!text.is_empty());
        let block = Block {
            within: Vec::new(),
            kind: BlockKind::Paragraph(course::Text::of(text)),
            span: 0..0,
        };
        assert_same(&[block], text);
    }

    #[test]
    fn no_markup_comes_out_of_plain_text(text in any::<String>()) {
        let html = escaped(&text);
        let bad = html.contains(['<', '>', '"', '\0']);
        prop_assert!(!bad);
    }
}
