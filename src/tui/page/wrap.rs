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
        for part in ink::pieces(span, span.content.split_inclusive(' ')) {
            wrapper.part(&part);
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

struct Wrapper {
    width: usize,
    lines: Vec<Line<'static>>,
    line: Vec<Span<'static>>,
    columns: usize,
    /// The word that is being gathered; it may have several styles.
    word: Vec<Span<'static>>,
    /// The space in front of it.
    space: Option<Span<'static>>,
}

impl Wrapper {
    /// Takes letters that end with a space or with the span.
    fn part(&mut self, part: &Span<'static>) {
        let mut letters = ink::pieces(part, part.content.split(' '));
        let Some(word) = letters.next() else { return };
        let space = letters.next().is_some();
        drop(letters);
        if !word.content.is_empty() {
            self.word.push(word);
        }
        if space {
            self.end_word();
            self.space = Some(ink::span(" ", part.style));
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        let space = self.space.take();
        if word.is_empty() {
            return;
        }
        let wide: usize = word.iter().map(Span::width).sum();
        let gap = usize::from(space.is_some() && self.columns > 0);
        if self.columns > 0 && self.columns + gap + wide > self.width {
            self.end_line();
        } else if let Some(space) = space.filter(|_| self.columns > 0) {
            self.line.push(space);
            self.columns += 1;
        }
        for span in word {
            self.push(span);
        }
    }

    /// Puts letters on the line and cuts those that are wider than a whole line.
    fn push(&mut self, span: Span<'static>) {
        let mut rest = Some(span);
        while let Some(span) = rest {
            let room = self.width.saturating_sub(self.columns);
            if span.width() <= room {
                self.columns += span.width();
                self.line.push(span);
                return;
            }
            if room == 0 {
                self.end_line();
            }
            let (head, tail) = ink::split(&span, self.width.saturating_sub(self.columns));
            self.columns += head.width();
            self.line.push(head);
            rest = tail;
            if rest.is_some() {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let mut line: Vec<Span<'static>> = Vec::with_capacity(self.line.len());
        for span in std::mem::take(&mut self.line) {
            join(&mut line, span);
        }
        self.lines.push(Line::from(line));
        self.columns = 0;
        self.space = None;
    }
}

/// Appends a span, into the last one where the style is the same: fewer spans draw faster.
fn join(line: &mut Vec<Span<'static>>, span: Span<'static>) {
    let style: Style = span.style;
    match line.last_mut() {
        Some(last) if last.style == style => last.content.to_mut().push_str(&span.content),
        Some(_) | None => line.push(span),
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

    proptest! {
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
            let theme = Theme { colours: Colours::None, letters: Letters::Unicode };
            let lines = hard(&ink::line(&text, Style::new()), width, theme);
            let all: String = lines.iter().map(ToString::to_string).collect();
            prop_assert_eq!(all.replace("↪ ", ""), text);
        }
    }
}
