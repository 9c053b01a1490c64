//! Frames in, bytes out, and a terminal emulator that reads them back.

use super::*;
use crate::{hyperlink, styled};
use proptest::prelude::*;
use ratatui::style::{Modifier, Style};
use std::cell::RefCell;
use std::num::NonZeroU16;
use std::rc::Rc;

const SIZE: Size = Size::new(20, 10);

/// Bytes that can be looked at while the canvas owns them.
#[derive(Clone, Default)]
struct Bytes(Rc<RefCell<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A terminal, what was written to it, and an emulator.
struct Stage {
    painter: Painter<Bytes>,
    bytes: Bytes,
    emulator: vt100::Parser,
}

impl Stage {
    fn new() -> Self {
        let bytes = Bytes::default();
        let [rows, columns] = [SIZE.height, SIZE.width].map(|it| NonZeroU16::new(it).unwrap());
        Self {
            painter: Painter::new(bytes.clone(), || Ok(SIZE)).unwrap(),
            bytes,
            emulator: vt100::Parser::new(rows, columns, 0),
        }
    }

    /// Draws lines; gives the number of bytes that it took.
    fn draw(&mut self, lines: &[String]) -> usize {
        self.bytes_of(lines, &[]).len()
    }

    /// Draws lines of which some have addresses that the terminal opens; gives what is written.
    fn bytes_of(&mut self, lines: &[String], addresses: &[String]) -> String {
        let styled: Vec<_> = lines
            .iter()
            .map(|it| styled::line(it, Style::new()))
            .collect();
        let area = Rect::from((Position::ORIGIN, SIZE));
        let whole = hyperlink::on(&styled, addresses, area);
        self.painter
            .draw(whole, |frame| {
                for (row, line) in (0..SIZE.height).zip(lines) {
                    let style = if line.contains('b') {
                        Style::new().add_modifier(Modifier::BOLD)
                    } else {
                        Style::new()
                    };
                    let line = styled::line(line, style);
                    frame.buffer_mut().set_line(0, row, &line, SIZE.width);
                }
            })
            .unwrap();
        let bytes = std::mem::take(&mut *self.bytes.0.borrow_mut());
        self.emulator.process(&bytes);
        String::from_utf8(bytes).unwrap()
    }

    fn screen(&self) -> Vec<String> {
        let rows = self.emulator.screen().rows(0, SIZE.width);
        rows.map(|it| it.trim_end().to_owned()).collect()
    }
}

fn page(from: usize) -> Vec<String> {
    let mut lines = vec!["title".to_owned()];
    lines.extend((from..from + 8).map(|it| format!("line {it} of the page")));
    lines.push("keys".to_owned());
    lines
}

#[test]
fn scrolling_writes_only_the_new_line() {
    let mut stage = Stage::new();
    stage.draw(&page(10));
    for from in [11, 12, 11, 10] {
        let bytes = stage.draw(&page(from));
        assert!(bytes < 160, "{bytes}");
        assert_eq!(
            stage.screen(),
            page(from)
                .iter()
                .map(|it| it.trim_end().to_owned())
                .collect::<Vec<_>>()
        );
    }
}

#[test]
fn nothing_new_writes_nothing() {
    let mut stage = Stage::new();
    stage.draw(&page(1));
    assert_eq!(stage.draw(&page(1)), 0);
}

#[test]
fn a_row_whose_width_is_doubtful_is_erased_before_it_changes_and_not_scrolled() {
    let erase = |row: usize| format!("\x1b[{row};1H\x1b[2K");
    let mut stage = Stage::new();
    stage.draw(&page(10));
    let mut lines = page(10);
    lines[3] = "see 👩\u{200d}🚀 there".to_owned();
    assert!(stage.bytes_of(&lines, &[]).contains(&erase(4)));
    assert!(stage.bytes_of(&lines, &[]).is_empty());
    // The row that follows it is drawn in full, and others are left alone.
    lines[3] = "see that there".to_owned();
    let written = stage.bytes_of(&lines, &[]);
    assert!(written.contains(&erase(4)));
    assert_eq!(stage.screen()[3], "see that there");
    assert!(!stage.bytes_of(&page(10), &[]).contains("\x1b[2K"));

    let mut moved = page(11);
    moved[2] = "flag 🇩🇪".to_owned();
    assert!(!stage.bytes_of(&moved, &[]).contains("r\x1b["));
    assert_eq!(stage.screen()[1], "line 11 of the page");
}

#[test]
fn a_joiner_that_joins_nothing_is_not_written() {
    let mut stage = Stage::new();
    let mut lines = page(1);
    lines[3] = "a\u{200d}b 👩\u{200d}🚀 end\u{200d}".to_owned();
    let written = stage.bytes_of(&lines, &[]);
    assert_eq!(written.matches('\u{200d}').count(), 1, "{written:?}");
    assert!(written.contains("👩\u{200d}🚀"), "{written:?}");
    assert!(stage.bytes_of(&lines, &[]).is_empty());
}

proptest! {
    #[test]
    fn the_terminal_shows_what_was_drawn(
        frames in proptest::collection::vec(
            proptest::collection::vec("([ab漢 ]|👍|e\u{301}){0,4}", 10),
            1..12,
        ),
        shifts in proptest::collection::vec(-4isize..5, 12),
    ) {
        let mut stage = Stage::new();
        for (frame, shift) in frames.iter().zip(shifts) {
            stage.draw(frame);
            let mut moved = frame.clone();
            let by = shift.unsigned_abs();
            if shift < 0 { moved.rotate_left(by) } else { moved.rotate_right(by) }
            stage.draw(&moved);
            let wanted: Vec<_> = moved.iter().map(|it| it.trim_end().to_owned()).collect();
            prop_assert_eq!(stage.screen(), wanted);
        }
    }
}

/// The bytes that begin a link, then its letters, then the bytes that end it.
fn linked(address: &str) -> String {
    format!("\x1b]8;;{address}\x1b\\")
}

#[test]
fn an_address_is_written_as_a_link_and_moves_without_being_written_again() {
    let address = "https://a.b/c".to_owned();
    let mut stage = Stage::new();
    let mut lines = page(10);
    lines[5] = format!("[1] {address}");
    let written = stage.bytes_of(&lines, std::slice::from_ref(&address));
    let (_, behind) = written.split_once(&linked(&address)).unwrap();
    assert!(
        behind.contains(&address) && behind.contains(&linked("")),
        "{written:?}"
    );
    assert_eq!(stage.screen()[5], lines[5]);
    // The same again costs nothing, and scrolling takes the link along.
    assert_eq!(stage.bytes_of(&lines, std::slice::from_ref(&address)), "");
    lines[1..9].rotate_left(1);
    lines[8] = "line 18 of the page".to_owned();
    let written = stage.bytes_of(&lines, std::slice::from_ref(&address));
    assert!(!written.contains("\x1b]8"), "{written:?}");
    assert_eq!(stage.screen()[4], lines[4]);
}

#[test]
fn a_link_that_comes_or_goes_is_written_although_no_letter_changes() {
    let address = "https://a.b/c".to_owned();
    let mut stage = Stage::new();
    let mut lines = page(10);
    lines[5].clone_from(&address);
    assert!(!stage.bytes_of(&lines, &[]).contains("\x1b]8"));
    let written = stage.bytes_of(&lines, std::slice::from_ref(&address));
    assert!(written.contains(&linked(&address)), "{written:?}");
    let written = stage.bytes_of(&lines, &[]);
    assert!(
        written.contains(&address) && !written.contains("\x1b]8"),
        "{written:?}"
    );
    assert_eq!(stage.screen()[5], address);
}
