//! Blocks in, picture out.

use super::*;
use crate::theme::{Colours, Letters, Theme};
use warpup_course::{Align, Block, BlockKind, Callout, Container, Marker, Piece, Text};

const THEME: Theme = Theme {
    colours: Colours::Sixteen,
    letters: Letters::Unicode,
};

fn block(within: Vec<Container>, kind: BlockKind) -> Block {
    Block {
        within,
        kind,
        span: 0..0,
    }
}

fn paragraph(within: Vec<Container>, text: &str) -> Block {
    block(within, BlockKind::Paragraph(Text::of(text)))
}

fn item(first: bool) -> Container {
    Container::Item {
        marker: Marker::Bullet,
        first,
    }
}

fn picture(blocks: &[Block], width: u16) -> String {
    let lines = prose(blocks, width, THEME);
    let lines: Vec<_> = lines
        .iter()
        .map(|it| it.to_string().trim_end().to_owned())
        .collect();
    lines.join("\n")
}

#[test]
fn lists_are_tight_and_hang_under_their_marker() {
    let blocks = [
        paragraph(vec![], "Two places:"),
        paragraph(vec![item(true)], "the host, where Python runs"),
        paragraph(vec![item(true)], "the device"),
        paragraph(vec![item(false), item(true)], "its memory"),
        paragraph(vec![], "Done."),
    ];
    insta::assert_snapshot!(picture(&blocks, 20), @r"
    Two places:

    • the host, where
      Python runs
    • the device
      • its memory

    Done.
    ");
}

#[test]
fn callouts_say_their_kind_and_keep_their_bar() {
    let note = || vec![Container::Callout(Callout::Warning)];
    let blocks = [
        paragraph(note(), "A timer lies."),
        paragraph(note(), "Wait first."),
    ];
    insta::assert_snapshot!(picture(&blocks, 40), @r"
    │ WARNING
    │ A timer lies.
    │
    │ Wait first.
    ");
}

#[test]
fn tables_align_and_wrap_and_become_lists_when_there_is_no_room() {
    let cell = |it: &str| Text::of(it);
    let table = [block(
        vec![],
        BlockKind::Table {
            align: vec![Align::Left, Align::Right],
            head: vec![cell("what"), cell("ms")],
            rows: vec![
                vec![cell("a copy to the device"), cell("12.5")],
                vec![cell("a kernel"), cell("3")],
            ],
        },
    )];
    insta::assert_snapshot!(picture(&table, 20), @r"
    what              ms
    ──────────────  ────
    a copy to the   12.5
    device
    a kernel           3
    ");
    insta::assert_snapshot!(picture(&table, 9), @r"
    what: a
    copy to
    the
    device
    ms: 12.5

    what: a
    kernel
    ms: 3
    ");
}

#[test]
fn links_are_numbered_and_listed_under_the_page() {
    let text = Text {
        pieces: vec![
            Piece {
                text: "the guide".to_owned(),
                link: Some("https://example.org/\u{202e}x".to_owned()),
                ..Piece::default()
            },
            Piece {
                text: ".".to_owned(),
                ..Piece::default()
            },
        ],
    };
    insta::assert_snapshot!(picture(&[block(vec![], BlockKind::Paragraph(text))], 60), @r"
    the guide[1].

    [1] https://example.org/<U+202E>x
    ");
}

#[test]
fn a_drawing_too_wide_for_the_page_is_said_in_words() {
    let figure = [block(
        vec![],
        BlockKind::Figure {
            alt: "host left, device right".to_owned(),
            art: "host ──────▶ device\n".to_owned(),
        },
    )];
    insta::assert_snapshot!(picture(&figure, 20), @"host ──────▶ device");
    insta::assert_snapshot!(picture(&figure, 15), @r"
    [drawing] host
    left, device
    right
    ");
}

#[test]
fn launches_in_triple_brackets_are_shown_as_written() {
    assert_eq!(
        picture(&[paragraph(vec![], "f<<<1, 100>>>()")], 40),
        "f<<<1, 100>>>()"
    );
}

#[test]
fn a_callout_that_begins_a_list_item_stands_behind_its_bullet() {
    let item = |first| Container::Item {
        marker: Marker::Bullet,
        first,
    };
    let callout = Container::Callout(Callout::Note);
    let blocks = [
        paragraph(vec![item(true), callout.clone()], "Times are measured."),
        paragraph(vec![item(false)], "So are these."),
    ];
    insta::assert_snapshot!(picture(&blocks, 40), @r"
    • │ NOTE
      │ Times are measured.

      So are these.
    ");
}

#[test]
fn space_inside_inline_code_is_kept() {
    let text = Text {
        pieces: vec![Piece {
            text: "a  b".to_owned(),
            code: true,
            ..Piece::default()
        }],
    };
    assert_eq!(
        picture(&[block(vec![], BlockKind::Paragraph(text))], 40),
        "a  b"
    );
}

#[test]
fn a_folded_part_is_a_line_and_a_long_title_goes_on_below_its_words() {
    let details = |summary: &str| Container::Details {
        summary: summary.to_owned(),
        first: true,
    };
    let blocks = [
        paragraph(vec![details("Answer")], "Hidden."),
        paragraph(
            vec![item(true), details("A title of more words than fit")],
            "Hidden.",
        ),
    ];
    let lines = folded_prose(&blocks, 24, THEME);
    let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    ▸ Answer

    • ▸ A title of more
        words than fit
    ");
}

#[test]
fn back_ticks_in_a_text_of_one_style_mark_code_and_are_not_drawn() {
    let code = THEME.style(crate::theme::Role::Code);
    let shown = |text: &str| {
        let lines = coded(text, ratatui::style::Style::new(), 40_usize, THEME);
        let spans = lines.iter().flat_map(|it| &it.spans);
        let spans =
            spans.map(|it| format!("{}{}", it.content, if it.style == code { "*" } else { "" }));
        spans.collect::<Vec<_>>().join("|")
    };
    assert_eq!(shown("`y` is on the `card`"), "y*| is on the |card*");
    assert_eq!(shown("a ` alone"), "a ` alone");
}
