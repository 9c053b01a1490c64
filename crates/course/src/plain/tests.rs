//! Blocks in, text out.

use super::*;
use crate::{Align, Callout, Container, LabId, Marker, Piece};

fn paragraph(within: &[Container], text: &str) -> Block {
    Block {
        within: within.to_vec(),
        kind: BlockKind::Paragraph(Text::of(text)),
        span: 0..0,
    }
}

fn of(kind: BlockKind) -> Block {
    Block {
        within: Vec::new(),
        kind,
        span: 0..0,
    }
}

fn item(number: u64, first: bool) -> Container {
    Container::Item {
        marker: Marker::Number(number),
        first,
    }
}

fn text_of(all: &[Block]) -> String {
    blocks(all, 24).into_string()
}

#[test]
fn lists_hang_and_their_items_stay_together() {
    let text = text_of(&[
        paragraph(&[], "Do this:"),
        paragraph(&[item(1, true)], "Move the model to the device."),
        paragraph(&[item(1, false)], "It returns itself."),
        paragraph(&[item(2, true)], "Move the batch."),
        paragraph(&[item(2, false), item(1, true)], "Whole."),
        paragraph(&[], "Done."),
    ]);
    insta::assert_snapshot!(text, @r"
    Do this:

    1. Move the model to the
       device.

       It returns itself.
    2. Move the batch.
       1. Whole.

    Done.
    ");
}

#[test]
fn quotes_and_callouts_have_a_bar_and_callouts_a_name() {
    let note = [Container::Callout(Callout::Note)];
    let text = text_of(&[
        paragraph(&note, "Times are measured on this machine."),
        paragraph(&note, "Or modelled."),
        paragraph(&[Container::Quote, item(1, true)], "Said."),
    ]);
    insta::assert_snapshot!(text, @r"
    | Note
    | Times are measured on
    | this machine.
    |
    | Or modelled.

    > 1. Said.
    ");
}

#[test]
fn code_and_figures_keep_their_lines_and_figures_have_words() {
    let text = text_of(&[
        of(BlockKind::Code {
            language: "python".to_owned(),
            code: "if x:\n\tprint('a line that is longer than the page')\n".to_owned(),
        }),
        of(BlockKind::Figure {
            alt: "An arrow from host to device.".to_owned(),
            art: "host --> device\n".to_owned(),
        }),
    ]);
    insta::assert_snapshot!(text, @r"
        if x:
            print('a line that is longer than the page')

        host --> device

    Figure: An arrow from
    host to device.
    ");
}

#[test]
fn a_table_that_does_not_fit_is_told_cell_by_cell() {
    let row = |cells: [&str; 2]| cells.map(Text::of).to_vec();
    let table = |last: &str| {
        text_of(&[of(BlockKind::Table {
            align: vec![Align::Left, Align::Right],
            head: row(["copy", "ms"]),
            rows: vec![row(["pinned", "1.5"]), row([last, "12.25"])],
        })])
    };
    insta::assert_snapshot!(table("pageable"), @r"
    copy         ms
    --------  -----
    pinned      1.5
    pageable  12.25
    ");
    insta::assert_snapshot!(table("from pageable memory"), @r"
    copy: pinned
    ms: 1.5

    copy: from pageable
    memory
    ms: 12.25
    ");
}

#[test]
fn links_show_where_they_lead_and_marks_stay_that_carry_meaning() {
    let piece = |text: &str| Piece {
        text: text.to_owned(),
        ..Piece::default()
    };
    let link = Some("https://a.b/c".to_owned());
    let pieces = vec![
        Piece {
            code: true,
            ..piece("to")
        },
        piece(" is in "),
        Piece {
            link: link.clone(),
            ..piece("the ")
        },
        Piece {
            link: link.clone(),
            strong: true,
            ..piece("docs")
        },
        piece(" at "),
        Piece {
            link,
            ..piece("https://a.b/c")
        },
        Piece {
            footnote: true,
            ..piece("1")
        },
    ];
    assert_eq!(
        inline(&Text { pieces }).as_str(),
        "`to` is in the docs <https://a.b/c> at https://a.b/c[1]"
    );
}

#[test]
fn folded_parts_are_open_and_footnotes_have_their_label() {
    let details = |first| Container::Details {
        summary: "Why".to_owned(),
        first,
    };
    let note = Container::Footnote {
        label: "1".to_owned(),
        first: true,
    };
    let text = text_of(&[
        paragraph(&[details(true)], "Because."),
        paragraph(&[details(false)], "So."),
        paragraph(&[note], "A note."),
    ]);
    insta::assert_snapshot!(text, @r"
    Why:
      Because.

      So.

    [1] A note.
    ");
}

#[test]
fn escapes_in_a_lesson_become_visible() {
    let text = text_of(&[
        paragraph(&[], "a\x1b[2Jb"),
        of(BlockKind::Lab(LabId::new("x"))),
    ]);
    insta::assert_snapshot!(text, @r"
    a␛[2Jb

    Lab: x
    ");
}
