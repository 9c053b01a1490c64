//! Cells in, SVG out.

use proptest::prelude::*;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;

use super::*;
use crate::styled;

/// A line without a style.
fn plain(text: &str) -> Line<'static> {
    styled::line(text, Style::new())
}

/// A line of these parts, each with its modifiers.
fn parts(parts: &[(&str, Modifier)]) -> Line<'static> {
    let style = |it: Modifier| Style::new().add_modifier(it);
    let parts = parts.iter().map(|it| (it.0.to_owned(), style(it.1)));
    styled::parts(parts.collect())
}

/// A screen with these lines.
fn screen(width: u16, lines: &[Line<'_>]) -> Buffer {
    let height = u16::try_from(lines.len()).unwrap();
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    for (y, line) in (0..).zip(lines) {
        buffer.set_line(0, y, line, width);
    }
    buffer
}

/// The rows of a picture, without its frame.
fn drawn(line: Line<'_>) -> String {
    let svg = svg(&screen(24, &[line]), Paper::Dark, "test");
    let rows = svg.lines().filter(|it| it.contains("translate(0 "));
    rows.collect::<Vec<_>>().join("\n").replace("><", ">\n<")
}

#[test]
fn each_letter_has_its_column_and_no_space_is_written() {
    insta::assert_snapshot!(drawn(plain("a  <b> é")), @r#"
    <g transform="translate(0 0)">
    <text y="13" x="0 24 32 40 56">a&lt;b&gt;é</text>
    </g>
    "#);
}

#[test]
fn a_picture_has_a_size_a_title_and_a_ground() {
    let svg = svg(&screen(10, &[plain("a")]), Paper::Light, "a & b");
    insta::assert_snapshot!(svg, @r##"
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 108 45" width="108" height="45" role="img">
    <title>a &amp; b</title>
    <rect width="108" height="45" rx="8" fill="#ffffff"/>
    <g transform="translate(14 14)" fill="#24292f" font-size="13.3" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace">
    <g transform="translate(0 0)"><text y="13" x="0">a</text></g>
    </g>
    </svg>
    "##);
}

#[test]
fn text_of_one_style_is_one_element_wherever_it_is() {
    let key = Style::new()
        .fg(Color::Indexed(75))
        .add_modifier(Modifier::BOLD);
    let line = styled::parts(vec![
        ("key".to_owned(), key),
        (" run ".to_owned(), Style::new()),
        ("q".to_owned(), key),
    ]);
    insta::assert_snapshot!(drawn(line), @r##"
    <g transform="translate(0 0)">
    <text y="13" x="32 40 48">run</text>
    <text y="13" x="0 8 16 64" fill="#5fafff" font-weight="bold">keyq</text>
    </g>
    "##);
}

#[test]
fn lines_and_bars_are_drawn_and_join() {
    insta::assert_snapshot!(drawn(plain("──┬─ ██▒░·")), @r#"
    <g transform="translate(0 0)">
    <path d="M0 8h24v1h-24zM19 8h1v9h-1zM24 8h8v1h-8zM40 0h16v17h-16zM75 8h2v2h-2z"/>
    <path d="M64 0h8v17h-8z" fill-opacity="0.25"/>
    <path d="M56 0h8v17h-8z" fill-opacity="0.50"/>
    </g>
    "#);
}

#[test]
fn the_looks_of_a_terminal_are_those_of_the_picture() {
    let line = parts(&[
        ("a b", Modifier::REVERSED),
        ("c d", Modifier::UNDERLINED),
        ("e", Modifier::DIM | Modifier::ITALIC),
    ]);
    insta::assert_snapshot!(drawn(line), @r##"
    <g transform="translate(0 0)">
    <path d="M0 0h24v17h-24z" fill="#d0d0d0"/>
    <path d="M24 15h24v1h-24z"/>
    <text y="13" x="24 40">cd</text>
    <text y="13" x="48" fill-opacity="0.65" font-style="italic">e</text>
    <text y="13" x="0 16" fill="#101216">ab</text>
    </g>
    "##);
}

#[test]
fn a_wide_character_takes_two_columns_and_what_follows_keeps_its_own() {
    insta::assert_snapshot!(drawn(plain("漢x👩‍💻y")), @r#"
    <g transform="translate(0 0)">
    <text y="13" x="16 40">xy</text>
    <text x="0" y="13" textLength="16" lengthAdjust="spacingAndGlyphs">漢</text>
    <text x="24" y="13" textLength="16" lengthAdjust="spacingAndGlyphs">👩‍💻</text>
    </g>
    "#);
}

#[test]
fn a_recording_shows_its_screens_in_turn_and_has_each_row_once() {
    let of = |lines: &[Line<'_>], shown_ms| RecordedScreen {
        screen: screen(4, lines),
        shown_ms,
    };
    let screens = [
        of(&[plain("a"), plain("b")], 1000),
        of(&[plain("b"), plain("")], 500),
        of(&[plain("a"), plain("c")], 2500),
    ];
    insta::assert_snapshot!(recording(&screens, Paper::Dark, "three"), @r##"
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 62" width="60" height="62" role="img">
    <title>three</title>
    <rect width="60" height="62" rx="8" fill="#101216"/>
    <style>
    .f{visibility:hidden;animation:4s step-end infinite}
    .e{visibility:visible}
    #f0{animation-name:f0}@keyframes f0{0%{visibility:visible}25%{visibility:hidden}}
    #f1{animation-name:f1}@keyframes f1{0%{visibility:hidden}25%{visibility:visible}37.5%{visibility:hidden}}
    #f2{animation-name:f2}@keyframes f2{0%{visibility:hidden}37.5%{visibility:visible}}
    @media (prefers-reduced-motion:reduce){.f{animation:none}}
    </style>
    <g transform="translate(14 14)" fill="#d0d0d0" font-size="13.3" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace">
    <defs>
    <g id="r0"><text y="13" x="0">a</text></g>
    <g id="r1"><text y="13" x="0">b</text></g>
    <g id="r2"><text y="13" x="0">c</text></g>
    </defs>
    <g id="f0" class="f"><use href="#r0" y="0"/><use href="#r1" y="17"/></g>
    <g id="f1" class="f"><use href="#r1" y="0"/></g>
    <g id="f2" class="f e"><use href="#r0" y="0"/><use href="#r2" y="17"/></g>
    </g>
    </svg>
    "##);
}

/// Whether tags are closed in the order in which they were opened, and nothing that XML forbids is between them.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        let Some((tag, after)) = tag.split_once('>') else {
            return false;
        };
        if text.contains('>') || text.chars().any(|it| it.is_control() && it != '\n') {
            return false;
        }
        let name = tag.trim_start_matches('<');
        let name = name.split([' ', '/']).next().unwrap_or_default();
        match tag.strip_prefix("</") {
            Some(closed) if open.pop() != Some(closed) => return false,
            None if !tag.ends_with('/') => open.push(name),
            Some(_) | None => {}
        }
        rest = after;
    }
    open.is_empty() && !rest.contains('>')
}

#[test]
fn a_tag_in_a_text_and_one_that_is_not_closed_are_found() {
    assert!(is_well_formed("<a><b x=\"1\"/>c</a>"));
    for broken in ["<a><b></a>", "<a>", "<a>\u{1}</a>", "<a>></a>"] {
        assert!(!is_well_formed(broken), "{broken}");
    }
}

proptest! {
    #[test]
    fn any_screen_is_a_well_formed_picture(rows in proptest::collection::vec("\\PC{0,20}|[<>&\"\u{1}\u{fffe}░│漢]{0,20}", 1..4)) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 4));
        for (cell, letter) in buffer.content.iter_mut().zip(rows.concat().chars()) {
            cell.set_char(letter);
        }
        prop_assert!(is_well_formed(&svg(&buffer, Paper::Dark, "any")));
    }
}
