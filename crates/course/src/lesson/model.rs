//! What a lesson consists of: pages and labs.

use crate::model::{Block, LabId, LimitedBy, PageId, QuestionId};
use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

/// The part of a lesson under one level-two heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The heading's `{#id}`, or its slug.
    pub id: PageId,
    /// The heading's text. The first page, before any heading, has the lesson's title.
    pub title: String,
    /// Its blocks, flat: nesting is in [`Block::within`].
    pub blocks: Vec<Block>,
    /// Where the learner pauses before reading on, in order.
    pub pauses: Vec<Pause>,
    /// What it says to instructors only; nothing once [`crate::Course::show_notes`] has put that among the blocks.
    pub notes: Vec<Note>,
}

/// What follows on the page is hidden until the learner goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// How many blocks of its page are before it; never none.
    pub before: usize,
    /// How many of its page's notes are before it.
    pub notes: usize,
}

/// A block of an instructor's note.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// How many blocks of its page are before it.
    pub before: usize,
    /// The block.
    pub block: Block,
}

impl Page {
    /// Whether it explains words, and is looked up rather than read.
    pub(crate) fn is_glossary(&self) -> bool {
        let id = self.id.as_str();
        id == "glossary" || id.starts_with("glossary-")
    }

    /// Puts a block in front of all others.
    pub(super) fn begin_with(&mut self, block: Block) {
        self.blocks.insert(0, block);
        for pause in &mut self.pauses {
            pause.before += 1;
        }
        for note in &mut self.notes {
            note.before += 1;
        }
    }

    /// Puts its notes among its blocks.
    pub(super) fn show_notes(&mut self) {
        let notes = std::mem::take(&mut self.notes);
        for (earlier, note) in notes.into_iter().enumerate() {
            let at = (note.before + earlier).min(self.blocks.len());
            self.blocks.insert(at, note.block);
        }
        for pause in &mut self.pauses {
            pause.before += std::mem::take(&mut pause.notes);
        }
    }
}

/// A program the learner runs and edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Lab {
    /// Stable name inside the lesson.
    pub id: LabId,
    /// What to do, for titles and lists. The id in words when the author gave none.
    pub title: String,
    /// The page it is on.
    pub page: PageId,
    /// What the lesson asks to run it on.
    pub device: DeviceWish,
    /// A question the learner answers before Run unlocks; it is in the lesson's quiz file.
    pub predict: Option<QuestionId>,
    /// Wall time a run may take.
    pub time_limit: Duration,
    /// Who says so.
    pub limited_by: LimitedBy,
    /// Bytes of host memory that its program asks for; the usual limit if it asks for none.
    pub memory: Option<u64>,
    /// The program the learner starts from.
    pub starter: String,
    /// Python appended after the learner's program, which calls `lab.check`.
    pub check: Option<String>,
    /// How it is repaired; nothing if it passes as it is.
    pub solution: Option<Solution>,
    /// Programs besides the solution that pass the check, from the lesson's file in `repairs/`; shown after it.
    pub other_ways: Vec<OtherWay>,
    /// The same program in candle (Rust).
    pub rust: Option<String>,
    /// Hints, mildest first.
    pub hints: Vec<Vec<Block>>,
    /// Where its other programs are.
    pub blocks: LabBlocks,
    /// Bytes of the lesson file that hold the fenced block.
    pub span: Range<usize>,
}

/// How a lab is repaired that fails as it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// A program that passes the check; shown after success or on giving up.
    Program(String),
    /// The learners' instructor has it: `warpup pack --no-keys` left it out.
    Withheld,
}

/// A program that passes the check of a lab in another way than its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherWay {
    /// The way, in a few words.
    pub title: String,
    /// The program.
    pub program: String,
}

/// Where the programs of a lab are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabBlocks {
    /// The first byte of the block of its check in the lesson file.
    pub check: Option<usize>,
    /// The first byte of the block of its solution in the lesson file.
    pub solution: Option<usize>,
    /// The files of starter, check and solution, such as `labs/placement.py`, where they are not in the lesson file.
    pub files: [Option<String>; 3],
}

impl Lab {
    /// A program that passes the check, if the course has one.
    pub fn solution_program(&self) -> Option<&str> {
        match self.solution.as_ref()? {
            Solution::Program(program) => Some(program),
            Solution::Withheld => None,
        }
    }

    /// Whether one of its programs is in this file.
    pub fn is_in(&self, file: &str) -> bool {
        let mut files = self.blocks.files.iter().flatten();
        files.any(|it| it == file)
    }

    /// The metrics that it gives by name; nothing when a name is computed, or may be in a solution that is withheld.
    pub fn metrics(&self) -> Option<BTreeSet<&str>> {
        if self.solution == Some(Solution::Withheld) {
            return None;
        }
        let mut names = BTreeSet::new();
        let programs = [
            Some(self.starter.as_str()),
            self.check.as_deref(),
            self.solution_program(),
        ];
        for program in programs.into_iter().flatten() {
            for call in program.split("lab.metric(").skip(1) {
                let call = call.trim_start();
                let quote = call.chars().next().filter(|it| ['"', '\''].contains(it))?;
                names.insert(call.split(quote).nth(1)?);
            }
        }
        Some(names)
    }

    /// The unit that its text gives a metric; nothing when that is computed, or not the same everywhere.
    pub(crate) fn unit_of(&self, metric: &str) -> Option<&str> {
        let programs = [
            Some(self.starter.as_str()),
            self.check.as_deref(),
            self.solution_program(),
        ];
        let programs = programs.into_iter().flatten();
        let calls = programs.flat_map(|it| it.split("lab.metric(").skip(1));
        let mut units = calls.map(arguments).filter_map(|it| {
            let [name, _, unit] = it.as_slice() else {
                return None;
            };
            let unit = unit
                .trim_start_matches("unit")
                .trim_start()
                .trim_start_matches('=');
            (quoted(name)? == metric).then(|| quoted(unit))
        });
        let first = units.next()??;
        units.all(|it| it == Some(first)).then_some(first)
    }

    /// Whether its text says that it gives a metric.
    pub fn gives(&self, metric: &str) -> bool {
        self.metrics().is_some_and(|it| it.contains(metric))
    }
}

/// The arguments of a call in Python: what is between its commas, up to the bracket that closes it.
fn arguments(call: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut from, mut quote) = (0_usize, 0, None);
    for (at, letter) in call.char_indices() {
        match letter {
            _ if quote == Some(letter) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(letter),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ',' | ')' if depth == 0 => {
                found.extend(
                    call.get(from..at)
                        .map(str::trim)
                        .filter(|it| !it.is_empty()),
                );
                from = at + 1;
                if letter == ')' {
                    return found;
                }
            }
            _ => {}
        }
    }
    Vec::new()
}

/// What is between the two quotation marks of a text, if that is all.
fn quoted(argument: &str) -> Option<&str> {
    let argument = argument.trim();
    let quote = argument
        .chars()
        .next()
        .filter(|it| ['"', '\''].contains(it))?;
    let inside = argument.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inside.contains([quote, '\\'])).then_some(inside)
}

/// What a lab asks to run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceWish {
    /// Whatever the learner has chosen.
    Any,
    /// The CPU, measured.
    Cpu,
    /// Any device whose name starts with `cuda` in the lab: a real or a modelled card.
    Cuda,
    /// A certain modelled card, such as `t4`.
    Model(String),
}
