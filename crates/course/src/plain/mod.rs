//! Lessons as plain text: for pipes, dumb terminals, screen readers.
//!
//! Pure. No colours and no drawing that a reader could not speak; a figure is followed by its words.
//! The screen draws the same blocks its own way.

mod answers;
mod inline;
mod table;

use super::block_prefix::frame;
use super::collapsible::Fold;
use super::wrap::wrap_str;
use super::{Block, BlockKind, Lab, Lesson, Page, Text};
use inline::{inline_raw, mark};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;
use warpup_text::shown::Shown;

/// Columns code is moved to the right by.
const INDENT: &str = "    ";

/// How the reader runs a lab and opens a folded part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs<'a> {
    /// By a command of the shell, which begins like this: `warpup --course DIR`.
    ByCommand(&'a str),
    /// By a word to the course that is open.
    ByWord,
}

/// A whole lesson. The commands that it names begin with `warpup`, the name of the program and its options.
pub fn lesson(lesson: &Lesson, warpup: &str, width: usize) -> Shown {
    let mut parts = vec![
        underlined(&lesson.title, '='),
        format!("\n{}\n", filled(&lesson.summary, width)),
    ];
    if !lesson.objectives.is_empty() {
        parts.push("\nAfterwards you can:\n\n".to_owned());
        for objective in &lesson.objectives {
            let text = wrap_str(objective, width.saturating_sub(2)).join("\n  ");
            parts.push(format!("- {text}\n"));
        }
    }
    for (n, page) in lesson.pages.iter().enumerate() {
        // The first page is called as the lesson, which has just been said.
        if n > 0 || page.title != lesson.title {
            parts.push(format!("\n{}", underlined(&page.title, '-')));
        }
        parts.push("\n".to_owned());
        parts.push(page_raw(lesson, page, warpup, width));
    }
    if lesson.quiz.is_some() {
        parts.push(format!("\nThe quiz: {warpup} quiz {}\n", lesson.id));
    }
    Shown::new(&parts.concat())
}

/// One page of a lesson, as a command prints it; commands in it as in [`lesson`].
pub fn page(lesson: &Lesson, page: &Page, warpup: &str, width: usize) -> Shown {
    let text = page_raw(lesson, page, warpup, width);
    Shown::new(&format!("{}\n{text}", underlined(&page.title, '-')))
}

/// The blocks of a page from one pause to the next, under the title of the page if they begin it.
pub fn part(lesson: &Lesson, page: &Page, shown: Range<usize>, width: usize) -> Shown {
    let title = match shown.start {
        0 => format!("{}\n", underlined(&page.title, '-')),
        _ => String::new(),
    };
    let blocks = page.blocks.get(shown).unwrap_or_default();
    let folds = answers::outermost(blocks);
    let text = blocks_raw(blocks, Some((lesson, Runs::ByWord)), width, &folds);
    Shown::new(&format!("{title}{text}"))
}

/// Some blocks, such as the prompt of a question, each line ended.
pub fn blocks(blocks: &[Block], width: usize) -> Shown {
    Shown::new(&blocks_raw(blocks, None, width, &[]))
}

/// The text of the folded part with this number, from 0, among those of a page that are not in others.
pub fn answer(lesson: &Lesson, blocks: &[Block], number: usize, width: usize) -> Option<Shown> {
    let folds = answers::outermost(blocks);
    let inside = answers::inside(blocks, folds.get(number)?);
    let text = blocks_raw(&inside, Some((lesson, Runs::ByWord)), width, &[]);
    Some(Shown::new(&text))
}

/// The text of one block on one line.
pub fn inline(text: &Text) -> Shown {
    Shown::one_line(&inline_raw(text))
}

/// The blocks of a page with an empty line more at its pauses. The text of folded parts is not where the eye meets it with
/// the question.
fn page_raw(lesson: &Lesson, page: &Page, warpup: &str, width: usize) -> String {
    let blocks = page.blocks.as_slice();
    let lesson = Some((lesson, Runs::ByCommand(warpup)));
    let ends = page.pauses.iter().map(|it| it.before);
    let mut start = 0;
    let mut parts = Vec::new();
    for end in ends.chain([blocks.len()]) {
        let part = blocks.get(start..end).unwrap_or_default();
        let folds = answers::outermost(part);
        parts.push(blocks_raw(part, lesson, width, &folds));
        start = end;
    }
    let mut text = parts.join("\n\n");
    let folds = answers::outermost(blocks);
    if !folds.is_empty() {
        text.push_str("\nAnswers:\n");
    }
    for fold in &folds {
        let inside = answers::inside(blocks, fold);
        text.push('\n');
        text.push_str(&blocks_raw(&inside, lesson, width, &[]));
    }
    text
}

/// Blocks, of which those in `closed` are out of sight.
fn blocks_raw(
    blocks: &[Block],
    lesson: Option<(&Lesson, Runs<'_>)>,
    width: usize,
    closed: &[Fold],
) -> String {
    let mut out = String::new();
    let mut before = None;
    let place = match lesson {
        Some((_, Runs::ByWord)) => "type `answer` to read it",
        Some((_, Runs::ByCommand(_))) | None => "at the end of the page",
    };
    let mut closed = closed.iter().peekable();
    for (at, block) in blocks.iter().enumerate() {
        while closed.next_if(|it| it.blocks.end <= at).is_some() {}
        let fold = closed.peek().filter(|it| it.blocks.contains(&at));
        let is_hidden = fold.is_some_and(|it| it.blocks.start < at);
        if is_hidden {
            before = Some(block.within.as_slice());
            continue;
        }
        let within = match fold {
            Some(fold) => block.within.get(..=fold.depth).unwrap_or_default(),
            None => block.within.as_slice(),
        };
        let mut depth = 0;
        let frame = frame(before, within, |it| {
            let mut mark = mark(it);
            if fold.is_some_and(|it| it.depth == depth) {
                mark.title = vec![answers::title(it, place)];
            }
            depth += 1;
            mark
        });
        before = Some(block.within.as_slice());
        for line in frame.gap.iter().chain(&frame.titles) {
            out.push_str(line.concat().trim_end());
            out.push('\n');
        }
        if fold.is_some() {
            continue;
        }
        let rest = frame.rest.concat();
        let room = width.saturating_sub(rest.width()).max(20);
        let mut prefix = frame.first.concat();
        for line in lines_of(&block.kind, lesson, room) {
            out.push_str(format!("{prefix}{line}").trim_end());
            out.push('\n');
            prefix.clone_from(&rest);
        }
    }
    out
}

fn lines_of(kind: &BlockKind, lesson: Option<(&Lesson, Runs<'_>)>, width: usize) -> Vec<String> {
    match kind {
        BlockKind::Heading { text, .. } => vec![inline_raw(text)],
        BlockKind::Paragraph(text) => wrap_str(&inline_raw(text), width),
        BlockKind::Code { code, .. } => indented(code),
        BlockKind::Figure { alt, art } => {
            let mut lines = indented(art);
            lines.push(String::new());
            lines.extend(wrap_str(&format!("Figure: {alt}"), width));
            lines
        }
        BlockKind::Table { align, head, rows } => table::lines(align, head, rows, width),
        BlockKind::Lab(id) => {
            let known = lesson.and_then(|(of, runs)| {
                let lab = of.labs.iter().find(|lab| lab.id == *id)?;
                Some((of, lab, runs))
            });
            match known {
                Some((lesson, lab, runs)) => lab_lines(lesson, lab, runs),
                None => vec![format!("Lab: {id}")],
            }
        }
        BlockKind::Rule => vec!["* * *".to_owned()],
    }
}

fn lab_lines(lesson: &Lesson, lab: &Lab, runs: Runs<'_>) -> Vec<String> {
    let mut lines = vec![format!("Lab: {}", lab.title), String::new()];
    lines.extend(indented(&lab.starter));
    lines.push(String::new());
    lines.push(match runs {
        Runs::ByCommand(warpup) => format!("Run it: {warpup} run {}/{}", lesson.id, lab.id),
        Runs::ByWord => format!("Run it: run {}", lab.id),
    });
    if let Some(rust) = &lab.rust {
        if runs == Runs::ByWord {
            lines.push(format!("In candle (Rust): candle {}", lab.id));
            return lines;
        }
        lines.push(String::new());
        lines.push("The same in candle (Rust):".to_owned());
        lines.push(String::new());
        lines.extend(indented(rust));
    }
    lines
}

fn filled(text: &str, width: usize) -> String {
    wrap_str(text, width).join("\n")
}

fn underlined(title: &str, with: char) -> String {
    let rule = with.to_string().repeat(title.width());
    format!("{title}\n{rule}\n")
}

fn indented(code: &str) -> Vec<String> {
    code.lines().map(|line| format!("{INDENT}{line}")).collect()
}

#[cfg(test)]
mod tests;
