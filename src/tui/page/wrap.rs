//! Breaking lines: prose between words, code anywhere.
//!
//! Both always make progress, at any width, also when one letter is wider than the line.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::ink;
use crate::tui::theme::{Role, Theme};

/// Breaks prose between words. An empty span is a line break; a word wider than a line is cut.
pub(crate) fn wrap(spans: &[Span<'static>], width: usize) -> Vec<Line<'static>> {
    let mut wrapper = Wrapper {
        width: width.max(1),
        lines: Vec::new(),
        line: Vec::new(),
        columns: 0,
        word: Vec::new(),
        space: None,
    };
    for span in spans {
        if span.content.is_empty() {
            wrapper.end_word();
            wrapper.end_line();
            continue;
        }
        let mut words = span.content.split(' ');
        if let Some(first) = words.next() {
            wrapper.letters(first, span.style);
        }
        for word in words {
            wrapper.end_word();
            wrapper.space = Some(span.style);
            wrapper.letters(word, span.style);
        }
    }
    wrapper.end_word();
    if !wrapper.line.is_empty() || wrapper.lines.is_empty() {
        wrapper.end_line();
    }
    wrapper.lines
}

/// Breaks a line of code anywhere, with a mark where it goes on.
pub(crate) fn hard(line: &Line<'static>, width: usize, theme: Theme) -> Vec<Line<'static>> {
    if line.width() <= width {
        return vec![line.clone()];
    }
    let width = width.max(4);
    let mark = ink::span("↪ ", theme.style(Role::Dim));
    let mut lines = Vec::new();
    let mut current: Vec<Span<'static>> = Vec::new();
    let mut columns = 0;
    for span in &line.spans {
        let mut rest = Some(span.clone());
        while let Some(span) = rest {
            if columns >= width {
                lines.push(Line::from(std::mem::take(&mut current)));
                current.push(mark.clone());
                columns = 2;
            }
            let (head, tail) = ink::split(&span, width - columns);
            columns += head.width();
            current.push(head);
            rest = tail;
            if rest.is_some() {
                columns = columns.max(width);
            }
        }
    }
    lines.push(Line::from(current));
    lines
}

/// Breaks what a program printed, and tracebacks, between words; what goes on keeps the indentation and
/// has a mark.
pub(crate) fn flow(text: &str, style: Style, width: usize, theme: Theme) -> Vec<Line<'static>> {
    let lines = ink::lines(text, style);
    let broken = lines.into_iter().flat_map(|it| {
        if it.width() <= width {
            return vec![it];
        }
        flow_line(&it.to_string(), style, width.max(8), theme)
    });
    broken.collect()
}

/// One line, which is too wide and safe to draw.
fn flow_line(line: &str, style: Style, width: usize, theme: Theme) -> Vec<Line<'static>> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let mark = format!("{}↪ ", " ".repeat(indent.min(width / 2)));
    let mut lines = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let mark = if lines.is_empty() { "" } else { mark.as_str() };
        let (head, tail) = words_that_fit(rest, width - ink::width(mark));
        lines.push(ink::parts(vec![
            (mark.to_owned(), theme.style(Role::Dim)),
            (head.to_owned(), style),
        ]));
        rest = tail;
    }
    lines
}

/// As many words as fit, and the rest without the space between; letters of a word that is too long.
fn words_that_fit(text: &str, room: usize) -> (&str, &str) {
    if ink::width(text) <= room {
        return (text, "");
    }
    let (head, tail) = ink::split_str(text, room);
    if tail.starts_with(' ') {
        return (head, tail.trim_start_matches(' '));
    }
    let first_word = head.len() - head.trim_start_matches(' ').len();
    match head.rfind(' ').filter(|at| *at > first_word) {
        Some(at) => {
            let (head, tail) = text.split_at_checked(at).unwrap_or((head, tail));
            (head.trim_end_matches(' '), tail.trim_start_matches(' '))
        }
        None => (head, tail),
    }
}

/// Lines in the making. Letters are borrowed until they stand on a line.
struct Wrapper<'a> {
    width: usize,
    lines: Vec<Line<'static>>,
    line: Vec<(String, Style)>,
    columns: usize,
    /// The word that is being gathered; it may have several styles.
    word: Vec<(&'a str, Style)>,
    /// The style of the space in front of it, if there is one.
    space: Option<Style>,
}

impl<'a> Wrapper<'a> {
    fn letters(&mut self, letters: &'a str, style: Style) {
        if !letters.is_empty() {
            self.word.push((letters, style));
        }
    }

    fn end_word(&mut self) {
        let space = self.space.take();
        if self.word.is_empty() {
            return;
        }
        let wide: usize = self.word.iter().map(|it| ink::width(it.0)).sum();
        let gap = usize::from(space.is_some() && self.columns > 0);
        if self.columns > 0 && self.columns + gap + wide > self.width {
            self.end_line();
        } else if let Some(style) = space.filter(|_| gap > 0) {
            self.put(" ", style);
        }
        for (letters, style) in std::mem::take(&mut self.word) {
            self.fill(letters, style);
        }
    }

    /// Puts letters on the line and cuts those that are wider than a whole line.
    fn fill(&mut self, letters: &str, style: Style) {
        let mut rest = letters;
        while !rest.is_empty() {
            let room = self.width.saturating_sub(self.columns);
            if ink::width(rest) <= room {
                self.put(rest, style);
                return;
            }
            if room == 0 {
                self.end_line();
                continue;
            }
            let (head, tail) = ink::split_str(rest, room);
            if self.columns > 0 && ink::width(head) > room {
                self.end_line();
                continue;
            }
            self.put(head, style);
            rest = tail;
        }
    }

    /// Appends letters, to the last ones where the style is the same: fewer spans draw faster.
    fn put(&mut self, letters: &str, style: Style) {
        self.columns += ink::width(letters);
        match self.line.last_mut() {
            Some((last, known)) if *known == style => last.push_str(letters),
            Some(_) | None => self.line.push((letters.to_owned(), style)),
        }
    }

    fn end_line(&mut self) {
        self.lines.push(ink::parts(std::mem::take(&mut self.line)));
        self.columns = 0;
        self.space = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::{Colours, Letters};
    use proptest::prelude::*;

    fn wrapped(text: &str, width: usize) -> Vec<String> {
        wrap(&[ink::span(text, Style::new())], width)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(
            wrapped("the host runs ahead", 10),
            ["the host", "runs ahead"]
        );
    }

    #[test]
    fn a_word_wider_than_the_line_is_cut() {
        assert_eq!(wrapped("a synchronize", 6), ["a", "synchr", "onize"]);
    }

    #[test]
    fn a_change_of_style_inside_a_word_does_not_break_it() {
        let spans = [
            ink::span("see f", Style::new()),
            ink::span("()", Style::new().bold()),
            ink::span(", now", Style::new()),
        ];
        let lines: Vec<_> = wrap(&spans, 8).iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["see f(),", "now"]);
    }

    const PLAIN: Theme = Theme {
        colours: Colours::None,
        letters: Letters::Unicode,
    };

    #[test]
    fn output_breaks_between_words_and_keeps_its_indentation() {
        let text = "  File \"lab.py\", line 2, in <module>\n    y = model(batch) + bias\nRuntimeError: two devices";
        let lines: Vec<_> = flow(text, Style::new(), 20, PLAIN);
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
          File "lab.py",
          ↪ line 2, in
          ↪ <module>
            y = model(batch)
            ↪ + bias
        RuntimeError: two
        ↪ devices
        "#);
    }

    proptest! {
        #[test]
        fn output_keeps_every_letter_and_its_width(text in "[a-z漢 ]{0,60}", width in 8usize..30) {
            let lines = flow(&text, Style::new(), width, PLAIN);
            let letters = |it: &str| it.replace([' ', '↪'], "");
            let all: String = lines.iter().map(ToString::to_string).collect();
            prop_assert_eq!(letters(&all), letters(&text));
            for line in lines {
                prop_assert!(line.width() <= width, "{line}");
            }
        }

        #[test]
        fn no_letter_is_lost_and_no_line_too_long(text in "[a-z漢 ]{0,60}", width in 2usize..20) {
            let lines = wrapped(&text, width);
            for line in &lines {
                prop_assert!(Line::from(ink::span(line, Style::new())).width() <= width);
            }
            let letters = |it: &str| it.replace(' ', "");
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }

        #[test]
        fn code_keeps_every_letter(text in "[a-z漢 ]{0,60}", width in 0usize..20) {
            let lines = hard(&ink::line(&text, Style::new()), width, PLAIN);
            let all: String = lines.iter().map(ToString::to_string).collect();
            prop_assert_eq!(all.replace("↪ ", ""), text);
        }
    }
}
