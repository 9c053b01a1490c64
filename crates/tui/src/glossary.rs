//! The words of the glossary that are on the screen, with what they mean, drawn over it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use unicode_width::UnicodeWidthChar;

use super::keymap::Motion;
use super::page::{paragraph, prefixed};
use super::scroll::{Scroll, VisibleLines};
use super::search::TextSection;
use super::session::Session;
use super::theme::{Role, Theme};
use super::{frame, styled};
use warpup_course::glossary::{Term, found, terms};

/// A word of the glossary, and where the course explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    term: Term,
    pub(crate) place: TextSection,
}

/// All words that the course explains.
pub(crate) fn all(session: &Session) -> Vec<Word> {
    let lessons = session.course.lessons.iter().enumerate();
    let words = lessons.flat_map(|(lesson, it)| {
        terms(it).map(move |term| {
            let (page, block) = term.at;
            let place = TextSection {
                lesson,
                page,
                block: block + 1,
            };
            Word { term, place }
        })
    });
    words.collect()
}

/// The numbers of the words that are on these lines, as they come, each once.
pub(crate) fn on(words: &[Word], lines: &[Line<'_>]) -> Vec<usize> {
    let mut numbers = Vec::new();
    for (number, _) in found(&names(words), &text_of(lines)) {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// The number of the word at a line and a column of these lines.
pub(crate) fn at(words: &[Word], lines: &[Line<'_>], line: usize, column: usize) -> Option<usize> {
    let above: usize = lines
        .get(..line)?
        .iter()
        .map(|it| it.to_string().len() + 1)
        .sum();
    let mut right = 0;
    let text = lines.get(line)?.to_string();
    let (byte, _) = text.char_indices().find(|it| {
        right += it.1.width().unwrap_or(0);
        column < right
    })?;
    let found = found(&names(words), &text_of(lines));
    let hit = found.into_iter().find(|it| it.1.contains(&(above + byte)));
    hit.map(|it| it.0)
}

fn names(words: &[Word]) -> Vec<&str> {
    words.iter().map(|it| it.term.word.as_str()).collect()
}

fn text_of(lines: &[Line<'_>]) -> String {
    let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// The open list of words.
#[derive(Debug)]
pub(super) struct Glossary {
    words: Vec<Word>,
    chosen: usize,
    list: Scroll,
}

impl Glossary {
    /// A list of these words, of which one is chosen.
    pub(super) fn new(words: Vec<Word>, chosen: usize) -> Self {
        Self {
            words,
            chosen,
            list: Scroll::default(),
        }
    }

    /// Where the chosen word is explained.
    pub(super) fn place(&self) -> Option<TextSection> {
        self.words.get(self.chosen).map(|it| it.place)
    }

    /// The start of the lesson that introduces the chosen word, if its entry names one of the course.
    pub(super) fn lesson(&self, session: &Session) -> Option<TextSection> {
        let named = self.words.get(self.chosen)?.term.lesson.as_ref()?;
        let mut lessons = session.course.lessons.iter();
        let lesson = lessons.position(|it| it.title == *named)?;
        Some(TextSection {
            lesson,
            ..TextSection::default()
        })
    }

    /// Moves the choice.
    pub(super) fn go(&mut self, motion: Motion) {
        let last = self.words.len().saturating_sub(1);
        self.chosen = match motion {
            Motion::Up => self.chosen.saturating_sub(1),
            Motion::Down => (self.chosen + 1).min(last),
            Motion::Top | Motion::PageUp => 0,
            Motion::Bottom | Motion::PageDown => last,
        };
    }

    pub(super) fn fit(&mut self, body: Rect, theme: Theme) {
        let width = usize::from(frame::column(body).width);
        let mut drawn = VisibleLines::default();
        for (at, word) in self.words.iter().enumerate() {
            let start = drawn.lines.len();
            let is_chosen = at == self.chosen;
            let mark = theme.span(if is_chosen { "▸ " } else { "  " }, Role::Key);
            let name = theme.span(&word.term.word, Role::Strong);
            drawn.lines.push(Line::from(vec![mark, name]));
            let room = width.saturating_sub(4).max(1);
            let meaning = paragraph(&word.term.meaning, Style::new(), room);
            let indent = [theme.span("    ", Role::Text)];
            drawn.lines.extend(prefixed(meaning, &indent, &indent));
            drawn.lines.push(styled::line("", Style::new()));
            drawn.rows.push(start..drawn.lines.len());
            if is_chosen {
                drawn.focus = start..drawn.lines.len();
            }
        }
        self.list.draw(drawn, body.height);
    }

    pub(super) fn view(&self, frame: &mut Frame<'_>, body: Rect, theme: Theme) {
        frame::scrolled(frame, body, &self.list, theme);
    }
}
