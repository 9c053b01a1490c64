//! Clicks on a page: on a link, on the card of a lab, on a folded part, on an entry of the outline.

use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;
use unicode_width::UnicodeWidthChar;

use super::Reader;
use super::outline;
use crate::glossary;
use crate::screen::behaviour::{Start, Step, Target};
use crate::session::{Session, UpdateContext};

/// Lines on which a link and its number are looked for.
const LINES: usize = 4;

impl Reader {
    /// What is at a place of the body.
    pub(super) fn clicked(&self, place: Position, body: Rect, session: &Session) -> Option<Target> {
        let (beside, column) = outline::areas(body);
        if let Some(row) = beside.and_then(|it| self.outline.row_at(place, it)) {
            return Some(Target::Page(row));
        }
        let line = self.text.line_at(place, column)?;
        let mut labs = self.text.labs();
        let card = labs.position(|(_, first)| self.text.block_with(first).contains(&line));
        // A card may have blank lines above it in its block.
        if let Some(lab) = card {
            return Some(Target::Lab(lab));
        }
        if let Some(part) = self.text.summaries().position(|it| it.line == line) {
            return Some(Target::Row(part));
        }
        let lines = self.text.lines().get(line..).unwrap_or_default();
        let column = usize::from(place.x - column.x);
        let number = link_at(lines, column);
        let known = 1..=self.text.links().len();
        if let Some(number) = number.filter(|it| known.contains(it)) {
            return Some(Target::Link(number));
        }
        let row = line - self.text.visible().start;
        let words = glossary::all(session);
        glossary::at(&words, self.visible(), row, column).map(Target::Word)
    }

    /// Performs a click.
    pub(super) fn clicked_on(&mut self, target: Target, ctx: &mut UpdateContext<'_>) -> Step {
        match target {
            Target::Link(number) => self.open_link(number, ctx),
            Target::Word(word) => Step::Word(word),
            Target::Lab(lab) => {
                self.lab = lab;
                self.open_lab(Start::Look, ctx)
            }
            Target::Page(page) if page == self.lesson.pages.len() => self.quiz(ctx),
            Target::Page(page) => {
                if page != self.page {
                    self.turn_to(page, ctx);
                }
                Step::Stay
            }
            Target::Row(part) => {
                let part = self.text.summaries().nth(part);
                if let Some(part) = part {
                    self.turn_over(part);
                }
                Step::Stay
            }
            Target::Pane(_) | Target::Tab(_) | Target::Program { .. } => Step::Stay,
        }
    }
}

/// The number of the link at a column of the first line: of its words, of the number behind them, or of its address in the
/// list below the page.
fn link_at(lines: &[Line<'static>], column: usize) -> Option<usize> {
    let mut letters = Vec::new();
    for line in lines.iter().take(LINES) {
        for span in &line.spans {
            let is_link = span.style.add_modifier.contains(Modifier::UNDERLINED);
            letters.extend(span.content.chars().map(|it| (it, is_link)));
        }
        // Words continue on the next line.
        letters.push((' ', true));
    }
    let first: Vec<char> = lines.first()?.to_string().chars().collect();
    if let Some(number) = number_in(&first).filter(|_| column < first.len()) {
        return Some(number);
    }
    let mut right = 0;
    let at = first.iter().position(|it| {
        right += it.width().unwrap_or(0);
        column < right
    })?;
    let behind = letters.get(at..)?;
    let (_, is_link) = *behind.first()?;
    if !is_link {
        // Back to the bracket that follows the words of a link.
        let open = (0..=at).rev().find(|it| first.get(*it) == Some(&'['))?;
        let before = open.checked_sub(1).and_then(|it| letters.get(it));
        let inside: Vec<char> = first.get(open..)?.to_vec();
        let is_inside = at - open < inside.iter().position(|it| *it == ']')? + 1;
        return number_in(&inside).filter(|_| before.is_some_and(|it| it.1) && is_inside);
    }
    let words = behind.iter().take_while(|it| it.1).count();
    let number: Vec<char> = behind.get(words..)?.iter().map(|it| it.0).collect();
    number_in(&number)
}

/// The number in brackets at the start of a text.
fn number_in(text: &[char]) -> Option<usize> {
    let digits: String = text
        .strip_prefix(&['['])?
        .iter()
        .take_while(|it| **it != ']')
        .collect();
    let is_closed = text.get(digits.chars().count() + 1) == Some(&']');
    digits.parse().ok().filter(|_| is_closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::styled;
    use ratatui::style::Style;
    use ratatui::text::Span;

    fn link(text: &str) -> Span<'static> {
        styled::span(text, Style::new().underlined())
    }

    fn plain(text: &str) -> Span<'static> {
        styled::span(text, Style::new())
    }

    /// The numbers at each column of the first line, `.` for none.
    fn numbers(lines: &[Line<'static>]) -> String {
        let columns = 0..lines.first().unwrap().width() + 2;
        let numbers = columns.map(|it| match link_at(lines, it) {
            Some(number) => number.to_string(),
            None => ".".to_owned(),
        });
        numbers.collect()
    }

    #[test]
    fn words_and_number_of_a_link_are_the_link() {
        let line = Line::from(vec![
            plain("a "),
            link("bus"),
            plain("[1]x[0] "),
            link("b"),
            plain("[2]"),
        ]);
        assert_eq!(numbers(&[line]), "..111111.....2222..");
    }

    #[test]
    fn a_link_goes_on_in_the_next_line() {
        let lines = [
            Line::from(vec![plain("the "), link("long")]),
            Line::from(vec![link("link"), plain("[3].")]),
        ];
        assert_eq!(numbers(&lines), "....3333..");
        assert_eq!(numbers(&lines[1..]), "3333333...");
    }

    #[test]
    fn an_address_in_the_list_is_its_link() {
        let lines = [Line::from(plain("[2] https://x.y"))];
        assert_eq!(numbers(&lines), "222222222222222..");
    }
}
